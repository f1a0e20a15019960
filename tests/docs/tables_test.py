#!/usr/bin/env python3
"""tables_test.py [--write] GRADWIRE: the tables that pages take from the program are what it prints now.

Such a table stands between two comments:

    <!-- made by: gradwire list wirings --markdown -->
    <!-- end -->

With --write, puts there what the program prints.
"""

import difflib
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from pages import pages_of  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"(<!-- made by: gradwire ([^\n]*) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
_MARK = "<!-- made by:"


def made(text, program):
    """A page with its tables as the program prints them now. Raises ValueError for a table without an end."""
    def printed(block):
        done = subprocess.run([program, *shlex.split(block[2])], check=True, capture_output=True, text=True)
        return f"{block[1]}\n{done.stdout}\n{block[4]}"

    if text.count(_MARK) != len(_BLOCK.findall(text)):
        raise ValueError(f"'{_MARK} gradwire ... -->' without '<!-- end -->'")
    return _BLOCK.sub(printed, text)


def main(program, write):
    tables = 0
    stale = []
    for path in pages_of(ROOT):
        text = path.read_text(encoding="utf-8")
        new = made(text, program)
        tables += len(_BLOCK.findall(text))
        if new == text:
            continue
        if write:
            path.write_text(new, encoding="utf-8")
            print(f"{path.relative_to(ROOT)}: written")
        else:
            name = str(path.relative_to(ROOT))
            stale.append(name)
            print(*difflib.unified_diff(text.splitlines(), new.splitlines(), name, "gradwire", lineterm=""), sep="\n")
    print(f"{tables} tables")
    if stale:
        print(f"{', '.join(stale)}: tables differ from what the program prints. To mend them:\n"
              f"    tests/docs/tables_test.py --write {program}", file=sys.stderr)
    return 1 if stale or tables == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1], "--write" in sys.argv[1:-1]))
