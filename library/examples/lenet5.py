#!/usr/bin/python3
"""Trains LeNet-5 on handwritten digits with DistributedDataParallel, as a rank that torchrun or `gradwire emulate` started.

    gradwire emulate "bcube(3,2)" --rate 1Gbit -- /usr/bin/python3 library/examples/lenet5.py --logs logs

Without a job around it (no WORLD_SIZE) one process trains with the whole batch. With --logs every rank writes what each of
its iterations took, which `gradwire results import` puts into a run folder. The digits are scikit-learn's, 1,797 of them.
Gradients are summed by gloo, or with --backend gradwire by the process group of that name, which needs its package.
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
# DDP sends everything at once in its first iteration, and chooses its buckets after it. Gradwire's schedules are chosen
# after these so many that follow it, and connect in the next.
MEASURED = 3
UNTIMED = 1 + MEASURED + 1
MOST = 1 << 40  # bytes: more than there are
SCHEDULES = {"none": 1, "wfbp": 1, "synceasgd": MOST, "ddp": None}  # over gloo: bytes of a bucket; None: what DDP says
WRONG = 3  # how the program ends when sums were wrong
SUMS = {"gloo": "gloo(ring)", "gradwire": os.environ.get("GRADWIRE_ALGORITHM", "ring")}  # what sums by default


def lenet5():
    """Makes LeNet-5 with 20 and 50 maps of 5 x 5 and 500 neurons: 431,080 parameters."""
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 20, 5), torch.nn.MaxPool2d(2), torch.nn.Conv2d(20, 50, 5), torch.nn.MaxPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(800, 500), torch.nn.ReLU(), torch.nn.Linear(500, 10))


def digits(seed):
    """Images of 28 x 28 and their labels, in an order that the seed draws."""
    read = load_digits()
    images = torch.tensor(read.images, dtype=torch.float32).unsqueeze(1) / 16
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(seed))
    images = F.interpolate(images, size=28, mode="bilinear", align_corners=False)
    return images[order], torch.tensor(read.target)[order]


class Unverified:
    """Sums that nobody verifies."""

    now = (0, 0, 0, 0)

    def take(self):
        return {}


class Verified:
    """Findings of the process group about its sums. Every rank asks at the same times."""

    def __init__(self):
        self.before = self.now = (0, 0, 0, 0)  # all-reduces, elements, wrong ones, those that are not finite

    def take(self):
        """Returns the findings since the last call, for a log; empty where nothing was verified."""
        import gradwire.torch  # is there, since sums are verified
        self.before, self.now = self.now, gradwire.torch.verify()
        elements, wrong, not_finite = (now - before for now, before in zip(self.now[1:], self.before[1:]))
        return {"verified": {"elements": elements, "wrong": wrong, "not_finite": not_finite}} if elements else {}


class Buckets:
    """Communication hook that averages buckets, and notes when each was ready, sent and there."""

    def __init__(self, ranks, overlaps):
        self.ranks = ranks
        self.overlaps = overlaps  # else they wait for the last one
        self.waiting = []
        self.noted = []

    def average(self, _, bucket):
        """Handles a bucket. Returns a future that has its mean over all ranks."""
        buffer, ready = bucket.buffer(), time.monotonic_ns()
        if not self.overlaps and not bucket.is_last():
            self.waiting.append((buffer, ready, torch.futures.Future()))
            return self.waiting[-1][-1]
        for each, its_ready, future in self.waiting:
            self.send(each, its_ready).add_done_callback(lambda _, each=each, future=future: future.set_result(each))
        self.waiting.clear()
        return self.send(buffer, ready)

    def send(self, buffer, ready):
        noted = [buffer.numel(), ready, time.monotonic_ns()]
        self.noted.append(noted)

        def there(future):
            noted.append(time.monotonic_ns())
            return future.value()[0]

        return dist.all_reduce(buffer.div_(self.ranks), async_op=True).get_future().then(there)

    def take(self):
        """Returns each bucket of a finished iteration: its elements, and when it was ready, sent and there."""
        taken, self.noted = self.noted, []
        return taken


class Scheduled:
    """Buckets of a schedule of Gradwire's, with take() as Buckets."""

    def __init__(self, hook):
        self.hook = hook

    def take(self):
        return [[elements, *moments] for (_, elements), moments in zip(self.hook.sums, self.hook.moments)]


def logged(taken):
    """Converts buckets for a log: each starts when it is sent and the one before it is there."""
    lines, before = [], 0
    for elements, ready, sent, there in taken:
        start = max(sent, before)
        before = max(there, start)
        lines.append({"elements": elements, "ready_ns": ready, "start_ns": start, "end_ns": before})
    return lines


def over_gloo(model, arguments):
    """Wraps the model in DistributedDataParallel over gloo. Returns it and the Buckets of a schedule."""
    dist.init_process_group("gloo")
    size = SCHEDULES[arguments.schedule]
    if size is not None:
        dist._DEFAULT_FIRST_BUCKET_BYTES = size  # the first bucket goes by this whatever the cap
    cap = 25 if size is None else size / (1 << 20)
    wrapped = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=cap)
    buckets = Buckets(dist.get_world_size(), overlaps=arguments.schedule != "none")
    wrapped.register_comm_hook(None, buckets.average)
    return wrapped, buckets


def over_gradwire(model, arguments):
    """Wraps the model over Gradwire's process group, by any schedule that `gradwire list schedules` has."""
    import gradwire.torch  # nothing else needs it
    dist.init_process_group("gradwire", pg_options={"algorithm": arguments.algorithm, "verify": arguments.verify})
    with gradwire.torch.bucket_per_tensor() as options:
        wrapped = torch.nn.parallel.DistributedDataParallel(model, **options)
    return wrapped, Scheduled(gradwire.torch.schedule_hook(wrapped, arguments.schedule, measured=MEASURED))


