"""One run with its fault: what came of it, held against what must."""

import random
import re
import signal
import time
from dataclasses import asdict, dataclass, field

import run as runs

_MORE_SAMPLES = 3  # that a run which survives must still measure
_NOTHING_LEFT = 5  # seconds until nothing of a run may be left: the machine may be busy
_ATTEMPTS = 8  # while the machine is too busy for the run itself
_BUSY = "give the machine less to do"
_ENDED_BY_US = 128 + signal.SIGINT


@dataclass
class Outcome:
    """What came of one run. Times are seconds from the injection."""

    number: int
    case: int
    name: str
    algorithm: str
    about: str = ""  # what was drawn
    code: int = None
    first_word: float = None  # until standard error had the first error
    ended: float = None
    named: bool = False  # the culprit; True for a run that had to say nothing
    hang: bool = False
    wrong_accepted: bool = False
    leftovers: list = field(default_factory=list)
    failures: list = field(default_factory=list)  # in words; empty: all is as it must be
    said: str = ""

    def as_json(self):
        return asdict(self)


class TooBusy(Exception):
    """The machine could not carry the links at their rate, and the run refused to measure, or the suite was too late: no
    fault was tried."""


def try_case(case, number, algorithm, make_run, seed):
    """Runs one case and judges it. Everything that it started is gone when this returns. `seed` is of its draws."""
    for _ in range(_ATTEMPTS):
        try:
            return _try_once(case, number, algorithm, make_run, random.Random(seed))
        except TooBusy:
            pass
    outcome = Outcome(number, case.number, case.name, algorithm)
    outcome.failures.append(f"not injected: the machine was too busy {_ATTEMPTS} times")
    return outcome


def _try_once(case, number, algorithm, make_run, draw):
    outcome = Outcome(number, case.number, case.name, algorithm)
    run = make_run(case, algorithm)
    try:
        expected = _inject(case, run, draw)
        _await_end(run, expected, outcome)
        _judge(run, expected, outcome)
        _judge_left(run, outcome)
    except runs.TooLate as late:
        raise TooBusy from late
    except runs.NotReached as reason:
        outcome.failures.append(f"not injected: {reason}")
    except Exception as error:  # pylint: disable=broad-except
        outcome.failures.append(f"not injected: {type(error).__name__}: {error}")  # the suite's own, but a failure
    finally:
        outcome.about = run.about
        outcome.said = run.said()[-600:]
        run.clear()
    if any(_BUSY in text for text in [outcome.said, *outcome.failures]):
        raise TooBusy
    return outcome


def _inject(case, run, draw):
    if case.prepare:
        case.prepare(run, draw)
    if case.starts:
        run.start()
    expected = case.inject(run, draw)
    if run.injected is None:
        run.note_injection()
    run.note_insiders()
    return expected


def _await_end(run, expected, outcome):
    """Waits for the end, which the suite brings about where the run survives."""
    if expected.survives:
        until = run.injected + expected.within
        aim = run.sample_count() + _MORE_SAMPLES
        while run.poll() is None and run.sample_count() < aim and time.monotonic() < until:
            time.sleep(0.005)
        if run.poll() is None:
            if run.sample_count() < aim:
                outcome.failures.append(f"only {run.sample_count()} of {aim} samples after {expected.within} s")
            run.interrupt()
    until = max(time.monotonic(), run.injected + expected.within) + runs.PATIENCE
    while run.poll() is None and time.monotonic() < until:
        if outcome.first_word is None and "error:" in run.said():
            outcome.first_word = time.monotonic() - run.injected
        time.sleep(0.002)
    outcome.hang = run.poll() is None
    if not outcome.hang:
        outcome.code = run.finish(1)
        outcome.ended = time.monotonic() - run.injected
        if outcome.first_word is None and "error:" in run.said():
            outcome.first_word = outcome.ended


def _judge(run, expected, outcome):
    if outcome.hang:
        outcome.failures.append("hang: it did not end")
        return
    codes = (_ENDED_BY_US,) if expected.survives else expected.codes
    by_itself = outcome.code in (0, _ENDED_BY_US)
    if outcome.code not in codes:
        outcome.failures.append(f"ended with {outcome.code}, not with {' or '.join(map(str, codes))}")
        outcome.wrong_accepted = outcome.code == 0
    outcome.named = by_itself or expected.says is None or re.search(expected.says, run.said()) is not None
    if not outcome.named:
        outcome.failures.append(f"does not say {expected.says!r}")
    if not expected.survives and outcome.ended > expected.within:
        outcome.failures.append(f"ended after {outcome.ended:.2f} s, not within {expected.within} s")
    if by_itself:
        _judge_row(run, expected, outcome)
    wrong = expected.holds(run) if expected.holds else None
    if wrong:
        outcome.failures.append(wrong)


def _judge_row(run, expected, outcome):
    """Of a run that ended as if nothing had happened: its sums were verified and right, and it says what happened."""
    row = run.row()
    if row is None:
        outcome.failures.append("no row")
        return
    if row["wrong"] != 0 or any(sample.get("wrong") != 0 for sample in run.samples() if not sample["warmup"]):
        outcome.wrong_accepted = True
        outcome.failures.append("a sum was wrong, or not verified, and the run did not say so")
    missing = set(expected.row or ()) - run.flags()
    if missing:
        outcome.named = False
        outcome.failures.append(f"its row has no flag {', '.join(sorted(missing))}, only {sorted(run.flags())}")


def _judge_left(run, outcome):
    if outcome.hang:
        return  # it is all still there, and is ended by clear()
    until = time.monotonic() + _NOTHING_LEFT
    while True:
        outcome.leftovers = run.leftovers()
        if not outcome.leftovers or time.monotonic() > until:
            break
        time.sleep(0.01)
    if outcome.leftovers:
        outcome.failures.append(f"left: {'; '.join(outcome.leftovers[:5])}")
