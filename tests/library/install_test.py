#!/usr/bin/env python3
"""What `cmake --install` leaves is all that a program needs: library/examples/sum.c is built with it, and run.

    install_test.py BUILD_FOLDER GRADWIRE
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD, GRADWIRE = Path(sys.argv[1]), sys.argv[2]
ELEMENTS = "10007"


def run(words, **environment):
    """What a command prints. Fails with what it says when it ends with another code than 0."""
    ended = subprocess.run(words, capture_output=True, text=True, timeout=100, check=False,
                           env={**os.environ, **environment})
    assert ended.returncode == 0, f"{words} ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}"
    return ended.stdout


def free_port():
    """A port of the loopback interface that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


class Installed(unittest.TestCase):
    """A prefix of its own, and the example in it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = Path(folder.name) / "prefix"
        run(["cmake", "--install", BUILD, "--prefix", cls.prefix])
        cls.libraries = next(cls.prefix.rglob("libgradwire.so")).parent
        cls.found = {"PKG_CONFIG_PATH": str(cls.libraries / "pkgconfig"), "LD_LIBRARY_PATH": str(cls.libraries)}
        cls.example = Path(folder.name) / "sum"
        flags = run(["pkg-config", "--cflags", "--libs", "gradwire"], **cls.found).split()
        run(["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", ROOT / "library/examples/sum.c", *flags, "-o",
             cls.example])

    def expect_sums(self, printed, ranks):
        """One line of each rank, none of whose sums is wrong."""
        lines = sorted(re.findall(r"rank \d+ of .*", printed))
        self.assertEqual(lines, sorted(f"rank {rank} of {ranks}: {ELEMENTS} sums, 0 of them wrong"
                                       for rank in range(ranks)))

    def need_mpirun(self):
        """Skips the test without it."""
        if not shutil.which("mpirun"):
            self.skipTest("mpirun is not here")

    def need_emulation(self):
        """Skips the test where the kernel allows none."""
        if subprocess.run([GRADWIRE, "doctor"], capture_output=True, timeout=100, check=False).returncode != 0:
            self.skipTest("this machine cannot emulate wirings")

    def test_everything_is_there(self):
        for name in ("bin/gradwire", "include/gradwire.h", "share/man/man1/gradwire-topo-show.1",
                     "share/bash-completion/completions/gradwire", "share/zsh/vendor-completions/_gradwire"):
            self.assertTrue((self.prefix / name).is_file(), name)
        self.assertEqual(run([self.prefix / "bin/gradwire", "--version"]), run([GRADWIRE, "--version"]))

    def test_the_library_has_the_names_of_its_header_alone(self):
        names = re.findall(r" T ([^@\n]*)", run(["nm", "-D", "--defined-only", self.libraries / "libgradwire.so"]))
        declared = re.findall(r"\b(gradwire_\w+)\(", (ROOT / "library/gradwire.h").read_text())
        self.assertEqual(sorted(names), sorted(set(declared)))
        dynamic = run(["readelf", "-d", self.libraries / "libgradwire.so"])
        self.assertIn("soname: [libgradwire.so.0]", dynamic)
        for foreign in ("libmpi", "libgloo", "libCLI", "libsimdjson"):
            self.assertNotIn(foreign, dynamic)

    def test_its_header_is_one_of_c_plus_plus_too(self):
        run(["c++", "-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
             self.prefix / "include/gradwire.h"])

    def test_cmake_finds_it(self):
        build = self.prefix.parent / "build"
        run(["cmake", "-G", "Ninja", "-S", ROOT / "library" / "examples", "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}"])
        run(["cmake", "--build", build])
        self.expect_sums(run([build / "sum", ELEMENTS], RANK="0", WORLD_SIZE="1"), 1)

    def test_four_ranks_on_the_loopback_interface(self):
        meeting = {"WORLD_SIZE": "4", "MASTER_ADDR": "localhost", "MASTER_PORT": free_port()}
        ranks = [subprocess.Popen([self.example, ELEMENTS], stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, **self.found, **meeting, "RANK": str(rank)})
                 for rank in range(4)]
        self.expect_sums("".join(rank.communicate(timeout=100)[0] for rank in ranks), 4)
        self.assertEqual([rank.returncode for rank in ranks], [0] * 4)

    def test_ranks_of_mpirun(self):
        self.need_mpirun()
        allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        printed = run(["mpirun", "--oversubscribe", "-n", "4", self.example, ELEMENTS], **self.found, **allowed)
        self.expect_sums(printed, 4)

    def test_hosts_of_an_emulated_bcube(self):
        self.need_emulation()
        for algorithm in ("ring", "bml"):
            printed = run([GRADWIRE, "emulate", "bcube(3,2)", "--", self.example, ELEMENTS], **self.found,
                          GRADWIRE_ALGORITHM=algorithm)
            self.expect_sums(printed, 9)

    def test_ranks_of_mpirun_on_an_emulated_bcube(self):
        self.need_mpirun()
        self.need_emulation()
        started = f"mpirun -x GRADWIRE_ALGORITHM=bml -H $GRADWIRE_HOSTS -n 4 {self.example} {ELEMENTS}"
        printed = run([GRADWIRE, "emulate", "bcube(2,2)", "--on", "0", "--", "sh", "-c", started], **self.found)
        self.expect_sums(printed, 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