class Job:
    """Rank of a job: its number, its share of samples, and its log."""

    def __init__(self, arguments):
        self.ranks = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0"))
        self.arguments = arguments
        self.share = arguments.batch // self.ranks
        self.sums = Verified() if arguments.verify and self.ranks > 1 else Unverified()
        self.log = None
        if arguments.logs:
            path = Path(arguments.logs)
            path.mkdir(parents=True, exist_ok=True)
            self.log = open(path / f"rank-{self.rank}.ndjson", "w", encoding="utf-8")

    def write(self, **line):
        """Writes a line of this rank's log."""
        if self.log:
            print(json.dumps(line), file=self.log, flush=True)

    def say(self, text):
        """Prints the text on rank 0."""
        if self.rank == 0:
            print(text, flush=True)


def train(job, model, buckets, images, labels):
    """Trains all epochs. Returns the last one's mean loss, of this rank's samples."""
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
            taken = logged(buckets.take()) if buckets else []
            verified = job.sums.take()  # what it takes is in no time
            if done >= UNTIMED:
                job.write(iteration=done - UNTIMED, start_ns=begun, end_ns=ended, loss=losses[-1],
                          compute_end_ns=max([each["ready_ns"] for each in taken], default=ended), buckets=taken, **verified)
            done += 1
    return sum(losses) / len(losses)


def record(job, images, labels):
    """Times another LeNet-5 with this rank's share of a batch, while all ranks do, and lets rank 0 write the trace."""
    sys.path.append(str(Path(__file__).resolve().parents[1] / "pytorch"))
    from gradwire import recorder  # nothing else needs it
    model, mine = lenet5(), slice(job.rank * job.share, (job.rank + 1) * job.share)
    dist.barrier()
    profile = recorder.record(model, lambda: F.cross_entropy(model(images[mine]), labels[mine]),
                              of=f"LeNet-5 (20-50-500), batch {job.share}, {job.ranks} at once,")
    if job.rank == 0:
        profile.write(job.arguments.record)
    dist.barrier()


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--backend", default="gloo", choices=sorted(SUMS), help="of torch.distributed")
    parser.add_argument("--algorithm", help=f"what sums: over gradwire any that it has; over gloo {SUMS['gloo']}")
    parser.add_argument("--schedule", default="ddp",
                        help=f"which gradients share a bucket: {', '.join(SCHEDULES)}; over gradwire all that it has")
    parser.add_argument("--batch", type=int, default=126, help="samples of all ranks together")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=0.05, help="learning rate")
    parser.add_argument("--verify", type=int, default=0,
                        help="over gradwire: of how many all-reduces one is verified; 0: of none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--logs", help="folder for the logs of all ranks")
    parser.add_argument("--record", help="file for the trace of what ranks compute, recorded before they train")
    parser.add_argument("--save", help="file for rank 0's parameters")
    arguments = parser.parse_args()
    arguments.algorithm = arguments.algorithm or SUMS[arguments.backend]
    if arguments.backend == "gloo" and (arguments.schedule not in SCHEDULES or arguments.algorithm != SUMS["gloo"]):
        parser.error(f"over gloo there are the schedules {', '.join(SCHEDULES)}, and {SUMS['gloo']} alone sums")
    if arguments.record and int(os.environ.get("WORLD_SIZE", "1")) == 1:
        parser.error("--record is for the ranks of a job; library/examples/record_profiles.py records one process")
    if arguments.backend == "gloo" and arguments.verify:
        parser.error("sums are verified over gradwire alone")
    return arguments


def main():
    job = Job(read_arguments())
    arguments = job.arguments
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    images, labels = digits(arguments.seed)
    model = plain = lenet5()
    buckets = None
    if job.ranks > 1:
        model, buckets = (over_gloo if arguments.backend == "gloo" else over_gradwire)(plain, arguments)
        if arguments.record:
            record(job, images, labels)
    job.write(**{"gradwire-training-log": 1, "rank": job.rank, "ranks": job.ranks,
                 "wiring": os.environ.get("GRADWIRE_WIRING", ""), "algorithm": arguments.algorithm,
                 "schedule": arguments.schedule,
                 "computing": f"LeNet-5 (20-50-500), {job.share} digits a rank, torch {torch.__version__}, 1 thread"})
    begun = time.monotonic()
    loss = train(job, model, buckets, images[:-HELD_OUT], labels[:-HELD_OUT])
    took = time.monotonic() - begun
    with torch.no_grad():
        right = (plain(images[-HELD_OUT:]).argmax(1) == labels[-HELD_OUT:]).float().mean().item()
    who = f"{arguments.algorithm} {arguments.schedule}: {job.ranks} ranks" if job.ranks > 1 else "one process"
    job.say(f"{who}, loss {loss:.6f}, {100 * right:.1f} % of {HELD_OUT} held-out digits right, {took:.1f} s")
    sums, elements, wrong, not_finite = job.sums.now
    if sums:
        print(f"rank {job.rank}: {sums} sums of {elements} elements verified: #wrong {wrong}, #nan {not_finite}", flush=True)
    if arguments.save and job.rank == 0:
        torch.save(plain.state_dict(), arguments.save)
    if job.ranks > 1:
        dist.barrier()
        dist.destroy_process_group()
    if wrong:
        sys.exit(WRONG)


if __name__ == "__main__":
    main()
