#!/usr/bin/env python3
"""Reports files over 500 lines, functions over 60 lines, and functions with more than 5 parameters.

    limits.py [ROOT]

Reads the C++, Python, TypeScript, JavaScript and shell files below ROOT that git tracks or would track. Prints one
offender a line as "file:line: what". Ends with 1 when there are any, and with 2 when a file cannot be read.

Universal Ctags finds the functions of C++, and Python's own parser those of Python. Shell functions end where the
indentation of their first line comes back. ESLint judges the functions of TypeScript and JavaScript in results/web, so
scripts elsewhere are offenders. The lines of a lambda and of a nested function count for the function around it, too.
"""

import ast
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

MOST_FILE_LINES = 500
MOST_FUNCTION_LINES = 60
MOST_PARAMETERS = 5

MEASURED = "results/published/"
LINTED_BY_ESLINT = "results/web/"
LANGUAGES = {".h": "c++", ".cc": "c++", ".cu": "c++", ".py": "python", ".sh": "shell", ".bash": "shell", ".ts": "script",
             ".mts": "script", ".cts": "script", ".js": "script", ".mjs": "script", ".cjs": "script"}
TEMPLATE = ".j2"
INTERPRETERS = {"python3": "python", "python": "python", "sh": "shell", "bash": "shell", "dash": "shell",
                "node": "script"}

MACRO_BLOCK = re.compile(r"([A-Z][A-Z0-9_]*)\(.*\) \{$")
SHELL_FUNCTION = re.compile(r"(\s*)(?:function\s+)?([\w.:-]+)\s*\(\)\s*[{(](.*)$")
HERE_DOCUMENT = re.compile(r"(?<!<)<<-?\s*\\?(['\"]?)(\w+)\1")


class Unreadable(Exception):
    """A file, or a tool, that leaves unknown what a file holds."""


@dataclass(frozen=True, order=True)
class Function:
    """A function in lines first to last of a file, both counted from 1. Declarations without a body have one line."""

    first: int
    last: int
    name: str
    parameters: int


def command(words, **options):
    """What a program prints. Raises Unreadable when it is missing or fails."""
    try:
        return subprocess.run(words, check=True, capture_output=True, text=True, timeout=100, **options).stdout
    except FileNotFoundError as missing:
        raise Unreadable(f"{words[0]} is missing; make packages installs it") from missing
    except subprocess.CalledProcessError as failed:
        raise Unreadable(f"{words[0]} failed: {failed.stderr.strip()}") from failed


def language_of(path):
    """One of the values of LANGUAGES, by the file's suffix or else by its first line; None for all other files.

    A Jinja template is none of them, since only what is made of it is a program.
    """
    if path.suffix in LANGUAGES or path.suffix == TEMPLATE:
        return LANGUAGES.get(path.suffix)
    with path.open("rb") as file:
        start = file.read(80)
    if not start.startswith(b"#!"):
        return None
    words = start.splitlines()[0].decode(errors="replace").split()
    return next((INTERPRETERS[Path(word).name] for word in words if Path(word).name in INTERPRETERS), None)


