"""Counts of fault runs, added up from parts, as a table."""

import json
import statistics

_HEAD = ("runs", "right", "named", "hangs", "wrong sums accepted", "left",
         "said, median", "worst", "ended, median", "worst")


def write_json(path, seed, outcomes):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"seed": seed, "outcomes": [outcome.as_json() for outcome in outcomes]}, file, indent=1)


def read_parts(paths):
    """The outcomes of several JSON files, as dictionaries. Refuses a run that is in two of them."""
    outcomes, seen = [], set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            part = json.load(file)
        for outcome in part["outcomes"]:
            key = (part["seed"], outcome["number"])
            if key in seen:
                raise ValueError(f"{path}: run {outcome['number']} of seed {part['seed']} is in another part, too")
            seen.add(key)
            outcomes.append(outcome)
    return outcomes


def _seconds(values, what):
    values = [value for value in values if value is not None]
    return f"{what(values):.2f} s" if values else ""


def _row(first, outcomes):
    said = [outcome["first_word"] for outcome in outcomes]
    ended = [outcome["ended"] for outcome in outcomes]
    return [*first, len(outcomes), sum(not outcome["failures"] for outcome in outcomes),
            sum(outcome["named"] for outcome in outcomes), sum(outcome["hang"] for outcome in outcomes),
            sum(outcome["wrong_accepted"] for outcome in outcomes),
            sum(bool(outcome["leftovers"]) for outcome in outcomes),
            _seconds(said, statistics.median), _seconds(said, max),
            _seconds(ended, statistics.median), _seconds(ended, max)]


def rows(outcomes, keys):
    """The head, a row for each value of the keys, and one for all."""
    groups = {}
    for outcome in outcomes:
        groups.setdefault(tuple(outcome[key] for key in keys), []).append(outcome)
    names = ["fault" if key == "name" else key for key in keys]
    of_all = ["", "all", ""][:len(keys)]
    return [[*names, *_HEAD], *(_row(key, groups[key]) for key in sorted(groups)), _row(of_all, outcomes)]


def as_text(outcomes):
    """By case and algorithm."""
    table = [list(map(str, row)) for row in rows(outcomes, ("case", "name", "algorithm"))]
    widths = [max(map(len, column)) for column in zip(*table)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table)


def as_markdown(outcomes):
    """By case: of all algorithms together."""
    head, *others = rows(outcomes, ("case", "name"))
    lines = [head, ["---"] * len(head), *others]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
