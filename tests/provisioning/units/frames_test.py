#!/usr/bin/python3
"""Whatever frame comes in at a data port of a host: `guard neighbours` takes it for a neighbour's or for nothing."""

import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
# Hypothesis would write beside the sources.
STORAGE = tempfile.TemporaryDirectory()
os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = STORAGE.name

import programs  # noqa: E402, F401

from gradwire_host import neighbours  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as some  # noqa: E402

WIRING = "bcube(2,2)"
HEADER = b"\xff" * 6 + b"\x02" * 6 + b"\x88\xb5"
ADDRESS = ("bc0", 0x88B5, 1, 1, b"")
# The same examples in every run.
EXAMPLES = settings(max_examples=1000, deadline=None, derandomize=True, database=None)

LEAVES = some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=20) | some.just(WIRING)
VALUES = some.recursive(LEAVES, lambda inner: some.lists(inner, max_size=4)
                        | some.dictionaries(some.sampled_from(["gradwire", "host", "port", "x"]), inner, max_size=4),
                        max_leaves=20)
CLAIMS = some.fixed_dictionaries({"gradwire": some.just(WIRING), "host": VALUES, "port": VALUES})


class Opened:
    """A socket with one frame."""

    def __init__(self, content):
        self.content = content

    def recvfrom(self, most):
        return self.content[:most], ADDRESS


def heard(said):
    return neighbours.receive(Opened(HEADER + said), WIRING)


class Frames(unittest.TestCase):
    """receive() never raises, and what it returns is a host, a port and an address."""

    def check(self, said):
        sender = heard(said)
        if sender is not None:
            self.assertEqual([type(part) for part in sender], [str, int, str])

    @EXAMPLES
    @given(some.binary(max_size=2048))
    def test_of_any_bytes(self, content):
        self.check(content)
        neighbours.receive(Opened(content), WIRING)  # without a header

    @EXAMPLES
    @given(VALUES | CLAIMS)
    def test_of_any_value(self, value):
        self.check(json.dumps(value).encode())

    @EXAMPLES
    @given(some.sampled_from([b"[", b'{"a":', b'{"gradwire": "bcube(2,2)", "host": ', b"[[],"]), some.integers(1, 2000),
           some.binary(max_size=8))
    def test_nested_as_deep_as_a_frame_holds(self, opening, times, rest):
        self.check((opening * times)[:2000] + rest)

    @EXAMPLES
    @given(some.text(max_size=60), some.integers(-1, 1000))
    def test_of_a_neighbour(self, host, port):
        said = json.dumps({"gradwire": WIRING, "host": host, "port": port}).encode()
        self.assertEqual(heard(said.ljust(46)), (host, port, "02:02:02:02:02:02"))

    def test_a_port_beyond_all_numbers(self):
        for port in ("Infinity", "NaN", "1e999", "9" * 1900):
            self.check(f'{{"gradwire": "{WIRING}", "host": "red", "port": {port}}}'.encode())


if __name__ == "__main__":
    unittest.main()
