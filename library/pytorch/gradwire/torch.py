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
from typing import NamedTuple

import torch.distributed as dist

from gradwire import _meeting, _torch
from gradwire._schedule import ScheduleHook, bucket_per_tensor, schedule_hook
from gradwire.recorder import record

__all__ = ["ScheduleHook", "Verified", "bucket_per_tensor", "record", "schedule_hook", "verify"]

_groups = weakref.WeakSet()


class Verified(NamedTuple):
    """Findings about this rank's sums since it joined."""

    sums: int  # all-reduces that were verified
    elements: int  # of all of them together
    wrong: int  # of these, those that no order of additions gives
    not_finite: int  # of these, NaN and infinities, right or wrong


def verify(group=None):
    """Verifies the kept sums of all-reduces, and returns the findings so far (Verified). The first and every
    K-th after it are kept where the option verify, or GRADWIRE_VERIFY, says K; see docs/library.md. Collective: every rank
    calls it, in the same order among its collectives."""
    return Verified(*_torch.verify(group or dist.distributed_c10d._get_default_group()))  # pylint: disable=protected-access


def _timeout(options, given):
    """The timeout option for libgradwire: empty where the option or its variable is set, else PyTorch's timeout."""
    if "timeout" in options or os.environ.get("GRADWIRE_TIMEOUT"):
        return {}
    milliseconds = min(given, timedelta(days=1)) // timedelta(milliseconds=1)
    return {"timeout": f"{max(milliseconds, 1)}ms"}


def _create(group, pg_options):
    """Makes a process group for torch.distributed."""
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
