#!/usr/bin/env python3
"""agreement_test.py GRADWIRE: pages say of measured and predicted times what stored runs show.

A page states agreement in the sentences that `gradwire results predictions` prints of stored runs, and in no others.
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from pages import Page, pages_of  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("results/published", "results/prediction")
_PERCENT = re.compile(r"\d (?:%|percent)")
_COMPARES = re.compile(r"simulat|predict|off by|\b(?:differ|agree)", re.IGNORECASE)
# Sentences that say when a row is flagged or a claim counts, not how far anything was off.
_RULES = (
    "Over 5 % the row carries `off-prediction`.",
    "| `off-prediction` | the simulator had said a GST that is off by over 5 % |",
    "no published number is off by more than 0.5 % in theory, 1 % simulated, 3 % measured",
)


def sentences(page):
    """Every sentence, line of a list and row of a table; no code."""
    for part in re.split(r"\n\s*\n|\n(?=[|*-])|(?<=\|)\n", "\n".join(page.prose)):
        yield from re.split(r"(?<=[.:!?])\s+(?=[A-Z0-9`\[(])", " ".join(part.split()))


def stated(page):
    """The sentences of a page that say how far two times are apart."""
    for sentence in sentences(page):
        if _PERCENT.search(sentence) and _COMPARES.search(sentence) and not any(rule in sentence for rule in _RULES):
            yield sentence.removeprefix("- ")


def printed(program, *arguments):
    return subprocess.run([program, "results", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def computed(program):
    """What may be said: the program's sentence on each folder of runs that were predicted before they were measured."""
    folders = [folder for folder in _FOLDERS if any((ROOT / folder).glob("*/points.ndjson"))]
    lines = [line for folder in folders for line in printed(program, "predictions", folder).splitlines()]
    return {line.removeprefix("# ") for line in lines if re.search(r" pairs? counts?: ", line)}


class Agreement(unittest.TestCase):
    def setUp(self):
        self.computed = computed(PROGRAM)

    def test_pages_say_what_stored_runs_show_and_no_more(self):
        found = 0
        for path in pages_of(ROOT):
            page = Page.of_text(path.relative_to(ROOT), path.read_text(encoding="utf-8"))
            for sentence in stated(page):
                found += 1
                with self.subTest(page=str(page.path)):
                    self.assertIn(sentence, self.computed)
        self.assertGreater(found, 0)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop()
    unittest.main()
