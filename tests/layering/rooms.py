#!/usr/bin/env python3
"""Prints the rooms of the tree and the arrows between them: rooms.py [ROOT]

A room is a row of the table "Rooms" in docs/architecture.md: a folder of C++, without the rooms inside it. An arrow
runs from a room to one whose header it includes. Exits with 1 when an arrow is not in the table, when the table lets
a room include one that stands below it in the table (so that the arrows could form a cycle), when folders inside a room
include each other in a circle, or when C++ stands outside all rooms.
"""
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

TABLE = "docs/architecture.md"
HEADER = "| room | holds | includes |"
EVERYTHING = "everything"
NOTHING = {"nothing of ours", "no C++"}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
SOURCES = {".h", ".cc", ".cu"}


@dataclass(frozen=True)
class Room:
    """A row of the table: a folder and the rooms that it may include."""

    path: str
    includes: frozenset[str]
    has_code: bool


def rooms_of_row(cells: list[str], above: list[str]) -> list[Room]:
    """The rooms of one row, whose first cell may name several folders. `above`: the rooms before them."""
    said = cells[2]
    if said in NOTHING:
        includes: set[str] = set()
    elif said == EVERYTHING:
        includes = set(above)
    else:
        includes = {name.strip() for name in said.split(",")}
    paths = [name.rstrip("/") for name in cells[0].split()]
    return [Room(path, frozenset(includes), said != "no C++") for path in paths]


def read_table(text: str) -> list[Room]:
    """The rooms, top to bottom. Raises ValueError without a table."""
    lines = text.splitlines()
    if HEADER not in lines:
        raise ValueError(f"no table '{HEADER}'")
    rooms: list[Room] = []
    for line in lines[lines.index(HEADER) + 2 :]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rooms += rooms_of_row(cells, [room.path for room in rooms])
    return rooms


def room_of(path: str, rooms: list[Room]) -> str | None:
    """The innermost room that holds a file, if one does."""
    holding = [room.path for room in rooms if path.startswith(room.path + "/")]
    return max(holding, key=len, default=None)


def sources_of(root: Path, room: Room, rooms: list[Room]) -> list[Path]:
    """The C++ files of a room, without those of the rooms inside it."""
    files = (file for file in (root / room.path).rglob("*") if file.suffix in SOURCES)
    return sorted(file for file in files if room_of(file.relative_to(root).as_posix(), rooms) == room.path)


def arrows_of(root: Path, room: Room, rooms: list[Room]) -> Counter[str]:
    """How many includes lead from a room into each other room."""
    arrows: Counter[str] = Counter()
    for source in sources_of(root, room, rooms):
        for included in INCLUDE.findall(source.read_text()):
            other = room_of(included, rooms)
            if other is not None and other != room.path:
                arrows[other] += 1
    return arrows


def faults_in_table(rooms: list[Room]) -> list[str]:
    """What keeps the table itself from being free of cycles."""
    faults = []
    above: set[str] = set()
    for room in rooms:
        for other in sorted(room.includes - above):
            faults.append(f"{TABLE}: {room.path} may include {other}, which does not stand above it")
        above.add(room.path)
    return faults


def faults_in_tree(root: Path, rooms: list[Room]) -> list[str]:
    """Arrows that the table does not allow."""
    faults = []
    for room in rooms:
        for source in sources_of(root, room, rooms):
            for included in INCLUDE.findall(source.read_text()):
                other = room_of(included, rooms)
                if other not in (None, room.path) and other not in room.includes:
                    faults.append(f"{source.relative_to(root)}: includes {included}, of {other}")
    return faults


def folder_arrows(root: Path, room: Room, rooms: list[Room]) -> dict[str, dict[str, str]]:
    """From each folder inside a room, the room's own one included, to each other one: an include that leads there."""
    arrows: dict[str, dict[str, str]] = {}
    for source in sources_of(root, room, rooms):
        folder = source.parent.relative_to(root).as_posix()
        for included in INCLUDE.findall(source.read_text()):
            other = Path(included).parent.as_posix()
            if other != folder and room_of(included, rooms) == room.path:
                arrows.setdefault(folder, {}).setdefault(other, f"{source.relative_to(root)} includes {included}")
    return arrows


def circle_in(arrows: dict[str, dict[str, str]]) -> list[str]:
    """The includes of one circle of folders; none where there is no circle."""
    done: set[str] = set()

    def follow(folder: str, way: list[str]) -> list[str]:
        if folder in way:
            circle = way[way.index(folder) :] + [folder]
            return [arrows[a][b] for a, b in zip(circle, circle[1:])]
        if folder in done:
            return []
        for other in sorted(arrows.get(folder, {})):
            if found := follow(other, way + [folder]):
                return found
        done.add(folder)
        return []

    for folder in sorted(arrows):
        if found := follow(folder, []):
            return found
    return []


def faults_inside(root: Path, rooms: list[Room]) -> list[str]:
    """The rooms whose folders include each other in a circle. Tests are no part of the program."""
    rooms = [room for room in rooms if room.path.split("/")[0] != "tests"]
    circles = [(room, circle_in(folder_arrows(root, room, rooms))) for room in rooms]
    return [f"{room.path}: a circle of folders: {'; '.join(circle)}" for room, circle in circles if circle]


def main(root: Path) -> int:
    """Prints rooms, arrows and faults; returns the exit status."""
    rooms = read_table((root / TABLE).read_text())
    for room in rooms:
        if not room.has_code:
            continue
        lines = sum(len(source.read_text().splitlines()) for source in sources_of(root, room, rooms))
        arrows = ", ".join(f"{other} {count}" for other, count in sorted(arrows_of(root, room, rooms).items()))
        print(f"{room.path:20} {lines:6} lines -> {arrows or '-'}")
    faults = faults_in_table(rooms) + faults_in_tree(root, rooms) + faults_inside(root, rooms)
    print("\n".join(faults) if faults else "no arrow runs upward, so there is no cycle")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]))
