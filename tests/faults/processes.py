"""Faults of the workers' processes."""

import os
import signal

from case import Case, Expectation


def kill_one(run, draw):
    run.await_samples(draw.randint(1, 3))
    workers = run.await_workers()
    rank = draw.randrange(run.ranks)
    run.about = f"rank {rank}"
    run.note_insiders()
    run.note_injection()
    os.kill(workers[rank], signal.SIGKILL)
    return Expectation(codes=(1,), says=rf"rank {rank} was killed by signal 9", within=3)


CASES = [Case(1, "kill", kill_one)]
