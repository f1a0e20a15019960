#!/usr/bin/python3
"""LeNet-5 on two emulated hosts, over gloo and over gradwire, and what is made of its logs.

    lenet5_test.py GRADWIRE
"""

import csv
import importlib.util
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
EXAMPLES = Path(__file__).resolve().parents[3] / "library" / "examples"
sys.path.insert(0, str(EXAMPLES))

from lenet5 import HELD_OUT, UNTIMED, digits, lenet5, torch  # noqa: E402: ends with 77 where these are missing
from training import write_trace  # noqa: E402

PYTHON = "/usr/bin/python3"
GRADWIRE = sys.argv.pop(1)
CANNOT_EMULATE = 5
BATCH = 128
HAS_GRADWIRE = bool(importlib.util.find_spec("gradwire") and importlib.util.find_spec("gradwire._torch"))
TENSORS = [each.numel() for each in lenet5().parameters()]
# What sums, and the schedule: the first is the one that its tests look into.
JOBS = {"gloo": ("gloo(ring)", "wfbp"), "waiting": ("gloo(ring)", "none")}
if HAS_GRADWIRE:
    JOBS["gradwire"] = ("ring", "mg-wfbp")


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
        for job, (algorithm, schedule) in JOBS.items():
            run(GRADWIRE, "emulate", "single-switch(2)", "--rate", "500Mbit", "--", PYTHON, EXAMPLES / "lenet5.py", *common,
                "--backend", "gradwire" if job == "gradwire" else "gloo", "--algorithm", algorithm, "--schedule", schedule,
                *(("--verify", 1) if job == "gradwire" else ("--record", cls.folder / f"{job}.csv")), "--logs", cls.folder / f"{job}-logs", "--save", cls.folder / job)
        run(EXAMPLES / "record_profiles.py", cls.folder / "mine.csv", "--batch", BATCH // 2, "--iterations", 3)
        algorithms, schedules = (", ".join(each) for each in zip(*JOBS.values()))
        (cls.folder / "job.yaml").write_text(
            "gradwire: 1\nname: job\nlink: {rate: 500Mbit}\ndilation: 1\ncompute: {trace: mine.csv}\n"
            "wiring: single-switch(2)\nsweep:\n  zip:\n"
            f"    algorithm: [{algorithms}]\n    schedule: [{schedules}]\n")
        run(GRADWIRE, "results", "import", cls.folder / "job.yaml", *(cls.folder / f"{job}-logs" for job in JOBS),
            "-o", cls.folder / "run")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def logged(self, rank, job="gloo"):
        lines = (self.folder / f"{job}-logs" / f"rank-{rank}.ndjson").read_text().splitlines()
        return [json.loads(line) for line in lines[1:]]

    def samples(self, job="gloo"):
        """Of the run."""
        all_jobs = [json.loads(line) for line in (self.folder / "run" / "samples.ndjson").read_text().splitlines()]
        return [sample for sample in all_jobs if (sample["algorithm"], sample["schedule"]) == JOBS[job]]

    # The mean of two halves' mean gradients is that of the whole batch, but for rounding.
    def test_two_hosts_learn_what_one_process_learns(self):
        torch.manual_seed(1)
        at_first, alone = lenet5().state_dict(), torch.load(self.folder / "alone")
        for job, (name, values) in itertools.product(JOBS, alone.items()):
            learned = (values - at_first[name]).abs().max().item()
            self.assertGreater(learned, 1e-3, name)
            found = torch.load(self.folder / job)[name]
            self.assertLess((found - values).abs().max().item(), 0.01 * learned, (job, name))

    def test_losses_over_gradwire_are_those_over_gloo_within_rounding(self):
        if not HAS_GRADWIRE:
            self.skipTest("the package gradwire is not built")
        for rank in range(2):
            wanted = [each["loss"] for each in self.logged(rank)]
            self.assertGreater(max(wanted) - min(wanted), 0.01)
            torch.testing.assert_close([each["loss"] for each in self.logged(rank, "gradwire")], wanted,
                                       rtol=1e-4, atol=1e-5)

    def test_every_tensor_is_a_bucket_of_every_iteration(self):
        iterations = (len(digits(1)[0]) - HELD_OUT) // BATCH - UNTIMED
        self.assertEqual(len(self.logged(0)), iterations)
        for job in ("gloo", "waiting"):
            for sample in self.samples(job):
                self.assertEqual(sorted(bucket["elements"] for bucket in sample["training"]["buckets"]), sorted(TENSORS))
                self.assertEqual(sample["elements"], sum(TENSORS))
            self.assertEqual([sample["iteration"] for sample in self.samples(job)], list(range(iterations)))

    def test_buckets_of_gradwire_are_the_same_in_every_iteration_and_have_all_gradients(self):
        if not HAS_GRADWIRE:
            self.skipTest("the package gradwire is not built")
        lines = self.logged(0, "gradwire") + self.logged(1, "gradwire")
        self.assertEqual(len(lines), 2 * len(self.logged(0)))
        buckets = [[bucket["elements"] for bucket in line["buckets"]] for line in lines]
        self.assertEqual(sum(buckets[0]), sum(TENSORS))
        self.assertEqual(buckets, buckets[:1] * len(buckets))

    # Without overlap nothing is sent before the last gradient is ready.
    def test_none_waits_for_the_last_gradient(self):
        for line in self.logged(0, "waiting"):
            first = min(bucket["start_ns"] for bucket in line["buckets"])
            self.assertGreaterEqual(first, line["compute_end_ns"])

    # Times of an iteration are from the last rank's start, each as the last rank had it.
    def test_the_run_has_the_times_and_losses_of_the_logs(self):
        for job in JOBS:
            for sample, logged in zip(self.samples(job), zip(self.logged(0, job), self.logged(1, job)), strict=True):
                start = max(each["start_ns"] for each in logged)
                self.assertEqual(sample["wall_ns"], max(each["end_ns"] for each in logged) - start)
                self.assertEqual(sample["training"]["compute_ns"], max(each["compute_end_ns"] for each in logged) - start)
                self.assertAlmostEqual(sample["training"]["loss"], sum(each["loss"] for each in logged) / 2)

    # On both ranks every element of every sum, and of gloo's nothing is known.
    def test_sums_over_gradwire_are_verified(self):
        if not HAS_GRADWIRE:
            self.skipTest("the package gradwire is not built")
        for rank in range(2):
            for line in self.logged(rank, "gradwire"):
                self.assertEqual(line["verified"], {"elements": sum(TENSORS), "wrong": 0, "not_finite": 0})
        self.assertEqual({sample["wrong"] for sample in self.samples("gradwire")}, {0})
        self.assertEqual({sample["wrong"] for sample in self.samples()}, {None})

    # A trace has every tensor, in the order in which the passes use them.
    def test_a_job_records_what_its_ranks_compute(self):
        write_trace(self.folder / "merged.csv", [self.folder / "gloo.csv", self.folder / "waiting.csv"])
        for name in ("gloo.csv", "merged.csv"):
            lines = (self.folder / name).read_text().splitlines()
            self.assertIn(f"batch {BATCH // 2}, 2 at once", lines[1])
            rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
            self.assertEqual(sorted(int(row["elements"]) for row in rows), sorted(TENSORS))
            self.assertGreater(min(float(row["backward_us"]) for row in rows), 0)

    def test_times_of_several_traces_are_medians(self):
        paths = []
        for forward, backward in ((1, 30), (2, 10), (9, 20)):
            paths.append(self.folder / f"trace-{forward}.csv")
            paths[-1].write_text("# gradwire-trace: 1\n# source: a\n# layers: 1\ntensor,elements,forward_us,backward_us\n"
                                 f"w,7,{forward}.000,{backward}.000\n")
        write_trace(self.folder / "medians.csv", paths)
        self.assertEqual((self.folder / "medians.csv").read_text(),
                         "# gradwire-trace: 1\n# source: a, each of 3 jobs\ntensor,elements,forward_us,backward_us\n"
                         "w,7,2.000,20.000\n")

    def test_it_is_a_run_like_any_other(self):
        rows = list(csv.DictReader(io.StringIO(run(GRADWIRE, "results", "export", "--csv", self.folder / "run"))))
        self.assertEqual([(row["backing"], row["algorithm"], row["schedule"]) for row in rows],
                         [("emulated", *job) for job in JOBS.values()])
        self.assertIn(self.folder.name, run(GRADWIRE, "results", "list", self.folder / "run"))


if __name__ == "__main__":
    unittest.main()
