"""Strangers who find the ports of ranks while these connect. Nobody of the run may notice."""

import os
import resource
import signal
import socket
import struct
import time

import left
from case import Case, Expectation
from processes import durations, send
from run import NotReached, RANKS

_LISTENING = "0A"
_STAY = 4  # seconds, at most
_MANY = 700  # connections from each rank's network to each listener

_HTTP = b"GET / HTTP/1.1\r\nHost: rank\r\n\r\n"
_TLS = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(32))


def hello_of_another_run(draw):
    """What a rank would say, of a run with another key; and a proof that proves nothing."""
    numbers = struct.pack("<5I", 0, draw.randrange(RANKS), 0, draw.randrange(RANKS), 0)
    return b"GRADWIRE" + struct.pack("<I", 2) + draw.randbytes(8) + numbers + draw.randbytes(16) + draw.randbytes(32)


# By name: what they say, from a random.Random. None: one byte at a time.
_WORDS = {
    "silent": lambda _: b"",
    "short": lambda draw: b"GRADWIRE"[:draw.randint(1, 7)],
    "garbage": lambda draw: draw.randbytes(draw.randint(8, 200)),
    "http": lambda _: _HTTP,
    "tls": lambda _: _TLS,
    "huge-length": lambda _: b"GRADWIRE" + b"\xff" * 48,
    "flood": lambda draw: draw.randbytes(1000) * 1000,
    "slow": lambda _: None,
    "many": lambda _: b"",
}


def listeners(pid):
    """(address, port) of the sockets that listen in a process's network namespace."""
    found = []
    for line in left.read(f"/proc/{pid}/net/tcp").decode().splitlines()[1:]:
        fields = line.split()
        if fields[3] == _LISTENING:
            address, port = fields[1].split(":")
            found.append((socket.inet_ntoa(struct.pack("<I", int(address, 16))), int(port, 16)))
    return found


def call(where):
    """A connection under way, or None when there is no way to it from here."""
    connection = socket.socket()
    connection.setblocking(False)
    try:
        connection.connect(where)
    except BlockingIOError:
        pass
    except OSError:
        connection.close()
        return None
    return connection


def speak(connections, words):
    for connection in connections:
        try:
            connection.settimeout(0.2)
            connection.sendall(words)
        except OSError:
            pass  # it was dropped


def intrude(doors, words, count):
    """What one stranger does, in a process of its own in a rank's network."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    connections = [call(door) for door in doors for _ in range(count)]
    connections = [connection for connection in connections if connection]
    until = time.monotonic() + _STAY
    if words is not None:
        speak(connections, words)
    while time.monotonic() < until:
        if words is None:
            speak(connections, b"G")
        time.sleep(0.05)


def held_at_the_door(run, ranks, attempts=("the calibration", "the measuring")):
    """Stops the last rank while all others listen and wait for it. Returns the workers, and the doors by rank."""
    for attempt in attempts:
        if attempt == "the measuring":
            run.wait_until((run.out / "calibration.json").exists, "a calibration")
        workers = run.await_workers()
        send(workers[-1], signal.SIGSTOP)
        until = time.monotonic() + 1
        while time.monotonic() < until:
            doors = [listeners(pid) for pid in workers[:-1]]
            if all(len(found) >= ranks for found in doors):
                run.about += f", before {attempt}"
                return workers, doors
            time.sleep(0.005)
        send(workers[-1], signal.SIGCONT)
    raise NotReached("the last rank was stopped too late, twice")


def let_in(run, words, count):
    """Holds the ranks at their doors, sends strangers to all of these from all networks, and lets the ranks go on."""
    workers, doors = held_at_the_door(run, run.ports)
    strangers = []

    def end():
        for stranger in strangers:
            send(stranger, signal.SIGKILL)
            os.waitpid(stranger, 0)
    run.closing.append(end)
    for rank, pid in enumerate(workers):
        others = [door for other, found in enumerate(doors) if other != rank for door in found]
        strangers.append(run.inside(pid, lambda others=others: intrude(others, words, count)))
    time.sleep(0.3)  # they are there first
    run.note_insiders()
    run.note_injection()
    send(workers[-1], signal.SIGCONT)

    def holds(judged):
        slow = [seconds for seconds in durations(judged) if seconds > 1]
        return f"iterations of {slow} s" if slow else None
    return Expectation(survives=True, within=8, holds=holds)


def strangers_come(run, draw):
    kind = draw.choice(sorted(_WORDS))
    run.about = kind
    return let_in(run, _WORDS[kind](draw), _MANY if kind == "many" else draw.randint(1, 3))


def wrong_ranks_come(run, draw):
    run.about = "with another key"
    return let_in(run, hello_of_another_run(draw), draw.randint(1, 3))


CASES = [
    Case(24, "strangers", strangers_come),
    Case(25, "wrong-key", wrong_ranks_come),
]
