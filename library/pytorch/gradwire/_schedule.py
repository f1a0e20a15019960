"""Gradwire's schedules for the gradients of DistributedDataParallel: which of them share an all-reduce, and when it starts.

DistributedDataParallel hands over buckets one after the other, as their gradients are ready. They are what a schedule
merges; with `bucket_per_tensor` each is one tensor.
"""

import contextlib
import statistics
import time

import torch
import torch.distributed as dist

from gradwire import _torch

_SMALLEST = 256  # elements of the smallest all-reduce whose cost is measured
_REPEATS = 5


@contextlib.contextmanager
def bucket_per_tensor():
    """Gives the options with which DistributedDataParallel makes a bucket of each tensor, from its second iteration on:

        with gradwire.torch.bucket_per_tensor() as options:
            network = DistributedDataParallel(model, **options)

    Without it, its first bucket takes tensors up to 1 MiB, whatever bucket_cap_mb says."""
    before = dist._DEFAULT_FIRST_BUCKET_BYTES  # pylint: disable=protected-access
    dist._DEFAULT_FIRST_BUCKET_BYTES = 1
    try:
        yield {"bucket_cap_mb": 2**-20}  # one byte: whatever comes first fills it
    finally:
        dist._DEFAULT_FIRST_BUCKET_BYTES = before


def schedule_hook(network, schedule, *, cost=None, ready=None, measured=3):
    """Sums the gradients of a DistributedDataParallel by a schedule (gradwire list schedules), and returns its
    ScheduleHook. Every rank calls it, after the process group "gradwire" was made.

    cost      (seconds, seconds per byte) of an all-reduce; without it, measured here
    ready     seconds after which each of DistributedDataParallel's buckets is ready; without it, measured
    measured  in so many iterations

    In its first iteration DistributedDataParallel has other buckets than later: the schedule is chosen after the measured
    iterations that follow, or after one of them where `ready` is given. Until then every bucket is summed as it comes."""
    group = network.process_group
    if dist.get_backend(group) != "gradwire":
        raise ValueError(f"schedule_hook is for the process group gradwire, and this network's is {dist.get_backend(group)}")
    if cost is None and _torch.goes_by_cost(schedule):
        cost = _measured_cost(group, sum(parameter.numel() for parameter in network.parameters()))
    hook = ScheduleHook(group, schedule, cost, ready, 1 if ready else measured)
    network.register_comm_hook(hook, ScheduleHook._take)  # pylint: disable=protected-access
    return hook


