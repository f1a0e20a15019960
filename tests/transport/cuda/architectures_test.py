#!/usr/bin/env python3
"""architectures_test.py ASKED OBJECT...: objects have kernels for the GPUs that CMake asked for.

ASKED is CMake's list with commas: 75-real,80-real,90 stands for sm_75, sm_80, sm_90 and compute_90.
"""

import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / "transport" / "cuda" / "architectures.py"


def wanted(asked):
    """The names of what CMake's list stands for."""
    names = set()
    for one in asked.split(","):
        number, _, kind = one.partition("-")
        names |= {f"sm_{number}"} if kind != "virtual" else set()
        names |= {f"compute_{number}"} if kind != "real" else set()
    return names


def printed(path):
    return subprocess.run([SCRIPT, path], capture_output=True, text=True, check=False)


class Architectures(unittest.TestCase):
    def test_objects_have_what_was_asked_for(self):
        self.assertTrue(OBJECTS)
        for path in OBJECTS:
            done = printed(path)
            self.assertEqual(done.returncode, 0, done.stderr)
            name, _, found = done.stdout.partition(": ")
            self.assertEqual(name, Path(path).name)
            self.assertEqual(set(found.split()), wanted(ASKED))

    def test_a_file_without_kernels_has_none(self):
        done = printed(sys.executable)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no kernels", done.stderr)


if __name__ == "__main__":
    ASKED, OBJECTS = sys.argv[1], sys.argv[2:]
    unittest.main(argv=sys.argv[:1])
