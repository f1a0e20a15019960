#!/usr/bin/env python3
"""packets_test.py PACKET_TABLE: docs/simulation.md has the table that this program prints, row by row."""

import subprocess
import sys
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/simulation.md"


class Packets(unittest.TestCase):
    def test_the_page_has_the_program_s_table(self):
        printed = subprocess.run([PROGRAM], check=True, capture_output=True, text=True, timeout=250).stdout
        self.assertGreater(len(printed.splitlines()), 10)
        self.assertIn(printed, PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
