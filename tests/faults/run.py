"""A run of the program, small and emulated, into which a fault is injected."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import left

WIRINGS = {"ring": "single-switch(4)", "ps": "single-switch(4)", "bml": "bcube(2,2)"}
RANKS = 4  # of these
SIZES = {"single-switch(4)": (RANKS, 1), "bcube(2,2)": (RANKS, 2), "bcube(3,2)": (9, 2)}  # ranks, and ports of each
PATIENCE = 30  # seconds, for what must come at all

_STANDARD = {"gradwire": "1", "name": "fault", "link": "{rate: 1Gbit, mtu: 9000}", "elements": "300000",
             "dilation": "8", "check": "every", "warmup": "1", "iterations": "100000", "timeout": "2s"}


class NotReached(Exception):
    """The run did not come to where the fault was to be injected."""


class TooLate(Exception):
    """The run was past where the fault was to be injected: this machine was too busy."""


class Run:
    """One run in a scratch folder of its own. Nothing is started before start()."""

    def __init__(self, program, algorithm, folder, experiment):
        self.program = str(program)
        self.algorithm = algorithm
        keys = {**_STANDARD, "algorithm": algorithm, "wiring": f"'{WIRINGS[algorithm]}'", **experiment}
        self.ranks, self.ports = SIZES[keys["wiring"].strip("'")]
        self.folder = folder
        self.out = folder / "out"  # the run folder
        self.given_out = None  # what the program calls it, where that is not what the suite does
        self.temporary = folder / "t"
        self.temporary.mkdir(parents=True)
        self.mark = left.Mark(f"GRADWIRE_FAULTS={os.getpid()}-{folder.name}")
        self.environment = {}  # more than the caller's
        self.prefix = []  # a command that starts the program
        self.limits = None  # called in the child before the program
        self.options = []  # more of `gradwire run`
        self.process = None
        self.injected = None  # time.monotonic() of the fault
        self.about = ""  # what was drawn, in words, for the report
        self.helpers = set()  # processes of the suite in namespaces of the run
        self.closing = []  # called when the run is judged, also after a failure
        self.when_gone = []  # called when all its processes are gone
        # Preloaded, it has one rank do what no signal can (rank_faults.cc).
        self.shim = shim_of(self.program)
        self._insiders = set()
        (folder / "x.yaml").write_text("".join(f"{key}: {value}\n" for key, value in keys.items() if value is not None))

    # Starting and ending.

    def start(self):
        self.process = self.start_another("said", self.given_out or self.out)

    def start_another(self, name, out, options=()):
        """One more program with the same experiment; `name` is of the file for its standard error."""
        environment = {**os.environ, "TMPDIR": str(self.temporary), self.mark.name: self.mark.value, **self.environment}
        experiment = str(self.folder / "x.yaml")
        command = [*self.prefix, self.program, "run", experiment, "-o", str(out), *self.options, *options]
        with open(self.folder / name, "wb") as said, open(self.folder / (name + "-out"), "wb") as printed:
            return subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=printed,
                                    stderr=said, preexec_fn=self.limits)

    def note_injection(self):
        self.injected = time.monotonic()

    def note_insiders(self):
        self._insiders |= self.mark.insiders()

    def poll(self):
        return self.process.poll()

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def finish(self, seconds):
        """The exit code, 128 + signal when killed; None when it does not end within so many seconds."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return code if code >= 0 else 128 - code

    # What it says.

    def said(self, name="said"):
        return left.read(self.folder / name).decode(errors="replace")

    def samples(self):
        """Samples that are complete so far, by iteration in the order of their measuring."""
        lines = left.read(self.out / "samples.ndjson").split(b"\n")[:-1]
        return [json.loads(line) for line in lines]

    def sample_count(self):
        return left.read(self.out / "samples.ndjson").count(b"\n")

    def results(self):
        """results.json; None when there is none."""
        text = left.read(self.out / "results.json")
        return json.loads(text) if text else None

    def row(self):
        results = self.results()
        return results["rows"][0] if results and results["rows"] else None

    def flags(self):
        row = self.row()
        return set(row["flags"]) if row else set()

    # Waiting.

    def wait_until(self, holds, what, seconds=PATIENCE):
        """Waits until holds() is true and returns what it returned. Throws NotReached when the run ends before."""
        until = time.monotonic() + seconds
        while True:
            value = holds()
            if value:
                return value
            if self.process.poll() is not None:
                raise NotReached(f"{what}: the run ended with {self.process.returncode}: {self.said()[-300:]}")
            if time.monotonic() > until:
                raise NotReached(f"{what}: not within {seconds} s: {self.said()[-300:]}")
            time.sleep(0.002)

    def await_samples(self, count):
        self.wait_until(lambda: self.sample_count() >= count, f"{count} samples")

    def await_workers(self):
        """The workers, by rank, once all of them are there."""
        return self.wait_until(lambda: self._workers_if(self.ranks), f"{self.ranks} workers")

    def _workers_if(self, count):
        workers = self.workers()
        return workers if len(workers) >= count else None

    # Its processes.

    def inner(self):
        """The process inside the sandbox that starts the workers: the first of its process namespace."""
        for process in self.mark.processes():
            numbers = _numbers_inside(process)
            if len(numbers) > 1 and numbers[-1] == 1:
                return int(process)
        return None

    def workers(self):
        """Process numbers by rank: workers are started in the order of their ranks. Dead ones that nobody has waited
        for are not among them."""
        found = []
        for process in self.mark.processes():
            words = left.read(f"/proc/{process}/cmdline").split(b"\0")
            if b"worker" in words[1:2] and left.start_of(process) is not None:
                found.append((_numbers_inside(process)[-1:], int(process)))
        return [process for _, process in sorted(found)]

    # What is left.

    def leftovers(self):
        insiders = {(process, start) for process, start in self._insiders if int(process) not in self.helpers}
        found = self.mark.leftovers(insiders)
        found += [f"temporary {entry}" for entry in os.listdir(self.temporary)]
        return found + [str(path.relative_to(self.folder)) for path in left.unfinished(self.folder)]

    def clear(self):
        """Ends what should have ended, and removes all that there is."""
        for close in reversed(self.closing):
            close()
        self.mark.end_all()
        if self.process is not None:
            self.process.wait()
        for finish in self.when_gone:
            finish()
        shutil.rmtree(self.folder, ignore_errors=True)


def shim_of(program):
    return Path(program).parents[1] / "tests/faults/libgradwire_rank_faults.so"


def _numbers_inside(process):
    """A process's numbers in its process namespaces, from outside in."""
    found = re.search(rb"^NSpid:\s*(.*)$", left.read(f"/proc/{process}/status"), re.MULTILINE)
    return [int(number) for number in found.group(1).split()] if found else []
