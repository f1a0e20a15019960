#!/usr/bin/env python3
"""figures_test.py GRADWIRE: flags, exit codes and the agreement that pages state are the program's and the stored runs'."""

import csv
import re
import statistics
import subprocess
import sys
import unittest
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop()
# What makes two rows the same point on two backings.
POINT = ("experiment", "wiring", "algorithm", "workload", "batch", "schedule", "N", "k", "bytes")


def page(name):
    return (ROOT / name).read_text(encoding="utf-8")


def source(name):
    """The text of the only file of this name in the sources."""
    found = [path for path in ROOT.rglob(name) if "build" not in path.relative_to(ROOT).parts]
    assert len(found) == 1, found
    return found[0].read_text(encoding="utf-8")


def first_column(text, heading):
    """The first cells of the table below a heading."""
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return {cell.strip("`") for cell in re.findall(r"^\| (\S+) \|", section, re.MULTILINE)[1:]}


def pairs():
    """100 (simulated / measured - 1) of every stored point that is both: {point: {column: percent}}."""
    text = subprocess.run([PROGRAM, "results", "export", "--csv", ROOT / "results/published"], check=True,
                          capture_output=True, text=True).stdout
    rows = defaultdict(dict)
    for row in csv.DictReader(text.splitlines()):
        rows[tuple(row[key] for key in POINT)][row["backing"]] = row
    both = {point: (on["emulated"], on["simulated"]) for point, on in rows.items() if {"emulated", "simulated"} <= on.keys()}
    return {point: {column: 100 * (float(simulated[column]) / float(measured[column]) - 1)
                    for column in ("gst_p50_us", "iteration_p50_us") if measured[column]}
            for point, (measured, simulated) in both.items()}


class Definitions(unittest.TestCase):
    def test_every_flag_is_there_and_no_other(self):
        flags = set(re.findall(r'kFlag\w+ = "([a-z-]+)"', source("flags.h")))
        self.assertGreater(len(flags), 5)
        self.assertEqual(first_column(page("docs/definitions.md"), "Flags"), flags)

    def test_every_exit_code_is_there_and_no_other(self):
        codes = set(re.findall(r"kExit\w+ = (\d+)", source("exit_code.h")))
        codes |= {"129", "130", "143"}  # interrupted, as a shell has it
        self.assertGreater(len(codes), 5)
        self.assertEqual(first_column(page("docs/definitions.md"), "Exit codes"), codes)


class Agreement(unittest.TestCase):
    """What docs/simulation.md says of measured and simulated."""

    def setUp(self):
        self.text = " ".join(page("docs/simulation.md").split())
        self.pairs = pairs()
        self.gst = {point: abs(errors["gst_p50_us"]) for point, errors in self.pairs.items()}

    def stated(self, pattern):
        found = re.findall(pattern, self.text)
        self.assertEqual(len(found), 1, pattern)
        return found[0]

    def worst(self, experiment, column):
        return max(abs(errors[column]) for point, errors in self.pairs.items() if point[0] == experiment)

    def test_how_many_pairs_differ(self):
        self.assertEqual(self.stated(r"Of these (\d+) pairs, (\d+) differ by more than 3 %"),
                         (str(len(self.gst)), str(sum(error > 3 for error in self.gst.values()))))

    def test_the_median_and_the_largest(self):
        self.assertEqual(self.stated(r"median difference is ([\d.]+) %"), f"{statistics.median(self.gst.values()):.1f}")
        error, experiment = self.stated(r"The largest is ([\d.]+) %, in ([\w-]+)\.yaml")
        largest = max(self.gst, key=self.gst.get)
        self.assertEqual((error, experiment), (f"{self.gst[largest]:.1f}", largest[0]))

    def test_each_experiment_that_is_named(self):
        for experiment in ("quickstart", "collectives"):
            stated = float(self.stated(rf"{experiment}\.yaml differs by at most ([\d.]+) %"))
            self.assertAlmostEqual(stated, self.worst(experiment, "gst_p50_us"), delta=0.05)
        stated = float(self.stated(r"iterations of mg-wfbp\.yaml differ by at most ([\d.]+) %"))
        self.assertAlmostEqual(stated, self.worst("mg-wfbp", "iteration_p50_us"), delta=0.05)


if __name__ == "__main__":
    unittest.main()
