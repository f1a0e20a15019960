"""Faults of links: ports, cables and switches that go down, or come back."""

import time

import links_quality
import netlink
import spaces
from case import PATIENT, Case, Expectation
from links_common import choose, strike, survives

_NAMED_WITHIN = 3.5  # from the fault to the end of the run: 3 s to be named, and what ending takes


def _down(name):
    netlink.set_up(name, False)


def down_at_rank(run, draw):
    rank, port, name = strike(run, draw, _down, at_switch=False)
    return Expectation(says=rf"error: rank {rank}, port {port}: link down: {name} is down\n", within=_NAMED_WITHIN)


def down_at_switch(run, draw):
    rank, port, _ = strike(run, draw, _down, at_switch=True)
    return Expectation(says=rf"error: rank {rank}, port {port}: link down: ", within=_NAMED_WITHIN)


def _flap(names, seconds):
    for name in names:
        netlink.set_up(name, False)
    time.sleep(seconds)
    for name in names:
        netlink.set_up(name, True)


def flap_at_rank(run, draw):
    seconds = draw.choice((0.1, 1.0))
    rank, port, name = strike(run, draw, lambda name: _flap([name], seconds), at_switch=False)
    run.about += f", {seconds} s"
    return survives(run, rf"rank {rank}, port {port}: {name} was down for (0\.[019]|1\.[012])\d* s, in iteration \d+ of")


def flap_at_switch(run, draw):
    seconds = draw.choice((0.1, 1.0))
    rank, port, _ = strike(run, draw, lambda name: _flap([name], seconds), at_switch=True)
    run.about += f", {seconds} s"
    return survives(run, rf"rank {rank}, port {port}[:,].* was down .*in iteration \d+ of")


def down_before(run, draw):
    """While links are calibrated."""
    run.await_workers()
    rank, port = draw.randrange(run.ranks), draw.randrange(run.ports)
    run.about = f"rank {rank}, port {port}"
    run.note_injection()
    name = spaces.at_end(run, rank, port, False, _down)
    return Expectation(says=rf"error: rank {rank}, port {port}: link down: {name} is down\n", within=_NAMED_WITHIN)


def isolated(run, draw):
    rank, _ = choose(run, draw)
    run.about = f"rank {rank}"
    run.note_injection()
    names = [f"p{port}" for port in range(run.ports)]
    spaces.at_rank(run, rank, lambda: [netlink.set_up(name, False) for name in names] and None)
    return Expectation(says=rf"error: rank {rank}: link down: all its ports are down \(p0, p1\)\n", within=_NAMED_WITHIN)


def _bridge(run, draw):
    choose(run, draw)
    bridges = spaces.ports_by_switch(run)
    name = draw.choice(sorted(bridges))
    run.about = name
    return name, bridges[name]


def switch_down(run, draw):
    name, ports = _bridge(run, draw)
    run.note_injection()
    spaces.at_switches(run, lambda: netlink.set_up(name, False))
    rank, port, _ = ports[0]
    return Expectation(says=rf"error: link down: .*switch.*: {name} is down; behind it: .*rank {rank}, port {port}",
                       within=_NAMED_WITHIN)


def switch_flap(run, draw):
    name, _ = _bridge(run, draw)
    run.note_injection()
    spaces.at_switches(run, lambda: _flap([name], 0.7))
    return survives(run, rf"switch.*: {name} was down for [01]\.\d+ s, in iteration \d+ of")


def switch_ports_down(run, draw):
    """As a switch without power looks to its hosts: all of them lose the carrier."""
    name, ports = _bridge(run, draw)
    run.note_injection()
    spaces.at_switches(run, lambda: [netlink.set_up(end, False) for _, _, end in ports] and None)
    everybody = "".join(rf"(?=.*rank {rank}, port {port})" for rank, port, _ in ports)
    return Expectation(says=rf"error: link down: {everybody}.*switch", within=_NAMED_WITHIN)


def _unplug(end, seconds):
    bridge = netlink.bridge_index(end)
    netlink.set_master(end, 0)
    if seconds is not None:
        time.sleep(seconds)
        netlink.set_master(end, bridge)


def unplugged(run, draw):
    rank, port, end = strike(run, draw, lambda end: _unplug(end, None), at_switch=True)
    return Expectation(says=rf"error: rank {rank}, port {port}: link down: .*switch.*{end} is detached from its switch",
                       within=_NAMED_WITHIN)


def plugged_again(run, draw):
    rank, port, end = strike(run, draw, lambda end: _unplug(end, 0.5), at_switch=True)
    return survives(run, rf"rank {rank}, port {port}, .*switch.*: {end} was detached from its switch for [01]\.\d+ s")


def swizzle(run, draw):
    """Links go down one after the other and come back in another order."""
    choose(run, draw)
    ends = [end for ports in spaces.ports_by_switch(run).values() for _, _, end in ports]
    stop, restore = draw.sample(ends, len(ends)), draw.sample(ends, len(ends))

    def one_by_one():
        for up, order in ((False, stop), (True, restore)):
            for end in order:
                netlink.set_up(end, up)
                time.sleep(0.05)

    run.note_injection()
    spaces.at_switches(run, one_by_one)
    return survives(run, r"was down .*in iteration \d+ of")


CASES = [
    Case(7, "link-down-rank", down_at_rank, experiment=PATIENT),
    Case(7, "link-down-switch", down_at_switch, experiment=PATIENT),
    Case(7, "link-flap-rank", flap_at_rank, experiment=PATIENT),
    Case(7, "link-flap-switch", flap_at_switch, experiment=PATIENT),
    Case(8, "one-of-k-before", down_before, ("bml",), PATIENT),
    Case(8, "one-of-k", down_at_rank, ("bml",), PATIENT),
    Case(9, "isolated", isolated, ("bml",), PATIENT),
    Case(10, "switch-down", switch_down, experiment=PATIENT),
    Case(10, "switch-flap", switch_flap, experiment=PATIENT),
    Case(10, "switch-ports-down", switch_ports_down, experiment=PATIENT),
    Case(10, "unplugged", unplugged, experiment=PATIENT),
    Case(10, "plugged-again", plugged_again, experiment=PATIENT),
    Case(16, "swizzle", swizzle, experiment=PATIENT),
    *links_quality.CASES,
]
