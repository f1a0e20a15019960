"""Faults of the workers' processes: killed, ended, stopped, slowed, absent, or of another mind than the others."""

import os
import signal
import time
from pathlib import Path

import cgroup
from case import ALGORITHMS, PATIENT, Case, Expectation
from run import NotReached

_KILLED = {signal.SIGKILL: r"was killed by signal 9 \(Killed\)", signal.SIGABRT: r"was killed by signal 6",
           signal.SIGSEGV: r"was killed by signal 11"}
_FEW = {"iterations": "5"}


def send(pid, what):
    """False when the process is no more."""
    try:
        os.kill(pid, what)
        return True
    except ProcessLookupError:
        return False


def victim(run, draw, workers):
    rank = draw.randrange(run.ranks)
    run.about += f" rank {rank}"
    return rank, workers[rank]


# Moments. Each returns the workers by rank at a moment that was drawn.


def while_starting(run, draw):
    """While links are calibrated."""
    workers = run.await_workers()
    time.sleep(draw.uniform(0, 0.15))
    return workers


def while_connecting(run, draw):
    """While the ranks that will measure find each other, or in the first warm-up."""
    run.wait_until((run.out / "calibration.json").exists, "a calibration")
    workers = run.await_workers()
    time.sleep(draw.uniform(0, 0.04))
    return workers


def while_measuring(run, draw):
    """In an iteration, or between two."""
    run.await_samples(draw.randint(1, 4))
    workers = run.await_workers()
    time.sleep(draw.uniform(0, 0.1))
    return workers


def at_the_end(run, draw):
    """When the last sample of a short run has been written: counting, collecting, going down."""
    workers = run.await_workers()
    run.await_samples(1)
    workers = run.workers() or workers
    run.await_samples(int(_FEW["iterations"]) + draw.randint(0, 1))
    time.sleep(draw.uniform(0, 0.02))
    return workers


_MOMENTS = {"starting": while_starting, "connecting": while_connecting, "measuring": while_measuring}


def drawn_moment(run, draw):
    name = draw.choice(sorted(_MOMENTS))
    run.about = name + ","
    return _MOMENTS[name](run, draw)


def strike(run, pids, what):
    run.note_insiders()
    run.note_injection()
    for pid in pids:
        send(pid, what)


def judge_early_death(run, says, within=5):
    """What must come of a death before anything is measured; a process that was about to be ended anyway, as after a
    calibration, is missed by nobody."""
    until = time.monotonic() + within
    while run.poll() is None and time.monotonic() < until:
        if run.sample_count() > 0:
            return Expectation(survives=True)
        time.sleep(0.005)
    return Expectation(codes=(1,), says=says, within=within, holds=one_incident)


def one_incident(run):
    errors = run.said().count("error:")
    return None if errors == 1 else f"{errors} errors for one incident"


# Cases.


def kill_one(run, draw):
    workers = drawn_moment(run, draw)
    starting = run.about.startswith("starting")
    rank, pid = victim(run, draw, workers)
    strike(run, [pid], signal.SIGKILL)
    says = rf"error: .*\brank {rank} {_KILLED[signal.SIGKILL]}"
    if not starting:
        return Expectation(codes=(1,), says=says, within=5, holds=one_incident)
    return judge_early_death(run, says)


def kill_at_the_end(run, draw):
    rank, pid = victim(run, draw, at_the_end(run, draw))
    strike(run, [pid], signal.SIGKILL)
    return Expectation(codes=(0, 1), says=rf"error: .*\brank {rank} {_KILLED[signal.SIGKILL]}", within=5)


def text_of(ranks):
    ranks = [str(rank) for rank in sorted(ranks)]
    return ", ".join(ranks[:-1]) + " and " + ranks[-1]


def kill_several(run, draw):
    if run.algorithm == "bml" and draw.random() < 0.5:  # all of one switch: a level-0 or a level-1 one
        ranks = draw.choice([(0, 1), (2, 3), (0, 2), (1, 3)])
    else:
        ranks = draw.sample(range(run.ranks), draw.randint(2, run.ranks))
    workers = while_measuring(run, draw)
    run.about = f"ranks {text_of(ranks)}"
    victims = [workers[rank] for rank in ranks]
    strike(run, victims, signal.SIGSTOP)  # or the last would have ended for the loss of the first
    strike(run, victims, signal.SIGKILL)
    says = rf"error: .*\brank {text_of(ranks)} were killed by signal 9"
    return Expectation(codes=(1,), says=says, within=5, holds=one_incident)


def die_of(run, draw):
    workers = while_measuring(run, draw)
    rank, pid = victim(run, draw, workers)
    what = draw.choice([signal.SIGABRT, signal.SIGSEGV])
    run.about += f" {what.name}"
    strike(run, [pid], what)
    return Expectation(codes=(1,), says=rf"error: .*\brank {rank} {_KILLED[what]}", within=5, holds=one_incident)


def preload(*faults):
    """A preparation that has a rank do something by itself in an iteration that is drawn."""
    def prepare(run, draw):
        run.fault = draw.choice(faults)
        run.rank = draw.randrange(run.ranks)
        run.about = f"rank {run.rank} {run.fault}"
        run.environment = {"LD_PRELOAD": str(run.shim), "GRADWIRE_FAULT": run.fault,
                           "GRADWIRE_FAULT_RANK": str(run.rank), "GRADWIRE_FAULT_AFTER": str(draw.randint(1, 5))}
    return prepare


