"""GPUs of NVIDIA: what their driver says of each, what the first one's bus carries, and whether RDMA may read its memory."""

import re
from pathlib import Path

from gradwire_host import checks
from gradwire_host.checks import Outcome
from gradwire_host.system import run

FIELDS = ("name", "driver_version", "memory.total", "pcie.link.gen.max", "pcie.link.width.current", "pcie.link.width.max")
QUESTION = ("nvidia-smi", f"--query-gpu={','.join(FIELDS)}", "--format=csv,noheader")
PEERMEM = Path("/sys/module/nvidia_peermem")
BUS = re.compile(r"^bus: ([0-9.]+) GB/s to the host, ([0-9.]+) GB/s to the GPU$", re.MULTILINE)


def outcome_of(line):
    """Of one GPU, by a line that the driver printed: passes when its bus has all the lanes that it could have."""
    told = [word.strip() for word in line.split(",")]
    if len(told) != len(FIELDS):
        return Outcome(False, "a GPU", line, f"nvidia-smi says {line!r} of a GPU")
    name, driver, memory, generation, width, most = told
    found = f"{name}, {memory}, driver {driver}, PCIe {generation}.0 x{width}"
    # The generation falls while nothing is copied, the width does not.
    return Outcome(width == most, f"PCIe x{most}", found, f"GPU {found}, of x{most}")


def peermem_outcome(wanted):
    state = "loaded" if PEERMEM.is_dir() else "not loaded"
    expected = "loaded" if wanted else "any"
    return Outcome(not wanted or state == "loaded", expected, state, f"nvidia-peermem is {state}")


def why_unmeasured(done):
    """What the program said instead of what the bus carries."""
    said = re.search(r"^bus: not measured: (.*)$", done.stdout, re.MULTILINE)
    return said[1] if said else " ".join((done.stderr or done.stdout).split()) or f"it ended with {done.returncode}"


def bus_outcome(wanted):
    """Of pinned copies each way, which gradwire measures if it was built with CUDA. 0 wants nothing of them."""
    done = run(str(checks.PROGRAM), "doctor", "--gpu")
    measured = BUS.search(done.stdout) if done.returncode == 0 else None
    expected = f"{wanted:g} GB/s" if wanted else "any"
    if not measured:
        return Outcome(not wanted, expected, "not measured", f"the GPU's bus was not measured: {why_unmeasured(done)}")
    found = f"{measured[1]} GB/s to the host, {measured[2]} GB/s to the GPU"
    slowest = min(float(measured[1]), float(measured[2]))
    return Outcome(slowest >= wanted, expected, found, f"the GPU's bus carries {found}, wanted {expected}")


def check_gpu(plan):
    """What is found is kept with the results, whether or not it passes."""
    done = run(*QUESTION)
    lines = [line for line in done.stdout.splitlines() if line.strip()] if done.returncode == 0 else []
    outcomes = [outcome_of(line) for line in lines]
    if not outcomes:
        why = " ".join((done.stderr or done.stdout).split()) or "it names none"
        outcomes = [Outcome(False, "a GPU", "none", f"no GPU: {why}")]
    outcomes.append(bus_outcome(plan.get("gpu_gbytes_per_s", 0)))
    outcomes.append(peermem_outcome(plan.get("gpu_peermem", False)))
    return [checks.finding(plan, "gpu", outcome) for outcome in outcomes]
