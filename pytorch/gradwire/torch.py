"""PyTorch's process group "gradwire": gradients are summed as Gradwire sums them, on its wirings.

    import gradwire.torch
    dist.init_process_group("gradwire")
    dist.init_process_group("gradwire", pg_options={"algorithm": "bml"})

pg_options has what docs/library.md lists, but for rank and ranks; what it leaves out is read from GRADWIRE_WIRING,
GRADWIRE_ALGORITHM and the others.
"""

import atexit
import os
import weakref
from datetime import timedelta

import torch.distributed as dist

from gradwire import _meeting, _torch
from gradwire._schedule import ScheduleHook, bucket_per_tensor, schedule_hook
from gradwire.recorder import record

__all__ = ["ScheduleHook", "bucket_per_tensor", "record", "schedule_hook"]

_groups = weakref.WeakSet()


def _timeout(options, given):
    """What libgradwire is told to wait: the option, else its variable, else what PyTorch was told."""
    if "timeout" in options or os.environ.get("GRADWIRE_TIMEOUT"):
        return {}
    milliseconds = min(given, timedelta(days=1)) // timedelta(milliseconds=1)
    return {"timeout": f"{max(milliseconds, 1)}ms"}


def _create(group, pg_options):
    """A process group, as torch.distributed asks for it."""
    options = dict(pg_options or {})
    size = group.group_size
    options |= _timeout(options, group.timeout)
    with _meeting.arranged(group.store, group.group_rank, size, options) as meeting:
        options |= {"rank": group.group_rank, "ranks": size} | meeting
        made = _torch.make_group(group.group_rank, size, [f"{key}={value}" for key, value in options.items()])
    _groups.add(made)
    return made


@atexit.register
def _leave_all():
    """Leaves the groups that a program has not destroyed, so that the other ranks miss nobody."""
    for group in list(_groups):
        _torch.leave(group)


dist.Backend.register_backend("gradwire", _create, extended_api=True)
