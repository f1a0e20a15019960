"""Compares measured times with those that follow from multiply-adds, for each kind of layer.

At an efficiency of 1 a derived profile says what a layer takes at the device's float32 peak or, of a normalization, at the
bandwidth of its memory. That over what was measured is the share that the layer reaches, and the efficiency with which
the derived profile takes as long as the measured one:

    share = sum of times at the peak / sum of measured times, both passes, all layers of a kind

Times of activations and pooling, which have no tensors, are in those of the layers beside them. The peak is that
of float32 outside of tensor cores in every precision, so that shares in TF32 and bf16 may be above 1.
"""

import json
from collections import defaultdict
from dataclasses import asdict, dataclass

from . import papers

NORMALIZATION = "normalization"
# What gradwire calls GPUs whose names begin so. A card of the same name for PCIe has another peak.
DEVICES = {"tesla-k40c": "k40c", "tesla-k80": "k80", "tesla-v100-sxm2": "v100", "nvidia-h100-80gb-hbm3": "h100"}


@dataclass(frozen=True)
class Share:
    """Times of all layers of a kind in one profile, in microseconds."""

    workload: str
    batch: int
    precision: str
    kind: str
    measured: float
    at_peak: float

    @property
    def share(self):
        return self.at_peak / self.measured


def device_of(name):
    """The device whose peak a GPU of this name has; None where gradwire has none."""
    return next((device for start, device in DEVICES.items() if name.startswith(start)), None)


def kinds_of(workload):
    """The kind of layer of each tensor of a workload: that of the first tensor of its module."""
    table = json.loads((papers.ROOT / "workloads" / f"{workload}.json").read_text(encoding="utf-8"))
    kinds, of_module = {}, {}
    for tensor in table["tensors"]:
        module = tensor["name"].rpartition(".")[0]
        kinds[tensor["name"]] = of_module.setdefault(module, _kind(tensor["shape"]))
    return kinds


def _kind(shape):
    if len(shape) == 4:
        return "convolution 1 x 1" if shape[2:] == [1, 1] else "convolution"
    return "fully connected" if len(shape) == 2 else NORMALIZATION


def shares(profile, measured, at_peak):
    """The Shares of a profile, (workload, batch, precision), whose times by tensor are given."""
    sums = defaultdict(lambda: [0.0, 0.0])
    for tensor, kind in kinds_of(profile[0]).items():
        sums[kind][0] += measured[tensor]
        sums[kind][1] += at_peak[tensor]
    return [Share(*profile, kind, *both) for kind, both in sums.items()]


def pooled(all_shares):
    """Pools shares by precision and kind: the share of all profiles together, and the lowest and highest of one."""
    groups = defaultdict(list)
    for each in all_shares:
        groups[each.precision, each.kind].append(each)
    return [{"precision": precision, "kind": kind,
             "share": sum(each.at_peak for each in group) / sum(each.measured for each in group),
             "lowest": min(each.share for each in group), "highest": max(each.share for each in group),
             "profiles": len(group)} for (precision, kind), group in groups.items()]


def to_json(all_shares, device, source, is_gpu):
    """The measured shares as text. `device` is the one whose peak they relate to, `source` the one that computed."""
    rows = [{**asdict(each), "share": each.share} for each in all_shares]
    return json.dumps({"source": source, "is_gpu": is_gpu, "peak_of": device, "pooled": pooled(all_shares),
                       "profiles": rows}, indent=1) + "\n"
