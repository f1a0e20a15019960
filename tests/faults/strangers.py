"""Strangers who find the ports of ranks while these connect. Nobody of the run may notice."""

import os
import resource
import signal
import socket
import struct
import time

import left
import spaces
from case import Case, Expectation
from processes import durations, preload, send
from run import RANKS

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


def is_stopped(pid):
    fields = left.read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return fields[:1] == [b"T"]


def held_at_the_door(run):
    """The rank that is late has stopped itself, and the others listen and wait for it. The workers, and the doors by
    rank."""
    run.wait_until((run.out / "calibration.json").exists, "a calibration")
    run.wait_until(lambda: [pid for pid in run.workers() if is_stopped(pid)], "the rank that is late")
    workers = run.await_workers()
    doors = run.wait_until(lambda: all_doors(run, workers), "the listeners of all others")
    return workers, doors


def all_doors(run, workers):
    doors = [listeners(pid) for pid in workers]
    return doors if all(len(doors[rank]) >= run.ports for rank in range(run.ranks) if rank != run.rank) else None


def let_in(run, words, count):
    """Holds the ranks at their doors, sends strangers to all of these from all networks, and lets the ranks go on."""
    workers, doors = held_at_the_door(run)
    strangers = []

    def end():
        while strangers:
            stranger = strangers.pop()
            send(stranger, signal.SIGKILL)
            os.waitpid(stranger, 0)
    run.closing.append(end)
    for rank, pid in enumerate(workers):
        others = [door for other, found in enumerate(doors) if other != rank for door in found]
        strangers.append(spaces.start_in(run, pid, lambda others=others: intrude(others, words, count)))
    time.sleep(0.3)  # they are there first
    run.note_insiders()
    run.note_injection()
    send(workers[run.rank], signal.SIGCONT)

    def holds(judged):
        end()
        slow = [seconds for seconds in durations(judged) if seconds > 1]
        return f"iterations of {slow} s" if slow else None
    return Expectation(survives=True, within=8, holds=holds)


def strangers_come(run, draw):
    kind = draw.choice(sorted(_WORDS))
    run.about = f"{kind}, rank {run.rank} comes last"
    return let_in(run, _WORDS[kind](draw), _MANY if kind == "many" else draw.randint(1, 3))


def wrong_ranks_come(run, draw):
    return let_in(run, hello_of_another_run(draw), draw.randint(1, 3))


CASES = [
    Case(24, "strangers", strangers_come, prepare=preload("late"), needs=("shim",)),
    Case(25, "wrong-key", wrong_ranks_come, prepare=preload("late"), needs=("shim",)),
]
