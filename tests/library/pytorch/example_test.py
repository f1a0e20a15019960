#!/usr/bin/python3
"""library/examples/training.py on two emulated hosts: one run of both backends, and what was predicted beside it.

    example_test.py GRADWIRE
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
EXAMPLES = Path(__file__).resolve().parents[3] / "library" / "examples"
GRADWIRE = sys.argv.pop(1)
LACKING = 77
CANNOT_EMULATE = 5
WIRING = "single-switch(2)"
OVER_GLOO = [(WIRING, "gloo(ring)", "wfbp")]
OVER_GRADWIRE = [(WIRING, "ring", "wfbp"), (WIRING, "ring", "optimum")]


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="gradwire-example-")
        cls.folder = Path(cls.temporary.name) / "out"
        ended = subprocess.run([EXAMPLES / "training.py", GRADWIRE, cls.folder, "--wirings", WIRING, "--ranks", "2",
                                "--epochs", "1", "--schedules", "wfbp", "optimum"],
                               capture_output=True, text=True, check=False, timeout=280)
        if ended.returncode in (LACKING, CANNOT_EMULATE):
            print(f"SKIPPED: {ended.stdout}{ended.stderr}")
            sys.exit(LACKING)
        if ended.returncode:
            raise AssertionError(f"ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
        cls.said = ended.stdout
        cls.jobs = OVER_GLOO + ([] if "SKIPPED: backend gradwire" in cls.said else OVER_GRADWIRE)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def rows(self, run):
        ended = subprocess.run([GRADWIRE, "results", "export", "--csv", self.folder / run],
                               capture_output=True, text=True, check=True, timeout=60)
        return list(csv.DictReader(io.StringIO(ended.stdout)))

    def test_every_job_is_a_row_with_its_times(self):
        rows = self.rows("run")
        self.assertEqual(sorted((row["wiring"], row["algorithm"], row["schedule"]) for row in rows), sorted(self.jobs))
        for row in rows:
            iteration, compute, jct = (float(row[name]) for name in ("iteration_p50_us", "compute_us", "jct_us"))
            self.assertTrue(0 < compute < iteration < jct, row)
            self.assertGreater(float(row["gst_p50_us"]), 0)

    # Both ranks recorded at once, as they train.
    def test_the_trace_says_how_many_recorded(self):
        self.assertIn("2 at once", (self.folder / "lenet5.csv").read_text())

    # Losses of the last epoch are the same whoever sums and whatever the schedule.
    def test_all_learn_the_same(self):
        losses = [float(loss) for loss in re.findall(r"2 ranks, loss ([0-9.]+)", self.said)]
        self.assertEqual(len(losses), len(self.jobs))
        for loss in losses:
            self.assertAlmostEqual(loss, losses[0], delta=1e-3 * losses[0])

    def table(self):
        """What was predicted of programs that computed: by job, the columns after it."""
        lines = self.said.split("# Programs that computed", 1)[1].split("\n")
        cells = [line.split() for line in lines if line.strip().startswith(WIRING)]
        return {tuple(line[:3]): line[3:] for line in cells}

    def predicted(self, run):
        """The iterations of a run, by job."""
        return {(row["wiring"], row["algorithm"], row["schedule"]): float(row["iteration_p50_us"])
                for row in self.rows(run)}

    # Nobody simulates a library.
    def test_predictions_stand_beside_what_was_trained(self):
        table, real, waited = self.table(), self.predicted("run"), self.predicted("waited")
        simulated = self.predicted("simulated") if len(self.jobs) > len(OVER_GLOO) else {}
        self.assertEqual(sorted(table), sorted(self.jobs))
        self.assertEqual(sorted(waited), sorted(self.jobs))
        self.assertEqual(sorted(simulated), sorted(set(self.jobs) - set(OVER_GLOO)))
        for job, cells in table.items():
            self.expect_off(cells[3], cells[4:6], real[job], simulated.get(job))
            self.expect_off(cells[3], cells[6:8], real[job], waited[job])

    def expect_off(self, shown, shown_prediction, real, predicted):
        self.assertAlmostEqual(float(shown), real, delta=0.06)
        if predicted is None:
            self.assertEqual(shown_prediction, ["-", "-"])
            return
        self.assertAlmostEqual(float(shown_prediction[0]), predicted, delta=0.06)
        self.assertAlmostEqual(float(shown_prediction[1]), 100 * (predicted / real - 1), delta=0.06)

    def test_the_page_has_losses_and_pairs_what_was_trained_with_what_was_predicted(self):
        data = self.folder / "page.json"
        subprocess.run([GRADWIRE, "report", self.folder / "run", self.folder / "waited", "--data", data],
                       capture_output=True, check=True, timeout=60)
        trained, waited = json.loads(data.read_text())["runs"]
        self.assertTrue(all(row["samples"]["loss"] for row in trained["rows"]))
        self.assertEqual([row["pair"] for row in trained["rows"]], [row["pair"] for row in waited["rows"]])
        self.assertEqual(len({row["pair"] for row in trained["rows"]}), len(self.jobs))
        self.assertIn("<html", (self.folder / "report.html").read_text())


if __name__ == "__main__":
    unittest.main()
