#!/usr/bin/env python3
"""The rules that hold for the whole tree: layering_test.py [ROOT BUILT_TESTS QUICK_CASES]"""
import re
import sys
import tempfile
import unittest
from pathlib import Path

import rooms

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
BUILT_TESTS, QUICK_CASES = map(Path, sys.argv[2:4]) if len(sys.argv) > 3 else (None, None)

PRINTS = re.compile(r"std::cout|std::cerr|\bprintf\(|fprintf\(|fmt::print\(|#include <iostream>|spdlog")
SHELL = re.compile(r'\b(system|popen)\(|"sh -c|"/bin/sh')
# The shell that a user asks for, and the reader of a command line that came as by ssh.
MAY_RUN_SHELLS = ("harness/emulate/emulate.cc", "harness/commands/enter_host.cc")
MAY_PRINT = ("harness/", "results/claims/main.cc", "tests/")


# Names become algorithms, workloads and schedules at the edges alone: experiments and command lines, a worker's job, what
# programs and the claims' table say, and stored runs. Between them nobody asks a value what it is called.
PARSES = re.compile(r"\b(parse_spec|parse_algorithm|parse_workload|(parse|is)_(dense|hybrid))\(")
ASKS_ITS_NAME = re.compile(r'(algorithm|workload)(\.name(\(\))?)? [=!]= "|"(ring|ps|bml|gloo|mpi)" [=!]= ')
PARSERS = ("core/text/", "collectives/algorithms/", "workloads/")
EDGES = ("harness/experiment/", "harness/commands/", "harness/workers/job.cc", "library/", "results/claims/",
         "results/report/crossover.cc", "results/report/dense_table.cc")


def parsing_in(text: str, path: str) -> bool:
    """Whether a source parses names, or compares one, where it should not."""
    names = ASKS_ITS_NAME.search(text) is not None and not path.startswith((*PARSERS, "results/claims/"))
    return names or (PARSES.search(text) is not None and not path.startswith(PARSERS + EDGES))


def code_rooms() -> list[rooms.Room]:
    """The rooms with C++, without tests and benchmarks."""
    found = rooms.read_table((ROOT / rooms.TABLE).read_text())
    return [room for room in found if room.has_code and room.path.split("/")[0] != "tests"]


def all_sources() -> list[Path]:
    """Every C++ file of those rooms."""
    found = code_rooms()
    return [source for room in found for source in rooms.sources_of(ROOT, room, found)]


