#!/usr/bin/env python3
"""Kills and interrupts runs at random moments after their start, and looks for what is left.

    kills.py GRADWIRE [--kills N] [--signals N] [--seed N] [--within SECONDS] [--only KIND,...]

A kill is SIGKILL, 0 to 500 ms after the start. Afterwards no process of the run may be there, no namespace that one of
them had, no new interface, nothing in the folder for temporary files, and no unfinished file or folder. A signal is
SIGINT, SIGTERM or SIGHUP, 0 to 100 ms after the start; the program must end as a shell expects of it, and leave nothing
either. --within: how long both may take. Prints one line for each kind of run, and every failure with its number; the
same seed draws the same moments. Ends with 1 when something failed, and with 77 when this machine cannot emulate
wirings.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ground import Ground, kinds_here

LONGEST_BEFORE_KILL = 0.5  # seconds
LONGEST_BEFORE_SIGNAL = 0.1
PATIENCE = 20  # seconds, after which nothing ends or vanishes any more
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Tally:
    """What happened to one kind of run."""

    def __init__(self):
        self.stages = {"before its folder": 0, "without samples": 0, "with samples": 0, "ended": 0}
        self.failures = []
        self.slowest = 0.0

    def tried(self):
        return sum(self.stages.values())


def wait_until(holds, seconds):
    """How long it took until holds() was true; nothing when it did not become so."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > seconds:
            return None
        time.sleep(0.002)
    return time.monotonic() - began


def strike(ground, number, delay, what):
    """Starts a run and sends it a signal after the delay. Returns the program, what it held, and how far it was."""
    program = ground.start(number)
    time.sleep(delay)
    insiders = ground.insiders()
    stage = ground.stage(number)
    if program.poll() is not None:
        stage = "ended"
    else:
        program.send_signal(what)
    return program, insiders, stage


def judge_left(ground, insiders, within, tally, name):
    """Nothing of a run may be left."""
    left = []

    def nothing():
        left[:] = ground.leftovers(insiders)
        return not left

    took = wait_until(nothing, within)
    if took is None:
        seen = "; ".join(left[:5])
        late = wait_until(nothing, PATIENCE)
        end = "for good" if late is None else f"until {within + late:.1f} s"
        tally.failures.append(f"{name}: left after {within:g} s, {end}: {seen}")
        ground.clean_up()  # so that the next one is not blamed for it
    else:
        tally.slowest = max(tally.slowest, took)


def kill(ground, number, delay, within, tally):
    program, insiders, stage = strike(ground, number, delay, signal.SIGKILL)
    program.wait()
    tally.stages[stage] += 1
    judge_left(ground, insiders, within, tally, f"kill {number} after {delay * 1000:.1f} ms ({stage})")


def interrupt(ground, number, delay, within, tally):
    what = SIGNALS[number % len(SIGNALS)]
    name = f"signal {number}, {what.name} after {delay * 1000:.1f} ms"
    program, insiders, stage = strike(ground, number, delay, what)
    tally.stages[stage] += 1
    took = wait_until(lambda: program.poll() is not None, PATIENCE)
    if took is None:
        program.kill()
    ended = program.wait()
    expected = (0,) if stage == "ended" else (128 + what, -what)
    if took is None or took > within or ended not in expected:
        tally.failures.append(f"{name} ({stage}): ended with {ended} in {took} s: {ground.said(number)}")
    judge_left(ground, insiders, within, tally, name)


def try_all(grounds, strikes, one, within):
    """One strike after the other, in the order in which they were drawn. Returns a Tally by kind of run."""
    tallies = {kind: Tally() for kind in grounds}
    for number, (kind, delay) in enumerate(strikes):
        one(grounds[kind], number, delay, within, tallies[kind])
        grounds[kind].clear(number)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {len(strikes)}", end="", file=sys.stderr, flush=True)
    return tallies


def draw(generator, count, kinds, longest):
    """Kinds take turns, so that all have their share; moments are random."""
    return [(kinds[i % len(kinds)], generator.uniform(0, longest)) for i in range(count)]


def report(what, tallies, count):
    """Prints what happened. Returns how many failed."""
    failed = 0
    for kind, tally in tallies.items():
        stages = ", ".join(f"{number} {stage}" for stage, number in tally.stages.items())
        print(f"{what} {kind}: {tally.tried()} ({stages}); {len(tally.failures)} failed; "
              f"clean after {tally.slowest * 1000:.0f} ms at most")
        for failure in tally.failures:
            print(f"  {kind}, {failure}")
        failed += len(tally.failures)
    tried = sum(tally.tried() for tally in tallies.values())
    print(f"{what}: {tried} of {count}, {failed} failed")
    return failed if tried == count else count


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--signals", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--within", type=float, default=1.0)
    parser.add_argument("--only", default="")
    return parser.parse_args()


def main():
    asked = arguments()
    for number in SIGNALS:  # whoever started this may have had them ignored
        signal.signal(number, signal.SIG_DFL)
    program = Path(asked.program).resolve()
    if subprocess.run([program, "doctor"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        print("this machine cannot emulate wirings: gradwire doctor says why")
        return 77
    generator = random.Random(asked.seed)
    folder = Path(tempfile.mkdtemp(prefix="gradwire-kills-"))
    try:
        kinds = [kind for kind in kinds_here(program) if not asked.only or kind in asked.only.split(",")]
        grounds = {kind: Ground(program, kind, folder / kind) for kind in kinds}
        began = time.monotonic()
        kills = draw(generator, asked.kills, kinds, LONGEST_BEFORE_KILL)
        failed = report("kills", try_all(grounds, kills, kill, asked.within), asked.kills)
        signals = draw(generator, asked.signals, kinds, LONGEST_BEFORE_SIGNAL)
        failed += report("signals", try_all(grounds, signals, interrupt, asked.within), asked.signals)
        print(f"seed {asked.seed}, {time.monotonic() - began:.0f} s, {os.cpu_count()} cores")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
