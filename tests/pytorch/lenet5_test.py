#!/usr/bin/python3
"""LeNet-5 on two emulated hosts, and what is made of its logs.

    lenet5_test.py GRADWIRE
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))

from lenet5 import HELD_OUT, UNTIMED, digits, lenet5, torch  # noqa: E402: ends with 77 where these are missing

PYTHON = "/usr/bin/python3"
GRADWIRE = sys.argv.pop(1)
CANNOT_EMULATE = 5
BATCH = 256
TENSORS = [each.numel() for each in lenet5().parameters()]


def run(*command):
    ended = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=250)
    if ended.returncode == CANNOT_EMULATE:
        print(f"SKIPPED: this machine cannot emulate: {ended.stderr}")
        sys.exit(77)
    if ended.returncode:
        raise AssertionError(f"{command} ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return ended.stdout


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="gradwire-training-")
        cls.folder = Path(cls.temporary.name)
        common = ("--epochs", 1, "--batch", BATCH)
        run(EXAMPLES / "lenet5.py", *common, "--save", cls.folder / "alone")
        run(GRADWIRE, "emulate", "single-switch(2)", "--rate", "500Mbit", "--", PYTHON, EXAMPLES / "lenet5.py", *common,
            "--algorithm", "gloo(ring)", "--schedule", "wfbp", "--logs", cls.folder / "logs", "--save", cls.folder / "both")
        run(EXAMPLES / "record_profiles.py", cls.folder / "mine.csv", "--batch", BATCH // 2, "--iterations", 3)
        (cls.folder / "job.yaml").write_text(
            "gradwire: 1\nname: job\nlink: {rate: 500Mbit}\ndilation: 1\ncompute: {trace: mine.csv}\n"
            "wiring: single-switch(2)\nalgorithm: gloo(ring)\nschedule: wfbp\n")
        run(GRADWIRE, "results", "import", cls.folder / "job.yaml", cls.folder / "logs", "-o", cls.folder / "run")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def logged(self, rank):
        lines = (self.folder / "logs" / f"rank-{rank}.ndjson").read_text().splitlines()
        return [json.loads(line) for line in lines[1:]]

    def samples(self):
        return [json.loads(line) for line in (self.folder / "run" / "samples.ndjson").read_text().splitlines()]

    # The mean of two halves' mean gradients is that of the whole batch, but for rounding.
    def test_two_hosts_learn_what_one_process_learns(self):
        torch.manual_seed(1)
        at_first, alone, both = lenet5().state_dict(), torch.load(self.folder / "alone"), torch.load(self.folder / "both")
        for name, values in alone.items():
            learned = (values - at_first[name]).abs().max().item()
            self.assertGreater(learned, 1e-3, name)
            self.assertLess((both[name] - values).abs().max().item(), 0.01 * learned, name)

    def test_every_tensor_is_a_bucket_of_every_iteration(self):
        iterations = (len(digits(1)[0]) - HELD_OUT) // BATCH - UNTIMED
        self.assertEqual(len(self.logged(0)), iterations)
        for sample in self.samples():
            self.assertEqual(sorted(bucket["elements"] for bucket in sample["training"]["buckets"]), sorted(TENSORS))
            self.assertEqual(sample["elements"], sum(TENSORS))
        self.assertEqual([sample["iteration"] for sample in self.samples()], list(range(iterations)))

    # Times of an iteration are from the last rank's start, each as the last rank had it.
    def test_the_run_has_the_times_and_losses_of_the_logs(self):
        for sample, ranks in zip(self.samples(), zip(self.logged(0), self.logged(1))):
            start = max(each["start_ns"] for each in ranks)
            self.assertEqual(sample["wall_ns"], max(each["end_ns"] for each in ranks) - start)
            self.assertEqual(sample["training"]["compute_ns"], max(each["compute_end_ns"] for each in ranks) - start)
            self.assertAlmostEqual(sample["training"]["loss"], sum(each["loss"] for each in ranks) / 2)

    def test_it_is_a_run_like_any_other(self):
        row, = csv.DictReader(io.StringIO(run(GRADWIRE, "results", "export", "--csv", self.folder / "run")))
        self.assertEqual((row["backing"], row["schedule"]), ("emulated", "wfbp"))
        self.assertIn(self.folder.name, run(GRADWIRE, "results", "list", self.folder / "run"))


if __name__ == "__main__":
    unittest.main()
