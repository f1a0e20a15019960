"""What a case needs of the machine, and whether it is there."""

import os
import shutil

_NEEDS = {
    "root": lambda: os.geteuid() == 0,
    "ip": lambda: shutil.which("ip") is not None,
    "tc": lambda: shutil.which("tc") is not None,
    "unshare": lambda: shutil.which("unshare") is not None,
}


def missing(case):
    """The first thing that the case needs and the machine lacks; None when all is there."""
    return next((need for need in case.needs if not _NEEDS[need]()), None)
