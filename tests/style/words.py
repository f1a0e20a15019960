#!/usr/bin/env python3
"""Reports docstrings of C++ whose first sentence begins with a word that leaves open what the thing is.

    words.py [ROOT]

Reads the headers and sources of the rooms below that git tracks or would track. Prints one offender a line as
"file:line: what". Ends with 1 when there are any, and with 2 when a room has no file or git fails.

An editor shows a docstring alone: "Of every link, undilated" or "The same for queues" says nothing there. A first
sentence says what the thing is or returns, or what it does: "Rate of a link of speed 1", "Whether the link is up".
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from limits import Unreadable, command, text_of  # noqa: E402

# The rooms that are held to it: all that have C++, but for the tests.
ROOMS = ("bml", "collectives", "core", "harness", "library", "ps", "results", "ringallreduce", "schedule", "simulator",
         "testbed", "topologies", "transport", "workloads")

OPEN = ("also", "and", "as", "but", "for", "from", "how", "like", "likewise", "of", "or", "same", "so", "such", "that",
        "the same", "those", "to", "what", "whatever", "where", "which", "who", "whoever", "whom", "whose", "why")
# A member's short comment may name its index or what it lacks: "by rank", "without blanks".
OPEN_ABOVE = (*OPEN, "by", "with", "without")

DOCSTRING = re.compile(r"///(<?)\s*(.*)")


def beginning(text, words):
    """The one of these words that a text begins with, or None."""
    found = re.match(rf"({'|'.join(sorted(words, key=len, reverse=True))})\b(?![-'])", text, re.IGNORECASE)
    return found[1] if found else None


def offences(name, text):
    """The docstrings of a file that leave open what the thing is, as "file:line: what"."""
    before = None
    for number, line in enumerate(text.split("\n"), 1):
        found = DOCSTRING.search(line)
        is_continued = found and before == found[1] and line.lstrip().startswith("///")
        if found and not is_continued:
            word = beginning(found[2], OPEN if found[1] else OPEN_ABOVE)
            if word:
                yield f'{name}:{number}: a docstring begins with "{word}"; say first what the thing is'
        before = found[1] if found else None


def judge(root, rooms):
    """All offenders in these rooms below root."""
    for room in rooms:
        listed = command(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--",
                          f"{room}/*.h", f"{room}/*.cc"])
        names = sorted({name for name in listed.split("\0") if name and (root / name).is_file()})
        if not names:
            raise Unreadable(f"{room}: there is no such room")
        for name in names:
            yield from offences(name, text_of(root / name))


def main(words):
    root = Path(words[0]) if words else Path(__file__).resolve().parents[2]
    try:
        found = list(judge(root, ROOMS))
    except Unreadable as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
