#!/usr/bin/python3
"""The recorder on a GPU, which a stand-in takes the place of: it computes behind the host, and has its own time.

A program gives a GPU work and goes on. The stand-in's host needs LAUNCH microseconds for that, and its GPU as long as layers
say, one after the other. So times of the host at which layers are launched, and those of a GPU that waits for every
launch, differ from what layers take by as much as can be said beforehand.
"""

import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

from layers import Stack, torch  # noqa: E402: ends with 77 without PyTorch

from gradwire import _clocks, _where, recorder  # noqa: E402

LAUNCH = 1  # microseconds
ITERATIONS = 3  # the first finds an idle GPU; medians are of the others


class StandIn:
    """In the place of torch.cuda, with a single stream."""

    class Event:
        """A moment in the stream. Nobody knows when that is before the host has waited for it."""

        def __init__(self, gpu):
            self.gpu = gpu

        def record(self, stream):
            assert stream is self.gpu
            self.at = max(stream.done, stream.host)

        def elapsed_time(self, last):
            assert last.at <= self.gpu.host, "asked before it has happened"
            return (last.at - self.at) / 1e3

    def __init__(self):
        self.host = self.done = 0.0  # what the host's clock says, and when the GPU will have done what it was given
        self.waits = 0

    def launch(self, takes):
        self.host += LAUNCH
        self.done = max(self.done, self.host) + takes

    def synchronize(self, _):
        self.waits += 1
        self.host = max(self.host, self.done)

    def current_stream(self, _):
        return self

    def make_event(self, enable_timing):
        assert enable_timing, "events without times"
        return StandIn.Event(self)


class OnAGpu(unittest.TestCase):
    def setUp(self):
        self.gpu = gpu = StandIn()
        cuda = mock.Mock(Event=gpu.make_event, current_stream=gpu.current_stream, synchronize=gpu.synchronize)
        clocks = _clocks.Clocks(_clocks.EventClock(cuda, 0), _clocks.SynchronizedClock(cuda, [0]))
        for patch in (mock.patch.object(recorder, "clocks_for", lambda _: clocks),
                      mock.patch.object(_clocks, "_now", lambda: gpu.host)):
            patch.start()
            self.addCleanup(patch.stop)
        model = Stack(gpu.launch)
        self.profile = recorder.record(model, lambda: model(torch.ones(2)).sum(), iterations=ITERATIONS)

    def test_times_are_those_of_the_gpu_and_not_of_launches(self):
        self.assertEqual([(each.tensor, round(each.forward, 6), round(each.backward, 6)) for each in self.profile.tensors],
                         [("second.weight", 20, 200), ("first.weight", 10, 100), ("third.weight", 40, 400)])

    def test_layers_add_up_to_an_iteration_without_hooks(self):
        self.assertAlmostEqual(self.profile.iteration, 70 + 700)
        self.assertAlmostEqual(self.profile.deviation, 0)
        self.assertFalse(self.profile.is_flagged)

    # Each layer finds an idle GPU then, and its launch is in its time.
    def test_synchronizing_costs_every_layer_a_launch(self):
        for each in self.profile.tensors:
            self.assertAlmostEqual(each.synchronized.forward, each.forward + LAUNCH)
            self.assertAlmostEqual(each.synchronized.backward, each.backward + LAUNCH)
        self.assertAlmostEqual(self.profile.excess, 6 * LAUNCH / (70 + 700))
        self.assertIn("third.weight,0.000,0.000,41.000,401.000,2.000", self.profile.spread_csv().splitlines())

    # Warm-up waits once, and events once at their end. Synchronized times wait at the begin of every iteration, after each
    # layer of both passes, and after the loss.
    def test_nothing_waits_for_the_gpu_while_events_are_taken(self):
        self.assertEqual(self.gpu.waits, 2 + ITERATIONS * (1 + 3 + 1 + 3))


class WhichClock(unittest.TestCase):
    def clock_for(self, *devices):
        clocks = _clocks.clocks_for({torch.device(each) for each in devices}, StandIn())
        return type(clocks.profile), clocks.synchronized and type(clocks.synchronized)

    def test_events_are_for_one_gpu_alone(self):
        self.assertEqual(self.clock_for("cpu"), (_clocks.HostClock, None))
        self.assertEqual(self.clock_for("cuda:0"), (_clocks.EventClock, _clocks.SynchronizedClock))
        self.assertEqual(self.clock_for("cuda:0", "cuda:1"), (_clocks.SynchronizedClock, None))
        self.assertEqual(self.clock_for("cuda:0", "cpu"), (_clocks.SynchronizedClock, None))


class WhatAGpuSays(unittest.TestCase):
    """With an nvidia-smi that says what the test wants."""

    def said(self, answer, name="NVIDIA H100 80GB HBM3"):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "nvidia-smi"
            program.write_text(f"#!/bin/sh\necho '{answer}'\n")
            program.chmod(0o755)
            self.loads = 0
            with mock.patch.dict(os.environ, PATH=folder):
                return _where.driver_and_clocks(name, 0, self.load)

    def load(self):
        self.loads += 1

    def test_clocks_are_read_while_the_gpu_computes(self):
        self.assertEqual(self.said("NVIDIA H100 80GB HBM3, 550.54.15, 1755, 1980, 2619, 2619"),
                         "driver 550.54.15, SM at 1755 of 1980 MHz, memory at 2619 of 2619 MHz")
        self.assertGreaterEqual(self.loads, 1)

    def test_of_another_gpu_or_without_the_program_they_are_unknown(self):
        self.assertEqual(self.said("Tesla V100, 550.54.15, 1755, 1980, 2619, 2619"), "driver and clocks unknown")
        self.assertEqual(self.said("no devices were found"), "driver and clocks unknown")
        with tempfile.TemporaryDirectory() as empty, mock.patch.dict(os.environ, PATH=empty):
            self.assertEqual(_where.driver_and_clocks("any", 0, self.load), "driver and clocks unknown")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
