"""A folder that looks like the repository to a user who has just built it, and what its pages say, done there."""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

DEADLINE = 60  # seconds, for a command
# What is not linked into the folder, because commands write there or nobody needs it.
_NOT_LINKED = {".git", "build", "results", "testbed"}
# An experiment that any keys can be put into.
_BASE = {"gradwire": "1", "name": "snippet", "link": "{rate: 10Gbit}", "algorithm": "bml", "wiring": '"bcube(3,2)"',
         "elements": "36000"}
_JOB = {"compute": "{device: v100}", "workload": "lenet5", "batch": "32"}


class Failed(Exception):
    """What a page says does not work."""


class Scratch:
    """The folder. `program` is the gradwire under test, `root` the repository."""

    def __init__(self, root, program):
        self.root = Path(root)
        self._temporary = tempfile.TemporaryDirectory(prefix="gradwire-docs-")
        self.folder = Path(self._temporary.name) / "gradwire"
        commands = Path(self._temporary.name) / "bin"
        commands.mkdir()
        (commands / "gradwire").symlink_to(Path(program).resolve())
        self._environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}"}
        self._keys = None
        self._help = None
        (self.folder / "results").mkdir(parents=True)
        for entry in [*self.root.iterdir(), *(self.root / "results").iterdir()]:
            if entry.name not in _NOT_LINKED | {"runs"}:
                (self.folder / entry.relative_to(self.root)).symlink_to(entry)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._temporary.cleanup()

    def run(self, words, codes=(0,)):
        """What a command leaves. Throws Failed when it ends with another exit code."""
        try:
            ended = subprocess.run(words, cwd=self.folder, env=self._environment, stdin=subprocess.DEVNULL,
                                   capture_output=True, text=True, timeout=DEADLINE, check=False)
        except subprocess.TimeoutExpired as slow:
            raise Failed(f"did not end within {DEADLINE} s") from slow
        if ended.returncode not in codes:
            raise Failed(f"ended with {ended.returncode}: {ended.stderr.strip()}")
        return ended

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def do(self, command):
        """Runs a command of a page as far as this machine can. Returns a word on how far that was."""
        if command.words[0] == "make":
            return self._check_make(command.words)
        arguments = command.words[1:]
        if command.inline and self._is_named(arguments):
            return "named"
        if arguments[:1] == ["worker"]:  # only the program itself starts it, and it says so
            self.run(command.words, codes=(2,))
            return "refused by hand"
        if arguments[:1] == ["run"]:
            return self._do_run(command.words)
        if arguments[:1] == ["emulate"] and not self._emulates():
            return "LEFT OUT: this machine cannot emulate"
        codes = (0, 5) if arguments[:1] == ["doctor"] else (0,)  # 5: this machine cannot emulate
        try:
            output = self.run(command.words, codes).stdout
        except Failed as failed:
            if "built without the report page" in str(failed):
                return "LEFT OUT: this program was built without the report page"
            raise
        if command.stdout:
            self.write(command.stdout, output)
        return "run"

    def _emulates(self):
        return self.run(["gradwire", "doctor"], codes=(0, 5)).returncode == 0

    def _do_run(self, words):
        """Measuring takes minutes: checks the command, then runs it in virtual time if later commands need its files."""
        dry = words if "--dry-run" in words else [*words, "--dry-run"]
        self.run(dry)
        if dry is words or not {"-o", "--out", "--junit", "--trace"} & set(words):
            return "dry run"
        given = words.index("--backing") if "--backing" in words else len(words)
        self.run([*words[:given], *words[given + 2:], "--backing", "simulated"])
        return "dry run, then in virtual time"

    def _is_named(self, arguments):
        """Whether the words are a subcommand's name and nothing else."""
        if not all(re.fullmatch("[a-z-]+", word) and word[0] != "-" for word in arguments):
            return False
        help_text = self.run(["gradwire", *arguments, "--help"]).stdout
        usage = " ".join(["Usage:", "gradwire", *arguments])
        return any(f"{line} ".startswith(f"{usage} ") for line in help_text.splitlines())

    def _check_make(self, words):
        makefile = (self.root / "Makefile").read_text(encoding="utf-8")
        targets = {word for word in words[1:] if "=" not in word}
        unknown = targets - set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
        unknown |= {word for word in words[1:] if "=" in word and f"$({word.partition('=')[0]})" not in makefile}
        if unknown:
            raise Failed(f"the Makefile has no {', '.join(sorted(unknown))}")
        return "a target of the Makefile"

    def check_experiment(self, text, inventory=None):
        """Checks a whole experiment, or keys of one, put into a small experiment; on the hosts of an inventory if one is given."""
        given = set(re.findall(r"^(?: {4})?(\w+):", text, re.MULTILINE))
        if "gradwire" not in given:
            text = _beside(given, text) + text
        self.write("snippet.yaml", text)
        hosts = ["--inventory", inventory] if inventory else []
        self.run(["gradwire", "run", "snippet.yaml", *hosts, "--dry-run"])

    def check_option(self, option):
        """Checks that some command has an option."""
        if self._help is None:
            self._help = self._help_of([])
        if not re.search(rf"(^|[ ,]){re.escape(option)}[ ,\n]", self._help):
            raise Failed("no command has this option")

    def _help_of(self, names):
        """The help of a command and of all below it. Throws Failed where it does not fit a terminal."""
        text = self.run(["gradwire", *names, "--help"]).stdout
        for line in text.splitlines():
            if len(line) > 120:
                raise Failed(f"help is {len(line)} wide: {line}")
        below = re.findall(r"^  ([a-z-]+) ", text.partition("Subcommands:")[2], re.MULTILINE)
        return text + "".join(self._help_of([*names, name]) for name in below)

    def is_key(self, word):
        """Whether an experiment has this key."""
        if self._keys is None:
            self._keys = json.loads(self.run(["gradwire", "results", "schema", "experiment"]).stdout)["properties"]
        return word in self._keys


def _beside(given, text):
    """The keys that make an experiment of some."""
    keys = dict(_BASE)
    if given & {"compute", "batch", "schedule", "compare"}:
        keys |= _JOB if "trace:" not in text else {}
    if given & {"workload", "size", "compute"} or "compute" in keys:
        del keys["elements"]
    return "".join(f"{key}: {value}\n" for key, value in keys.items() if key not in given)


def quoted(line, lines):
    """Whether a line is one of `lines`, columns left out."""
    def in_order(words, other):
        rest = iter(other)
        return all(word in rest for word in words)
    return any(in_order(line.split(), other.split()) for other in lines)
