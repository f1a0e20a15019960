"""What a case needs of the machine, and whether it is there."""

import functools
import os
import shutil

import cgroup
from run import shim_of

_NEEDS = {
    "root": lambda _: os.geteuid() == 0,
    "ip": lambda _: shutil.which("ip") is not None,
    "tc": lambda _: shutil.which("tc") is not None,
    "unshare": lambda _: shutil.which("unshare") is not None,
    "nsenter": lambda _: shutil.which("nsenter") is not None,
    "shim": lambda program: shim_of(program).exists(),
    # cgroups with that controller, which we may make
    "cpu": lambda _: cgroup.available("cpu"),
    "memory": lambda _: cgroup.available("memory"),
    "pids": lambda _: cgroup.available("pids"),
}


@functools.lru_cache(maxsize=None)
def _is_there(need, program):
    return _NEEDS[need](program)


def missing(case, program):
    """The first thing that the case needs and the machine lacks; None when all is there."""
    return next((need for need in case.needs if not _is_there(need, program)), None)
