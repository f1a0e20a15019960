"""Faults of what the machine gives: disks, memory, descriptors, processes, the time of the day; two runs at once."""

import json
import os
import resource
import signal
import subprocess
import time
import zlib

import cgroup
import left
from case import Case, Expectation
from processes import await_error, durations
from run import NotReached

_SHORT = {"iterations": "3", "warmup": "0"}


# Disks. A process holds a mount namespace with a small file system, in which the run has its folder.


class SmallDisk:
    """A tmpfs of its own that the run finds at the same place as the suite would, were it there."""

    def __init__(self, run, options):
        self.place = run.folder / "disk"
        self.place.mkdir()
        script = f"mount -t tmpfs -o {options} none '{self.place}' && echo there && exec sleep 600"
        unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-r", "-m"]
        self._holder = subprocess.Popen([*unshare, "sh", "-c", script], stdout=subprocess.PIPE)
        run.helpers.add(self._holder.pid)
        run.closing.append(self._end)
        if self._holder.stdout.readline() != b"there\n":
            raise NotReached("no small disk could be mounted")
        user = [] if os.geteuid() == 0 else ["-U", "--preserve-credentials"]
        run.prefix = ["nsenter", "-t", str(self._holder.pid), *user, "-m"]
        self._prefix = run.prefix
        # As seen from the suite, whose own mount namespace does not have it.
        self.seen = f"/proc/{self._holder.pid}/root{self.place}"

    def do(self, *command):
        """Runs a command where the disk is."""
        return subprocess.run([*self._prefix, *command], capture_output=True, text=True, check=False)

    def _end(self):
        self._holder.kill()
        self._holder.wait()
        self._holder.stdout.close()


def with_disk(options, full=False):
    def prepare(run, _):
        run.disk = SmallDisk(run, options)
        run.out = type(run.out)(run.disk.seen) / "out"
        run.given_out = run.disk.place / "out"
        if full:
            run.disk.do("mount", "-o", "remount,ro", str(run.disk.place))
    return prepare


def nothing_half(run):
    """Every line that is there is whole, and readers take the folder."""
    for name in ("samples.ndjson", "points.ndjson", "timelines.ndjson"):
        text = (run.out / name).read_bytes()
        if text and not text.endswith(b"\n"):
            return f"{name} ends with half a line"
        for line in text.split(b"\n")[:-1]:
            body, mark, crc = line.rpartition(b',"crc32":"')
            if not mark or zlib.crc32(body) != int(crc[:8], 16):
                return f"{name} has a line that is not sealed"
        json.loads(b"[" + b",".join(text.split(b"\n")[:-1]) + b"]")
    shown = run.disk.do(run.program, "results", "show", str(run.given_out))
    return None if shown.returncode == 0 else f"gradwire results show: {shown.returncode}: {shown.stderr[-200:]}"


def disk_full(run, draw):
    """Somebody else fills the disk while the run measures."""
    run.await_samples(draw.randint(1, 4))
    run.note_insiders()
    before = run.sample_count()
    run.note_injection()
    run.disk.do("dd", "if=/dev/zero", f"of={run.disk.place}/other", "bs=4k")  # until there is no room

    def holds(run):
        wrong = nothing_half(run)
        return wrong or (None if run.sample_count() >= before else "samples were lost")
    return Expectation(codes=(1,), says=r"error: append to \S*\.ndjson: No space left on device", within=5, holds=holds)


def disk_read_only(run, _):
    run.note_injection()
    says = r"error: create \S+: Read-only file system"
    return Expectation(codes=(1, 2), says=says, within=5)


# The time of the day.


def with_jumps(run, draw):
    jump = draw.choice([1, -1, 262, -262])
    run.about = f"{jump} s"
    run.environment = {"LD_PRELOAD": str(run.shim), "GRADWIRE_CLOCK_JUMPS": str(jump)}


def clock_jumps(run, _):
    run.await_samples(3)
    run.note_insiders()
    run.note_injection()

    def holds(run):
        odd = [seconds for seconds in durations(run) if not 0 < seconds < 0.9]
        return f"durations of {odd} s" if odd else None
    return Expectation(survives=True, within=10, holds=holds)


# Memory, descriptors, processes.


