#!/usr/bin/python3
"""The recorder of computing times, on models whose times follow from the order of their layers.

    recorder_test.py GRADWIRE

The clock is replaced by one that only the layers of these models move, so that every time is known.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

import layers  # noqa: E402: ends with 77 without PyTorch
from layers import torch  # noqa: E402

from gradwire import _clocks, recorder  # noqa: E402

GRADWIRE = sys.argv.pop(1)


class Clock:
    """Microseconds that pass only when somebody says so."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def passes(self, time):
        self.now += time


CLOCK = Clock()


class Stack(layers.Stack):
    def __init__(self):
        super().__init__(CLOCK.passes)


def recorded(model, iterations=1, **options):
    with mock.patch.object(_clocks, "_now", CLOCK):
        return recorder.record(model, lambda: model(torch.ones(2)).sum(), iterations=iterations, **options)


def lines(profile):
    return [(each.tensor, each.elements, each.forward, each.backward) for each in profile.tensors]


class Order(unittest.TestCase):
    def test_tensors_stand_in_the_order_of_use_with_the_times_of_their_layers(self):
        self.assertEqual(lines(recorded(Stack())), [
            ("second.weight", 5, 20, 200), ("first.weight", 3, 10, 100), ("third.weight", 7, 40, 400)])

    def test_real_layers_are_ready_from_the_last_to_the_first(self):
        model = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4), torch.nn.Linear(4, 1))
        tensors = recorder.record(model, lambda: model(torch.ones(16, 2)).sum(), iterations=3).tensors
        self.assertEqual([each.tensor.split(".")[0] for each in tensors], ["0", "0", "2", "2", "3", "3"])
        self.assertEqual({each.tensor: each.elements for each in tensors},
                         {name: each.numel() for name, each in model.named_parameters()})
        self.assertTrue(all(each.backward >= 0 and each.forward >= 0 for each in tensors))
        self.assertGreater(sum(each.forward for each in tensors), 0)

    def test_a_tensor_that_is_used_twice_is_ready_when_both_uses_are(self):
        class Tied(Stack):
            def __init__(self):
                super().__init__()
                self.third.weight = self.first.weight

            def forward(self, values):
                return self.third(self.second(self.first(values)))

        # first.weight is used by the first layer and by the last: ready 400 + 200 + 100 after the begin, behind the second's.
        self.assertEqual(lines(recorded(Tied())), [("first.weight", 3, 10 + 40, 100), ("second.weight", 5, 20, 400 + 200)])

    def test_time_after_the_last_layer_belongs_to_it(self):
        model = Stack()
        with mock.patch.object(_clocks, "_now", CLOCK):
            tensors = recorder.record(model, lambda: layers.Takes.apply(model(torch.ones(2)).sum(), CLOCK.passes, 5, 50), iterations=1).tensors
        self.assertEqual((tensors[-1].forward, tensors[-1].backward), (40 + 5, 400 + 50))


class Medians(unittest.TestCase):
    def test_the_median_iteration_is_kept_and_the_first_ones_are_not_timed(self):
        class Unsteady(Stack):
            # Two without hooks come before, and one behind. The median of 9, 2 and 4 is 4.
            factors = iter((1000,) * recorder.WARM_UP + (3, 3) + (9, 2, 4) + (3,))

            def forward(self, values):
                factor = next(self.factors)
                for layer, base in ((self.first, 1), (self.second, 2), (self.third, 3)):
                    layer.times = (base * factor, 10 * base * factor)
                return super().forward(values)

        self.assertEqual(lines(recorded(Unsteady(), iterations=3)), [
            ("second.weight", 5, 8, 80), ("first.weight", 3, 4, 40), ("third.weight", 7, 12, 120)])

    def test_shares_add_up_to_the_median_of_the_whole(self):
        class Unsteady(Stack):
            # Forward passes of 130, 31 and 212: the median is 130, while the medians of shares are 10, 20 and 1.
            shares = iter(((1, 1, 1),) * (recorder.WARM_UP + 2) + ((10, 20, 100), (10, 20, 1), (11, 200, 1), (1, 1, 1)))

            def forward(self, values):
                for layer, share in zip((self.first, self.second, self.third), next(self.shares)):
                    layer.times = (share, 1)
                return super().forward(values)

        forward = [each.forward for each in recorded(Unsteady(), iterations=3).tensors]
        self.assertAlmostEqual(sum(forward), 130)
        self.assertAlmostEqual(forward[0] / forward[1], 20 / 10)


class Slower(Stack):
    """Its layers take another factor in each iteration: 1 to warm up, and then as given."""

    def __init__(self, *factors):
        super().__init__()
        self.factors = iter((1,) * recorder.WARM_UP + factors)

    def forward(self, values):
        factor = next(self.factors)
        for layer, base in ((self.first, 10), (self.second, 20), (self.third, 40)):
            layer.times = (base * factor, 10 * base * factor)
        return super().forward(values)


