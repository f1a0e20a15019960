#!/usr/bin/env python3
"""completion_test.py GRADWIRE: what `gradwire completion` prints, in a real bash, and read by zsh where there is one."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop()
BASH = ["bash", "--norc", "--noprofile"]
PATIENCE = 20  # seconds, for a bash that two other builds slow down


def script(shell):
    """The script for a shell."""
    return subprocess.run([PROGRAM, "completion", shell], check=True, capture_output=True, text=True).stdout


def completed(*words):
    """What bash would offer for the last word of `gradwire WORDS`, split as bash splits it."""
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in ("gradwire", *words))
    commands = (f"source <({PROGRAM} completion bash)\ncompopt() {{ :; }}\n"
                f"COMP_WORDS=({quoted})\nCOMP_CWORD={len(words)}\n_gradwire\n"
                'for word in "${COMPREPLY[@]}"; do printf "%s\\n" "$word"; done\n')
    done = subprocess.run([*BASH, "-c", commands], check=True, capture_output=True, text=True, cwd=SCRATCH)
    assert not done.stderr, done.stderr
    return sorted(done.stdout.split("\n")[:-1])


def typed(line):
    """The line that stands in an interactive bash after `line` and a tab were typed."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(SCRATCH)
        os.environ.update(PS1="> ", TERM="dumb", INPUTRC="/dev/null", HISTFILE="/dev/null")
        os.execvp(BASH[0], [*BASH, "-i"])
    try:
        _ask(terminal, f"source <({PROGRAM} completion bash); bind 'set bell-style none'; echo re''ady\n", r"\nready\r\n> $")
        # A word behind the cursor's line: it shows when bash has done with the tab.
        answer = _ask(terminal, f"{line}\t\x05#end\n", r"#end\r\n")
        return answer.replace("\x07", "").split("#end")[0].rsplit("> ", 1)[-1].rstrip("\r\n")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def _ask(terminal, text, until):
    os.write(terminal, text.encode())
    answer, deadline = "", time.monotonic() + PATIENCE
    while not re.search(until, answer):
        assert time.monotonic() < deadline, f"bash does not answer: {answer!r}"
        if select.select([terminal], [], [], 0.1)[0]:
            answer += os.read(terminal, 65536).decode()
    return answer


class Bash(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(completed("ru"), ["run"])
        self.assertIn("compare", completed("com"))
        self.assertEqual(completed("topo", "in"), ["inventory"])
        self.assertEqual(completed("topo", "show", "sh"), [])
        self.assertEqual(completed("results", "mer"), ["merge"])
        self.assertNotIn("worker", completed(""))

    def test_options(self):
        self.assertEqual(completed("run", "--ba"), ["--backing"])
        self.assertEqual(completed("run", "x.yaml", "--dry"), ["--dry-run"])
        self.assertEqual(completed("run", "-o", "--", "--res"), ["--resume"])
        self.assertEqual(completed("run", "--po"), ["--points"])
        self.assertEqual(completed("topo", "--ver"), [])
        self.assertEqual(completed("--ver"), ["--version"])

    def test_words(self):
        self.assertEqual(completed("run", "--backing", ""), ["emulated", "hosts", "simulated"])
        self.assertEqual(completed("run", "--backing", "=", "s"), ["simulated"])
        self.assertEqual(completed("run", "--backing", "="), ["emulated", "hosts", "simulated"])
        self.assertEqual(completed("run", "--transport", "uc"), ["ucx", "ucx-rc"])
        self.assertEqual(completed("topo", "cost", "--format", "j"), ["json"])
        self.assertEqual(completed("results", "schema", "exp"), ["experiment"])
        self.assertEqual(completed("completion", ""), ["bash", "zsh"])

    def test_names(self):
        self.assertEqual(completed("topo", "show", '"bc'), ["bcube(", "bcube(n,k)"])
        self.assertEqual(completed("topo", "show", "bc"), [r"bcube\(", r"bcube\(n\,k\)"])
        self.assertEqual(completed("plan", "halv"), ["halving-doubling"])
        self.assertEqual(completed("plan", '"gloo(bc'), ["gloo(bcube)"])
        self.assertEqual(completed("plan", "ring", '"fat'), ["fat-tree(", "fat-tree(p)"])
        self.assertEqual(completed("plan", "--workload", "resnet5"), ["resnet50"])
        self.assertEqual(completed("schedule", "resnet50", "--schedule", "mg"), ["mg-wfbp", "mg-wfbp-infocom"])

    def test_arguments_that_repeat(self):
        self.assertIn("torus(", completed("topo", "cost", "torus(3,3)", "bcube(3,2)", '"to'))
        self.assertEqual(completed("topo", "show", "torus(3,3)", '"to'), [])

    def test_paths(self):
        self.assertEqual(completed("run", "exp"), ["experiment.yaml", "experiments"])
        self.assertEqual(completed("run", "--out", "exp"), ["experiments"])
        self.assertEqual(completed("results", "merge", "results", "exp"), ["experiments"])
        self.assertEqual(completed("schedule", "exp"), ["experiment.yaml", "experiments"])
        self.assertEqual(completed("schedule", "--trace", "g"), ["good.csv", "googlenet-k80"])

    def test_every_command_is_completed(self):
        usage = subprocess.run([PROGRAM, "--help"], check=True, capture_output=True, text=True).stdout
        commands = re.findall(r"^  (\w\S*) ", usage.partition("Subcommands:")[2], re.MULTILINE)
        self.assertGreater(len(commands), 10)
        self.assertEqual(set(completed("")), set(commands))


class InteractiveBash(unittest.TestCase):
    """The same with a tab, where bash itself splits words and quotes them."""

    def test_a_command_gets_a_space(self):
        self.assertEqual(typed("gradwire ru"), "gradwire run ")

    def test_a_value_behind_an_equals_sign(self):
        self.assertEqual(typed("gradwire run --backing=sim"), "gradwire run --backing=simulated ")

    def test_a_quoted_wiring_stays_open(self):
        """Two candidates keep bash from closing the quote: the beginning, and how the whole is written."""
        self.assertEqual(typed('gradwire topo show "bc'), 'gradwire topo show "bcube(')

    def test_a_wiring_without_quotes_is_escaped(self):
        self.assertEqual(typed("gradwire topo show bc"), r"gradwire topo show bcube\(")

    def test_a_name_with_parentheses_is_whole(self):
        self.assertEqual(typed('gradwire plan "gloo(bc'), 'gradwire plan "gloo(bcube)" ')
        self.assertEqual(typed(r"gradwire plan gloo\(bc"), r"gradwire plan gloo\(bcube\) ")

    def test_a_folder_goes_on(self):
        self.assertEqual(typed("gradwire run --out experiments"), "gradwire run --out experiments/")


class Zsh(unittest.TestCase):
    def setUp(self):
        if shutil.which("zsh") is None:
            self.skipTest("there is no zsh here")

    def test_is_read(self):
        subprocess.run(["zsh", "-n"], input=script("zsh"), check=True, text=True)

    def test_defines_the_completion(self):
        commands = f"autoload -U compinit; compinit -D; source <({PROGRAM} completion zsh); print $_comps[gradwire]"
        done = subprocess.run(["zsh", "-f", "-c", commands], check=True, capture_output=True, text=True)
        self.assertEqual(done.stdout.strip(), "_gradwire")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        SCRATCH = folder
        for name in ("experiment.yaml", "good.csv"):
            (Path(folder) / name).touch()
        (Path(folder) / "experiments").mkdir()
        unittest.main(verbosity=1)
