#!/usr/bin/env python3
"""paths.py finds every planted path that leads nowhere, and nothing else, in trees that these tests write."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import paths  # noqa: E402


class Tree(unittest.TestCase):
    """A git work tree of its own, with core/plan.h and core/text/spec.h."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        subprocess.run(["git", "init", "--quiet", folder.name], check=True, timeout=30)
        for name in ("core/plan.h", "core/text/spec.h"):
            self.write(name, "")

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def assert_found(self, name, text, found):
        """Of a file with this text exactly these paths are reported, each with its line."""
        self.write(name, text)
        expected = [f"{name}:{line}: there is no {path}" for line, path in found]
        self.assertEqual(list(paths.judge(self.root)), expected)

    def test_comments_of_cpp(self):
        text = ("/// The wire (tcp/frame.h), and core/plan.h.\nint a;  // core/gone.h\n"
                'int b = c("core/no_comment.h");\n/// See core/old/new.cc.\n')
        self.assert_found("ps/a.h", text, [(1, "tcp/frame.h"), (2, "core/gone.h"), (4, "core/old/new.cc")])
        self.assert_found("ps/a.h", "// in core/old/, core/text/ and text/old/\n", [(1, "core/old/"), (1, "text/old/")])

    def test_paths_count_from_the_root_or_from_the_own_folder(self):
        self.assert_found("core/a.cc", "// text/spec.h, core/text/spec.h\n", [])
        self.assert_found("core/text/b.cc", "// text/spec.h\n", [(1, "text/spec.h")])

    def test_headers_without_a_folder(self):
        self.assert_found("ps/a.h", "// plan.h says how, spec.h and gone.h why; <sched.h> is Linux's\n",
                          [(1, "gone.h")])

    def test_comments_and_docstrings_of_python(self):
        text = ('"""Reads core/plan.h\nand core/gone.h."""\nTEXT = """core/no_comment.h"""\n\n\ndef f():\n'
                '    """core/lost.h"""\n    return "core/no.h"  # core/away.h\n')
        self.assert_found("a.py", text, [(2, "core/gone.h"), (7, "core/lost.h"), (8, "core/away.h")])

    def test_comments_of_cmake(self):
        for name in ("core/CMakeLists.txt", "cmake/a.cmake"):
            self.assert_found(name, "# core/gone.h\nadd(core/no_comment.h)  # core/plan.h\n", [(1, "core/gone.h")])
            self.write(name, "")

    def test_what_is_no_path(self):
        self.assert_found("a.h", "// https://a.org/core/gone.h, core/*.h, core/<name>.h, ~/core/gone.h, 3/a.json, a/b\n"
                                 "// build/release/gone.h, OUTDIR/gone.mjs\n", [])

    def test_a_folder_without_git_is_unreadable(self):
        with tempfile.TemporaryDirectory() as bare, self.assertRaises(paths.Unreadable):
            list(paths.judge(Path(bare)))


if __name__ == "__main__":
    unittest.main()
