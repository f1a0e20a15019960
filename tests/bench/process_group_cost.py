#!/usr/bin/python3
"""What PyTorch's process group costs beside libgradwire, and how soon a killed rank is named.

    PYTHONPATH=build/release/library/pytorch tests/bench/process_group_cost.py build/release/library/libgradwire.so

Two ranks sum one element, by dist.all_reduce and by gradwire_all_reduce, which run the same Plan over the loopback
interface. Each round times both, who goes first alternates, and gives the difference of their medians. Then one of four
ranks that sum for ever is killed, and the time until the last of the others has an exception that names it is taken.
Prints medians and the worst. Let nothing else run. Ends with 1 when a rank is not named.
"""

import argparse
import ctypes
import os
import signal
import statistics
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "library" / "pytorch"))

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

import ranks  # noqa: E402

FLOAT32 = 0


class Job:
    """A job of libgradwire, by its C ABI."""

    def __init__(self, library, rank, size, port):
        self.library = ctypes.CDLL(library)
        self.library.gradwire_error_text.restype = ctypes.c_char_p
        texts = [f"rank={rank}", f"ranks={size}", f"store=127.0.0.1:{port}"]
        options = (ctypes.c_char_p * (len(texts) + 1))(*(text.encode() for text in texts), None)
        self.job = ctypes.c_void_p()
        if self.library.gradwire_init(options, ctypes.byref(self.job)):
            raise RuntimeError(self.library.gradwire_error_text(None).decode())
        self.memory = (ctypes.c_float * 1)()

    def all_reduce(self):
        if self.library.gradwire_all_reduce(self.job, self.memory, ctypes.c_size_t(1), FLOAT32):
            raise RuntimeError(self.library.gradwire_error_text(self.job).decode())

    def finalize(self):
        self.library.gradwire_finalize(self.job)


def median_us(call, calls):
    """Of so many calls, in microseconds."""
    times = []
    for _ in range(calls):
        begun = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - begun)
    return statistics.median(times) / 1000


def time_both(library, port, asked):
    """What a rank does: its medians of each round, by process group and by C ABI."""
    def work(rank, size):
        job, tensor = Job(library, rank, size, port), torch.zeros(1)
        ways = [lambda: dist.all_reduce(tensor), job.all_reduce]
        for way in ways:
            median_us(way, asked.calls)  # connects, and warms up
        found = []
        for number in range(asked.rounds):
            times = [0, 0]
            for which in (0, 1) if number % 2 == 0 else (1, 0):
                dist.barrier()
                times[which] = median_us(ways[which], asked.calls)
            found.append(times)
        dist.barrier()
        job.finalize()
        return found
    return work


def print_cost(library, asked):
    port = ranks.free_port()
    found = ranks.run(2, time_both(library, port, asked))[0]
    group, plain = (statistics.median(times) for times in zip(*found))
    low, middle, high = statistics.quantiles([group - plain for group, plain in found], n=4)
    print(f"1 element, 2 ranks: process group {group:.1f} us, C ABI {plain:.1f} us; "
          f"difference {middle:.1f} us (middle half {low:.1f} to {high:.1f}, {len(found)} rounds of {asked.calls} calls)",
          flush=True)


def until_named(victim, size=4):
    """Seconds from the kill until the last of the others has an exception that names the victim."""
    reading, writing = os.pipe()

    def work(rank, size):
        tensor = torch.zeros(10_000)
        try:
            for call in range(10**9):
                dist.all_reduce(tensor)
                if call == 10:
                    os.write(writing, b"x")
        except RuntimeError as error:
            return time.monotonic(), str(error)
        return None

    group = ranks.Ranks(size, work)
    for _ in range(size):
        os.read(reading, 1)
    killed = time.monotonic()
    os.kill(group.processes[victim].pid, signal.SIGKILL)
    said = [one for rank, one in enumerate(group.results(but=victim)) if rank != victim]
    os.close(reading)
    os.close(writing)
    for one in said:
        if not isinstance(one, tuple) or f"rank {victim} is at fault" not in one[1]:
            raise RuntimeError(f"rank {victim} was killed, and another says: {one}")
    return max(moment for moment, _ in said) - killed


def print_kills(asked):
    for victim in (0, 2):
        taken = [until_named(victim) for _ in range(asked.kills)]
        print(f"kill -9 of rank {victim} of 4: named by all others after {1000 * statistics.median(taken):.0f} ms, "
              f"at worst {1000 * max(taken):.0f} ms ({len(taken)} times)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="libgradwire.so")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--calls", type=int, default=500, help="of each round")
    parser.add_argument("--kills", type=int, default=10, help="of each rank that is killed")
    asked = parser.parse_args()
    print_cost(str(Path(asked.library).resolve()), asked)
    try:
        print_kills(asked)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
