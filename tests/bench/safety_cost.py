#!/usr/bin/env python3
"""What the checks behind TCP's frames cost: GST with `integrity: crc32c` over GST without.

    safety_cost.py GRADWIRE [--rounds N] [--iterations N]

In every round each row is run with checks and without, one after the other, and who goes first alternates. A round gives
one ratio of median GSTs. Prints a Markdown table: the median of the ratios and the middle half of them, for links that
a shaper holds at 500 Mbit/s and for links that nothing holds. Let nothing else run. Ends with 1 when a run fails or has
a wrong sum.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS = [(rate, *row) for rate in ("500Mbit", "unlimited")
        for row in (("ring", "single-switch(9)"), ("ps", "single-switch(9)"), ("bml", "bcube(3,2)"))]
EXPERIMENT = """gradwire: 1
name: safety-cost
link: {{rate: {rate}, mtu: 9000}}
dilation: 1
size: 12.5MiB
algorithm: {algorithm}
wiring: {wiring}
integrity: {integrity}
warmup: 2
iterations: {iterations}
check: first-last
"""
LONGEST = 300  # seconds


def gst(program, folder, row, integrity, iterations):
    """The median of one run, in microseconds."""
    rate, algorithm, wiring = row
    experiment = folder / "x.yaml"
    experiment.write_text(EXPERIMENT.format(rate=rate, algorithm=algorithm, wiring=wiring, integrity=integrity,
                                            iterations=iterations))
    with tempfile.TemporaryDirectory(dir=folder) as run:
        subprocess.run([program, "run", experiment, "-o", f"{run}/run"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, timeout=LONGEST)
        return json.loads(Path(run, "run", "results.json").read_text())["rows"][0]["gst_us"]["median"]


def ratios(program, folder, row, asked):
    """Of each round: with checks over without."""
    found = []
    for number in range(asked.rounds):
        order = ["crc32c", "off"] if number % 2 == 0 else ["off", "crc32c"]
        times = {integrity: gst(program, folder, row, integrity, asked.iterations) for integrity in order}
        found.append(times["crc32c"] / times["off"])
    return found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--iterations", type=int, default=20)
    return parser.parse_args()


def main():
    asked = arguments()
    print("| links | algorithm | wiring | GST with checks / without | middle half | rounds |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            try:
                found = ratios(asked.program, Path(folder), row, asked)
            except subprocess.CalledProcessError as failed:
                print(f"{row}: {failed.stderr.decode(errors='replace').strip()}", file=sys.stderr)
                return 1
            low, middle, high = statistics.quantiles(found, n=4)
            print(f"| {row[0]} | {row[1]} | {row[2]} | {middle:.3f} | {low:.3f} to {high:.3f} | {len(found)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