class Findings(unittest.TestCase):
    # Of a single iteration without hooks, and one with them behind it.
    def test_layers_that_do_not_add_up_to_an_iteration_are_flagged(self):
        self.assertEqual(recorded(Slower(1, 1.029)).findings(), [
            "layers add up to 792.3 us, an iteration without hooks takes 770.0 us: +2.9 %"])
        for factor, percent in ((1.031, "+3.1"), (0.969, "-3.1")):
            profile = recorded(Slower(1, factor))
            self.assertTrue(profile.is_flagged)
            self.assertIn(f": {percent} %; FLAGGED: over 3 % apart\n", profile.to_csv())

    # Iterations get twice as long, evenly: of six without hooks, three come before those with them and three behind.
    def test_iterations_that_get_slower_are_no_deviation(self):
        self.assertAlmostEqual(recorded(Slower(*(1 + i / 11 for i in range(12))), iterations=6).deviation, 0)

    # Of 1, 2, 3, 4 and 9 times as long the quartiles are 2 and 4. Of those without hooks three come before and two behind.
    def test_the_spread_of_a_tensor_is_between_the_quartiles_of_its_iterations(self):
        profile = recorded(Slower(1, 1, 1, 1, 9, 3, 4, 2, 1, 1), iterations=5)
        self.assertEqual(profile.spread_csv().splitlines()[1:], [
            "tensor,forward_range_us,backward_range_us,synchronized_forward_us,synchronized_backward_us,excess_us",
            "second.weight,40.000,400.000,,,", "first.weight,20.000,200.000,,,", "third.weight,80.000,800.000,,,"])


class WhatStays(unittest.TestCase):
    def test_parameters_gradients_and_hooks_are_as_before(self):
        model = Stack()
        model.second.weight.grad = torch.full((5,), 7.0)
        recorded(model)
        self.assertTrue(torch.equal(model.second.weight.grad, torch.full((5,), 7.0)))
        self.assertIsNone(model.first.weight.grad)
        self.assertTrue(torch.equal(model.third.weight, torch.ones(7)))
        self.assertFalse(any(each._forward_hooks for each in model.modules()))

    def test_they_are_also_where_recording_fails(self):
        model = Stack()
        model.second.weight.grad = torch.full((5,), 7.0)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            recorder.record(model, lambda: 1 / 0)
        self.assertTrue(torch.equal(model.second.weight.grad, torch.full((5,), 7.0)))
        self.assertFalse(any(each._forward_hooks for each in model.modules()))

    def test_frozen_tensors_are_left_out(self):
        model = Stack()
        model.first.weight.requires_grad_(False)
        self.assertEqual([each.tensor for each in recorded(model).tensors], ["second.weight", "third.weight"])


class Refused(unittest.TestCase):
    def test_a_tensor_without_gradient_is_named(self):
        model = Stack()
        model.spare = layers.Layer(CLOCK.passes, 1, 0, 0)
        with self.assertRaisesRegex(RuntimeError, "spare.weight"):
            recorded(model)

    def test_what_has_nothing_to_record(self):
        with self.assertRaisesRegex(ValueError, "ReLU has no parameter"):
            recorder.record(torch.nn.ReLU(), lambda: None)
        with self.assertRaisesRegex(ValueError, "0 iterations"):
            recorder.record(Stack(), lambda: None, iterations=0)
        with self.assertRaisesRegex(ValueError, "first.weight is on meta"):
            recorder.record(Stack().to("meta"), lambda: None)


class AsAFile(unittest.TestCase):
    """What the program makes of what was written."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "stack.csv"
        recorded(Stack(), path=self.path, of="three\nlayers")

    def program(self, *arguments):
        done = subprocess.run([GRADWIRE, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=50)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_it_says_where_it_was_recorded(self):
        lines = self.path.read_text().splitlines()
        self.assertRegex(lines[1], r"^# source: three layers on .+, torch .+, medians of 1 iterations$")
        self.assertEqual(lines[2], "# layers add up to 770.0 us, an iteration without hooks takes 770.0 us: +0.0 %")

    def test_it_is_drawn(self):
        rows = [line.split() for line in self.program("workload", "show", self.path).splitlines() if ".weight" in line]
        # In the order of the backward pass: bytes, time, and when it is ready.
        self.assertEqual([row[:4] for row in rows], [["third.weight", "28", "400.0", "400.0"],
                                                     ["first.weight", "12", "100.0", "500.0"],
                                                     ["second.weight", "20", "200.0", "700.0"]])

    def test_a_job_computes_as_long(self):
        experiment = Path(self.folder.name) / "job.yaml"
        experiment.write_text("gradwire: 1\nname: recorded\nlink: {rate: 10Gbit}\nwiring: single-switch(2)\nalgorithm: ring\n"
                              "compute: {trace: stack.csv}\nschedule: none\n")
        row = next(line.split() for line in self.program("schedule", experiment).splitlines() if "none" in line.split())
        self.assertEqual(float(row[row.index("none") + 2]), 70 + 700)


if __name__ == "__main__":
    unittest.main()
