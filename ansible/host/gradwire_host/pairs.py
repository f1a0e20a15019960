"""RDMA between hosts: rping and ib_write_bw of every pair on a switch, all ports at once, and many to one.

Every host runs its turns of the same schedule; whoever comes first waits for the other. The plan's "measure" has
line_rate_gbps (0: the interface's speed), fraction, seconds, wait_seconds, tos, ack_timeout (0: perftest's own) and lossless.
"""

import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from gradwire_host import checks, ports, schedule
from gradwire_host.checks import Outcome
from gradwire_host.system import read_text, run

LEAST_MESSAGE, LARGEST_MESSAGE = 1 << 12, 1 << 20  # bytes
MESSAGES_AT_ONCE = 16  # few: perftest waits for all of them when its time is up, even on a slow link
COUNTERS = re.compile("(rx|tx)_prio[0-7]_pause|rx_discards_phy|np_cnp_sent|rp_cnp_handled|np_ecn_marked_roce_packets|"
                      "out_of_sequence|packet_seq_err|local_ack_timeout_err|rx_out_of_buffer")

DROPS = ("rx_discards_phy", "out_of_sequence", "packet_seq_err", "rx_out_of_buffer", "rx_dropped")
STARVED = 0.1  # of its fair share
PINGS = 10
MARGIN_SECONDS = 1  # not counted, at the beginning and at the end of a measurement


def run_all(plan, kind):
    """Measures all pairs of one kind. Only the receiver reports a bandwidth, but both ends report a failure."""
    numbers = [number for number, _ in checks.present(plan)]
    if kind in ("rping", "bandwidth"):
        rounds = [turns for number in numbers for turns in schedule.pair_turns(plan, number)]
    elif kind == "all-ports":
        rounds = schedule.merged([schedule.full_turns(plan, number) for number in numbers])
    else:
        rounds = [turns for number in numbers for turns in schedule.incast_turns(plan, number)]
    found = []
    for turns in rounds:
        found += KINDS[kind](plan, kind, turns)
    return {"host": plan["host"], "checks": found}


def side_by_side(work, turns):
    if not turns:
        return []
    with ThreadPoolExecutor(max_workers=len(turns)) as workers:
        return list(workers.map(work, turns))


def run_rpings(plan, kind, turns):
    return side_by_side(lambda turn: rping(plan, kind, turn), turns)


def rping(plan, kind, turn):
    own = plan["ports"][turn.port]["address"]
    words = ("rping", "-s", "-a", own) if turn.serves else ("rping", "-c", "-a", turn.address)
    done = converse(plan, turn, (*words, "-p", str(turn.service), "-C", str(PINGS), "-v"), answered)
    good = answered(done)
    return pair_finding(plan, kind, turn, Outcome(
        good, f"{PINGS} answers", f"{PINGS} answers" if good else last_line(done),
        "rping is answered" if good else f"rping fails: {last_line(done)}"))


def answered(done):
    """Whether rping printed all answers. Its exit status may be a failure although all of them came."""
    return done.stdout.count("ping data:") >= PINGS


def run_bandwidths(plan, kind, turns):
    found = side_by_side(lambda turn: bandwidth(plan, kind, turn, judged=True), turns)
    return [one for one in found if one]


def run_incast(plan, kind, turns):
    """Measures many to one. The receiver reports the sum and what its port counted; senders report failures alone."""
    receiving = turns and turns[0].serves
    before = counters(plan, turns[0].port) if receiving else {}
    found = side_by_side(lambda turn: bandwidth(plan, kind, turn, judged=False), turns)
    if not receiving:
        return [one for one in found if one and not one["passed"]]
    number = turns[0].port
    moved = {name: value - before.get(name, 0) for name, value in counters(plan, number).items()
             if value != before.get(name, 0)}
    rates = [one.get("gbps", 0.0) for one in found if one]
    total = sum(rates)
    wanted = line_rate(plan, number) * plan["measure"]["fraction"]
    starved = sum(rate < STARVED * wanted / len(turns) for rate in rates)
    lost = plan["measure"]["lossless"] and any(name in DROPS for name in moved)
    good = total >= wanted and not starved and not lost and all(one is None or one["passed"] for one in found)
    counted = ", ".join(f"{name} +{value}" for name, value in sorted(moved.items())) or "no pauses, marks or drops"
    message = (f"{len(turns)} to one: {total:.3g} Gbit/s, wanted {wanted:.3g}; "
               + (f"{starved} of them starved; " if starved else "")
               + ("drops on a lossless network: " if lost else "") + counted)
    outcome = Outcome(good, f">= {wanted:.3g} Gbit/s", f"{total:.3g} Gbit/s", message)
    whole = checks.finding(plan, kind, outcome, number)
    return [{**whole, "counters": moved}, *(one for one in found if one and not one["passed"])]


