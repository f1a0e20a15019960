"""What the cases of links have in common."""

import re
import time

from case import Expectation


def choose(run, draw, at_most=4):
    """Waits for a moment, and returns a rank and one of its ports."""
    run.await_samples(draw.randint(1, at_most))
    return draw.randrange(run.ranks), draw.randrange(run.ports)


def hear(run, pattern, seconds=5):
    """Waits until the run has said something, or the time is over: what it notices late, it says in a later
    iteration."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and run.poll() is None and not re.search(pattern, run.said()):
        time.sleep(0.01)


def says(pattern):
    """For Expectation.holds."""
    return lambda run: None if re.search(pattern, run.said()) else f"never said {pattern!r}"


def survives(run, pattern, within=15.0):
    """The run goes on, flags its row, and has said what happened."""
    hear(run, pattern)
    return Expectation(survives=True, within=within, row=("link-changed",), holds=says(pattern))