def planted(table: str, files: dict[str, str]) -> list[str]:
    """What is found in a small tree."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = rooms.read_table(f"{rooms.HEADER}\n|---|---|---|\n{table}")
        return rooms.faults_in_table(found) + rooms.faults_in_tree(root, found) + rooms.faults_inside(root, found)


class Planted(unittest.TestCase):
    """The reader of rooms finds what it is there to find."""

    TABLE = "| core/ | x | nothing of ours |\n| bml/ | x | core |\n| bml/inner/ | x | core, bml |\n"

    def test_an_include_upward_is_found(self):
        faults = planted(self.TABLE, {"core/a.h": '#include "bml/b.h"\n', "bml/b.h": ""})
        self.assertEqual(faults, ["core/a.h: includes bml/b.h, of bml"])

    def test_a_room_inside_a_room_counts_for_itself(self):
        self.assertEqual(planted(self.TABLE, {"bml/inner/a.h": '#include "bml/b.h"\n'}), [])
        faults = planted(self.TABLE, {"bml/b.h": '#include "bml/inner/a.h"\n'})
        self.assertEqual(faults, ["bml/b.h: includes bml/inner/a.h, of bml/inner"])

    def test_a_table_that_allows_a_cycle_is_found(self):
        faults = planted("| a/ | x | b |\n| b/ | x | a |\n", {})
        self.assertEqual(faults, [f"{rooms.TABLE}: a may include b, which does not stand above it"])

    def test_a_circle_of_folders_inside_a_room_is_found(self):
        files = {"core/a.h": '#include "core/in/b.h"\n', "core/in/b.h": '#include "core/other/c.h"\n'}
        self.assertEqual(planted(self.TABLE, {**files, "core/other/c.h": ""}), [])
        faults = planted(self.TABLE, {**files, "core/other/c.h": '#include "core/a.h"\n'})
        circle = "core/a.h includes core/in/b.h; core/in/b.h includes core/other/c.h; core/other/c.h includes core/a.h"
        self.assertEqual(faults, [f"core: a circle of folders: {circle}"])

    def test_parsing_below_the_edges_is_found(self):
        self.assertTrue(parsing_in('x = text::parse_spec(name);', "harness/run/prepare.cc"))
        self.assertTrue(parsing_in('if (point.algorithm.name() == "ring")', "harness/experiment/sweep.cc"))
        self.assertFalse(parsing_in('x = text::parse_spec(name);', "harness/experiment/sweep.cc"))

    def test_angle_brackets_are_others(self):
        self.assertEqual(planted(self.TABLE, {"core/a.h": "#include <bml/b.h>\n"}), [])


class Tree(unittest.TestCase):
    """The tree keeps its own rules."""

    def test_no_include_runs_upward(self):
        found = rooms.read_table((ROOT / rooms.TABLE).read_text())
        self.assertEqual(rooms.faults_in_table(found) + rooms.faults_in_tree(ROOT, found), [])

    def test_no_folders_inside_a_room_include_each_other(self):
        found = rooms.read_table((ROOT / rooms.TABLE).read_text())
        self.assertEqual(rooms.faults_inside(ROOT, found), [])

    def test_the_table_names_every_folder_with_code(self):
        found = rooms.read_table((ROOT / rooms.TABLE).read_text())
        folders = [folder for folder in ROOT.iterdir() if folder.is_dir() and folder.name[0] != "."]
        for folder in folders:
            if folder.name != "build":  # where tests make and remove files meanwhile
                for source in folder.rglob("*.cc"):
                    path = source.relative_to(ROOT).as_posix()
                    self.assertIsNotNone(rooms.room_of(path, found), path)

    def test_only_main_is_loose_in_harness(self):
        loose = sorted(file.name for file in (ROOT / "harness").iterdir() if file.is_file())
        self.assertEqual(loose, ["CMakeLists.txt", "main.cc"])

    def test_every_room_is_a_target_and_a_namespace(self):
        for room in code_rooms():
            name = room.path.split("/")[-1]
            if room.path == "harness":
                continue
            cmake = (ROOT / room.path / "CMakeLists.txt").read_text()
            self.assertIn(f"gradwire_library({name}", cmake)
            namespace = "gradwire" if name == "core" else f"gradwire::{name}"
            for source in rooms.sources_of(ROOT, room, code_rooms()):
                text = source.read_text()
                if source.name != "main.cc" and "namespace gradwire" in text:
                    self.assertIn(f"namespace {namespace}", text, source)

    def test_nothing_prints_below_the_programs(self):
        for source in all_sources():
            if not source.relative_to(ROOT).as_posix().startswith(MAY_PRINT):
                self.assertIsNone(PRINTS.search(source.read_text()), source)

    def test_names_are_parsed_at_the_edges_alone(self):
        for source in all_sources():
            path = source.relative_to(ROOT).as_posix()
            self.assertFalse(parsing_in(source.read_text(), path), path)

    def test_no_shell_runs(self):
        for source in all_sources():
            if source.relative_to(ROOT).as_posix() not in MAY_RUN_SHELLS:
                self.assertIsNone(SHELL.search(source.read_text()), source)

    @unittest.skipIf(BUILT_TESTS is None, "no list of the tests that are built was named")
    def test_every_test_file_is_built(self):
        built = set(BUILT_TESTS.read_text().split("\n"))
        self.assertGreater(len(built), 10)
        missing = [str(file) for file in (ROOT / "tests").rglob("*_test.cc") if str(file) not in built]
        self.assertEqual(missing, [])

    @unittest.skipIf(QUICK_CASES is None, "no list of the quick cases was named")
    def test_every_quick_case_is_there(self):
        sources = [Path(name).read_text() for name in BUILT_TESTS.read_text().split() if name.endswith("_test.cc")]
        cases = QUICK_CASES.read_text().split()
        self.assertGreater(len(cases), 10)
        for suite, case in (name.split(".") for name in cases):
            named = f"({suite}, " + ("" if case == "*" else f"{case})")
            self.assertTrue(any(named in source for source in sources), f"{suite}.{case}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
