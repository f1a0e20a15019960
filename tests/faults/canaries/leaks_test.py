#!/usr/bin/env python3
"""What a run leaves behind is planted, and found by what looks for it after real runs: leaks_test.py"""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import ground  # noqa: E402
import kills  # noqa: E402

# A gradwire that leaves a process behind, and one that does not.
LEAKS = "#!/bin/sh\ncase $1 in run) sleep 1000 & exec sleep 1000;; esac\n"
CLEAN = "#!/bin/sh\ncase $1 in run) exec sleep 1000;; esac\n"


def unshared():
    """How to start a command in a network of its own; nothing where that is refused."""
    command = ["unshare", "--user", "--map-root-user", "--net"]
    allowed = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    return command if allowed else None


class Leaks(unittest.TestCase):
    """One of each kind."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gradwire-canary-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.ground = ground.Ground("gradwire", "simulated", self.folder / "simulated")

    def sleep(self, marked, command=()):
        """A process that sleeps, with the mark of the ground's runs or without."""
        mark = self.ground._mark
        environment = {**os.environ, **({mark.name: mark.value} if marked else {})}
        process = subprocess.Popen([*command, "sleep", "1000"], env=environment)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until = time.monotonic() + 20
        while not self.sleeps(process.pid) and time.monotonic() < until:
            time.sleep(0.01)
        return process

    @staticmethod
    def sleeps(process):
        """Whether it is sleep now, and not on its way there: it gets its new name a moment before its environment."""
        folder = Path(f"/proc/{process}")
        return (folder / "comm").read_text() == "sleep\n" and (folder / "environ").read_bytes() != b""

    def left(self, insiders=()):
        return " ".join(self.ground.leftovers(set(insiders)))

    def test_nothing_is_found_where_nothing_is(self):
        self.sleep(marked=False)
        self.assertEqual(self.left(), "")

    def test_a_process_is_found_by_its_mark(self):
        process = self.sleep(marked=True)
        self.assertIn(f"process {process.pid} (sleep)", self.left())
        self.ground.clean_up()
        process.wait(20)
        self.assertEqual(self.left(), "")

    def test_a_process_is_found_by_its_namespaces(self):
        command = unshared()
        if command is None:
            self.skipTest("this user may not make namespaces")
        process = self.sleep(marked=True, command=command)
        insiders = self.ground.insiders()
        self.assertIn(str(process.pid), {number for number, _ in insiders})
        self.assertIn(f"namespaces of process {process.pid}", self.left(insiders))

    def test_files_are_found(self):
        partial = self.folder / "simulated" / "out.partial-abc123"
        partial.mkdir()
        self.assertIn("out.partial-abc123", self.left())
        partial.rmdir()
        temporary = self.folder / "simulated" / "t" / "gw-abc"
        temporary.touch()
        self.assertIn("temporary gw-abc", self.left())

    def ended(self, program):
        """How kills.py ends that kills this program once, and what it says."""
        path = self.folder / "gradwire"
        path.write_text(program)
        path.chmod(0o755)
        arguments = ["kills.py", str(path), "--kills", "1", "--signals", "0", "--within", "0.5",
                     "--only", "simulated"]
        late = [("simulated", 2.0)]  # long after it has started what it leaves
        said = io.StringIO()
        with mock.patch.object(kills, "PATIENCE", 0.1), mock.patch.object(sys, "argv", arguments), \
                mock.patch.object(kills, "draw", lambda _random, count, *_: late * count), \
                contextlib.redirect_stdout(said):
            return kills.main(), said.getvalue()

    def test_a_program_that_leaves_a_process_is_found(self):
        code, said = self.ended(LEAKS)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"left after 0.5 s, for good: process [0-9]+ \(sleep\)")

    def test_a_program_that_leaves_nothing_passes(self):
        code, said = self.ended(CLEAN)
        self.assertEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main()
