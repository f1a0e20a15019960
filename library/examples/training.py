#!/usr/bin/python3
"""Trains LeNet-5 on emulated wirings, over gloo and over gradwire with every schedule, and makes one run folder of all.

    library/examples/training.py build/release/harness/gradwire results/runs/training

The folder also gets a trace of what ranks compute, recorded when each job begins, the experiment, the logs of all ranks,
and two runs of what is predicted of them: emulated with timed waits, and simulated. Without gradwire's package for Python,
gloo alone sums.
"""

import argparse
import csv
import os
import statistics
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
BATCH = 126  # of all ranks together
SCHEDULES = {"gloo": ["none", "wfbp", "synceasgd", "ddp"],
             "gradwire": ["none", "wfbp", "synceasgd", "mg-wfbp", "optimum"]}
# In seconds; nobody waits longer for a job that hangs.
PATIENCE = 1800


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gradwire", type=Path, help="the program")
    parser.add_argument("out", type=Path, help="folder to be made")
    parser.add_argument("--wirings", nargs="+", default=["single-switch(9)", "bcube(3,2)"])
    parser.add_argument("--backends", nargs="+", default=list(SCHEDULES), choices=SCHEDULES)
    parser.add_argument("--schedules", nargs="+", help="these alone")
    parser.add_argument("--ranks", type=int, default=9, help="of each of the wirings")
    parser.add_argument("--rate", default="200Mbit", help="of every link")
    parser.add_argument("--epochs", type=int, default=5)
    return parser.parse_args()


def run(*command):
    """Runs a command with this program's output. Where it fails, ends the program with its exit status."""
    ended = subprocess.run([*map(str, command)], timeout=PATIENCE, check=False)
    if ended.returncode:
        sys.exit(ended.returncode)


def algorithm_of(backend, wiring):
    """The algorithm that sums, as experiments name it."""
    if backend == "gloo":
        return "gloo(ring)"
    return "bml" if wiring.startswith("bcube") else "ring"


def backends(program):
    """The available backends. The package is looked for where the program was built, and where Python looks."""
    built = program.resolve().parents[1] / "library" / "pytorch"
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(built), os.environ.get("PYTHONPATH")]))
    found = subprocess.run([PYTHON, "-c", "import gradwire.torch"], capture_output=True, text=True, check=False)
    if found.returncode == 0:
        return ["gloo", "gradwire"]
    print(f"SKIPPED: backend gradwire: {found.stderr.strip().splitlines()[-1]}", flush=True)
    return ["gloo"]


def emulate(arguments, wiring, *command):
    """Runs a command on every host of a wiring."""
    run(arguments.gradwire, "emulate", wiring, "--rate", arguments.rate, "--no-counters", "--no-prefix", "--",
        PYTHON, *command)


def train(arguments, backend, wiring, schedule):
    """Trains one job. Returns its logs' folder."""
    logs = arguments.out / "logs" / f"{wiring}-{backend}-{schedule}"
    emulate(arguments, wiring, EXAMPLES / "lenet5.py", "--backend", backend,
            "--algorithm", algorithm_of(backend, wiring), "--schedule", schedule,
            "--batch", BATCH, "--epochs", arguments.epochs, "--logs", logs, "--record", logs.with_suffix(".csv"))
    return logs


def write_trace(path, recorded):
    """Writes the trace whose times are medians over the jobs' recordings."""
    texts = [each.read_text(encoding="utf-8").splitlines() for each in recorded]
    source = next(line for line in texts[0] if line.startswith("# source:"))
    tables = [list(csv.reader(line for line in text if not line.startswith("#"))) for text in texts]
    by_tensor = [{row[0]: row for row in table[1:]} for table in tables]
    rows = [[*row[:2], *(f"{statistics.median(float(each[tensor][column]) for each in by_tensor):.3f}" for column in (2, 3))]
            for tensor, row in by_tensor[0].items()]
    lines = [texts[0][0], f"{source}, each of {len(texts)} jobs", *(",".join(row) for row in tables[0][:1] + rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_experiment(arguments, name, jobs):
    """Writes an experiment of the jobs, which computes as long as was recorded. Returns its path."""
    path = arguments.out / f"{name}.yaml"
    wirings = [f'"{wiring}"' for _, wiring, _ in jobs]
    algorithms = [algorithm_of(backend, wiring) for backend, wiring, _ in jobs]
    schedules = [schedule for _, _, schedule in jobs]
    path.write_text(f"gradwire: 1\nname: {name}\n"
                    f"description: LeNet-5 trained on {arguments.ranks} hosts by DistributedDataParallel\n"
                    f"link: {{rate: {arguments.rate}}}\ndilation: 1\ncompute: {{trace: lenet5.csv}}\n"
                    f"sweep:\n  zip:\n    wiring: [{', '.join(wirings)}]\n"
                    f"    algorithm: [{', '.join(algorithms)}]\n    schedule: [{', '.join(schedules)}]\n",
                    encoding="utf-8")
    return path


def predict(arguments, jobs):
    """Runs the same jobs with timed waits, and simulates those without a library. Returns the runs' folders."""
    folders = [arguments.out / "waited"]
    run(arguments.gradwire, "run", arguments.out / "lenet5.yaml", "--warmup", 1, "-n", 4, "-o", folders[0])
    ours = [job for job in jobs if job[0] == "gradwire"]
    if ours:
        folders.append(arguments.out / "simulated")
        run(arguments.gradwire, "run", write_experiment(arguments, "simulated", ours), "--backing", "simulated",
            "-o", folders[1])
    return folders


def main():
    arguments = read_arguments()
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    there = [backend for backend in backends(arguments.gradwire) if backend in arguments.backends]
    jobs = [(backend, wiring, schedule) for wiring in arguments.wirings for backend in there
            for schedule in SCHEDULES[backend] if schedule in (arguments.schedules or SCHEDULES[backend])]
    if not jobs:
        sys.exit("no backend that there is has one of these schedules")
    arguments.out.mkdir(parents=True)
    run(PYTHON, EXAMPLES / "lenet5.py", "--batch", BATCH, "--epochs", arguments.epochs)
    logs = [train(arguments, *job) for job in jobs]
    write_trace(arguments.out / "lenet5.csv", [each.with_suffix(".csv") for each in logs])
    experiment = write_experiment(arguments, "lenet5", jobs)
    trained = arguments.out / "run"
    run(arguments.gradwire, "results", "import", experiment, *logs, "-o", trained)
    predicted = predict(arguments, jobs)
    run(arguments.gradwire, "results", "predictions", trained, *predicted)
    run(arguments.gradwire, "report", trained, *predicted, "-o", arguments.out / "report.html")


if __name__ == "__main__":
    main()
