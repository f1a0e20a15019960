#!/usr/bin/env python3
"""howto_test.py: the files that docs/architecture.md says must be changed to add something are as many as it says.

A how-to begins with "### An algorithm changes 4 files", and names the files at the beginnings of a list's items:

    - `collectives/CMakeLists.txt`: the source

That they are there is a matter of links_test.py.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = "docs/architecture.md"
# More would be too many for one page, and for one head.
MOST = {"An algorithm": 4, "A wiring": 4, "A transport": 6, "A column": 2, "A key of experiments": 6}
_HEADING = re.compile(r"^### (.+) changes (\d+) files$")
_NAMES = re.compile(r"^- ((?:`[^`]+`(?: and )?)+)")


def howtos(text):
    """{what: (count that its heading says, files that it names)}"""
    found = {}
    what = None
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if line.startswith("#"):
            what = heading[1] if heading else None
        if heading:
            found[what] = (int(heading[2]), [])
        names = _NAMES.match(line)
        if what and names:
            found[what][1].extend(re.findall(r"`([^`]+)`", names[1]))
    return found


def mistakes(text):
    """What is wrong with a page's how-to's, a line each."""
    found = howtos(text)
    wrong = [f"there is no how-to for: {what}" for what in MOST if what not in found]
    for what, (said, files) in found.items():
        if len(files) != said:
            wrong.append(f"{what}: the heading says {said} files, the list has {len(files)}")
        if said > MOST.get(what, said):
            wrong.append(f"{what}: {said} files, {MOST[what]} at most")
    return wrong


def main():
    wrong = mistakes((ROOT / PAGE).read_text(encoding="utf-8"))
    for line in wrong:
        print(f"{PAGE}: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
