#!/usr/bin/python3
"""Records how long LeNet-5 computes on this machine, as a trace that experiments read.

    examples/record_profiles.py lenet5.csv --batch 14
    gradwire emulate "bcube(3,2)" -- /usr/bin/python3 examples/record_profiles.py lenet5.csv --batch 14

On a machine that does other things meanwhile, times are those of a machine that does. As the ranks of a job all record at
once, as they compute when they train, and rank 0 writes the trace.
"""

import argparse
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pytorch"))

from lenet5 import F, digits, dist, lenet5, torch  # noqa: E402: says what is missing

from gradwire import recorder  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("trace", help="the file to write")
    parser.add_argument("--batch", type=int, default=126, help="samples of a rank")
    parser.add_argument("--iterations", type=int, default=20)
    arguments = parser.parse_args()
    ranks = int(os.environ.get("WORLD_SIZE", "1"))
    torch.set_num_threads(1)
    model = lenet5()
    images, labels = (part[:arguments.batch] for part in digits(seed=1))
    if ranks > 1:
        dist.init_process_group("gloo")
        dist.barrier()
    profile = recorder.record(model, lambda: F.cross_entropy(model(images), labels), iterations=arguments.iterations,
                              of=f"LeNet-5 (20-50-500), batch {arguments.batch}, {ranks} at once,")
    if ranks == 1 or dist.get_rank() == 0:
        profile.write(arguments.trace)
    if ranks > 1:
        dist.barrier()


if __name__ == "__main__":
    main()
