"""Description of what a model was timed on: device, versions and clocks."""

import os
import platform
import subprocess
import time
from pathlib import Path

import torch

_ASKED = "name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem"
_PATIENCE = 30  # seconds for nvidia-smi


def describe(device, load):
    """Describes the device in one line. A GPU's clocks are read while `load` computes iterations and waits for them."""
    text = _gpu(device, load) if device.type == "cuda" else f"{_processor()}, {_threads()}"
    return " ".join(f"{text}, torch {torch.__version__}".split())


def _gpu(device, load):
    name = torch.cuda.get_device_name(device)
    libraries = f"CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}"
    return f"{name}, {driver_and_clocks(name, _id_of(device), load)}, {libraries}, TF32 in {_tf32(device)}"


def driver_and_clocks(name, gpu, load):
    """Asks nvidia-smi about the GPU of this id while load() runs, once at least. Other GPUs are not asked."""
    command = ["nvidia-smi", f"--id={gpu}", f"--query-gpu={_ASKED}", "--format=csv,noheader,nounits"]
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as asked:
            try:
                until = time.monotonic() + _PATIENCE
                load()
                while asked.poll() is None and time.monotonic() < until:
                    load()
            finally:
                asked.kill()  # which changes nothing when it has ended
            told = [each.strip() for each in asked.stdout.read().split(",")]
    except OSError:
        told = []
    if len(told) != len(_ASKED.split(",")) or told[0] != name:
        return "driver and clocks unknown"
    _, driver, processors, most_processors, memory, most_memory = told
    return f"driver {driver}, SM at {processors} of {most_processors} MHz, memory at {memory} of {most_memory} MHz"


def _id_of(device):
    """The GPU's number or name for nvidia-smi."""
    uuid = getattr(torch.cuda.get_device_properties(device), "uuid", None)
    if uuid is not None:
        return f"GPU-{uuid}"
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
    return visible[device.index] if device.index < len(visible) and visible[device.index] else device.index


def _tf32(device):
    """Names the operations that compute float32 with TF32."""
    if torch.cuda.get_device_capability(device) < (8, 0):
        return "nothing"
    allowed = {"convolutions": torch.backends.cudnn.allow_tf32, "matrix products": torch.backends.cuda.matmul.allow_tf32}
    return " and ".join(name for name, is_allowed in allowed.items() if is_allowed) or "nothing"


def _threads():
    count = torch.get_num_threads()
    return f"{count} thread{'s' if count > 1 else ''}"


def _processor():
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
