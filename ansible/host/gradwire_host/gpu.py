"""GPUs of NVIDIA: what their driver says of each, of its bus, and whether RDMA devices may read their memory."""

from pathlib import Path

from gradwire_host import checks
from gradwire_host.checks import Outcome
from gradwire_host.system import run

FIELDS = ("name", "driver_version", "memory.total", "pcie.link.gen.max", "pcie.link.width.current", "pcie.link.width.max")
QUESTION = ("nvidia-smi", f"--query-gpu={','.join(FIELDS)}", "--format=csv,noheader")
PEERMEM = Path("/sys/module/nvidia_peermem")


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


def check_gpu(plan):
    """What is found is kept with the results, whether or not it passes."""
    done = run(*QUESTION)
    lines = [line for line in done.stdout.splitlines() if line.strip()] if done.returncode == 0 else []
    outcomes = [outcome_of(line) for line in lines]
    if not outcomes:
        why = " ".join((done.stderr or done.stdout).split()) or "it names none"
        outcomes = [Outcome(False, "a GPU", "none", f"no GPU: {why}")]
    outcomes.append(peermem_outcome(plan.get("gpu_peermem", False)))
    return [checks.finding(plan, "gpu", outcome) for outcome in outcomes]
