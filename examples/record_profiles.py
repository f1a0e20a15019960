#!/usr/bin/python3
"""Records how long LeNet-5 computes on this machine, as a trace that experiments read.

    examples/record_profiles.py lenet5.csv --batch 14

On a machine that does other things meanwhile, times are those of a machine that does.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pytorch"))

from lenet5 import F, digits, lenet5, torch  # noqa: E402: says what is missing

from gradwire import recorder  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("trace", help="the file to write")
    parser.add_argument("--batch", type=int, default=126, help="samples of a rank")
    parser.add_argument("--iterations", type=int, default=20)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model = lenet5()
    images, labels = (part[:arguments.batch] for part in digits(seed=1))
    recorder.record(model, lambda: F.cross_entropy(model(images), labels), arguments.trace,
                    iterations=arguments.iterations, of=f"LeNet-5 (20-50-500), batch {arguments.batch},")


if __name__ == "__main__":
    main()
