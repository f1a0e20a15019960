#!/usr/bin/python3
"""Trains LeNet-5 on handwritten digits with DistributedDataParallel, as a rank that torchrun or `gradwire emulate` started.

    gradwire emulate "bcube(3,2)" --rate 1Gbit -- /usr/bin/python3 examples/lenet5.py --logs logs

Without a job around it (no WORLD_SIZE) one process trains with the whole batch. With --logs every rank writes what each of
its iterations took, which `gradwire results import` puts into a run folder. The digits are scikit-learn's, 1,797 of them.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

try:
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F
    from sklearn.datasets import load_digits
except ImportError as error:
    print(f"SKIPPED: {error}; Debian's packages are python3-torch and python3-sklearn")
    sys.exit(77)

HELD_OUT = 360  # digits that are never trained on
# DDP sends everything at once in its first iteration, and chooses its buckets after it.
UNTIMED = 2
MOST = 1 << 40  # bytes: more than there are
SCHEDULES = {"none": MOST, "wfbp": 1, "ddp": None}  # bytes of a bucket; None: what DDP says


def lenet5():
    """20 and 50 maps of 5 x 5, 500 neurons: 431,080 parameters."""
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 20, 5), torch.nn.MaxPool2d(2), torch.nn.Conv2d(20, 50, 5), torch.nn.MaxPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(800, 500), torch.nn.ReLU(), torch.nn.Linear(500, 10))


def digits(seed):
    """Images of 28 x 28 and what they show, in an order that the seed draws."""
    read = load_digits()
    images = torch.tensor(read.images, dtype=torch.float32).unsqueeze(1) / 16
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(seed))
    images = F.interpolate(images, size=28, mode="bilinear", align_corners=False)
    return images[order], torch.tensor(read.target)[order]


class Buckets:
    """Averages buckets, as a communication hook, and notes when each was ready, sent and there."""

    def __init__(self, ranks):
        self.ranks = ranks
        self.noted = []

    def average(self, _, bucket):
        note = {"elements": bucket.buffer().numel(), "ready_ns": time.monotonic_ns()}
        self.noted.append(note)

        def there(future):
            note["end_ns"] = time.monotonic_ns()
            return future.value()[0]

        sums = dist.all_reduce(bucket.buffer().div_(self.ranks), async_op=True)
        return sums.get_future().then(there)

    def take(self):
        """Those of an iteration that is over. A bucket starts when it is ready and the one before it is there."""
        before = 0
        for note in self.noted:
            note["start_ns"] = max(note["ready_ns"], before)
            before = note["end_ns"] = max(note["end_ns"], note["start_ns"])
        taken, self.noted = self.noted, []
        return taken


def distributed(model, schedule, ranks):
    """The model in DistributedDataParallel, with the buckets of a schedule."""
    size = SCHEDULES[schedule]
    if size is not None:
        dist._DEFAULT_FIRST_BUCKET_BYTES = size  # the first bucket goes by this whatever the cap
    cap = 25 if size is None else size / (1 << 20)
    wrapped = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=cap)
    buckets = Buckets(ranks)
    wrapped.register_comm_hook(None, buckets.average)
    return wrapped, buckets


class Job:
    """What all ranks of a job know: who they are, and how many samples each takes."""

    def __init__(self, arguments):
        self.ranks = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0"))
        self.arguments = arguments
        self.share = arguments.batch // self.ranks
        self.log = None
        if arguments.logs:
            path = Path(arguments.logs)
            path.mkdir(parents=True, exist_ok=True)
            self.log = open(path / f"rank-{self.rank}.ndjson", "w", encoding="utf-8")

    def write(self, **line):
        """A line of this rank's log."""
        if self.log:
            print(json.dumps(line), file=self.log, flush=True)

    def say(self, text):
        """Rank 0 says it."""
        if self.rank == 0:
            print(text, flush=True)


def train(job, model, buckets, images, labels):
    """All epochs. Returns the last one's mean loss, of this rank's samples."""
    optimizer = torch.optim.SGD(model.parameters(), lr=job.arguments.rate, momentum=0.9)
    draw = torch.Generator().manual_seed(job.arguments.seed)
    losses, done = [], 0
    for _ in range(job.arguments.epochs):
        losses = []
        order = torch.randperm(len(images), generator=draw)
        for batch in order.split(job.share * job.ranks)[:-1]:
            mine = batch[job.rank * job.share:][:job.share]
            optimizer.zero_grad()
            begun = time.monotonic_ns()
            loss = F.cross_entropy(model(images[mine]), labels[mine])
            loss.backward()
            ended = time.monotonic_ns()
            optimizer.step()
            losses.append(loss.item())
            taken = buckets.take() if buckets else []
            if done >= UNTIMED:
                job.write(iteration=done - UNTIMED, start_ns=begun, end_ns=ended, loss=losses[-1],
                          compute_end_ns=max([each["ready_ns"] for each in taken], default=ended), buckets=taken)
            done += 1
    return sum(losses) / len(losses)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--backend", default="gloo", help="of torch.distributed")
    parser.add_argument("--algorithm", help="what the log calls it")
    parser.add_argument("--schedule", default="ddp", choices=sorted(SCHEDULES), help="which gradients share a bucket")
    parser.add_argument("--batch", type=int, default=126, help="samples of all ranks together")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=0.05, help="learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--logs", help="folder for the logs of all ranks")
    parser.add_argument("--save", help="file for rank 0's parameters")
    return parser.parse_args()


def main():
    job = Job(read_arguments())
    torch.set_num_threads(1)
    torch.manual_seed(job.arguments.seed)
    images, labels = digits(job.arguments.seed)
    model = plain = lenet5()
    buckets = None
    if job.ranks > 1:
        dist.init_process_group(job.arguments.backend)
        model, buckets = distributed(plain, job.arguments.schedule, job.ranks)
    arguments = job.arguments
    job.write(**{"gradwire-training-log": 1, "rank": job.rank, "ranks": job.ranks,
                 "wiring": os.environ.get("GRADWIRE_WIRING", ""), "algorithm": arguments.algorithm or arguments.backend,
                 "schedule": arguments.schedule,
                 "computing": f"LeNet-5 (20-50-500), {job.share} digits a rank, torch {torch.__version__}, 1 thread"})
    begun = time.monotonic()
    loss = train(job, model, buckets, images[:-HELD_OUT], labels[:-HELD_OUT])
    took = time.monotonic() - begun
    with torch.no_grad():
        right = (plain(images[-HELD_OUT:]).argmax(1) == labels[-HELD_OUT:]).float().mean().item()
    job.say(f"{arguments.backend} {arguments.schedule}: {job.ranks} ranks, loss {loss:.6f}, "
            f"{100 * right:.1f} % of {HELD_OUT} held-out digits right, {took:.1f} s")
    if arguments.save and job.rank == 0:
        torch.save(plain.state_dict(), arguments.save)
    if job.ranks > 1:
        dist.barrier()
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
