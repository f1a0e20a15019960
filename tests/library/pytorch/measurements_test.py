#!/usr/bin/env python3
"""The programs that measure the process group run, and say what they measured. Of times nothing is expected.

    measurements_test.py GRADWIRE
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GRADWIRE = Path(sys.argv[1])
LACKING = 77  # how examples end where a package is missing


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, timeout=200, check=False)


class Measurements(unittest.TestCase):

    def test_cost_of_a_call_and_killed_ranks(self):
        library = GRADWIRE.parents[1] / "library" / "libgradwire.so"
        ended = run(ROOT / "tests" / "bench" / "process_group_cost.py", library, "--rounds", 2, "--calls", 3, "--kills", 2)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stdout, r"^1 element, 2 ranks: process group [\d.]+ us, C ABI [\d.]+ us; difference")
        for victim in (0, 2):
            self.assertRegex(ended.stdout, rf"kill -9 of rank {victim} of 4: named by all others after \d+ ms")

    def test_backends_take_turns(self):
        if subprocess.run([GRADWIRE, "doctor"], capture_output=True, timeout=100, check=False).returncode != 0:
            self.skipTest("this machine cannot emulate wirings")
        ended = run(ROOT / "library" / "examples" / "backends.py", GRADWIRE, "--wirings", "single-switch(2)", "--rate", "500Mbit",
                    "--blocks", 2, "--iterations", 2)
        if ended.returncode == LACKING:
            self.skipTest(ended.stdout.strip())
        self.assertEqual(ended.returncode, 0, ended.stderr)
        for what in ("iteration", "exposed"):
            found = re.search(rf"^single-switch\(2\) {what}: gloo ([\d.]+) ms, gradwire ([\d.]+) ms, .* 2 blocks",
                              ended.stdout, re.MULTILINE)
            self.assertTrue(found, ended.stdout)
            self.assertGreater(min(map(float, found.groups())), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
