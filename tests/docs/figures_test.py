#!/usr/bin/env python3
"""figures_test.py: flags and exit codes that pages list are the program's."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


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


class Definitions(unittest.TestCase):
    def test_every_flag_is_there_and_no_other(self):
        flags = set(re.findall(r'kFlag\w+ = "([a-z-]+)"', source("flags.h")))
        self.assertGreater(len(flags), 5)
        self.assertEqual(first_column(page("docs/definitions.md"), "Flags"), flags)

    def test_every_exit_code_is_there_and_no_other(self):
        codes = set(re.findall(r"kExit\w+ = (\d+)", source("exit_code.h")))
        codes |= {"129", "130", "141", "143"}  # ended by a signal, as a shell has it
        self.assertGreater(len(codes), 5)
        self.assertEqual(first_column(page("docs/definitions.md"), "Exit codes"), codes)


if __name__ == "__main__":
    unittest.main()
