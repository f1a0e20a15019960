#!/usr/bin/env python3
"""Messages between two ranks, the order of what was started, and what is refused by name."""

import sys
import unittest

import torch
import torch.distributed as dist

import ranks


def mine(rank, count=1000):
    """What a rank sends: each element says whose it is, and where it was."""
    return torch.arange(count) * 100 + rank


def equal(found, wanted):
    """Fails unless both have the same elements."""
    assert torch.equal(found, wanted), f"{found} is not {wanted}"


def round_the_ring(rank, size):
    """Each sends to the next and receives from the one before, the sends first: nobody may wait for the other."""
    for count in (0, 1, 7, 2**20 // 8, 2**20 // 8 + 3, 1_000_000):
        received = torch.zeros(count, dtype=torch.int64)
        sent = dist.isend(mine(rank, count), (rank + 1) % size)
        coming = dist.irecv(received, (rank - 1) % size)
        sent.wait()
        coming.wait()
        equal(received, mine((rank - 1) % size, count))


def everybody_to_everybody(rank, size):
    others = [other for other in range(size) if other != rank]
    received = {other: torch.zeros(1000, dtype=torch.int64) for other in others}
    works = dist.batch_isend_irecv([dist.P2POp(dist.isend, mine(rank) + 10 * other, other) for other in others]
                                   + [dist.P2POp(dist.irecv, received[other], other) for other in others])
    for work in works:
        work.wait()
    for other in others:
        equal(received[other], mine(other) + 10 * rank)


def beside_collectives(rank, size):
    """A message that is received after a collective was called does not hold it up, nor the other way round."""
    received = torch.zeros(1000, dtype=torch.int64)
    coming = dist.irecv(received, (rank - 1) % size)
    total = mine(rank)
    dist.all_reduce(total)
    equal(total, torch.arange(1000) * 100 * size + size * (size - 1) // 2)
    assert not coming.is_completed()
    dist.barrier()
    dist.send(mine(rank), (rank + 1) % size)
    coming.wait()
    equal(received, mine((rank - 1) % size))


def what_lies_apart(rank, size):
    matrix = torch.arange(12).reshape(3, 4)
    found = torch.zeros(3, 4, dtype=torch.int64)
    if rank == 0:
        dist.send(matrix[:, 2], 1)
    elif rank == 1:
        dist.recv(found[:, 1], 0)
        equal(found[:, 1], matrix[:, 2])
        assert found.sum() == matrix[:, 2].sum()


def messages(rank, size):
    for check in (round_the_ring, everybody_to_everybody, beside_collectives, what_lies_apart):
        check(rank, size)


def in_their_order(rank, size):
    """Sums of sums: each is right only when all before it were done before it began."""
    tensor = torch.ones(1000, dtype=torch.int64)
    works = [dist.all_reduce(tensor, async_op=True) for _ in range(10)]
    works[-1].wait()
    assert all(work.is_completed() for work in works)
    equal(tensor, torch.full((1000,), size**10))


def futures(rank, size):
    """A future has the tensors, and what is called when it is done may wait for further collectives."""
    def double(future):
        further = future.value()[0] * 2
        return dist.all_reduce(further, async_op=True).get_future().wait()[0]

    for i in range(5):
        future = dist.all_reduce(torch.full((3,), i), async_op=True).get_future().then(double)
        equal(future.wait(), torch.full((3,), 2 * i * size * size))


def outlives_the_group(rank, size):
    group = dist.new_group()
    work = dist.all_reduce(torch.ones(100_000), group=group, async_op=True)
    dist.destroy_process_group(group)
    del group
    work.wait()
    equal(work.result()[0], torch.full((100_000,), float(size)))


def order(rank, size):
    for check in (in_their_order, futures, outlives_the_group):
        check(rank, size)


def said(what, *arguments, **options):
    """How an operation is refused, up to the end of the line."""
    try:
        what(*arguments, **options)
    except (RuntimeError, ValueError) as error:
        return str(error).splitlines()[0]
    return "nothing"


def refusals(rank, size):
    ones = torch.ones(4)
    return [
        said(dist.all_reduce, ones, op=dist.ReduceOp.MAX),
        said(dist.all_reduce, ones.to(torch.uint8)),
        said(dist.all_reduce, ones.to(torch.int64), op=dist.ReduceOp.AVG),
        said(dist.all_reduce, ones.to_sparse()),
        said(dist.all_gather, [torch.ones(4), torch.ones(5)], ones),
        said(dist.gather, ones, [ones, ones] if rank == 0 else None),
        said(dist.all_to_all_single, ones, ones.clone()),
        said(dist.send, ones, 1 - rank, tag=3),
        said(dist.recv, ones),
        said(dist.all_reduce, ones),
    ]


class Messages(unittest.TestCase):

    def test_two_and_four_ranks(self):
        for size in (2, 4):
            with self.subTest(ranks=size):
                ranks.run(size, messages)

    def test_every_port_of_a_wiring(self):
        ranks.run(4, messages, pg_options={"wiring": "bcube(2,2)", "ports": "lo,lo"})

    def test_another_size_is_named(self):
        def mismatched(rank, size):
            return said(dist.send if rank == 0 else dist.recv, torch.zeros(3 + rank), 1 - rank)

        self.assertIn("it sends 12 byte, and rank 1 receives 16 byte", ranks.run(2, mismatched)[1])


class Order(unittest.TestCase):

    def test_of_what_was_started(self):
        ranks.run(3, order)


class Refusals(unittest.TestCase):

    def test_say_what_is_possible(self):
        sums = "it sums float32, float64, float16, bfloat16, int32 and int64"
        wanted = [
            "gradwire: all_reduce does not know MAX: it knows SUM and AVG",
            f"gradwire: all_reduce does not sum Byte: {sums}",
            "gradwire: all_reduce makes no AVG of Long: it makes SUM of whole numbers",
            "gradwire: all_reduce does not take sparse tensors: it takes dense ones, see Tensor.to_dense()",
            "gradwire: all_gather takes tensors of one type and shape, not Float [5] beside Float [4]",
            "gradwire: there is no gather: all_gather gives the tensors to every rank",
            "gradwire: there is no all_to_all_single: all_gather gives all blocks to every rank",
            "gradwire: send knows no tags: a rank's messages arrive in the order in which it sends them",
            "gradwire: there is no recv from any rank: recv names the rank that it receives from",
            "nothing",
        ]
        for found in ranks.run(2, refusals):
            self.assertEqual(found, wanted)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
