"""Faults that a rack hides well: a link a tenth slow, a port that drops long frames, a busy core, a swapped cable."""

import ctypes
import json
import os
import re
import signal
import time

import netlink
import spaces
from case import Case, Expectation
from links_common import RATE, held, hear, says, while_it_starts, words

_TENTH_SLOW = int(0.9 * RATE)
# Whoever asks for "planted" gets these.
SERIES = ("tenth-slow-shaper", "tenth-slow-hidden", "small-mtu", "small-mtu-from-the-start", "small-mtu-hidden", "busy-core",
          "swapped-cable")
_BCUBE = {"wiring": "'bcube(3,2)'", "dilation": "40"}


# A link a tenth slow.

def tenth_slow_shaper(run, draw):
    """As a setting of either end of the cable shows."""
    rank, port, name = while_it_starts(run, draw, lambda name: netlink.shape(name, _TENTH_SLOW), draw.random() < 0.5)
    return Expectation(codes=(5,), says=rf"error: .*rank {rank}, port {port}: {name} is shaped to {words(_TENTH_SLOW)} "
                                        rf"instead of {words(RATE)}", within=30)


def tenth_slow_hidden(run, draw):
    """As no setting of the cable's ends shows: behind one of them, what comes in waits in another queue."""
    at_switch = draw.random() < 0.5
    rank, port, _ = while_it_starts(run, draw, lambda name: netlink.slow_down(name, _TENTH_SLOW), at_switch)
    carries = r"\S+ Mbit/s of payload instead of \S+ Mbit/s \(-([89]|10|11)\.\d %\)"
    place = rf"rank {rank}, port {port}"
    named = rf"{place} {'sends' if at_switch else 'receives'} {carries}, (to|from) rank \d and (to|from) others alike"
    if run.ports == 2:  # only two hosts share a switch: which of them it is, nobody can tell
        link = rf"from {place} to rank \d, port {port}" if at_switch else rf"from rank \d, port {port} to {place}"
        named = rf"the link {link} carries {carries} time after time"
    return Expectation(codes=(5,), says=rf"error: [^;]*: {named}[^;]*$", within=30)


def tenth_slow_at_first(run, draw):
    """As a busy machine makes one look: its rate is right 1.5 s after its rank began to carry something."""
    rank, port, _ = while_it_starts(run, draw, lambda name: netlink.shape(name, _TENTH_SLOW))
    time.sleep(1.5)
    spaces.at_rank(run, rank, lambda: netlink.shape(f"p{port}", RATE))
    run.await_samples(1)
    run.note_injection()

    def holds(ended):
        wiring, = json.loads((ended.out / "calibration.json").read_bytes())["wirings"].values()
        return None if wiring["repeated"] > 0 else "no link was measured again"
    return Expectation(survives=True, within=30, holds=holds)


# A port at MTU 1500.

def small_mtu_hidden(run, draw):
    """As no setting of the cable's ends shows: the switch's port drops what an MTU of 1500 has no room for."""
    rank, port, _ = while_it_starts(run, draw, lambda name: netlink.decide_both(name, netlink.lose_longer(1518)), True)
    named = rf"rank {rank}, port {port}"
    if run.ports == 2:
        named = rf"(rank \d, port {port}, or {named}|{named}, or rank \d, port {port})"
    return Expectation(codes=(1, 6), says=rf"error: [^;]*: {named} passes no frame of MTU 9000, only short ones; ", within=12)


# A busy core.

def _burner_name():
    """No other suite's beside this one: a run names a program of a name once."""
    return f"busy-core-{os.getpid() % 10**5}"


def _burn(core, name):
    """Never returns: under a name of its own, and no longer than its parent lives."""
    libc = ctypes.CDLL(None)
    libc.prctl(1, signal.SIGKILL, 0, 0, 0)
    libc.prctl(15, name.encode(), 0, 0, 0)
    os.sched_setaffinity(0, {core})
    while True:
        pass


def _start_burner(run, core):
    name = _burner_name()
    child = os.fork()
    if child == 0:
        _burn(core, name)
    run.helpers.add(child)

    def end():
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return child, end


def busy_core(run, draw):
    """A program takes one core, of each five that there are, for some iterations."""
    run.await_samples(draw.randint(2, 4))
    cores = sorted(os.sched_getaffinity(0))
    taken = draw.sample(cores, max(1, -(-len(cores) // 5)))
    run.note_insiders()
    run.note_injection()
    burners = [_start_burner(run, core) for core in taken]
    run.about = f"core {', '.join(map(str, taken))}"
    numbers = "|".join(str(number) for number, _ in burners)
    named = rf"most of all {_burner_name()} \(process ({numbers})\): it ran \d+\.\d+ of \d+\.\d+ s, in iteration \d+ of"
    try:
        first = run.sample_count() + 1  # the one under way began before
        until = time.monotonic() + 20
        while run.poll() is None and run.sample_count() < first + 10 and time.monotonic() < until:
            time.sleep(0.05)
        hear(run, named, 10)
        last = run.sample_count()
    finally:
        for _, end in burners:
            end()

    def holds(ended):
        marked = ["disturbed" in sample["flags"] for sample in ended.samples()[first:last]]
        if not all(marked):
            return f"of the {len(marked)} iterations beside a busy core, {marked.count(False)} are not marked"
        return says(named)(ended)
    return Expectation(survives=True, within=45, row=("disturbed",), holds=holds)


# A swapped cable.

def _switch_of(rank, port):
    """Which of the three switches of a level of bcube(3,2) a port belongs to."""
    return rank % 3 if port else rank // 3


def _swap(ends):
    bridges = [netlink.bridge_index(end) for end in ends]
    for end, bridge in zip(ends, reversed(bridges)):
        netlink.set_master(end, bridge)


def swapped_cable(run, draw):
    """The cables of two ports of a level are in each other's switch, before a byte is carried or, where the algorithm uses
    all cables, from some iteration on."""
    port = draw.randrange(run.ports)
    one = draw.randrange(run.ranks)
    other = draw.choice([rank for rank in range(run.ranks) if _switch_of(rank, port) != _switch_of(one, port)])
    starting = run.algorithm != "bml" or draw.random() < 0.5
    run.about = f"rank {one} and {other}, port {port}, {'starting' if starting else 'measuring'}"

    def swap():
        ends = [spaces.switch_end(run, rank, port) for rank in (one, other)]
        run.note_injection()
        spaces.at_switches(run, lambda: _swap(ends))

    if starting:
        run.await_workers()
        with held(run, one):
            swap()
    else:
        run.await_samples(draw.randint(1, 4))
        swap()

    def is_on(rank, place):
        return re.escape(f"rank {rank}, port {port} is on level {port} switch {_switch_of(place, port)} instead of "
                         f"level {port} switch {_switch_of(rank, port)}; ")
    first, second = sorted((one, other))
    return Expectation(codes=(1, 6), says=rf"error: [^;]*: {is_on(first, second)}{is_on(second, first)}", within=12)


CASES = [
    Case(12, "tenth-slow-shaper", tenth_slow_shaper),
    Case(12, "tenth-slow-hidden", tenth_slow_hidden),
    Case(12, "tenth-slow-at-first", tenth_slow_at_first),
    Case(17, "small-mtu-hidden", small_mtu_hidden),
    Case(31, "busy-core", busy_core, experiment={"dilation": "20"}),
    Case(32, "swapped-cable", swapped_cable, experiment=_BCUBE),
]
