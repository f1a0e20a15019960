#!/usr/bin/env python3
"""links_test.py [PAGE...]: every relative link, anchor and file that pages name is there, and the pages are complete."""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from pages import Page, pages_of  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# A path with a folder and an extension, not a part of a longer one, of an address or of a pattern.
_PATH = re.compile(r"(?<![\w/.~<*$-])((?:[\w.-]+/)+[\w.-]+\.[a-z]{1,5})(?![\w/*-])")
# Where commands write.
_MADE = ("build/", "results/runs/", "testbed/", "../testbed/", "group_vars/", "OUTDIR/")
_MOST_LINES = 105  # of README.md


def of_page(page, root):
    """What is wrong with a page: a line each."""
    here = root / page.path.parent
    for line, target in page.links():
        if re.match("[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (here / path).resolve()
        if not file.exists():
            yield f"{page.path}:{line}: {target} leads nowhere"
        elif anchor and anchor not in set((Page.read(file) if path else page).anchors()):
            yield f"{page.path}:{line}: {target}: there is no such heading"
    for line, text in enumerate(page.prose, 1):
        for path in _PATH.findall(re.sub(r"\]\([^)]*\)|https?://\S+", "", text)):
            if not path.startswith(_MADE) and not (root / path).exists() and not (here / path).exists():
                yield f"{page.path}:{line}: there is no {path}"


def of_all(pages, root):
    """What is wrong with the pages together: a line each."""
    linked = {(root / page.path.parent / target.partition("#")[0]).resolve()
              for page in pages for _, target in page.links()}
    for page in pages:
        if page.path != Path("README.md") and (root / page.path) not in linked:
            yield f"{page.path}: no page links to it"
    for experiment in sorted((root / "experiments").rglob("*.yaml")):
        if experiment not in linked:
            yield f"experiments/README.md: {experiment.relative_to(root / 'experiments')} is missing"
    length = len((root / "README.md").read_text(encoding="utf-8").splitlines())
    if length > _MOST_LINES:
        yield f"README.md: {length} lines, at most {_MOST_LINES} are wanted"


def main():
    pages = [Page.of_text(path.relative_to(ROOT), path.read_text(encoding="utf-8")) for path in pages_of(ROOT)]
    wrong = [problem for page in pages for problem in of_page(page, ROOT)] + list(of_all(pages, ROOT))
    print(f"{len(pages)} pages, {sum(len(list(page.links())) for page in pages)} links")
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
