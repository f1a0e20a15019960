#!/usr/bin/env python3
"""Runs fuzz targets: run.py PROGRAMS [--seconds N] [--executions N] [--jobs N] [TARGET...]

PROGRAMS is the folder with <target>_fuzz, as the preset `fuzz` builds it. Every target, or each TARGET, runs for so many
seconds, or for so many executions if these end earlier, beside its seeds (seeds.py), its kept findings (corpus/) and what
earlier runs here came upon. Prints a line per target: executions, inputs a second, edges seen and how many of them are new.
A finding is kept in corpus/<target>/ under a name that says what happened, so that `make test` replays it; then the exit
code is 1.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# A sanitizer takes about five times as long as the program, on a machine that does other things, too: one second of it.
MOST_SECONDS = 5
# Of one allocation; all memory together has room for what sanitizers need.
MOST_MEGABYTES = 256
MOST_RESIDENT_MEGABYTES = 768
LONGEST_INPUT = {"run_folder": 16384, "sample_line": 4096, "stored_line": 8192}
USUAL_LONGEST_INPUT = 4096
# It may be what is found: libFuzzer tells no shorter when it starts to load a target.
PATIENCE = 120
# Looking for uses of a stack that is gone takes a third of the time of readers that throw: `make test-asan` does, in what is
# found here, too.
OPTIONS = {"ASAN_OPTIONS": "quarantine_size_mb=32:detect_leaks=1:abort_on_error=0:malloc_context_size=6:"
                           "detect_stack_use_after_return=0",
           "UBSAN_OPTIONS": "print_stacktrace=1"}
HAPPENED = [re.compile(r"what\(\):\s+(.+)"), re.compile(r"runtime error: (.+)"),
            re.compile(r"SUMMARY: (.+)"), re.compile(r"ERROR: (.+)")]


@dataclass
class Outcome:
    target: str
    executions: int
    rate: int
    edges: int
    new_edges: int
    finding: Path | None
    why: str


def last_number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def what_happened(text):
    """One line of what a fuzzer said of its end."""
    for pattern in HAPPENED:
        if match := pattern.search(text):
            return match[1].strip()
    return "ended without a word"


def keep(target, artifact, why):
    """Moves a finding into the corpus. Returns where it lies then."""
    content = artifact.read_bytes()
    words = re.sub(r"[^a-z0-9]+", "-", re.sub(r"0x[0-9a-f]+|/\S+/", "", why).lower()).strip("-")[:60].strip("-")
    kind = artifact.name.split("-")[0]
    kept = HERE / "corpus" / target / f"{kind}-{words}-{hashlib.sha1(content).hexdigest()[:8]}"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(content)
    return kept


def command(programs, target, folders, limits):
    """`limits`: seconds, and executions (-1: any). `folders`: where new inputs go, those that are read, and where findings
    go."""
    grown, read, found = folders
    words = [str(programs / f"{target}_fuzz"), f"-max_total_time={limits[0]}", f"-runs={limits[1]}",
             f"-timeout={MOST_SECONDS}", f"-malloc_limit_mb={MOST_MEGABYTES}",
             f"-rss_limit_mb={MOST_RESIDENT_MEGABYTES}",
             f"-max_len={LONGEST_INPUT.get(target, USUAL_LONGEST_INPUT)}", "-print_final_stats=1", "-use_value_profile=0",
             # Choosing inputs by how rare what they reach is takes two thirds of the time of programs with many edges.
             "-entropic=0", f"-artifact_prefix={found}/"]
    dictionary = programs / "seeds" / f"{target}.dict"
    if dictionary.exists():
        words.append(f"-dict={dictionary}")
    return words + [str(grown)] + [str(folder) for folder in read if folder.is_dir()]


def run(words, scratch, patience):
    """Its exit code, and all that it said."""
    ran = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=patience, cwd=scratch,
                         env=OPTIONS | os.environ | {"TMPDIR": scratch})
    return ran.returncode, ran.stderr + ran.stdout


def is_slow_again(program, artifact, scratch):
    """Whether an input takes too long by itself, too, and not only while the machine had no time for us."""
    code, _ = run([str(program), f"-timeout={MOST_SECONDS}", str(artifact)], scratch, PATIENCE)
    return code != 0


def sayings(programs, target, folders, limits):
    """Fuzzes to the limits, or to a finding, which is left in the last of the folders. Yields the exit code and the words
    of every process: another one begins when an input is only slow together with what else the machine does."""
    found = folders[-1]
    ends, executions = time.monotonic() + limits[0], limits[1]
    while True:
        seconds = max(1, round(ends - time.monotonic()))
        code, said = run(command(programs, target, folders, (seconds, executions)), found.parent, seconds + PATIENCE)
        yield code, said
        slow = sorted(found.glob("timeout-*"))
        if not slow or is_slow_again(programs / f"{target}_fuzz", slow[0], found.parent):
            return
        slow[0].unlink()
        if executions > 0:
            executions = max(1, executions - executed(said))


def executed(said):
    return last_number(r"stat::number_of_executed_units: (\d+)", said)


def fuzz(programs, target, limits):
    grown = programs / "grown" / target
    grown.mkdir(parents=True, exist_ok=True)
    read = [programs / "seeds" / target, HERE / "corpus" / target]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="gradwire-fuzz-") as scratch:
        found = Path(scratch) / "found"
        found.mkdir()
        ran = list(sayings(programs, target, (grown, read, found), limits))
        code, last = ran[-1]
        said = "".join(words for _, words in ran)
        (programs / "grown" / f"{target}.log").write_text(said)
        artifacts = sorted(found.iterdir())
        why = "" if code == 0 else what_happened(last)
        finding = keep(target, artifacts[0], why) if artifacts else None
    first = re.search(r"INITED.* cov: (\d+)", said)
    edges = last_number(r" cov: (\d+)", said)
    executions = sum(executed(words) for _, words in ran)
    return Outcome(target, executions, round(executions / max(1, time.monotonic() - began)), edges,
                   edges - int(first[1]) if first else 0, finding, why)


def report(outcome):
    print(f"{outcome.target:13} {outcome.executions:11,} executions {outcome.rate:8,}/s {outcome.edges:7,} edges "
          f"{outcome.new_edges:5,} new  {outcome.why or 'no finding'}", flush=True)
    if outcome.finding:
        print(f"{'':13} kept as {outcome.finding.relative_to(HERE.parents[1])}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=Path)
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--executions", type=int, default=-1, help="of each target, at most")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at a time")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    asked = parser.parse_intermixed_args()
    programs = asked.programs.resolve()
    built = sorted(path.name.removesuffix("_fuzz") for path in programs.glob("*_fuzz"))
    if unknown := set(asked.targets) - set(built) or not built:
        sys.exit(f"no target {unknown}; there are {', '.join(built) or 'none'}")
    subprocess.run([HERE / "seeds.py", programs / "seeds"], check=True, timeout=60)
    limits = (asked.seconds, asked.executions)
    with ThreadPoolExecutor(asked.jobs) as pool:
        outcomes = []
        for outcome in pool.map(lambda target: fuzz(programs, target, limits), asked.targets or built):
            report(outcome)
            outcomes.append(outcome)
    print(f"{sum(outcome.executions for outcome in outcomes):,} executions of {len(outcomes)} targets, "
          f"{sum(bool(outcome.why) for outcome in outcomes)} findings")
    return 1 if any(outcome.why for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
