#!/usr/bin/env python3
"""What becomes of all others when a rank is killed, stands still, is interrupted or goes wrong."""

import os
import signal
import sys
import unittest
from datetime import timedelta

import torch
import torch.distributed as dist

import ranks


def signalled(victim, number, work, **options):
    """What all but the victim say, which gets a signal once all are at work. `work(rank, size, begun)` calls begun()."""
    reading, writing = os.pipe()
    size = 4
    group = ranks.Ranks(size, lambda rank, size: work(rank, size, lambda: os.write(writing, b"x")), **options)
    for _ in range(size):
        assert os.read(reading, 1) == b"x"
    os.kill(group.processes[victim].pid, number)
    said = group.results(but=victim)
    os.close(reading)
    os.close(writing)
    return [str(said[rank]) for rank in range(size) if rank != victim]


def sum_for_ever(rank, size, begun):
    """Sums until one fails."""
    tensor = torch.ones(10_000)
    for call in range(10**9):
        dist.all_reduce(tensor)
        if call == 2:
            begun()


def wait_for_messages(rank, size, begun):
    """Each waits for the next one, and nobody sends."""
    dist.barrier()
    begun()
    dist.recv(torch.ones(1), (rank + 1) % size)


class Failures(unittest.TestCase):

    def expect_blame(self, said, victim, error="RuntimeError"):
        self.assertEqual(len(said), 3)
        for one in said:
            self.assertRegex(one, f"^{error}: gradwire: [a-z_]+: rank {victim} is at fault: ")

    def test_a_killed_rank_is_named_by_all_others(self):
        for victim in (0, 2):  # rank 0 has the store
            with self.subTest(victim=victim):
                self.expect_blame(signalled(victim, signal.SIGKILL, sum_for_ever), victim)

    def test_a_killed_rank_is_named_by_those_that_wait_for_messages(self):
        self.expect_blame(signalled(2, signal.SIGKILL, wait_for_messages), 2)

    def test_a_stopped_rank_is_named_within_the_time(self):
        self.expect_blame(signalled(2, signal.SIGSTOP, sum_for_ever, timeout=timedelta(seconds=4)), 2)

    def test_ctrl_c_ends_the_wait_of_all(self):
        reading, writing = os.pipe()
        group = ranks.Ranks(3, lambda rank, size: wait_for_messages(rank, size, lambda: os.write(writing, b"x")))
        for _ in range(3):
            self.assertEqual(os.read(reading, 1), b"x")
        os.kill(group.processes[1].pid, signal.SIGINT)
        said = [str(one) for one in group.results()]
        self.assertRegex(said[1], "^KeyboardInterrupt")
        # Of what rank 1 says and its closing of connections, others may see either first.
        gone = "(it has given up|peer 1: peer closed)"
        for rank in (0, 2):
            self.assertRegex(said[rank], f"^RuntimeError: gradwire: recv: rank 1 is at fault: .*{gone}")

    def test_who_ends_early_is_missed(self):
        def early(rank, size):
            if rank == 1:
                raise ValueError("a bug of the script")
            dist.all_reduce(torch.ones(3))

        said = [str(one) for one in ranks.Ranks(3, early).results()]
        self.assertRegex(said[1], "^ValueError: a bug")
        for rank in (0, 2):
            self.assertRegex(said[rank], "^RuntimeError: gradwire: all_reduce: rank 1 is at fault")

    def test_other_options_are_named_before_anything_runs(self):
        def wrong(**options):
            return [str(one) for one in ranks.Ranks(2, lambda rank, size: None, **options).results()]

        for one in wrong(pg_options={"algoritm": "ring"}):
            self.assertRegex(one, "^RuntimeError: gradwire: .*algorithm")
        for one in wrong(pg_options={"wiring": "bcube(3,2)"}):
            self.assertRegex(one, "^RuntimeError: gradwire: the wiring bcube\\(3,2\\) has 9 hosts, and the job 2 ranks")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
