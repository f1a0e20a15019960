"""What a Markdown page says: its code blocks with their marks, its commands, its headings and its links.

A mark is an HTML comment in the lines before a block:

    <!-- file: NAME -->          the block is a file of this name, which later commands read
    <!-- output of: COMMAND -->  the block quotes what the command prints; whole columns and rows may be left out
    <!-- lines of: FILE -->      the block quotes a file in the same way
    <!-- inventory: FILE -->         the block is an experiment for the hosts of this inventory
    <!-- not run: REASON -->     commands of the block cannot be run; they are counted and printed
"""

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

_MARK = re.compile(r"^\s*<!-- (file|output of|lines of|inventory|not run): (.+) -->\s*$")
_FENCE = re.compile(r"^\s*```(\S*)\s*$")
_INDENTED = re.compile(r"^ {4,}\S")
_INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$")
_NO_PAGES = {"build", "node_modules", ".git"}
# Languages of blocks that hold no commands.
_NO_COMMANDS = {"yaml", "csv", "text", "python", "json"}


def pages_of(root):
    """Every page of a repository."""
    return sorted(path for path in root.rglob("*.md") if not _NO_PAGES & set(path.relative_to(root).parts))


@dataclass(frozen=True)
class Block:
    """A code block, fenced or indented."""
    line: int  # of its first line of code
    language: str  # as the fence names it; "" without a name
    lines: list[str]  # without the common indentation
    marks: dict[str, str]

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


@dataclass(frozen=True)
class Command:
    """A gradwire or make command."""
    line: int
    words: list[str]  # words[0] is gradwire or make
    inline: bool = False  # stands in a sentence, where it may name a subcommand alone
    stdout: str | None = None  # the file that its output goes to
    left_out: str | None = None  # why it cannot be run

    @property
    def text(self):
        return shlex.join(self.words) + (f" > {self.stdout}" if self.stdout else "")


@dataclass
class Page:
    """A page, taken apart."""
    path: Path
    blocks: list[Block] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)  # all lines; those of blocks are empty

    @classmethod
    def read(cls, path):
        return cls.of_text(path, Path(path).read_text(encoding="utf-8"))

    @classmethod
    def of_text(cls, path, text):
        page = cls(Path(path))
        lines = text.splitlines()
        marks = {}
        at = 0
        while at < len(lines):
            fence = _FENCE.match(lines[at])
            mark = _MARK.match(lines[at])
            first = at
            if fence:
                at = page._take_fence(lines, at, fence[1], marks)
            elif _INDENTED.match(lines[at]):
                at = page._take_indented(lines, at, marks)
            else:
                at += 1
            if mark:
                marks = {**marks, mark[1]: mark[2]}
            elif at > first + 1 or lines[first].strip():
                marks = {}
            block = fence or at > first + 1 or _INDENTED.match(lines[first])
            page.prose += [""] * (at - first) if block else [lines[first]]
        return page

    def _take_fence(self, lines, at, language, marks):
        end = at + 1
        while end < len(lines) and lines[end].strip() != "```":
            end += 1
        self._add(at + 1, lines[at + 1:end], language, marks)
        return min(end + 1, len(lines))

    def _take_indented(self, lines, at, marks):
        end = at
        while end < len(lines) and (_INDENTED.match(lines[end]) or not lines[end].strip()):
            end += 1
        while not lines[end - 1].strip():
            end -= 1
        self._add(at, lines[at:end], "", marks)
        return end

    def _add(self, at, lines, language, marks):
        indentation = min((len(one) - len(one.lstrip()) for one in lines if one.strip()), default=0)
        self.blocks.append(Block(at + 1, language, [one[indentation:] for one in lines], marks))

    def inline_code(self):
        """(line, text) of every piece of code in a sentence; a line's end in it counts as a space."""
        text = "\n".join(self.prose)
        for found in _INLINE.finditer(text):
            yield text.count("\n", 0, found.start()) + 1, " ".join(found[1].split())

    def links(self):
        """(line, target) of every link and picture."""
        for number, line in enumerate(self.prose, 1):
            for found in _LINK.finditer(_INLINE.sub("", line)):
                yield number, found[1]

    def anchors(self):
        """The names that #... finds here, made as GitHub makes them."""
        seen = {}
        for line in self.prose:
            heading = _HEADING.match(line)
            if not heading:
                continue
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            count = seen.setdefault(name, 0)
            seen[name] += 1
            yield name if count == 0 else f"{name}-{count}"

    def commands(self):
        """Every gradwire and make command, in the page's order."""
        found = []
        for block in self.blocks:
            if block.language not in _NO_COMMANDS and not block.marks.keys() & {"file", "output of", "lines of"}:
                found += _commands_of(block)
        for line, code in self.inline_code():
            if code.split()[0] in ("gradwire", "make") and code != "make":
                found.append(_command(line, code, inline=True))
        return sorted(found, key=lambda command: command.line)


def _commands_of(block):
    whole, first = "", 0
    for number, line in enumerate(block.lines, block.line):
        first = first or number
        whole += line
        if whole.endswith("\\"):
            whole = whole[:-1] + " "
            continue
        command = _command(first, whole.strip().removeprefix("$ "), left_out=block.marks.get("not run"))
        if command:
            yield command
        whole, first = "", 0


def _command(line, text, **more):
    """The command of a line of code; None where it is none of ours. Throws ValueError for what only a shell can run."""
    if not re.search(r"(^|[\s/])(gradwire|make)\s", text + " "):
        return None
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    ours = [at for at, word in enumerate(words) if word.rpartition("/")[2] == "gradwire" or (at == 0 and word == "make")]
    # In a sentence, or after another program, such as a virtual machine's.
    if not ours or (ours[0] != 0 and "--" not in words[:ours[0]]):
        return None
    words = ["gradwire" if words[ours[0]] != "make" else "make", *words[ours[0] + 1:]]
    stdout = None
    if ">" in words[:-1] and words.index(">") == len(words) - 2:
        words, stdout = words[:-2], words[-1]
    # What an emulated host runs may be a script, in quotes.
    others = words.index("--") if words[1:2] == ["emulate"] and "--" in words else len(words)
    shell = [word for at, word in enumerate(words)
             if re.fullmatch(r"[();<>|&]+", word) or ("$" in word and at < others)]
    if shell and not more.get("left_out"):
        raise ValueError(f"line {line}: only a shell can run this ({' '.join(shell)}): {text}")
    if stdout and (stdout.startswith(("/", "~")) or ".." in stdout) and not more.get("left_out"):
        raise ValueError(f"line {line}: writes outside of the scratch folder: {text}")
    return Command(line, words, stdout=stdout, **more)
