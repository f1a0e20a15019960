#!/usr/bin/env python3
"""What is compiled without a library reads none of its headers: libraries_test.py

cmake/Libraries.cmake says which libraries may be missing, and gradwire_sources_with(KEY OUT FOLDER source.cc ...) which
sources are left out then. All others of the program are compiled all the same.
"""

import re
import unittest
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = {
    "GLOO": re.compile(r"gloo/"),
    "MPI": re.compile(r"mpi\.h$"),
    "UCX": re.compile(r"uc[pst]/"),
    "VERBS": re.compile(r"infiniband/"),
    "OPENBLAS": re.compile(r"cblas\.h$"),
    "CUDA": re.compile(r"cuda"),
}
LEFT_OUT = re.compile(r"gradwire_sources_with\((\w+) \w+ (\w+)\s+([^)]*)\)")
OURS = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
THEIRS = re.compile(r"^#include <([^>]+)>", re.MULTILINE)
NOT_THE_PROGRAM = {"build", "tests"}


def in_program(path):
    return path.relative_to(ROOT).parts[0] not in NOT_THE_PROGRAM


def left_out():
    """By library: the sources that are not compiled without it."""
    found = {key: set() for key in HEADERS}
    for listing in filter(in_program, ROOT.glob("[a-z]*/**/CMakeLists.txt")):
        for key, folder, sources in LEFT_OUT.findall(listing.read_text()):
            found[key] |= {listing.parent / folder / source for source in sources.split()}
    return found


@cache
def theirs(path):
    """Other projects' headers that a file reads, directly or through ours, each with the file that names it."""
    seen, waiting, found = set(), [path], set()
    while waiting:
        file = waiting.pop()
        if file in seen or not file.exists():
            continue
        seen.add(file)
        text = file.read_text()
        found |= {(header, file.relative_to(ROOT).as_posix()) for header in THEIRS.findall(text)}
        waiting += [ROOT / header for header in OURS.findall(text)]
    return frozenset(found)


class WithoutALibrary(unittest.TestCase):

    def test_no_source_that_stays_reads_its_headers(self):
        sources = [path for path in ROOT.glob("[a-z]*/**/*.cc") if in_program(path)]
        self.assertGreater(len(sources), 200)
        for key, gone in left_out().items():
            for source in sources:
                if source not in gone:
                    read = [place for header, place in theirs(source) if HEADERS[key].match(header)]
                    self.assertEqual(read, [], f"{source} is compiled without {key}")

    def test_every_source_that_goes_is_there_and_one_of_them_needs_the_library(self):
        for key, gone in left_out().items():
            for source in gone:
                self.assertTrue(source.exists(), source)
                self.assertTrue((source.parent / "absent.cc").exists(), source.parent)
            needing = [source for source in gone if any(HEADERS[key].match(header) for header, _ in theirs(source))]
            self.assertTrue(needing, key)


if __name__ == "__main__":
    unittest.main()