def sources(root):
    """{path below root: language} of every file that has limits."""
    listed = command(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    kept = {name for name in listed.split("\0") if name and not name.startswith(MEASURED)}
    found = {name: language_of(root / name) for name in sorted(kept) if (root / name).is_file()}
    return {name: language for name, language in found.items() if language}


def parameters_in(signature):
    """How many parameters are in "(int a, map<int, int> b) const"."""
    depth, commas, inside = 0, 0, ""
    for character in signature.replace("->", ""):
        depth += (character in "(<[{") - (character in ")>]}")
        if depth == 0:
            break
        commas += character == "," and depth == 1
        inside += character
    return 0 if inside[1:].strip() in ("", "void") else commas + 1


def macro_blocks(lines, known):
    """Functions that a macro opens, like gMock's MATCHER, whose first lines are not among those known."""
    for number, line in enumerate(lines, 1):
        opened = MACRO_BLOCK.match(line)
        if opened and number not in known:
            last = next((end for end in range(number, len(lines) + 1) if lines[end - 1] == "}"), len(lines))
            yield Function(number, last, opened[1], 0)


def cpp_functions(root, names):
    """{name: functions} of C++ files, declarations among them."""
    tags = command(["ctags", "--options=NONE", "--output-format=json", "--fields=+neS", "--kinds-C++=pf",
                    "--language-force=C++", "-L", "-", "-f", "-"], cwd=root, input="\n".join(names))
    found = {name: [] for name in names}
    for tag in map(json.loads, tags.splitlines()):
        name = "a lambda" if tag["name"].startswith("__anon") else tag["name"]
        found[tag["path"]].append(Function(tag["line"], tag.get("end", tag["line"]), name,
                                           parameters_in(tag.get("signature", "()"))))
    for name, functions in found.items():
        functions += macro_blocks(text_of(root / name).split("\n"), {one.first for one in functions})
    return found


def python_functions(text):
    """The functions and lambdas of a Python file. The parameters self and cls are not counted."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            taken = node.args
            named = taken.posonlyargs + taken.args + taken.kwonlyargs + [taken.vararg, taken.kwarg]
            counted = [one for one in named if one and one.arg not in ("self", "cls")]
            yield Function(node.lineno, node.end_lineno, getattr(node, "name", "a lambda"), len(counted))


def without_here_documents(lines):
    """The same number of lines, those of here documents empty."""
    awaited = None
    for line in lines:
        if awaited is not None:
            awaited = None if line.strip() == awaited else awaited
            yield ""
            continue
        opened = HERE_DOCUMENT.search(line)
        awaited = opened[2] if opened else None
        yield line


def shell_functions(text):
    """The functions of a shell script. Raises Unreadable when one has no end at its own indentation."""
    lines = list(without_here_documents(text.split("\n")))
    for number, line in enumerate(lines, 1):
        opened = SHELL_FUNCTION.match(line)
        if not opened:
            continue
        last = number
        if not opened[3].rstrip().endswith(("}", ")")):
            ends = (opened[1] + "}", opened[1] + ")")
            last = next((end for end in range(number + 1, len(lines) + 1) if lines[end - 1].startswith(ends)), None)
        if last is None:
            raise Unreadable(f"line {number}: {opened[2]}() does not end at its own indentation")
        yield Function(number, last, opened[2], 0)


def text_of(path):
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path}: {error}") from error


def functions_in(name, language, text):
    """The functions of a Python or shell file; scripts have none here, since ESLint judges them."""
    readers = {"python": python_functions, "shell": shell_functions, "script": lambda text: []}
    try:
        return list(readers[language](text))
    except (SyntaxError, Unreadable) as error:
        raise Unreadable(f"{name}: {error}") from error


def offences(name, lines, functions):
    """What is over a limit in a file of so many lines with these functions, as "file:line: what"."""
    if lines > MOST_FILE_LINES:
        yield f"{name}:{MOST_FILE_LINES + 1}: the file has {lines} lines, the limit is {MOST_FILE_LINES}"
    for one in sorted(functions):
        length = one.last - one.first + 1
        if length > MOST_FUNCTION_LINES:
            yield f"{name}:{one.first}: {one.name} has {length} lines, the limit is {MOST_FUNCTION_LINES}"
        if one.parameters > MOST_PARAMETERS:
            yield f"{name}:{one.first}: {one.name} has {one.parameters} parameters, the limit is {MOST_PARAMETERS}"


def judge(root):
    """All that is over a limit below root."""
    found = sources(root)
    cpp = cpp_functions(root, [name for name, language in found.items() if language == "c++"])
    for name, language in found.items():
        text = text_of(root / name)
        if language == "script" and not name.startswith(LINTED_BY_ESLINT):
            yield f"{name}:1: scripts belong to {LINTED_BY_ESLINT}, where ESLint judges their functions"
        functions = cpp[name] if name in cpp else functions_in(name, language, text)
        yield from offences(name, text.removesuffix("\n").count("\n") + 1, functions)


def main(words):
    root = Path(words[0]) if words else Path(__file__).resolve().parents[2]
    try:
        found = list(judge(root))
    except Unreadable as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
