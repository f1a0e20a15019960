#!/usr/bin/env python3
"""What guard makes of what NVIDIA's driver says of GPUs. No GPU was at hand: the lines are as its manual has them."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

import programs  # noqa: E402, F401

from gradwire_host import gpu  # noqa: E402

FULL = "NVIDIA H100 PCIe, 535.183.01, 81559 MiB, 5, 16, 16"
BUS = "gpu: usable: NVIDIA H100\nbus: 24.1 GB/s to the host, 23.8 GB/s to the GPU\ngradients: tcp staged\n"
NARROW = "NVIDIA A30, 535.183.01, 24576 MiB, 4, 8, 16"


def found(said, ends=0, complains="", bus=(0, BUS, ""), **plan):
    """The check's findings where nvidia-smi says this, and gradwire that of the bus."""
    def run(*words):
        if words == gpu.QUESTION:
            return subprocess.CompletedProcess(words, ends, said, complains)
        assert words == ("/usr/local/bin/gradwire", "doctor", "--gpu"), words
        return subprocess.CompletedProcess(words, *bus)

    with mock.patch.object(gpu, "run", run):
        return gpu.check_gpu({"host": "red", **plan})


class Gpus(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(self.folder.rmdir)

    def test_one_with_all_its_lanes_passes_and_is_described(self):
        one, bus, peermem = found(FULL + "\n")
        self.assertEqual((one["check"], one["passed"]), ("gpu", True))
        self.assertEqual(one["found"], "NVIDIA H100 PCIe, 81559 MiB, driver 535.183.01, PCIe 5.0 x16")
        self.assertTrue(bus["passed"])
        self.assertTrue(peermem["passed"])

    def test_one_with_half_of_them_does_not(self):
        first, second, *_ = found(f"{FULL}\n{NARROW}\n")
        self.assertTrue(first["passed"])
        self.assertFalse(second["passed"])
        self.assertEqual(second["message"],
                         "red: GPU NVIDIA A30, 24576 MiB, driver 535.183.01, PCIe 4.0 x8, of x16")

    def test_without_one_the_reason_is_said(self):
        for ends, said, complains, why in ((127, "", "nvidia-smi is not installed", "nvidia-smi is not installed"),
                                           (9, "NVIDIA-SMI has failed\nbecause.", "", "NVIDIA-SMI has failed because."),
                                           (0, "\n", "", "it names none")):
            none = found(said, ends, complains)[0]
            self.assertFalse(none["passed"])
            self.assertEqual(none["message"], f"red: no GPU: {why}")

    def test_what_is_no_answer_is_no_gpu(self):
        self.assertFalse(found("something else\n")[0]["passed"])

    def test_the_slower_way_of_the_bus_is_held_against_what_is_wanted(self):
        for wanted, passes in ((0, True), (23.8, True), (24, False)):
            bus = found(FULL, gpu_gbytes_per_s=wanted)[1]
            self.assertEqual((bus["check"], bus["passed"]), ("gpu", passes))
            self.assertEqual(bus["found"], "24.1 GB/s to the host, 23.8 GB/s to the GPU")
        self.assertEqual(bus["message"], "red: the GPU's bus carries 24.1 GB/s to the host, 23.8 GB/s to the GPU, wanted 24 GB/s")

    def test_a_bus_that_was_not_measured_says_why(self):
        said = "gpu: this gradwire was built without CUDA\nbus: not measured: it has no CUDA\ngradients: tcp staged\n"
        for done, why in (((5, said, ""), "it has no CUDA"),
                          ((127, "", "/usr/local/bin/gradwire is not installed"), "/usr/local/bin/gradwire is not installed"),
                          ((0, "", ""), "it ended with 0")):
            bus = found(FULL, bus=done)[1]
            self.assertEqual((bus["passed"], bus["found"]), (True, "not measured"))
            self.assertEqual(bus["message"], f"red: the GPU's bus was not measured: {why}")
            self.assertFalse(found(FULL, bus=done, gpu_gbytes_per_s=1)[1]["passed"])

    def test_peermem_is_recorded_and_wanted_where_the_plan_says(self):
        for there, wanted, passes, state in ((self.folder, True, True, "loaded"),
                                             (self.folder / "none", True, False, "not loaded"),
                                             (self.folder / "none", False, True, "not loaded")):
            with mock.patch.object(gpu, "PEERMEM", there):
                last = found(FULL, gpu_peermem=wanted)[-1]
            self.assertEqual((last["passed"], last["found"]), (passes, state))


if __name__ == "__main__":
    unittest.main()
