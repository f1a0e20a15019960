#!/usr/bin/env python3
"""What collectives of the process group leave in tensors is what PyTorch's own arithmetic makes of all ranks' tensors.

Rank r begins with (r + 1) * (i % 5 + 1) in element i. Sums over nine ranks are 225 at most: exact in every type, in
whatever order they are added, and each says whose numbers are in it.
"""

import sys
import unittest

import torch
import torch.distributed as dist

import ranks

SUMMED = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64)
MOVED = SUMMED + (torch.uint8, torch.bool, torch.complex64)


def mine(rank, dtype=torch.float32, shape=(3, 7)):
    """What a rank begins with."""
    elements = torch.arange(torch.Size(shape).numel()) % 5 + 1
    return ((rank + 1) * elements).to(dtype).reshape(shape)


def total(size, dtype=torch.float32, shape=(3, 7)):
    """The sum over all ranks."""
    return torch.stack([mine(rank, dtype, shape) for rank in range(size)]).sum(0, dtype=dtype)


def equal(found, wanted):
    """Fails unless both have the same type and bits."""
    assert found.dtype == wanted.dtype and torch.equal(found, wanted), f"{found} is not {wanted}"


def sums(rank, size):
    for dtype in SUMMED:
        tensor = mine(rank, dtype)
        dist.all_reduce(tensor)
        equal(tensor, total(size, dtype))
        tensor = mine(rank, dtype)
        dist.reduce(tensor, size - 1)
        equal(tensor, total(size, dtype) if rank == size - 1 else mine(rank, dtype))
        parts = [mine(rank, dtype) + i for i in range(size)]
        part = torch.empty_like(parts[0])
        dist.reduce_scatter(part, parts)
        equal(part, (total(size) + size * rank).to(dtype))
        dist.reduce_scatter_tensor(part, torch.cat(parts))
        equal(part, (total(size) + size * rank).to(dtype))


def means(rank, size):
    for dtype in SUMMED[:4]:
        tensor = mine(rank, dtype)
        dist.all_reduce(tensor, op=dist.ReduceOp.AVG)
        equal(tensor, total(size, dtype) / size)


def moves(rank, size):
    for dtype in MOVED:
        tensor = mine(rank, dtype)
        dist.broadcast(tensor, 1)
        equal(tensor, mine(1, dtype))
        everybodys = [mine(i, dtype) for i in range(size)]
        found = [torch.zeros_like(tensor) for _ in range(size)]
        dist.all_gather(found, mine(rank, dtype))
        for one, wanted in zip(found, everybodys):
            equal(one, wanted)
        one = torch.zeros((3 * size, 7), dtype=dtype)
        dist.all_gather_into_tensor(one, mine(rank, dtype))
        equal(one, torch.cat(everybodys))


def what_lies_apart(rank, size):
    """Columns of a matrix, and a tensor that is transposed."""
    matrix = torch.zeros(7, 3)
    matrix.copy_(mine(rank).t())
    dist.all_reduce(matrix.t())
    equal(matrix, total(size).t())
    columns = mine(rank)
    dist.broadcast(columns[:, 2], 0)
    equal(columns[:, 2], mine(0)[:, 2])
    equal(columns[:, 3], mine(rank)[:, 3])
    found = [torch.zeros(7, 3).t() for _ in range(size)]
    dist.all_gather(found, mine(rank))
    equal(torch.stack(found), torch.stack([mine(i) for i in range(size)]))


def odds_and_ends(rank, size):
    dist.all_reduce(torch.empty(0))
    one = torch.tensor(float(rank))
    dist.all_reduce(one)
    equal(one, torch.tensor(size * (size - 1) / 2))
    dist.barrier()
    objects = [None] * size
    dist.all_gather_object(objects, {"rank": rank})
    assert objects == [{"rank": i} for i in range(size)], objects


def everything(rank, size):
    for check in (sums, means, moves, what_lies_apart, odds_and_ends):
        check(rank, size)
    return dist.get_backend()


class Collectives(unittest.TestCase):

    def test_two_four_and_nine_ranks(self):
        for size in (2, 4, 9):
            with self.subTest(ranks=size):
                self.assertEqual(ranks.run(size, everything), ["gradwire"] * size)

    def test_algorithms_of_a_wiring_of_two_ports(self):
        for algorithm in ("bml", "ps"):
            with self.subTest(algorithm=algorithm):
                options = {"wiring": "bcube(2,2)", "ports": "lo,lo", "algorithm": algorithm}
                ranks.run(4, sums, pg_options=options)

    def test_a_single_rank(self):
        ranks.run(1, sums)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