def await_error(run):
    """Nobody outside sees when a preloaded fault happens. The time counts from the last sample before it, or from the
    end of the calibration, which takes long on a busy machine."""
    seen = None
    until = time.monotonic() + 60
    while run.poll() is None and "error:" not in run.said():
        now = (run.sample_count(), (run.out / "calibration.json").exists())
        if now != seen:
            seen = now
            run.note_injection()
            run.note_insiders()
        if time.monotonic() > until:
            raise NotReached("nothing happened")
        time.sleep(0.005)


def exit_early(run, _):
    says = {"exit0": "exited with 0", "exit3": "exited with 3"}[run.fault]
    await_error(run)
    return Expectation(codes=(1,), says=rf"error: .*\brank {run.rank} {says}", within=5, holds=one_incident)


def bad_number(run, _):
    await_error(run)
    value = {"nan": "-?nan", "infinity": "inf"}[run.fault]
    says = rf"error: rank {run.rank}: corrupted: element 1234 of its gradient is {value}"
    return Expectation(codes=(1,), says=says, within=5)


def odd_job(run, _):
    await_error(run)
    return Expectation(codes=(1,), says=rf"error: rank {run.rank}: refused: its Plan does not fit", within=5)


def never_come(run, _):
    run.wait_until((run.out / "calibration.json").exists, "a calibration")
    run.note_injection()
    says = rf"error: rank {run.rank}: stalled: no answer within .* from rank {run.rank} on "
    return Expectation(codes=(6,), says=says, within=9)


def stop_for_good(run, draw):
    rank, pid = victim(run, draw, drawn_moment(run, draw))
    strike(run, [pid], signal.SIGSTOP)
    says = rf"error: .*\brank {rank} stands still \(state T: stopped by signal 19\)"
    return Expectation(codes=(6,), says=says, within=5)


def durations(run):
    """Of the samples, in seconds on the clock."""
    return [sample["wall_ns"] / 1e9 for sample in run.samples()]


def straggler_named(rank, seconds):
    """Where one iteration took about so much longer than all others, the row says whose fault it was, or that other programs
    had the machine. A pause between two iterations lengthens none."""
    def holds(run):
        *_, second, longest = [0, *sorted(durations(run))]
        flags = {flag for sample in run.samples() for flag in sample["flags"]}
        if longest - second >= 0.8 * seconds and not flags & {f"straggler-{rank}", "disturbed"}:
            return f"an iteration took {longest:.2f} s, none else over {second:.2f} s; flags {sorted(flags)}"
        return None
    return holds


def pause(run, draw):
    rank, pid = victim(run, draw, while_measuring(run, draw))
    seconds = draw.choice([0.25, 1.0])
    run.about += f" for {seconds} s"
    strike(run, [pid], signal.SIGSTOP)
    time.sleep(seconds)
    send(pid, signal.SIGCONT)
    return Expectation(survives=True, within=10, holds=straggler_named(rank, seconds))


def slow_by_stops(run, draw):
    """It runs for 40 ms of every 240 ms."""
    rank, pid = victim(run, draw, while_measuring(run, draw))
    strike(run, [pid], signal.SIGCONT)
    until = time.monotonic() + 2
    while time.monotonic() < until:
        send(pid, signal.SIGSTOP)
        time.sleep(0.2)
        send(pid, signal.SIGCONT)
        time.sleep(0.04)
    return Expectation(survives=True, within=10, row=(f"straggler-{rank}",))


def processor_time(pid):
    """That a process has had so far, all its threads together, in seconds."""
    return sum(int(schedstat.read_bytes().split()[0]) for schedstat in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def slow_by_quota(run, draw):
    """In each second it gets what an iteration takes of a processor: slow machines are made no slower than fast ones."""
    rank, pid = victim(run, draw, while_measuring(run, draw))
    begun, before = run.sample_count(), processor_time(pid)
    run.await_samples(begun + 5)
    iteration = (processor_time(pid) - before) / 5
    group = cgroup.make(run, "cpu")
    group.give_quota(iteration)
    strike(run, [], None)
    group.take(pid)
    aim = run.sample_count() + 3
    run.wait_until(lambda: run.sample_count() >= aim, "three slow samples")
    return Expectation(survives=True, within=60, row=(f"straggler-{rank}",))


CASES = [
    Case(1, "kill", kill_one),
    Case(1, "kill-at-the-end", kill_at_the_end, experiment=_FEW),
    Case(2, "kill-several", kill_several),
    Case(4, "die", die_of),
    Case(4, "exit-early", exit_early, prepare=preload("exit0", "exit3"), needs=("shim",)),
    Case(5, "pause", pause),
    Case(5, "stop", stop_for_good),
    Case(6, "slow-by-stops", slow_by_stops),
    Case(6, "slow-by-quota", slow_by_quota, needs=("cpu",), experiment=PATIENT),
    Case(27, "bad-number", bad_number, ALGORITHMS, prepare=preload("nan", "infinity"), needs=("shim",)),
    Case(28, "odd-rank", odd_job, prepare=preload("elements"), needs=("shim",)),
    Case(30, "never-comes", never_come, prepare=preload("absent"), needs=("shim",)),
]
