"""The ranks of a process group as processes of this machine, forked from this one so that PyTorch is imported once."""

import multiprocessing
import os
import socket
import tempfile
import traceback
from pathlib import Path

import torch
import torch.distributed as dist

import gradwire.torch  # noqa: F401, which registers the process group

torch.set_num_threads(1)  # a process that has more cannot fork
PATIENCE = 50  # seconds


class Ranks:
    """Processes that each call work(rank, ranks) in a process group of all of them."""

    def __init__(self, ranks, work, backend="gradwire", **options):
        self._folder = tempfile.TemporaryDirectory()
        meeting = {"init_method": f"file://{Path(self._folder.name) / 'store'}", "world_size": ranks} | options
        fork = multiprocessing.get_context("fork")
        self._ends, self.processes = [], []
        for rank in range(ranks):
            mine, theirs = fork.Pipe(duplex=False)
            process = fork.Process(target=_live, args=(theirs, work, backend, meeting | {"rank": rank}))
            process.start()
            theirs.close()
            self._ends.append(mine)
            self.processes.append(process)

    def results(self, but=None):
        """By rank: what work returned, or the exception that ended it. `but`: a rank that says nothing any more."""
        found = []
        for rank, end in enumerate(self._ends):
            if rank == but:
                found.append(None)
            elif end.poll(PATIENCE):
                found.append(end.recv())
            else:
                found.append(TimeoutError(f"rank {rank} says nothing"))
        for rank, process in enumerate(self.processes):
            process.join(0 if rank == but else PATIENCE)
            process.kill()
            process.join()
        self._folder.cleanup()
        return found


def _live(end, work, backend, meeting):
    """The life of a rank."""
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    try:
        dist.init_process_group(backend, **meeting)
        result = work(meeting["rank"], meeting["world_size"])
        end.send(result)
        dist.destroy_process_group()
    except (Exception, KeyboardInterrupt) as error:  # pylint: disable=broad-except
        end.send(RuntimeError(f"{type(error).__name__}: {error}\n{traceback.format_exc()}"))


def run(ranks, work, **options):
    """What work(rank, ranks) returned, by rank. Fails when one of them does."""
    results = Ranks(ranks, work, **options).results()
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results


def free_port():
    """A port of the loopback interface that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
