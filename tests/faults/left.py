"""What a run leaves behind: processes, namespaces, interfaces, unfinished files."""

import os
import shutil
import signal
from pathlib import Path

_SPACES = ("net", "pid", "mnt", "user")


def processes():
    return [entry for entry in os.listdir("/proc") if entry.isdigit()]


def read(path):
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def spaces_of(process):
    spaces = set()
    for space in _SPACES:
        try:
            spaces.add(os.readlink(f"/proc/{process}/ns/{space}"))
        except OSError:
            pass
    return spaces


def start_of(process):
    """In ticks since the machine's start: a number may be given to another process. Nothing when it has ended."""
    fields = read(f"/proc/{process}/stat").rpartition(b")")[2].split()
    return int(fields[19]) if len(fields) > 19 and fields[0] != b"Z" else None


def called(process):
    """A process's number and name."""
    return f"{process} ({read(f'/proc/{process}/comm').decode(errors='replace').strip()})"


class Mark:
    """Processes of runs are found by a mark in their environment, and by the namespaces that these have."""

    def __init__(self, text):
        """The mark is an environment variable's name and value: "NAME=value"."""
        self.name, _, self.value = text.partition("=")
        self._text = text.encode()
        self._interfaces = set(os.listdir("/sys/class/net"))
        self._outside = spaces_of("self")

    def processes(self):
        return [process for process in processes()
                if self._text in read(f"/proc/{process}/environ").split(b"\0")]

    def insiders(self):
        """Processes in a namespace of the runs, marked or not, as (number, moment of its start)."""
        held = set().union(*(spaces_of(process) for process in self.processes())) - self._outside
        return {(process, start_of(process)) for process in processes() if spaces_of(process) & held}

    def leftovers(self, insiders):
        """What is there of all runs; `insiders` were in namespaces of one."""
        left = [f"process {called(process)}" for process in self.processes()]
        left += [f"namespaces of process {called(process)}" for process, start in insiders
                 if start is not None and start_of(process) == start]
        left += [f"interface {name}" for name in set(os.listdir("/sys/class/net")) - self._interfaces]
        return left

    def end_all(self):
        for process in self.processes():
            try:
                os.kill(int(process), signal.SIGKILL)
            except ProcessLookupError:
                pass


def unfinished(folder):
    """Unfinished files and folders below a folder. Some may vanish while it looks."""
    return [Path(inside) / name for inside, folders, files in os.walk(folder) for name in folders + files
            if ".partial-" in name]


def remove(path):
    shutil.rmtree(path, ignore_errors=True)
    if path.is_file():
        path.unlink()