def with_little_memory(run, draw):
    run.rank = draw.randrange(run.ranks)
    run.about = f"rank {run.rank}"
    group = cgroup.make(run, "memory")
    group.limit(300 << 20)
    run.limits = lambda: group.take(os.getpid())
    run.environment = {"LD_PRELOAD": str(run.shim), "GRADWIRE_FAULT": "eat", "GRADWIRE_FAULT_RANK": str(run.rank),
                       "GRADWIRE_FAULT_AFTER": str(draw.randint(1, 4))}


def out_of_memory(run, _):
    await_error(run)
    says = rf"error: .*\brank {run.rank} was killed by signal 9 \(Killed\): the kernel ran out of memory"
    return Expectation(codes=(1,), says=says, within=10)


def limited(what, lowest, highest):
    """A preparation: a limit that is drawn, for the program and all that it starts."""
    def prepare(run, draw):
        limit = draw.randint(lowest, highest)
        run.about = f"{limit}"
        run.drawn_limit = limit
        run.limits = lambda: resource.setrlimit(what, (limit, limit))
    return prepare


def refused_or_right(says):
    """Where the limit is enough after all, the run must end well."""
    def inject(run, _):
        run.note_injection()
        return Expectation(codes=(0, 1, 2, 5), says=says, within=60)  # of the whole run
    return inject


def few_processes(run, draw):
    limit = draw.randint(2, 26)
    run.about = f"{limit}"
    group = cgroup.make(run, "pids")
    group.limit(limit)
    run.limits = lambda: group.take(os.getpid())


# One run beside another.


def beside_another(run, _):
    """The same experiment twice: both measure, and neither notices."""
    other = run.start_another("other", run.folder / "other-run")
    samples = run.folder / "other-run" / "samples.ndjson"
    run.note_injection()
    try:
        run.wait_until(lambda: other.poll() is not None or left.read(samples).count(b"\n") >= 3, "the other's samples")
        run.note_insiders()
    finally:
        if other.poll() is None:
            other.send_signal(signal.SIGINT)
        code = other.wait(20)
    if code != 130:
        raise NotReached(f"the other ended with {code}: {run.said('other')[-300:]}")
    rows = json.loads((run.folder / "other-run" / "results.json").read_text())["rows"]
    wrong = rows[0]["wrong"]
    return Expectation(survives=True, within=10,
                       holds=lambda _: None if wrong == 0 else f"the other's sums: {wrong} wrong")


def same_folder(run, draw):
    """A second run into the folder of the first is refused, with who is there; the first goes on."""
    run.wait_until((run.out / "context.json").exists, "its folder")
    time.sleep(draw.uniform(0, 1))
    run.note_insiders()
    run.note_injection()
    second = run.start_another("other", run.out)
    code = second.wait(20)
    said = run.said("other")
    holder = f"gradwire, process {run.process.pid}, writes it now"

    def holds(_):
        if code != 2 or holder not in said:
            return f"the second ended with {code} and said {said!r}, not {holder!r}"
        return None
    return Expectation(survives=True, within=10, holds=holds)


_DISK = ("unshare", "nsenter")

CASES = [
    Case(18, "disk-full", disk_full, prepare=with_disk("size=300k"), needs=_DISK),
    Case(18, "disk-read-only", disk_read_only, prepare=with_disk("size=300k", full=True), needs=_DISK),
    Case(20, "clock-jumps", clock_jumps, prepare=with_jumps, needs=("shim",)),
    Case(21, "out-of-memory", out_of_memory, prepare=with_little_memory, needs=("shim", "memory")),
    Case(21, "address-space", refused_or_right(r"error: .*([Mm]emory|ulimit -v|pids\.max)"), experiment=_SHORT,
         prepare=limited(resource.RLIMIT_AS, 70 << 20, 100 << 20)),
    Case(22, "descriptors",
         refused_or_right(r"error: .*(Too many open files \(ulimit -n is \d+\)|than it may have \(ulimit -n\))"),
         experiment=_SHORT, prepare=limited(resource.RLIMIT_NOFILE, 5, 34)),
    Case(22, "processes", refused_or_right(r"error: .*(pids\.max|more than this machine can start)"),
         experiment=_SHORT, prepare=few_processes, needs=("pids",)),
    Case(23, "beside-another", beside_another),
    Case(23, "same-folder", same_folder),
]
