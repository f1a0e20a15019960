#!/usr/bin/env python3
"""Reports files and folders that comments name and that are not there.

    paths.py [ROOT]

Reads the comments of the C++, Python and CMake files below ROOT that git tracks or would track, and Python's
docstrings. Prints one offender a line as "file:line: what". Ends with 1 when there are any, and with 2 when git fails
or a file cannot be read.

A path counts from ROOT or from the file's own folder. A header without a folder, like "plan.h", is one of any folder.
tests/docs/links_test.py does the same for pages.
"""

import io
import re
import sys
import tokenize
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from limits import Unreadable, command, text_of  # noqa: E402

CPP = (".h", ".cc", ".cu")
ENDINGS = "h|cc|cu|py|cmake|md|sh|json|yaml|yml|txt|ts|mjs|j2|in|xml|csv"
# Where commands write; names that stand for any; files of others.
ELSEWHERE = ("build/", "results/runs/", "runs/", "OUTDIR/", "FOLDER/", "mine/", "src/graph/topo.cc")

# Not a part of a longer path, of an address or of a pattern.
BEFORE, AFTER = r"(?<![\w./<>{}$*~:-])", r"(?![\w/*{<-])"
PATH = re.compile(rf"{BEFORE}((?:[A-Za-z.][\w.-]*/)+[\w.-]+\.(?:{ENDINGS})|(?:[a-z][\w.-]*/){{2,}}|\w+\.h){AFTER}")
CPP_COMMENT = re.compile(r"""(?<![:"'])//.*""")
CMAKE_COMMENT = re.compile(r'(?:^|\s)#.*')


def lines_with(pattern, text):
    """(number, comment) of each line in which the pattern finds one."""
    for number, line in enumerate(text.split("\n"), 1):
        found = pattern.search(line)
        if found:
            yield number, found[0]


def python_comments(text):
    """(number, line) of the comments and docstrings of a Python file."""
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT)
        if token.type == tokenize.COMMENT or is_docstring:
            yield from enumerate(token.string.split("\n"), token.start[0])
        if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.DEDENT):
            before = token.type


def comments(name, text):
    """(number, comment) of the lines of a file that have one; nothing for a file that is not read."""
    if name.endswith(CPP):
        return lines_with(CPP_COMMENT, text)
    if name.endswith(".py"):
        return python_comments(text)
    if name.endswith((".cmake", "CMakeLists.txt")):
        return lines_with(CMAKE_COMMENT, text)
    return ()


def is_there(path, folder, root, headers):
    if "/" not in path:
        return path in headers
    return path.startswith(ELSEWHERE) or (root / path).exists() or (folder / path).exists()


def judge(root):
    """All paths in comments below root that lead nowhere."""
    listed = command(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    names = sorted({name for name in listed.split("\0") if name and (root / name).is_file()})
    headers = {Path(name).name for name in names if name.endswith(".h")}
    for name in names:
        if not name.endswith((*CPP, ".py", ".cmake", "CMakeLists.txt")):
            continue
        for number, comment in comments(name, text_of(root / name)):
            for path in PATH.findall(comment):
                if not is_there(path, (root / name).parent, root, headers):
                    yield f"{name}:{number}: there is no {path}"


def main(words):
    root = Path(words[0]) if words else Path(__file__).resolve().parents[2]
    try:
        found = list(judge(root))
    except (Unreadable, SyntaxError, tokenize.TokenError) as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
