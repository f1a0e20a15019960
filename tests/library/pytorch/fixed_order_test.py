#!/usr/bin/env python3
"""With a fixed order of addition, losses and parameters do not depend on the schedule: not in a single bit.

A sum of gradients is rounded, and how depends on the order in which ranks are added up. In a ring that order follows from an
element's place in its bucket, and schedules put it into different buckets; ring(fixed-order) and ps(fixed-order) add the
first rank's first and the last rank's last, wherever the element lies.
"""

import sys
import unittest

import torch

import gradwire.torch
import ranks
import train

STEPS = 6
# Two gradients come together, three a long time after, and one later still.
READY = [0, 0.1, 2, 2.1, 2.2, 5]
COST = (0.5, 0.0001)
# How many tensors share an all-reduce: of DistributedDataParallel's six buckets.
BUCKETS = {
    "none": [1, 1, 1, 1, 1, 1],
    "wfbp": [1, 1, 1, 1, 1, 1],
    "synceasgd": [6],
    "mg-wfbp": [2, 3, 1],
    "optimum": None,  # whatever is best; at least two tensors share one
}


def bits(numbers):
    return numbers.view(torch.int32).tolist()


def what_is_learned(rank, size):
    """By schedule: the bits of losses and parameters, and how many tensors share each all-reduce."""
    found = {}
    for schedule in BUCKETS:
        with gradwire.torch.bucket_per_tensor() as options:
            network = torch.nn.parallel.DistributedDataParallel(train.model(), **options)
        hook = gradwire.torch.schedule_hook(network, schedule, cost=COST, ready=READY)
        losses = torch.tensor(train.train(network, rank, size, STEPS))
        parameters = torch.nn.utils.parameters_to_vector(network.parameters()).detach()
        found[schedule] = bits(losses), bits(parameters), hook.buckets
    return found


class FixedOrder(unittest.TestCase):

    def of_all_ranks(self, algorithm, size):
        """By rank: what is learned. Parameters and buckets are the same on all of them."""
        found = ranks.run(size, what_is_learned, pg_options={"algorithm": algorithm})
        for schedule, wanted in BUCKETS.items():
            for theirs in found:
                self.assertEqual(theirs[schedule][1:], found[0][schedule][1:], schedule)
            buckets = found[0][schedule][2]
            self.assertEqual(sum(buckets), len(READY))
            self.assertEqual(buckets, wanted or buckets)
        self.assertLess(len(found[0]["optimum"][2]), len(READY))
        return found

    def expect_equal_bits(self, algorithm, size):
        for theirs in self.of_all_ranks(algorithm, size):
            losses, parameters, _ = theirs.pop("none")
            for schedule, (its_losses, its_parameters, _) in theirs.items():
                self.assertEqual(its_losses, losses, schedule)
                self.assertEqual(its_parameters, parameters, schedule)

    def test_a_ring_on_four_ranks(self):
        self.expect_equal_bits("ring(fixed-order)", 4)

    def test_a_ring_on_nine_ranks(self):
        self.expect_equal_bits("ring(fixed-order)", 9)

    def test_parameter_servers_on_four_ranks(self):
        self.expect_equal_bits("ps(fixed-order)", 4)

    def test_parameter_servers_on_nine_ranks(self):
        self.expect_equal_bits("ps(fixed-order)", 9)

    # That these gradients show a different order at all.
    def test_a_ring_in_any_order_has_other_bits_with_other_buckets(self):
        found = self.of_all_ranks("ring", 4)[0]
        self.assertNotEqual(found["wfbp"][1], found["synceasgd"][1])
        self.assertEqual(found["wfbp"][1], found["none"][1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
