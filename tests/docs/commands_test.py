#!/usr/bin/env python3
"""commands_test.py GRADWIRE [PAGE...]: does what the pages say, in a folder of its own for each page.

Runs every command, checks every experiment and every key of one, and compares what pages quote with what is printed now.
Prints a line for each, and how many were left out. Pages are all of the repository unless they are given.
"""

import shlex
import sys
import time
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True

from pages import Page, pages_of  # noqa: E402
from scratch import Failed, Scratch, quoted  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# Folders whose pages name other programs' options in their sentences.
_OTHER_PROGRAMS = {"ansible", "roce"}


def steps_of(page):
    """(line, what it says, function of a Scratch that does it) in the page's order, its files first."""
    steps = [(command.line, command.text, lambda scratch, command=command: _do_command(scratch, command))
             for command in page.commands()]
    files = [(block.line, block.marks["file"], lambda scratch, block=block: scratch.write(block.marks["file"], block.text))
             for block in page.blocks if "file" in block.marks]
    for block in page.blocks:
        steps += _steps_of_block(block)
    for line, code in page.inline_code():
        if code.startswith("--") and page.path.parts[0] not in _OTHER_PROGRAMS:
            steps.append((line, code, lambda scratch, code=code: scratch.check_option(code.split()[0].split("=")[0])))
        key, colon, value = code.partition(": ")
        if colon and value and key.isidentifier():
            steps.append((line, code, lambda scratch, key=key, code=code: _do_key(scratch, key, code)))
    return files + sorted(steps, key=lambda step: step[0])


def _steps_of_block(block):
    if "not run" in block.marks:
        if block.language in ("yaml", "python"):
            yield block.line, block.lines[0], lambda _: f"LEFT OUT: {block.marks['not run']}"
        return
    if "file" in block.marks:
        return
    if block.language == "yaml":
        yield block.line, block.lines[0], lambda scratch: scratch.check_experiment(block.text, block.marks.get("inventory"))
    elif block.language == "python":
        yield block.line, "python", lambda scratch: scratch.run([sys.executable, "-c", block.text]) and None
    for source in ("output of", "lines of"):
        if source in block.marks:
            yield block.line, f"{source} {block.marks[source]}", lambda scratch: _do_quote(scratch, block)


def _do_command(scratch, command):
    return f"LEFT OUT: {command.left_out}" if command.left_out else scratch.do(command)


def _do_key(scratch, key, code):
    if not scratch.is_key(key):
        return "no key of an experiment"
    scratch.check_experiment(code + "\n")
    return "checked"


def _do_quote(scratch, block):
    if "output of" in block.marks:
        lines = scratch.run(shlex.split(block.marks["output of"])).stdout.splitlines()
    else:
        lines = (scratch.folder / block.marks["lines of"]).read_text(encoding="utf-8").splitlines()
    for line in block.lines:
        if line.strip() != "..." and not quoted(line, lines):
            raise Failed(f"is not there any more: {line}")


def check_page(page, scratch):
    """Does a page. Returns what failed, and how far everything got, a line each."""
    failures, done = [], []
    for line, what, do in steps_of(page):
        place = f"{page.path}:{line}: {what}"
        try:
            done.append(f"{place}  [{do(scratch) or 'checked'}]")
        except (Failed, OSError) as failed:
            failures.append(f"{place}\n    {failed}")
    return failures, done


def main(program, *names):
    began = time.monotonic()
    failures, done = [], []
    for path in map(Path, names) if names else pages_of(ROOT):
        try:
            page = Page.of_text(path.resolve().relative_to(ROOT), path.read_text(encoding="utf-8"))
            with Scratch(ROOT, program) as scratch:
                more = check_page(page, scratch)
        except ValueError as unclear:
            more = [f"{path}: {unclear}"], []
        failures += more[0]
        done += more[1]
    print(*done, sep="\n")
    counted = Counter(line.rpartition("  [")[2].rstrip("]").partition(":")[0] for line in done)
    print(f"{len(done) + len(failures)} in {time.monotonic() - began:.1f} s:",
          ", ".join(f"{count} {word}" for word, count in sorted(counted.items())))
    for failure in failures:
        print(f"FAILED {failure}", file=sys.stderr)
    return 1 if failures or not done else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
