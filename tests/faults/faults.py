#!/usr/bin/env python3
"""Injects faults into small emulated runs, and judges what comes of them.

    faults.py GRADWIRE [--runs N] [--seed S] [--only CASE,...] [--algorithms A,...] [--each-once] [--part I/N]
                       [--for SECONDS] [--json FILE] [--number K]
    faults.py --list
    faults.py --table FILE...

The seed decides the case, the algorithm, the moment and the victim of every run by its number alone, so --number K
replays run K, and --part I/N makes the I-th of N shares of the same drawing; --only, --algorithms and --each-once (each
case with one algorithm) change the drawing. Every case comes with each of its algorithms before one comes again. --for
goes on for that time, however many runs it takes. CASE is a number or a name of --list, or "planted" for those that
planted.py lists. A run is right when it ended in
time with the right exit code, said whose fault it was, published no wrong sum, and left nothing. --table adds up the
parts that --json wrote and prints them as Markdown. Ends with 1 when a run was not right, and with 77 when this machine
cannot emulate wirings.
"""

import argparse
import importlib
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import needs  # noqa: E402
import planted  # noqa: E402
import table  # noqa: E402
from case import ALGORITHMS  # noqa: E402
from judge import try_case  # noqa: E402
from run import Run  # noqa: E402

MODULES = ("processes", "resources", "strangers", "links", "planted")


def all_cases():
    found = []
    for name in MODULES:
        if (Path(__file__).parent / f"{name}.py").exists():
            found += importlib.import_module(name).CASES
    names = [case.name for case in found]
    assert len(names) == len(set(names)), "names of cases are unique"
    return sorted(found, key=lambda case: (case.number, case.name))


def chosen(cases, only, algorithms):
    """Pairs of a case and an algorithm, in the order of the cases."""
    words = [name for word in only.split(",") for name in (planted.SERIES if word == "planted" else [word])]
    wanted = set(words) if only else None
    unknown = (wanted or set()) - {word for case in cases for word in (str(case.number), case.name)}
    if unknown:
        sys.exit(f"no case {', '.join(sorted(unknown))}; --list shows all")
    return [(case, algorithm) for case in cases for algorithm in case.algorithms
            if algorithm in algorithms and (wanted is None or wanted & {str(case.number), case.name})]


def one_of_each(pairs, seed):
    """One algorithm for each case."""
    generator = random.Random(f"{seed}, algorithms")
    by_case = {}
    for case, algorithm in pairs:
        by_case.setdefault(case.name, []).append((case, algorithm))
    return [generator.choice(same) for same in by_case.values()]


def drawn(pairs, seed):
    """(number, case, algorithm, seed of its draws) without end. All pairs come in each round, each time in another
    order."""
    count = len(pairs)
    for number in itertools.count():
        order = list(range(count))
        random.Random(f"{seed}, round {number // count}").shuffle(order)
        yield number, *pairs[order[number % count]], f"{seed}, run {number}"


def share(draws, part, runs):
    """The part-th (from 1) of so many shares of the first `runs` draws; runs is None: of all."""
    index, of = part
    for draw in draws:
        if runs is not None and draw[0] >= runs:
            return
        if draw[0] % of == index - 1:
            yield draw


def tell(outcome, seed):
    for failure in outcome.failures:
        print(f"run {outcome.number} of seed {seed}, case {outcome.case} {outcome.name}, {outcome.algorithm}, "
              f"{outcome.about}: {failure}\n    {outcome.said.strip()}", flush=True)


def run_all(asked, draws, scratch):
    """Runs what was drawn until the time is over. Returns the outcomes."""
    outcomes = []
    until = time.monotonic() + asked.seconds if asked.seconds else None

    def make_run(case, algorithm):
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=scratch))
        return Run(asked.program, algorithm, folder, case.experiment)

    for number, case, algorithm, seed in draws:
        if until and time.monotonic() > until:
            break
        if sys.stderr.isatty():
            print(f"\r\033[K{len(outcomes)} done, now {number}: {case.name}, {algorithm}", end="", file=sys.stderr,
                  flush=True)
        outcome = try_case(case, number, algorithm, make_run, seed)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        tell(outcome, asked.seed)
        outcomes.append(outcome)
    return outcomes


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--runs", type=int, help="default: every case and algorithm once; with --for: no limit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS))
    parser.add_argument("--each-once", action="store_true")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--for", dest="seconds", type=float)
    parser.add_argument("--number", type=int)
    parser.add_argument("--json")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", nargs="+")
    asked = parser.parse_args()
    asked.part = tuple(map(int, asked.part.split("/")))
    if not 1 <= asked.part[0] <= asked.part[1]:
        parser.error("--part 1/4 to 4/4, for example")
    if not asked.table and not asked.list and not asked.program:
        parser.error("the program's path is missing")
    return asked


def pairs_here(asked):
    """What is asked for and can be done here. Says what cannot."""
    pairs = chosen(all_cases(), asked.only, asked.algorithms.split(","))
    lacking = {case.name: needs.missing(case, asked.program) for case, _ in pairs}
    for name, need in lacking.items():
        if need:
            print(f"NOT TRIED, {name}: this machine has no {need}")
    pairs = [pair for pair in pairs if not lacking[pair[0].name]]
    return one_of_each(pairs, asked.seed) if asked.each_once else pairs


def inject(asked):
    pairs = pairs_here(asked)
    if not pairs:
        return 77
    runs = asked.runs if asked.runs or asked.seconds else len(pairs)
    draws = drawn(pairs, asked.seed)
    if asked.number is not None:
        draws = itertools.islice(draws, asked.number, asked.number + 1)
        asked.part, runs = (1, 1), None
    scratch = Path(tempfile.mkdtemp(prefix="gw-faults-"))
    began = time.monotonic()
    try:
        outcomes = run_all(asked, share(draws, asked.part, runs), scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if asked.json:
        table.write_json(asked.json, asked.seed, outcomes)
    print(table.as_text([outcome.as_json() for outcome in outcomes]))
    failed = sum(bool(outcome.failures) for outcome in outcomes)
    print(f"seed {asked.seed}, part {asked.part[0]} of {asked.part[1]}: {len(outcomes)} runs, {failed} not right; "
          f"{time.monotonic() - began:.0f} s, {os.cpu_count()} cores")
    return 1 if failed or not outcomes else 0


def main():
    asked = arguments()
    if asked.table:
        print(table.as_markdown(table.read_parts(asked.table)))
        return 0
    if asked.list:
        for case in all_cases():
            print(f"{case.number:3}  {case.name:32} {', '.join(case.algorithms)}")
        return 0
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # whoever started this may have had them ignored
        signal.signal(number, lambda which, _: sys.exit(128 + which))  # and the run under way is cleaned up
    asked.program = Path(asked.program).resolve()
    if subprocess.run([asked.program, "doctor"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        print("this machine cannot emulate wirings: gradwire doctor says why")
        return 77
    return inject(asked)


if __name__ == "__main__":
    sys.exit(main())