def bandwidth(plan, kind, turn, judged):
    """Measures one stream. The receiver reports its rate, which must reach the line rate's fraction if judged.

    Returns None on a sender that has not failed.
    """
    device = ports.rdma_device(plan["ports"][turn.port]["device"])
    index = device and checks.gid_index(device, plan["ports"][turn.port]["device"], plan["ports"][turn.port]["address"])
    if index is None:
        return pair_finding(plan, kind, turn, Outcome(
            False, "a RoCE v2 GID", "none", "has no RoCE v2 GID to measure with"))
    measure = plan["measure"]
    rate = line_rate(plan, turn.port)
    words = ["ib_write_bw", "-d", device[0], "-i", str(device[1]), "-x", str(index), "-p", str(turn.service), "-F",
             "-s", str(message_bytes(rate)), "-t", str(MESSAGES_AT_ONCE), "-Q", "1", "-D", str(measure["seconds"]),
             "-f", str(MARGIN_SECONDS), "--tclass", str(measure["tos"])]
    words += ["-u", str(measure["ack_timeout"])] if measure["ack_timeout"] else []
    done = converse(plan, turn, (*words, *([] if turn.serves else [turn.address])))
    found = average_gbps(done.stdout)
    if done.returncode != 0 or found is None:
        return pair_finding(plan, kind, turn, Outcome(
            False, "a bandwidth", last_line(done), f"ib_write_bw fails: {last_line(done)}"))
    if not turn.serves:
        return None
    wanted = rate * measure["fraction"] if judged else 0.0
    one = pair_finding(plan, kind, turn, Outcome(found >= wanted, f">= {wanted:.3g} Gbit/s", f"{found:.3g} Gbit/s",
                                                 f"receives {found:.3g} Gbit/s, wanted {wanted:.3g}"))
    return {**one, "gbps": found}


def message_bytes(gbps):
    """The largest power of two that a link carries in a twentieth of a second, within the limits of messages.

    perftest counts whole messages, and a slow link carries too few of 1 MiB.
    """
    carried = int(gbps * 1e9 / 8 / 20)
    return min(LARGEST_MESSAGE, max(LEAST_MESSAGE, 1 << max(0, carried.bit_length() - 1)))


def pair_finding(plan, kind, turn, outcome):
    """One line of verification.json about a pair of ports. Its message says the peer and the peer's port, too."""
    where = f"{'from' if turn.serves else 'to'} {turn.peer} port {turn.peer_port}"
    one = checks.finding(plan, kind, outcome._replace(message=f"{where}: {outcome.message}"), turn.port)
    return {**one, "peer": turn.peer}


def ended_well(done):
    return done.returncode == 0


def converse(plan, turn, words, succeeded=ended_well):
    """Runs one end until it succeeds or its time is up, since the other end may not listen yet."""
    if run("ping", "-n", "-q", "-c", "2", "-i", "0.2", "-W", "1", turn.address).returncode != 0:
        return failed(words, f"{turn.address} does not answer")
    measure = plan["measure"]
    deadline = time.monotonic() + measure["wait_seconds"]
    while True:
        done = run(*words, seconds=max(1.0, deadline - time.monotonic()) + measure["seconds"] + 10)
        if succeeded(done) or done.returncode in (124, 127) or time.monotonic() > deadline:
            return done
        time.sleep(0.3)


def failed(words, why):
    return subprocess.CompletedProcess(words, 1, "", why)


def last_line(done):
    lines = [line.strip() for line in (done.stdout + "\n" + done.stderr).splitlines() if line.strip()]
    return lines[-1] if lines else f"exit {done.returncode}"


def average_gbps(text):
    """The average bandwidth in Gbit/s that ib_write_bw printed, or None where it printed no figures.

    Its column "BW average[MB/sec]" counts MiB. Its option for Gbit/s has too few decimals for a slow link.
    """
    rows = [line.split() for line in text.splitlines()]
    figures = [row for row in rows if len(row) >= 5 and all(is_number(word) for word in row[:5])]
    return float(figures[-1][3]) * 8 * 2**20 / 1e9 if figures else None


def is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def line_rate(plan, number):
    given = plan["measure"]["line_rate_gbps"]
    return given or max(0, int(read_text(ports.NET / plan["ports"][number]["device"] / "speed") or 0)) / 1000


def counters(plan, number):
    """{name: count} of the pauses, marks and drops that the port's driver counts."""
    interface = plan["ports"][number]["device"]
    found = {}
    for line in run("ethtool", "-S", interface).stdout.splitlines():
        name, _, value = line.strip().partition(":")
        if COUNTERS.fullmatch(name) and value.strip().isdigit():
            found[name] = int(value)
    device = ports.rdma_device(interface)
    for path in (ports.NET.parent / f"infiniband/{device[0]}/ports/{device[1]}/hw_counters").glob("*") if device else []:
        value = read_text(path) or ""
        if COUNTERS.fullmatch(path.name) and value.isdigit():
            found[path.name] = int(value)
    for name in ("rx_dropped", "tx_dropped"):
        found[name] = int(read_text(ports.NET / interface / "statistics" / name) or 0)
    return found


KINDS = {"rping": run_rpings, "bandwidth": run_bandwidths, "all-ports": run_bandwidths, "incast": run_incast}
