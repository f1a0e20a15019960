#!/usr/bin/env python3
"""The all-reduces that DistributedDataParallel's gradients get are those of the schedule, and train the same weights."""

import itertools
import random
import sys
import unittest

import torch
import torch.distributed as dist

import gradwire._schedule
import gradwire._torch
import gradwire.torch
import ranks

WIDTHS = (8, 40, 30, 10)
# Two gradients come together, three a long time after, and one later still.
READY = [0, 0.1, 2, 2.1, 2.2, 5]
COST = (0.5, 0)
BUCKETS = {
    "none": ([1, 1, 1, 1, 1, 1], False),
    "wfbp": ([1, 1, 1, 1, 1, 1], True),
    "synceasgd": ([6], True),
    "mg-wfbp": ([2, 3, 1], True),
    "fixed(cap=1300)": ([3, 1, 2], True),
}


def network(**options):
    """Three layers: weights of 320, 1200 and 300 numbers, and biases of 40, 30 and 10."""
    torch.manual_seed(3)
    layers = [torch.nn.Linear(*widths) for widths in itertools.pairwise(WIDTHS)]
    return torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*layers), **options)


def per_tensor():
    with gradwire.torch.bucket_per_tensor() as options:
        return network(**options)


def train(model, rank, steps):
    """The weights after so many steps."""
    numbers = torch.Generator().manual_seed(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(16, WIDTHS[0], generator=numbers)).square().mean().backward()
        optimizer.step()
    return torch.nn.utils.parameters_to_vector(model.parameters()).detach()


def buckets_of(model, rank):
    """The elements of the buckets of three iterations."""
    seen = []

    def note(_, bucket):
        if bucket.index() == 0:
            seen.append([])
        seen[-1].append([parameter.numel() for parameter in bucket.parameters()])
        return dist.all_reduce(bucket.buffer(), async_op=True).get_future().then(lambda future: future.value()[0])

    model.register_comm_hook(None, note)
    train(model, rank, 3)
    return seen


def what_ddp_makes(rank, size):
    return buckets_of(per_tensor(), rank), buckets_of(network(bucket_cap_mb=2**-20), rank)


def what_is_summed(rank, size):
    """By schedule: its buckets, whether it overlaps, the all-reduces of the fourth iteration, and the weights after it."""
    found = {}
    for schedule in BUCKETS:
        model = per_tensor()
        hook = gradwire.torch.schedule_hook(model, schedule, cost=COST, ready=READY)
        weights = train(model, rank, 4)
        found[schedule] = (hook.buckets, hook.overlaps, hook.sums, weights.tolist())
    found["without"] = train(per_tensor(), rank, 4).tolist()
    return found


def when(rank, size):
    """By schedule: the moments of the last iteration's all-reduces, how many they are, and whether they overlap."""
    found = {}
    for schedule in BUCKETS:
        model = per_tensor()
        hook = gradwire.torch.schedule_hook(model, schedule, cost=COST, ready=READY)
        train(model, rank, 4)
        found[schedule] = hook.moments, len(hook.buckets), hook.overlaps
    return found


def what_is_measured(rank, size):
    model = per_tensor()
    hook = gradwire.torch.schedule_hook(model, "mg-wfbp", measured=2)
    train(model, rank, 2)
    assert hook.buckets is None
    train(model, rank, 2)
    return hook.buckets, hook.ready, hook.cost, [after for after, _ in hook.sums]


def wrong(rank, size):
    said = []
    for options in ({"schedule": "wfpb"}, {"schedule": "wfbp", "ready": [0, 1]}):
        try:
            model = per_tensor()
            gradwire.torch.schedule_hook(model, **options)
            train(model, rank, 3)
        except RuntimeError as error:
            said.append(str(error).splitlines()[0])
    return said


def end_of(buckets, ready, sizes, cost):
    """When the last of these buckets is summed: each starts when the one before is done and its last gradient is ready."""
    now, first = 0, 0
    for count in buckets:
        end = first + count
        now = max(now, ready[end - 1]) + cost[0] + cost[1] * sum(sizes[first:end])
        first = end
    return now


