"""What the cases of links have in common."""

import contextlib
import os
import re
import signal
import time

import netlink
import spaces
from case import Expectation
from run import TooLate


RATE = 10**9 // 8 // 8  # bytes per second of a link: 1 Gbit/s at a dilation of 8


_NOTHING = 100_000  # bytes: of links that are calibrated, each carries more than ten times as many


def words(rate):
    """A rate as the program writes it."""
    return re.escape(f"{8 * rate / 1e6:g} Mbit/s")


def choose(run, draw, at_most=4):
    """Waits for a moment, and returns a rank and one of its ports."""
    run.await_samples(draw.randint(1, at_most))
    return draw.randrange(run.ranks), draw.randrange(run.ports)


def strike(run, draw, act, at_switch=None):
    """Waits for a moment, and calls act(name) where the interface of that name is: at a rank's end of a cable or, at_switch,
    at the other; drawn unless given. Returns the rank, its port, and the name."""
    rank, port = choose(run, draw)
    if at_switch is None:
        at_switch = draw.random() < 0.5
    run.about = f"rank {rank}, port {port}, {'the switch' if at_switch else 'its own'} end"
    run.note_injection()
    return rank, port, spaces.at_end(run, rank, port, at_switch, act)


@contextlib.contextmanager
def held(run, rank):
    """Meanwhile the rank stands still, before it has carried anything."""
    worker = run.await_workers()[rank]
    os.kill(worker, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(worker, signal.SIGCONT)


def while_it_starts(run, draw, act, at_switch=False):
    """Calls act(name) at one end of the cable of a port, before its rank has carried anything. Returns the rank, the port and
    the name."""
    run.await_workers()
    rank, port = draw.randrange(run.ranks), draw.randrange(run.ports)
    run.about = f"rank {rank}, port {port}, {'the switch' if at_switch else 'its own'} end"
    with held(run, rank):
        if spaces.at_rank(run, rank, lambda: netlink.carried(f"p{port}")) > _NOTHING:
            raise TooLate
        return rank, port, spaces.at_end(run, rank, port, at_switch, act)


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
