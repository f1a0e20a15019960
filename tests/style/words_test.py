#!/usr/bin/env python3
"""words.py finds every planted docstring that leaves open what a thing is, and nothing else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import words  # noqa: E402


def lines(text):
    """The numbers of the lines that are reported."""
    return [int(one.split(":")[1]) for one in words.offences("a.h", text)]


class Docstrings(unittest.TestCase):
    def test_the_examples_of_the_house(self):
        for text in ("What a workload synchronizes, of hybrid(...) with the stack's inputs.",
                     "Of every link and direction, undilated; of a link of speed 1.",
                     "The same for queues.", "As plan().", "Those of the first step.", "That which is left.",
                     "for a run that was put together of parts", "How many there are.", "Whose average it is.",
                     "By rank: the steps.", "Without an order, nothing."):
            self.assertEqual(lines(f"/// {text}\nint a;\n"), [1], text)
            self.assertEqual(lines(f"int b;\n\n  /// {text}\n  /// More.\n  int a;\n"), [3], text)

    def test_what_says_what_the_thing_is(self):
        for text in ("The elements and tensors of a workload.", "Whether the link is up.", "Throws SystemError.",
                     "Rate of a link, of speed 1.", "Format of a file.", "Ordered sums.", "Likely values.",
                     "`of` as a name.", "For-each over steps.", '"host", "device".', ""):
            self.assertEqual(lines(f"/// {text}\nint a;\n"), [], text)

    def test_only_the_first_line_of_a_docstring_counts(self):
        self.assertEqual(lines("/// Elements, in the order\n/// of ranks.\n///\n/// As in the paper.\nint a;\n"), [])
        self.assertEqual(lines("/// Elements.\nint a;\n/// Of ranks.\nint b;\n"), [3])

    def test_comments_of_members(self):
        self.assertEqual(lines("int a;  ///< of the lane\nint b;  ///< by rank\nint c;  ///< what it says\n"), [1, 3])
        self.assertEqual(lines("int a;  ///< lane\n/// Of the lane.\nint b;\n"), [2])
        self.assertEqual(lines("int a;  ///< the elements\n        ///< of all lanes\n"), [])

    def test_other_comments_are_free(self):
        self.assertEqual(lines("// As TCP does it.\nint a;  // of a rank\n"), [])


class Rooms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        subprocess.run(["git", "init", "--quiet", folder.name], check=True, timeout=30)
        for name in ("core/a.h", "core/text/b.cc", "harness/c.h"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text("/// What it is.\n")

    def test_headers_and_sources_of_the_rooms_at_any_depth(self):
        found = [one.split(":")[0] for one in words.judge(self.root, ["core"])]
        self.assertEqual(found, ["core/a.h", "core/text/b.cc"])

    def test_a_room_that_is_gone_is_unreadable(self):
        with self.assertRaises(words.Unreadable):
            list(words.judge(self.root, ["core", "attic"]))


if __name__ == "__main__":
    unittest.main()
