"""Groups of processes with a limit, of version 2 or 1, where the machine lets us make them."""

import os
import time
from pathlib import Path

_TOP = Path("/sys/fs/cgroup")
_FILES = {  # by (version, controller): the file with the limit
    (2, "cpu"): "cpu.max", (2, "memory"): "memory.max", (2, "pids"): "pids.max",
    (1, "cpu"): "cpu.cfs_quota_us", (1, "memory"): "memory.limit_in_bytes", (1, "pids"): "pids.max",
}
_PERIOD = 400_000  # us
_LEAST_QUOTA = 1_000  # us, the kernel's


class Group:
    def __init__(self, controller):
        self._controller = controller
        self._version = 1 if (_TOP / controller).is_dir() else 2
        top = _TOP / controller if self._version == 1 else _TOP
        if self._version == 2:
            (_TOP / "cgroup.subtree_control").write_text(f"+{controller}")
        self._folder = top / f"gradwire-faults-{os.getpid()}-{time.monotonic_ns()}"
        self._folder.mkdir()
        self._limit = self._folder / _FILES[(self._version, controller)]
        if not self._limit.exists():
            self.remove()
            raise OSError(f"no {self._limit.name}")

    def limit(self, number):
        self._limit.write_text(str(number))

    def give_quota(self, share):
        """That share of a processor, or the least that the kernel gives."""
        quota = max(int(share * _PERIOD), _LEAST_QUOTA)
        if self._version == 1:
            (self._folder / "cpu.cfs_period_us").write_text(str(_PERIOD))
        self.limit(f"{quota} {_PERIOD}" if self._version == 2 else quota)

    def take(self, pid):
        (self._folder / "cgroup.procs").write_text(str(pid))

    def remove(self):
        """Waits until its processes are gone."""
        until = time.monotonic() + 5
        while time.monotonic() < until:
            try:
                self._folder.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)


def make(run, controller):
    """A group that goes with the run."""
    group = Group(controller)
    run.when_gone.append(group.remove)
    return group


def available(controller):
    try:
        Group(controller).remove()
        return True
    except OSError:
        return False
