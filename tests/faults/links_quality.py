"""Faults of links that go on carrying something: other rates, other MTUs, loss, damage, disorder, one direction."""

import socket

import ebpf
import netlink
import spaces
from case import PATIENT, Case, Expectation
from links_common import RATE, choose, strike, survives, while_it_starts, words

_SHARES = (0.001, 0.01, 0.05)


# Rates and MTUs.

def rate_change(run, draw):
    rate = int(RATE * draw.choice((0.1, 0.5, 2)))
    rank, port, end = strike(run, draw, lambda name: netlink.shape(name, rate))
    run.about += f", {rate / RATE:g} of the rate"
    return survives(run, rf"rank {rank}, port {port}.*: the shaper of {end} went from {words(RATE)} to {words(rate)}, "
                         r"in iteration \d+ of")


def slow_from_the_start(run, draw):
    rate = int(RATE * draw.choice((0.1, 0.5, 0.8)))
    rank, port, _ = while_it_starts(run, draw, lambda name: netlink.shape(name, rate))
    return Expectation(codes=(5,), says=rf"error: .*rank {rank}, port {port}: p{port} is shaped to {words(rate)} "
                                        rf"instead of {words(RATE)}", within=30)


def small_mtu_from_the_start(run, draw):
    rank, port, _ = while_it_starts(run, draw, lambda name: netlink.set_mtu(name, 1500))
    # 1 when it came a little later: the rank then finds that it changed.
    return Expectation(codes=(1, 5), says=rf"error: .*rank {rank}, port {port}: .*p{port} has MTU 1500 instead of 9000",
                       within=30)


def small_mtu(run, draw):
    rank, port, end = strike(run, draw, lambda name: netlink.set_mtu(name, 1500))
    return Expectation(says=rf"error: rank {rank}, port {port}: link down: .*{end} has MTU 1500 instead of 9000", within=3.5)


# Loss, damage and disorder.

def _goes_on(run):
    """Lets the fault act for a while. The sums of all samples must be right."""
    run.await_samples(run.sample_count() + 8)
    return Expectation(survives=True, within=30)


def loss(run, draw):
    """What a rank hears is lost where it arrives, what it says is lost where the switch hears it: what a host drops
    before it has left, TCP does not count as lost."""
    share = draw.choice(_SHARES)
    strike(run, draw, lambda name: netlink.decide(name, netlink.INGRESS, netlink.lose(share)))
    run.about += f", {share:.1%} of what comes in"
    # Of a thousandth, perhaps nothing is lost.
    return Expectation(codes=(0,), within=60, row=("packet-loss",) if share > 0.001 else ())


def _unheard(run, rank, port, program, side):
    run.note_injection()
    spaces.at_rank(run, rank, lambda: netlink.decide(f"p{port}", side, program))
    port_named = rf"rank {rank}(, peer \d+)?, port {port}\b.*: no answer: "
    peer_named = rf"no answer: port {port} of rank {rank} acknowledges nothing"
    return Expectation(codes=(6,), says=rf"error: .*({port_named}|{peer_named})", within=6)


def deaf(run, draw):
    rank, port = choose(run, draw)
    run.about = f"rank {rank}, port {port}"
    return _unheard(run, rank, port, [netlink.DROP], netlink.INGRESS)


def mute(run, draw):
    rank, port = choose(run, draw)
    run.about = f"rank {rank}, port {port}"
    return _unheard(run, rank, port, [netlink.DROP], netlink.EGRESS)


def one_way(run, draw):
    """A rank no longer hears one of those that it talks to, which hears it."""
    rank, port = choose(run, draw)
    other = rank ^ (1 << port) if run.ports == 2 else (rank - 1) % run.ranks
    run.about = f"rank {rank}, port {port}, does not hear rank {other}"
    program = netlink.lose_from(spaces.address_of(run, other, port))
    expected = _unheard(run, rank, port, program, netlink.INGRESS)
    # Who sends to it only, may have been hung up on before it was asked.
    expected.says += rf"|error: rank {rank}, peer {other}, port {port}, .*: stalled: "
    return expected


def damage(run, draw):
    rank, port = choose(run, draw)
    run.about = f"rank {rank}, port {port}"
    run.note_injection()
    spaces.at_rank_as_root(
        run, rank, lambda: netlink.decide_by(f"p{port}", netlink.INGRESS, ebpf.load(ebpf.flip(0.05))))
    return Expectation(says=rf"error: rank {rank}, peer \d, port {port}, lane \d+, step \d+: corrupted: frame \d+ that "
                            rf"came over p{port} has CRC32C ", within=6)


def damage_unchecked(run, draw):
    """Without checks of frames, the verification of the sums is what finds it."""
    damage(run, draw)

    def is_wrong(ended):
        row = ended.row()
        return None if row and row["wrong"] and "wrong-data" in ended.flags() else f"a row without wrong sums: {row}"

    return Expectation(codes=(3,), says=None, within=20, holds=is_wrong)


def disorder(run, draw):
    rank, port = choose(run, draw)
    share = draw.choice((0.01, 0.1))
    run.about = f"rank {rank}, port {port}, {share:.0%} late"
    run.note_injection()
    spaces.at_rank(run, rank, lambda: netlink.delay(f"p{port}", share, RATE // 5))
    return _goes_on(run)


def twice(run, draw):
    rank, port = choose(run, draw)
    share = draw.choice((0.01, 0.2))
    run.about = f"rank {rank}, port {port}, {share:.0%} twice"
    run.note_injection()

    def load():
        index = socket.if_nametoindex(f"p{port}")
        netlink.decide_by(f"p{port}", netlink.INGRESS, ebpf.load(ebpf.duplicate(share, index)))

    spaces.at_rank_as_root(run, rank, load)
    return _goes_on(run)


CASES = [
    Case(11, "rate-change", rate_change, experiment=PATIENT),
    Case(12, "slow-from-the-start", slow_from_the_start),
    Case(13, "loss", loss, experiment={"timeout": "5s", "iterations": "40"}),
    Case(13, "deaf", deaf),
    Case(13, "mute", mute),
    Case(14, "damage", damage, needs=("root",)),
    Case(14, "damage-unchecked", damage_unchecked, needs=("root",),
         experiment={"integrity": "off", "iterations": "20"}),
    Case(15, "disorder", disorder),
    Case(15, "twice", twice, needs=("root",)),
    Case(16, "one-way", one_way),
    Case(17, "small-mtu", small_mtu, experiment=PATIENT),
    Case(17, "small-mtu-from-the-start", small_mtu_from_the_start),
]
