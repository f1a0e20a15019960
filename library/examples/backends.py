#!/usr/bin/python3
"""Compares iterations of DistributedDataParallel over gloo and over gradwire, on the same hosts at the same time.

    PYTHONPATH=build/release/library/pytorch library/examples/backends.py build/release/harness/gradwire

On every wiring each host trains two copies of LeNet-5, one over each process group. Blocks of iterations take turns, and
which begins alternates. DistributedDataParallel does with both what it does by itself. An iteration goes from the last rank's
start to the last rank's end, and what of it comes after the last rank's last gradient is exposed. Of each block the median is
taken. Prints, for each wiring, medians over the blocks, and the median and range of gradwire's over gloo's, block by block.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

WIRINGS = {"single-switch(9)": "ring", "bcube(3,2)": "bml"}  # and what sums over gradwire
PATIENCE = 600  # seconds


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gradwire", type=Path, help="the program")
    parser.add_argument("--wirings", nargs="+", default=[*WIRINGS])
    parser.add_argument("--rate", default="200Mbit", help="of every link")
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=10, help="of each block")
    parser.add_argument("--batch", type=int, default=14, help="samples of a rank")
    return parser.parse_args()


class Trained:
    """A copy of the model over one process group."""

    def __init__(self, make, group):
        self.model = torch.nn.parallel.DistributedDataParallel(make(), process_group=group)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.ready = 0  # when the last gradient that was made was there
        for parameter in self.model.parameters():
            parameter.register_hook(self._note)

    def _note(self, _):
        self.ready = time.monotonic_ns()

    def iterate(self, images, labels):
        """Runs an iteration. Returns when it began, its last gradient was ready, and its sums were there."""
        self.optimizer.zero_grad()
        dist.barrier()
        begun = time.monotonic_ns()
        torch.nn.functional.cross_entropy(self.model(images), labels).backward()
        ended = time.monotonic_ns()
        self.optimizer.step()
        return begun, self.ready, ended


def medians(by_rank):
    """Medians of a block's iterations over all ranks, in ms: (their time, its exposed part)."""
    takes, exposed = [], []
    for iteration in zip(*by_rank):
        begun, ready, ended = (max(times) for times in zip(*iteration))
        takes.append((ended - begun) / 1e6)
        exposed.append((ended - ready) / 1e6)
    return statistics.median(takes), statistics.median(exposed)


def train(arguments):
    """Trains as one rank; rank 0 prints."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    dist.init_process_group("gloo")
    wiring = os.environ["GRADWIRE_WIRING"]
    options = {"algorithm": WIRINGS.get(wiring, "ring")}
    groups = {"gloo": None, "gradwire": dist.new_group(backend="gradwire", pg_options=options)}
    trained = {backend: Trained(lenet5, group) for backend, group in groups.items()}
    images, labels = (part[arguments.batch * dist.get_rank():][:arguments.batch] for part in digits(seed=1))
    found = {backend: [] for backend in trained}
    for block in range(-1, arguments.blocks):  # the first is not counted: buckets and connections are made
        for backend in sorted(trained, reverse=block % 2 == 1):
            mine = [trained[backend].iterate(images, labels) for _ in range(arguments.iterations)]
            everybodys = [None] * dist.get_world_size()
            dist.all_gather_object(everybodys, mine)
            if block >= 0:
                found[backend].append(medians(everybodys))
    if dist.get_rank() == 0:
        show(wiring, found)
    dist.barrier()


def show(wiring, found):
    for number, what in enumerate(("iteration", "exposed")):
        times = {backend: [block[number] for block in blocks] for backend, blocks in found.items()}
        ratios = [ours / theirs for ours, theirs in zip(times["gradwire"], times["gloo"])]
        middle = {backend: statistics.median(each) for backend, each in times.items()}
        print(f"{wiring} {what}: gloo {middle['gloo']:.1f} ms, gradwire {middle['gradwire']:.1f} ms, "
              f"ratio {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}, {len(ratios)} blocks)",
              flush=True)


def main():
    arguments = read_arguments()
    if "RANK" in os.environ:
        train(arguments)
        return 0
    for wiring in arguments.wirings:
        ended = subprocess.run([arguments.gradwire, "emulate", wiring, "--rate", arguments.rate, "--no-counters", "--no-prefix",
                                "--", sys.executable, __file__, *sys.argv[1:]], timeout=PATIENCE, check=False)
        if ended.returncode:
            return ended.returncode
    return 0


if __name__ == "__main__":
    if "RANK" in os.environ:
        import gradwire.torch  # noqa: F401, which registers the process group
        from lenet5 import digits, dist, lenet5, torch
    sys.exit(main())