class Buckets(unittest.TestCase):

    def test_each_of_ddps_has_one_tensor_from_the_second_iteration_on(self):
        tensors = [[10], [300], [30], [1200], [40], [320]]
        for per_tensor_made, plain in ranks.run(2, what_ddp_makes):
            for made in (per_tensor_made, plain):
                self.assertEqual(sum(map(len, made[0])), 6)  # the first iteration has one of everything
                self.assertEqual(len(made[0]), 1)
            self.assertEqual(sorted(per_tensor_made[1]), sorted(tensors))
            self.assertEqual(per_tensor_made[2], per_tensor_made[1])
            self.assertEqual(len(plain[2]), 1)  # 1 MiB has room for all

    def test_all_reduces_are_those_of_the_schedule(self):
        for found in ranks.run(3, what_is_summed):
            without = torch.tensor(found.pop("without"))
            for schedule, (buckets, overlaps, sums, weights) in found.items():
                with self.subTest(schedule=schedule):
                    self.assertEqual((buckets, overlaps), BUCKETS[schedule])
                    ends = list(itertools.accumulate(buckets))
                    self.assertEqual([after for after, _ in sums], ends if overlaps else [6] * len(ends))
                    self.assertEqual(sum(elements for _, elements in sums), 1900)
                    torch.testing.assert_close(torch.tensor(weights), without, rtol=1e-4, atol=1e-6)

    def test_moments_go_forward_and_begin_late_where_the_schedule_does(self):
        for found in ranks.run(2, when):
            for schedule, (moments, count, overlaps) in found.items():
                with self.subTest(schedule=schedule):
                    self.assertEqual(len(moments), count)
                    for ready, begun, there in moments:
                        self.assertLessEqual(ready, begun)
                        self.assertLess(begun, there)
                    for column in list(zip(*moments))[:2]:  # futures may be told in another order
                        self.assertEqual(list(column), sorted(column))
                    if not overlaps:
                        self.assertLessEqual(moments[-1][0], moments[0][1])

    def test_all_ranks_choose_the_same_from_what_they_measure(self):
        chosen = ranks.run(3, what_is_measured)
        self.assertEqual(chosen[1:], chosen[:1] * 2)
        buckets, ready, cost, ends = chosen[0]
        self.assertEqual(sum(buckets), 6)
        self.assertEqual(ends, list(itertools.accumulate(buckets)))
        self.assertEqual(ready, sorted(ready))
        self.assertTrue(cost[0] >= 0 and cost[1] >= 0 and sum(cost) > 0)

    def test_the_optimum_is_the_best_of_all_partitions(self):
        drawn = random.Random(11)
        for _ in range(50):
            ready = sorted(drawn.uniform(0, 4) for _ in range(7))
            sizes = [float(drawn.randint(1, 100)) for _ in range(7)]
            cost = (drawn.uniform(0, 1), drawn.uniform(0, 0.02))
            best = min(end_of([len(list(run)) for _, run in itertools.groupby(itertools.accumulate(cuts, initial=0))],
                              ready, sizes, cost) for cuts in itertools.product((0, 1), repeat=6))
            buckets, overlaps = gradwire._torch.buckets("optimum", ready, sizes, cost)
            self.assertTrue(overlaps)
            self.assertAlmostEqual(end_of(buckets, ready, sizes, cost), best)

    def test_what_cannot_be_is_refused(self):
        for said in ranks.run(2, wrong):
            self.assertRegex(said[0], "unknown schedule 'wfpb' .did you mean 'wfbp'")
            self.assertIn("2 gradients are ready, and 6 have bytes", said[1])
        with self.assertRaisesRegex(RuntimeError, "horovod sends by the clock"):
            gradwire._torch.buckets("horovod", [0, 1, 2], [4, 4, 4], COST)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
