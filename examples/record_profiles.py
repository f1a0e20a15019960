#!/usr/bin/python3
"""Records how long a model computes on this machine, as a trace that experiments read.

    examples/record_profiles.py lenet5.csv --batch 14
    examples/record_profiles.py resnet50.csv --model resnet50 --batch 8 --threads 2
    gradwire emulate "bcube(3,2)" -- /usr/bin/python3 examples/record_profiles.py lenet5.csv --batch 14

On a machine that does other things meanwhile, times are those of a machine that does. As the ranks of a job all record at
once, as they compute when they train, and rank 0 writes the trace. LeNet-5 sees scikit-learn's digits, ResNet-50 and VGG-19
images of 224 x 224 random points, of which computing takes as long.
"""

import argparse
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pytorch"))

from lenet5 import F, digits, dist, lenet5, torch  # noqa: E402: says what is missing
from models import CLASSES, IMAGE, VGG19, ResNet50  # noqa: E402

from gradwire import recorder  # noqa: E402


def random_images(batch):
    """Images, and what they are said to show."""
    draw = torch.Generator().manual_seed(1)
    return torch.rand((batch, *IMAGE), generator=draw), torch.randint(CLASSES, (batch,), generator=draw)


# What makes it, what it is called, and what makes so many samples and their labels.
MODELS = {"lenet5": (lenet5, "LeNet-5 (20-50-500)", lambda batch: [part[:batch] for part in digits(seed=1)]),
          "resnet50": (ResNet50, "ResNet-50", random_images),
          "vgg19": (VGG19, "VGG-19", random_images)}


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
    make, title, samples = MODELS[arguments.model]
    model = make()
    images, labels = samples(arguments.batch)
    if ranks > 1:
        dist.init_process_group("gloo")
        dist.barrier()
    profile = recorder.record(model, lambda: F.cross_entropy(model(images), labels), iterations=arguments.iterations,
                              of=f"{title}, batch {arguments.batch}, {ranks} at once,")
    if ranks == 1 or dist.get_rank() == 0:
        profile.write(arguments.trace)
    if ranks > 1:
        dist.barrier()


if __name__ == "__main__":
    main()
