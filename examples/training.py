#!/usr/bin/python3
"""Trains LeNet-5 on emulated wirings with every schedule, and makes one run folder of all.

    examples/training.py build/release/harness/gradwire results/runs/training

The folder also gets the trace of what a rank computes, the experiment, the logs of all ranks and what training said.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
BATCH = 126  # of all ranks together
ALGORITHM = "gloo(ring)"  # what sums, as experiments name it
# In seconds; nobody waits longer for a job that hangs.
PATIENCE = 1800


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gradwire", type=Path, help="the program")
    parser.add_argument("out", type=Path, help="folder to be made")
    parser.add_argument("--wirings", nargs="+", default=["single-switch(9)", "bcube(3,2)"])
    parser.add_argument("--schedules", nargs="+", default=["none", "wfbp", "ddp"])
    parser.add_argument("--ranks", type=int, default=9, help="of each of the wirings")
    parser.add_argument("--rate", default="200Mbit", help="of every link")
    parser.add_argument("--epochs", type=int, default=8)
    return parser.parse_args()


def run(*command):
    """A command; what it says is passed on. Ends the program as it ends where it fails."""
    ended = subprocess.run([*map(str, command)], timeout=PATIENCE, check=False)
    if ended.returncode:
        sys.exit(ended.returncode)


def train(arguments, wiring, schedule):
    """One job. Returns its logs' folder."""
    logs = arguments.out / "logs" / f"{wiring}-{schedule}"
    run(arguments.gradwire, "emulate", wiring, "--rate", arguments.rate, "--no-counters", "--no-prefix", "--",
        PYTHON, EXAMPLES / "lenet5.py", "--algorithm", ALGORITHM, "--schedule", schedule,
        "--batch", BATCH, "--epochs", arguments.epochs, "--logs", logs)
    return logs


def write_experiment(arguments):
    """The same jobs as an experiment, which computes as long as was recorded."""
    path = arguments.out / "lenet5.yaml"
    wirings = ", ".join(f'"{wiring}"' for wiring in arguments.wirings)
    path.write_text(f"gradwire: 1\nname: lenet5\n"
                    f"description: LeNet-5 trained on {arguments.ranks} hosts by DistributedDataParallel over gloo\n"
                    f"link: {{rate: {arguments.rate}}}\ndilation: 1\ncompute: {{trace: lenet5.csv}}\n"
                    f"algorithm: {ALGORITHM}\n"
                    f"sweep:\n  product:\n    wiring: [{wirings}]\n"
                    f"    schedule: [{', '.join(arguments.schedules)}]\n", encoding="utf-8")
    return path


def main():
    arguments = read_arguments()
    arguments.out.mkdir(parents=True)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    run(EXAMPLES / "record_profiles.py", arguments.out / "lenet5.csv", "--batch", BATCH // arguments.ranks)
    run(PYTHON, EXAMPLES / "lenet5.py", "--batch", BATCH, "--epochs", arguments.epochs)
    logs = [train(arguments, wiring, schedule) for wiring in arguments.wirings for schedule in arguments.schedules]
    run(arguments.gradwire, "results", "import", write_experiment(arguments), *logs, "-o", arguments.out / "run")
    run(arguments.gradwire, "report", arguments.out / "run", "-o", arguments.out / "report.html")


if __name__ == "__main__":
    main()
