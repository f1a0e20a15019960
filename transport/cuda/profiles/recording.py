"""Records models on a device, in a precision, with batches of random images."""

import re
import sys
from contextlib import contextmanager

from . import papers

sys.path[:0] = [str(papers.ROOT / "library" / "pytorch"), str(papers.ROOT / "library" / "examples")]

import torch  # noqa: E402
from models import MODELS, random_batch  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from gradwire import recorder  # noqa: E402

def lacks(device, precision):
    """The reason why the device does not compute in a precision; empty where it does."""
    if precision == "float32" or (device.type, precision) == ("cpu", "bf16"):
        return ""
    is_capable = device.type == "cuda" and torch.cuda.get_device_capability(device) >= (8, 0)
    return "" if is_capable else f"{name_of(device)} has no {precision}"


def name_of(device):
    """The name of the device for file names."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


@contextmanager
def numbers(precision):
    """Sets how float32 computes in a precision, and restores the settings afterwards."""
    flags = (torch.backends.cuda.matmul, torch.backends.cudnn)
    before = [each.allow_tf32 for each in flags]
    for each in flags:
        each.allow_tf32 = precision == "tf32"
    try:
        yield
    finally:
        for each, was_allowed in zip(flags, before):
            each.allow_tf32 = was_allowed


class Recording:
    """Recorder of a model on a device."""

    def __init__(self, name, device, iterations):
        self._entry = MODELS[name]
        self._device = device
        self._iterations = iterations
        self._model = self._entry.make().to(device).train()

    def profile(self, batch, precision):
        """Records a profile. Raises torch's RuntimeError where the device's memory is too small."""
        images, labels = (part.to(self._device) for part in random_batch(self._entry, batch))

        def loss():
            with torch.autocast(self._device.type, torch.bfloat16, enabled=precision == "bf16"):
                return F.cross_entropy(self._model(images), labels)

        said = {"bf16": "bf16 by autocast"}.get(precision, precision)
        with numbers(precision):
            return recorder.record(self._model, loss, iterations=self._iterations,
                                   of=f"{self._entry.title}, batch {batch}, {said},")