class ScheduleHook:
    """Communication hook that sums gradients by a schedule.

    buckets   how many of DistributedDataParallel's buckets share each all-reduce; None until it is chosen
    overlaps  whether all-reduces start before the last gradient is ready
    ready     seconds after the first at which each was ready
    bytes     of each
    sums      the all-reduces of the last iteration: (after how many buckets it began, its elements)
    moments   of each of sums, in ns of time.monotonic_ns(): [its last gradient was ready, it began, its sums were there]
    cost      (seconds, seconds per byte) that the schedule went by; None for one that does not"""

    def __init__(self, group, schedule, cost, ready, measured):
        self.schedule, self.cost, self.ready, self.bytes = schedule, cost, ready, None
        self.buckets, self.overlaps = None, True
        self.sums, self.moments = [], []
        self._group, self._measured = group, measured
        self._iterations = 0
        self._times = []  # of each measured iteration, by bucket
        self._waiting = []  # [(buffer, future, when it was ready)] of buckets that no all-reduce has begun for
        self._ends = set()  # the buckets with which all-reduces end, once they are chosen

    def _take(self, bucket):
        """Handles a bucket. Returns a future that has the bucket's mean over all ranks."""
        if bucket.index() == 0:
            self._begin()
        ready = time.monotonic_ns()
        self._times[-1].append(ready / 1e9)
        self.bytes.append(bucket.buffer().numel() * bucket.buffer().element_size())
        future = torch.futures.Future()
        self._waiting.append((bucket.buffer(), future, ready))
        if bucket.is_last() and self.buckets and sum(self.buckets) != bucket.index() + 1:
            raise RuntimeError(f"gradwire: the schedule was made for {sum(self.buckets)} buckets of DistributedDataParallel, "
                               f"and there are {bucket.index() + 1}")
        if self.buckets is None or (self.overlaps and bucket.index() in self._ends):
            future = self._sum(len(self._waiting))
        elif bucket.is_last():
            for size in self.buckets:
                future = self._sum(size)
        if bucket.is_last():
            self._end()
        return future

    def _begin(self):
        self._waiting.clear()
        self._times.append([])
        self.bytes, self.sums, self.moments = [], [], []

    def _sum(self, count):
        """Starts an all-reduce of the first `count` buckets that wait. Returns the future of the last of them."""
        merged, self._waiting = self._waiting[:count], self._waiting[count:]
        buffers = [buffer for buffer, _, _ in merged]
        moments = [merged[-1][2], time.monotonic_ns()]
        flat = buffers[0] if count == 1 else torch.cat(buffers)
        flat.div_(self._group.size())
        self.sums.append((len(self.bytes), flat.numel()))
        self.moments.append(moments)

        def give_back(future):
            # Those that wait get their buffers whatever happened: a failure is the group's, so that the future of an
            # iteration's last bucket, which is this all-reduce's own or a later one's, has it.
            try:
                summed = future.value()[0]
                if count > 1:
                    for buffer, part in zip(buffers, summed.split([buffer.numel() for buffer in buffers])):
                        buffer.copy_(part)
            finally:
                moments.append(time.monotonic_ns())
                for buffer, waiting, _ in merged:
                    waiting.set_result(buffer)
            return buffers[-1]

        return dist.all_reduce(flat, group=self._group, async_op=True).get_future().then(give_back)

    def _end(self):
        """Ends an iteration, after its last bucket."""
        self._iterations += 1
        if self._iterations == 1:
            self._times.clear()  # of other buckets than later
        elif self.buckets is None and len(self._times) == self._measured:
            self._choose()
        elif self.buckets is not None:
            self._times.clear()

    def _choose(self):
        if self.ready is None:
            since = [[moment - times[0] for moment in times] for times in self._times]
            medians = [statistics.median(moments) for moments in zip(*since)]
            self.ready = [max(medians[:i + 1]) for i in range(len(medians))]
            self.ready = _agreed(self._group, self.ready)
        buckets, self.overlaps = _torch.buckets(self.schedule, self.ready, self.bytes, self.cost or (0, 0))
        self._ends = {sum(buckets[:i + 1]) - 1 for i in range(len(buckets))}
        self.buckets = buckets
        self._times.clear()


def _agreed(group, numbers):
    """The means of all ranks' numbers, the same on all ranks: rank 0's sums, divided."""
    tensor = torch.tensor(numbers, dtype=torch.float64)
    dist.all_reduce(tensor, group=group)
    dist.broadcast(tensor, dist.get_global_rank(group, 0), group=group)
    return (tensor / group.size()).tolist()


def _measured_cost(group, elements):
    """Measures (seconds, seconds per byte): a line through all-reduces of several sizes, up to all gradients."""
    largest = max(elements, 4 * _SMALLEST)
    sizes = [round(_SMALLEST * (largest / _SMALLEST) ** (i / 4)) for i in range(5)]
    seconds = []
    for size in sizes:
        gradient = torch.zeros(size)
        dist.all_reduce(gradient, group=group)  # connects
        taken = []
        for _ in range(_REPEATS):
            dist.barrier(group)
            begun = time.perf_counter()
            dist.all_reduce(gradient, group=group)
            taken.append(time.perf_counter() - begun)
        seconds.append(statistics.median(taken))
    return _torch.cost([4 * size for size in sizes], _agreed(group, seconds))
