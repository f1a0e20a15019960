#!/usr/bin/env python3
"""Sums of the process group are verified: right ones are never called wrong, and a fault on the wire is counted.

The library FLIP_BITS (tests/harness/flip_bits.cc), preloaded, flips a bit of four bytes of what each rank receives, without
checksums of frames to notice. They are four side by side, so that they are of at most two float32.
"""

import ast
import os
import subprocess
import sys
import unittest

import torch
import torch.distributed as dist

import gradwire.torch
import ranks

COUNT = 100_000
SUMS = 40


def sum_gradients(rank, size):
    """What is found of sums of other numbers on every rank, and how many elements are far from what PyTorch makes of them."""
    draw = torch.Generator().manual_seed(7)
    off = 0
    for _ in range(SUMS):
        everybodys = torch.randn((size, COUNT), generator=draw)
        tensor = everybodys[rank].clone()
        dist.all_reduce(tensor)
        off += COUNT - int(((tensor - everybodys.sum(0)).abs() < 1e-3).sum())
    return tuple(gradwire.torch.verify()), off


def sum_every_type(rank, size):
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        dist.all_reduce(torch.randn(1000, generator=torch.Generator().manual_seed(rank)).to(dtype))
    dist.all_reduce(torch.randn(1000).to(dtype), op=dist.ReduceOp.AVG)
    dist.all_reduce(torch.full((1000,), rank, dtype=torch.int64))
    lost = torch.tensor([1.0, float("nan"), float("inf")])
    dist.all_reduce(lost)
    assert lost.isnan().tolist() == [False, True, False] and lost.isinf().tolist() == [False, False, True], lost
    return gradwire.torch.verify()


class Verification(unittest.TestCase):

    def test_right_sums_are_never_wrong(self):
        for algorithm in ("ring", "bml", "ps", "ring(fixed-order)"):
            with self.subTest(algorithm=algorithm):
                options = {"wiring": "bcube(2,2)", "ports": "lo,lo", "algorithm": algorithm, "verify": 1}
                for found in ranks.run(4, sum_every_type, pg_options=options):
                    self.assertEqual(found, gradwire.torch.Verified(sums=7, elements=6003, wrong=0, not_finite=2))

    def test_nothing_is_verified_unasked(self):
        for found in ranks.run(2, sum_every_type):
            self.assertEqual(found, gradwire.torch.Verified(0, 0, 0, 0))

    def run_apart(self, **environment):
        """What ranks of a program of its own find."""
        ended = subprocess.run([sys.executable, __file__, "apart"], capture_output=True, text=True, timeout=100, check=False,
                               env={**os.environ, **environment})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ast.literal_eval(ended.stdout)

    def test_a_fault_on_the_wire_is_counted(self):
        found = self.run_apart(LD_PRELOAD=os.environ["FLIP_BITS"])
        self.assertGreaterEqual(sum(off for _, off in found), 1, "the fault was not planted")
        for (sums, elements, wrong, _), off in found:
            self.assertEqual((sums, elements), (SUMS, SUMS * COUNT))
            self.assertLessEqual(off, wrong)  # bits that count little are seen, too
            self.assertLessEqual(wrong, 4)  # two elements of what each of two ranks received

    def test_without_it_nothing_is(self):
        self.assertEqual(self.run_apart(), [((SUMS, SUMS * COUNT, 0, 0), 0)] * 2)


if __name__ == "__main__":
    if sys.argv[1:] == ["apart"]:
        print(ranks.run(2, sum_gradients, pg_options={"integrity": "off", "verify": 1}))
    else:
        unittest.main(argv=sys.argv[:1])
