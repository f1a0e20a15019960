"""Runs that go on until they are stopped, and what is there of them."""

import os
import shutil
import subprocess

import left

_HEAD = "gradwire: 1\nname: kills\niterations: 100000\ntimeout: 2s\n"
_EMULATED = _HEAD + "link: {rate: 1Gbit, mtu: 9000}\nelements: 300000\ndilation: 4\n"
# By kind: the experiment, and the commands that it needs.
_KINDS = {
    "bml": (_EMULATED + "algorithm: bml\nwiring: 'bcube(2,2)'\n", []),
    "ring": (_EMULATED + "algorithm: ring\nwiring: 'fat-tree(2)'\n", []),
    "simulated": ("gradwire: 1\nname: kills\nlink: {rate: 1Gbit}\nbacking: simulated\n"
                  "algorithm: ps\nwiring: 'bcube(8,2)'\nsweep: {product: {elements: ["
                  + ", ".join(str(100000 + i) for i in range(500)) + "]}}\n", []),
    "mpi": (_EMULATED + "algorithm: mpi(ring)\nwiring: single-switch(2)\n", ["mpirun"]),
    # Its hosts never answer: the agent is on its way to them.
    "hosts": (_HEAD + "link: {rate: 1Gbit, mtu: 9000}\nelements: 300000\nbacking: hosts\n"
              "algorithm: ring\nwiring: single-switch(2)\n", ["mpirun"]),
    "emulate": ("", []),  # no experiment, but commands that leave others behind
}
_EMULATE = ["emulate", "bcube(2,2)", "--", "sh", "-c", "(setsid sleep 1000) & sleep 1000"]
_INVENTORY = """gradwire-inventory: 1
control: [127.0.0.0/8]
plan: single-switch(2)
device: p{level}
agent: AGENT
hosts:
  - {name: one.invalid}
  - {name: two.invalid}
"""


def kinds_here(program):
    """The kinds of runs that this machine and this program have what they need for."""
    backings = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
    return [kind for kind, (_, needs) in _KINDS.items()
            if all(shutil.which(command) for command in needs) and (kind != "mpi" or "mpi" in backings)]


class Ground:
    """Where runs of one kind are started. Their processes carry a mark in their environment."""

    def __init__(self, program, kind, folder):
        self._program = program
        self._folder = folder
        self._temporary = folder / "t"
        self._temporary.mkdir(parents=True)
        self._mark = left.Mark(f"GRADWIRE_KILLS={os.getpid()}-{kind}")
        experiment, _ = _KINDS[kind]
        self._kind = kind
        (folder / "x.yaml").write_text(experiment)
        agent = folder / "agent"
        agent.write_text("#!/bin/sh\nexec sleep 1000\n")
        agent.chmod(0o755)
        (folder / "inventory.yaml").write_text(_INVENTORY.replace("AGENT", str(agent)))

    def start(self, number):
        environment = {**os.environ, self._mark.name: self._mark.value, "TMPDIR": str(self._temporary),
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        with open(self._folder / f"said-{number}", "wb") as said:
            return subprocess.Popen(self._command(number), cwd=self._folder, env=environment, stdout=said, stderr=said,
                                    stdin=subprocess.DEVNULL)

    def _command(self, number):
        if self._kind == "emulate":
            return [self._program, *_EMULATE]
        options = ["--inventory", "inventory.yaml"] if self._kind == "hosts" else []
        return [self._program, "run", "x.yaml", "-o", f"out/{number}", *options]

    def said(self, number):
        return left.read(self._folder / f"said-{number}").decode(errors="replace")[-300:]

    def stage(self, number):
        """How far a run is."""
        samples = self._folder / "out" / str(number) / "samples.ndjson"
        if not samples.exists():
            return "before its folder"
        return "with samples" if samples.stat().st_size else "without samples"

    def insiders(self):
        """Processes in a namespace of the run, marked or not, as (number, moment of its start)."""
        return self._mark.insiders()

    def leftovers(self, insiders):
        """What is there of all runs; `insiders` were in namespaces of one."""
        found = self._mark.leftovers(insiders)
        found += [f"temporary {entry}" for entry in os.listdir(self._temporary)]
        return found + [str(path.relative_to(self._folder)) for path in left.unfinished(self._folder)]

    def clean_up(self):
        """Ends what should have ended, and removes what should not be there."""
        self._mark.end_all()
        for path in [*self._temporary.iterdir(), *left.unfinished(self._folder)]:
            left.remove(path)

    def clear(self, number):
        """Removes a run's folder and what it said."""
        shutil.rmtree(self._folder / "out" / str(number), ignore_errors=True)
        (self._folder / f"said-{number}").unlink(missing_ok=True)
