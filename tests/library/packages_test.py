#!/usr/bin/env python3
"""The Debian packages that CPack makes hold what they should, and depend on what they need.

    packages_test.py BUILD_FOLDER CPACK with|without    PyTorch
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, CPACK, HAS_TORCH = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "with"


def run(words):
    """What a command prints. Fails with what it says when it ends with another code than 0."""
    ended = subprocess.run(words, capture_output=True, text=True, timeout=250, check=False)
    assert ended.returncode == 0, f"{words} ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}"
    return ended.stdout


@unittest.skipUnless(shutil.which("dpkg-shlibdeps"), "dpkg-shlibdeps, of Debian's dpkg-dev, is not here")
class Packages(unittest.TestCase):
    """All packages, made once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        run([CPACK, "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder])
        cls.packages = {file.name.split("_")[0]: file for file in cls.folder.glob("*.deb")}

    def files(self, package):
        """Where its files go."""
        listed = run(["dpkg-deb", "-c", self.packages[package]]).splitlines()
        return {re.sub(r".* \./", "/", line.split(" -> ")[0]) for line in listed if not line.endswith("/")}

    def field(self, package, name):
        """A field of its control file."""
        return run(["dpkg-deb", "-f", self.packages[package], name]).strip()

    def test_there_are_three_and_one_for_python(self):
        python = ["python3-gradwire"] if HAS_TORCH else []
        self.assertEqual(sorted(self.packages), ["gradwire", "libgradwire-dev", "libgradwire0"] + python)

    @unittest.skipUnless(HAS_TORCH, "PyTorch is missing: there is no package for Python")
    def test_pythons_finds_the_library_and_pytorch(self):
        names = {name.removeprefix("/usr/lib/python3/dist-packages/gradwire/") for name in self.files("python3-gradwire")}
        self.assertTrue({"__init__.py", "torch.py", "/usr/share/doc/python3-gradwire/copyright"} <= names)
        self.assertEqual(len([name for name in names if name.startswith("_torch.cpython-3")]), 1)
        depends = self.field("python3-gradwire", "Depends")
        for needed in (r"libgradwire0 \(= 0.1.0\)", r"python3 \(<< 3\.\d+\)", "python3-torch", r"libtorch1\.13"):
            self.assertRegex(depends, needed)

    def test_the_program_has_a_page_for_every_command(self):
        files = self.files("gradwire")
        self.assertTrue({"/usr/bin/gradwire", "/usr/share/bash-completion/completions/gradwire",
                         "/usr/share/zsh/vendor-completions/_gradwire", "/usr/share/doc/gradwire/copyright"} <= files)
        run(["dpkg-deb", "-x", self.packages["gradwire"], self.folder / "root"])
        shown = run([self.folder / "root/usr/bin/gradwire", "--help"])
        commands = re.findall(r"^  (\w+) ", shown.split("Subcommands:")[1], re.MULTILINE)
        self.assertGreater(len(commands), 10)
        for command in commands:
            self.assertIn(f"/usr/share/man/man1/gradwire-{command}.1", files)

    def test_the_library_is_what_programs_run_with(self):
        files = self.files("libgradwire0")
        self.assertEqual({Path(name).name for name in files}, {"libgradwire.so.0", "libgradwire.so.0.1.0", "copyright"})
        self.assertNotIn("libmpi", self.field("libgradwire0", "Depends"))

    def test_what_programs_are_built_with(self):
        names = {Path(name).name for name in self.files("libgradwire-dev")}
        self.assertTrue({"gradwire.h", "libgradwire.so", "gradwire.pc", "GradwireConfig.cmake", "GradwireTargets.cmake",
                         "GradwireConfigVersion.cmake", "sum.c", "copyright"} <= names)
        self.assertEqual(self.field("libgradwire-dev", "Depends"), "libgradwire0 (= 0.1.0)")

    def test_they_depend_on_the_libraries_that_they_load(self):
        for package in ("gradwire", "libgradwire0"):
            depends = self.field(package, "Depends")
            for needed in ("libc6", "libfmt9", "libssl3"):
                self.assertRegex(depends, rf"\b{needed}\b", package)
            self.assertRegex(self.field(package, "Description"), "cluster|gradients")

    def test_no_file_is_in_two(self):
        every = [name for package in self.packages for name in self.files(package)]
        self.assertEqual(len(every), len(set(every)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
