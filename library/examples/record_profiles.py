#!/usr/bin/python3
"""Records how long a model computes on this machine, as a trace that experiments read.

    library/examples/record_profiles.py lenet5.csv --batch 14
    library/examples/record_profiles.py resnet50.csv --model resnet50 --batch 8 --threads 2
    gradwire emulate "bcube(3,2)" -- /usr/bin/python3 library/examples/record_profiles.py lenet5.csv --batch 14

On a machine that does other things meanwhile, times are those of a machine that does. As the ranks of a job all record at
once, as they compute when they train, and rank 0 writes the trace. lenet5 is the one of library/examples/lenet5.py, which sees
scikit-learn's digits; all others are those of workloads, and see images of random points, of which computing takes as long.
On a GPU transport/cuda/measure-profiles records all of them.
"""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pytorch"))

from lenet5 import F, digits, dist, lenet5, torch  # noqa: E402: says what is missing
from models import MODELS, random_batch  # noqa: E402

from gradwire import recorder  # noqa: E402


def lenet5_of_digits(batch):
    """Returns LeNet-5, its name, samples and their labels."""
    return lenet5(), "LeNet-5 (20-50-500)", *(part[:batch] for part in digits(seed=1))


def of_workload(name, batch):
    """Returns a workload's model, its name, samples and their labels."""
    entry = MODELS[name]
    return entry.make(), entry.title, *random_batch(entry, batch)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("trace", help="the file to write")
    parser.add_argument("--model", choices=MODELS, default="lenet5")
    parser.add_argument("--batch", type=int, default=126, help="samples of a rank")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1, help="of a rank, to compute with")
    return parser.parse_args()


def main():
    arguments = read_arguments()
    ranks = int(os.environ.get("WORLD_SIZE", "1"))
    torch.set_num_threads(arguments.threads)
    made = lenet5_of_digits if arguments.model == "lenet5" else partial(of_workload, arguments.model)
    model, title, images, labels = made(arguments.batch)
    if ranks > 1:
        dist.init_process_group("gloo")
        dist.barrier()
    profile = recorder.record(model, lambda: F.cross_entropy(model(images), labels), iterations=arguments.iterations,
                              of=f"{title}, batch {arguments.batch}, {ranks} at once,")
    if ranks == 1 or dist.get_rank() == 0:
        profile.write(arguments.trace)
        print("\n".join(profile.findings()))
    if ranks > 1:
        dist.barrier()


if __name__ == "__main__":
    main()
