#!/usr/bin/env python3
"""How the time to set an emulation up, the time to calibrate it, and its memory grow with its hosts.

    emulation_growth.py GRADWIRE [WIRING...]

Runs one all-reduce of 12.5 MiB a rank on each wiring, by ring with one port a host and by BML with several, with
`dilation: auto`, and prints a Markdown table. Memory is the most by which the machine had less available than before: let
nothing else run. Ends with 1 when a run fails, has a wrong sum, or takes more memory than the documents state: 16 MiB
beside its gradient for each host, and 1 MiB for each end of a cable.
"""

import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ELEMENTS = 12 * 2**18 + 2**17  # 12.5 MiB of float32
MIB = 2**20
HOST, CABLE_END = 4 * ELEMENTS + 16 * MIB, MIB  # the bytes that the documents state
WIRINGS = ["single-switch(8)", "bcube(4,2)", "single-switch(32)", "bcube(4,3)", "bcube(8,2)", "fat-tree(6)",
           "single-switch(100)", "fat-tree(8)"]
LONGEST = 600  # seconds


def available():
    """Bytes that the machine could still give."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    raise RuntimeError("/proc/meminfo has no MemAvailable")


class Memory:
    """Samples what the machine has available while a block runs."""

    def __enter__(self):
        self.before = self.least = available()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._sample)
        self.thread.start()
        return self

    def _sample(self):
        while not self.ended.wait(0.05):
            self.least = min(self.least, available())

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def taken(self):
        return self.before - self.least


def facts(program, wiring):
    """What the program counts of a wiring."""
    told = subprocess.run([program, "topo", "cost", wiring, "--format", "json"], check=True, capture_output=True, text=True)
    return json.loads(told.stdout)[0]


def row(program, wiring, folder):
    """Runs it; returns the cells of its row, and whether it took no more memory than is stated."""
    shape = facts(program, wiring)
    algorithm = "ring" if shape["nics"] == shape["hosts"] else "bml"
    experiment = folder / "growth.yaml"
    experiment.write_text(f"gradwire: 1\nname: growth\nlink: {{rate: 10Gbit}}\nwiring: {wiring}\nalgorithm: {algorithm}\n"
                          f"elements: {ELEMENTS}\nbacking: emulated\ndilation: auto\nwarmup: 0\niterations: 1\n")
    run = folder / wiring
    began = time.monotonic()
    with Memory() as memory:
        subprocess.run([program, "run", experiment, "-o", run], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, timeout=LONGEST)
    whole = time.monotonic() - began
    calibration = json.loads((run / "calibration.json").read_text())
    times = next(iter(calibration["wirings"].values()))
    ends = 2 * shape["cables"]
    stated = shape["hosts"] * HOST + ends * CABLE_END
    cells = [wiring, shape["hosts"], ends, f"{calibration['dilation']:g}", f"{times['built_in_ms'] / 1e3:.2f}",
             f"{times['calibrated_in_ms'] / 1e3:.1f}", f"{whole:.0f}", f"{memory.taken() / MIB:.0f}",
             f"{stated / MIB:.0f}"]
    return cells, memory.taken() <= stated


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    program, wirings = sys.argv[1], sys.argv[2:] or WIRINGS
    print("| wiring | hosts | cable ends | dilation | set up (s) | calibrated (s) | whole run (s) | memory (MiB) | stated |")
    print("|---|---|---|---|---|---|---|---|---|")
    all_as_stated = True
    with tempfile.TemporaryDirectory() as folder:
        for wiring in wirings:
            try:
                cells, as_stated = row(program, wiring, Path(folder))
                print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
                all_as_stated = all_as_stated and as_stated
            except subprocess.CalledProcessError as failed:
                print(f"{wiring}: {failed.stderr.decode(errors='replace').strip()}", file=sys.stderr)
                return 1
    return 0 if all_as_stated else 1


if __name__ == "__main__":
    sys.exit(main())
