#!/usr/bin/env python3
"""Whether the fault suite itself can be believed: what it draws, what it calls right, and how it adds up."""

import itertools
import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import faults  # noqa: E402
import judge  # noqa: E402
import planted  # noqa: E402
import run as runs  # noqa: E402
import table  # noqa: E402
from case import Case, Expectation  # noqa: E402

RIGHT_ROW = {"wrong": 0, "flags": ["straggler-2"]}


class EndedRun:
    """A run that has ended, and what is there of it."""

    def __init__(self, code=1, said="gradwire: error: rank 2 was killed\n", row=None, left=()):
        self.code, self.text, self.kept, self.left = code, said, row, list(left)
        self.injected, self.about = None, ""

    def start(self):
        pass

    def note_injection(self):
        self.injected = judge.time.monotonic()

    def note_insiders(self):
        pass

    def poll(self):
        return self.code

    def finish(self, _):
        return self.code

    def said(self):
        return self.text

    def row(self):
        return self.kept

    def flags(self):
        return set(self.kept["flags"])

    def samples(self):
        return [{"warmup": False, "wrong": self.kept["wrong"]}]

    def sample_count(self):
        return 1

    def leftovers(self):
        return self.left

    def clear(self):
        pass


def outcome_of(run, expected):
    case = Case(1, "one", lambda *_: expected)
    return judge.try_case(case, 7, "ring", lambda *_: run, "a seed")


class Judgement(unittest.TestCase):
    def setUp(self):
        self.patience = judge._NOTHING_LEFT
        judge._NOTHING_LEFT = 0

    def tearDown(self):
        judge._NOTHING_LEFT = self.patience

    def test_a_run_that_names_the_culprit_is_right(self):
        outcome = outcome_of(EndedRun(), Expectation(codes=(1,), says="rank 2 was killed"))
        self.assertEqual((outcome.failures, outcome.named), ([], True))

    def test_one_that_names_another_is_not(self):
        outcome = outcome_of(EndedRun(), Expectation(codes=(1,), says="rank 3 was killed"))
        self.assertFalse(outcome.named)
        self.assertTrue(outcome.failures)

    def test_a_fault_that_goes_unnoticed_is_a_wrong_sum_accepted(self):
        outcome = outcome_of(EndedRun(code=0, row=RIGHT_ROW), Expectation(codes=(1,), says="rank 2"))
        self.assertTrue(outcome.wrong_accepted)
        self.assertTrue(outcome.failures)

    def test_so_is_a_row_with_a_wrong_or_an_unverified_sum(self):
        for wrong in (1, None):
            run = EndedRun(code=0, row={"wrong": wrong, "flags": []})
            self.assertTrue(outcome_of(run, Expectation(codes=(0,))).wrong_accepted)

    def test_a_row_must_carry_its_flags(self):
        run = EndedRun(code=0, row=RIGHT_ROW)
        self.assertEqual(outcome_of(run, Expectation(codes=(0,), row=("straggler-2",))).failures, [])
        self.assertTrue(outcome_of(run, Expectation(codes=(0,), row=("straggler-1",))).failures)

    def test_nothing_may_be_left(self):
        run = EndedRun(left=["process 4711 (gradwire)"])
        self.assertTrue(outcome_of(run, Expectation(codes=(1,))).failures)

    def test_what_came_too_late_is_tried_again(self):
        tried = []

        def late_twice(*_):
            tried.append(1)
            if len(tried) < 3:
                raise runs.TooLate
            return Expectation(codes=(1,), says="rank 2 was killed")
        case = Case(1, "one", late_twice)
        self.assertEqual(judge.try_case(case, 7, "ring", lambda *_: EndedRun(), "a seed").failures, [])
        self.assertEqual(len(tried), 3)

    def test_what_could_not_be_injected_is_no_success(self):
        def cannot(*_):
            raise OSError("no such namespace")
        case = Case(1, "one", cannot)
        self.assertTrue(judge.try_case(case, 7, "ring", lambda *_: EndedRun(), "a seed").failures)


class Drawing(unittest.TestCase):
    def setUp(self):
        self.pairs = faults.chosen(faults.all_cases(), "", faults.ALGORITHMS)

    def draws(self, seed, count):
        return [(number, case.name, algorithm, random.Random(own).random())
                for number, case, algorithm, own in itertools.islice(faults.drawn(self.pairs, seed), count)]

    def test_the_same_seed_draws_the_same_and_another_does_not(self):
        self.assertEqual(self.draws(1, 200), self.draws(1, 200))
        self.assertNotEqual(self.draws(1, 200), self.draws(2, 200))

    def test_every_pair_comes_once_in_each_round(self):
        names = [draw[1:3] for draw in self.draws(3, 2 * len(self.pairs))]
        self.assertEqual(len(set(names[:len(self.pairs)])), len(self.pairs))
        self.assertEqual(set(names[len(self.pairs):]), set(names))

    def test_planted_stands_for_its_series(self):
        names = {case.name for case, _ in faults.chosen(faults.all_cases(), "planted", faults.ALGORITHMS)}
        self.assertEqual(names, set(planted.SERIES))
        more = {case.name for case, _ in faults.chosen(faults.all_cases(), "planted,kill", faults.ALGORITHMS)}
        self.assertEqual(more, {*planted.SERIES, "kill"})

    def test_parts_are_the_whole_without_overlap(self):
        whole = {number for number, *_ in faults.share(faults.drawn(self.pairs, 1), (1, 1), 100)}
        parts = [[number for number, *_ in faults.share(faults.drawn(self.pairs, 1), (part, 7), 100)]
                 for part in range(1, 8)]
        self.assertEqual(sorted(number for part in parts for number in part), sorted(whole))


class Table(unittest.TestCase):
    def test_parts_add_up_and_none_counts_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number in (1, 2):
                outcome = outcome_of(EndedRun(), Expectation(codes=(1,), says="rank 2"))
                outcome.number = number
                paths.append(Path(folder) / f"{number}.json")
                table.write_json(paths[-1], 1, [outcome])
            together = table.read_parts(paths)
            self.assertEqual(table.rows(together, ("case", "name", "algorithm"))[-1][3:6], [2, 2, 2])  # runs, right, named
            with self.assertRaises(ValueError):
                table.read_parts([paths[0], paths[0]])
            self.assertEqual(json.loads(paths[0].read_text())["seed"], 1)


if __name__ == "__main__":
    unittest.main()
