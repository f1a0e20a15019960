"""Records how long the layers of a model compute, and when the gradient of each tensor is ready to be sent.

    gradwire.recorder.record(model, lambda: criterion(model(images), labels), "mine.csv")

An experiment reads the file as `compute: {trace: mine.csv}`, and `gradwire workload show mine.csv` draws it.
"""

import math
import statistics
from dataclasses import dataclass
from pathlib import Path

import torch

from gradwire._clocks import clocks_for
from gradwire._stopwatch import Stopwatch
from gradwire._where import describe

TIMED_DEVICES = ("cpu", "cuda")
# Iterations before the first that is timed: memory is taken, and libraries choose how they compute.
WARM_UP = 3
# Layers that add up to something else than an iteration, by a larger share of it, are flagged.
BAND = 0.03


@dataclass(frozen=True)
class Passes:
    """Medians of one tensor's times and their interquartile ranges, in microseconds."""

    forward: float  # of the module that the tensor belongs to, with what came before it; 0 for its further tensors
    backward: float  # since the gradient before this one was ready; of the first, since the backward pass began
    forward_range: float  # between the quartiles of iterations; NaN where there was a single one
    backward_range: float


@dataclass(frozen=True)
class Timing:
    """Times of one tensor of parameters."""

    tensor: str
    elements: int
    passes: Passes
    synchronized: Passes = None  # the same with a GPU synchronized before each time is taken; None elsewhere

    @property
    def forward(self):
        return self.passes.forward

    @property
    def backward(self):
        return self.passes.backward


@dataclass(frozen=True)
class Profile:
    """Recorded times: their source, and the tensors in forward order; the last one's gradient is ready first."""

    source: str
    tensors: tuple
    iteration: float  # median without hooks, in microseconds

    @property
    def layers(self):
        """Sum of the layers' times, in microseconds."""
        return sum(each.forward + each.backward for each in self.tensors)

    @property
    def deviation(self):
        """Excess of the layers' sum over the iteration, as a share of the iteration."""
        return self.layers / self.iteration - 1 if self.iteration else math.nan

    @property
    def is_flagged(self):
        """Whether the layers' sum deviates from the iteration by more than BAND."""
        return not abs(self.deviation) <= BAND

    @property
    def excess(self):
        """Excess of the layers' sum when a GPU is synchronized before each time, as a share; None without a GPU."""
        if any(each.synchronized is None for each in self.tensors):
            return None
        return sum(each.synchronized.forward + each.synchronized.backward for each in self.tensors) / self.layers - 1

    def findings(self):
        """Sentences on how far the profile can be trusted."""
        flag = f"; FLAGGED: over {100 * BAND:.0f} % apart" if self.is_flagged else ""
        found = [f"layers add up to {self.layers:.1f} us, an iteration without hooks takes {self.iteration:.1f} us: "
                 f"{100 * self.deviation:+.1f} %{flag}"]
        if self.excess is not None:
            found.append(f"synchronized before each time is taken, layers add up to {100 * self.excess:+.1f} %")
        return found

    def to_csv(self):
        """The trace as CSV text."""
        lines = ["# gradwire-trace: 1", f"# source: {self.source}", *(f"# {found}" for found in self.findings()),
                 "tensor,elements,forward_us,backward_us"]
        lines += [f"{each.tensor},{each.elements},{each.forward:.3f},{each.backward:.3f}" for each in self.tensors]
        return "\n".join(lines) + "\n"

    def spread_csv(self):
        """CSV of each tensor's interquartile ranges, and on a GPU the times with it synchronized and their excess."""
        lines = [f"# source: {self.source}", "tensor,forward_range_us,backward_range_us,"
                 "synchronized_forward_us,synchronized_backward_us,excess_us"]
        for each in self.tensors:
            numbers = [each.passes.forward_range, each.passes.backward_range]
            if each.synchronized is not None:
                both = (each.synchronized.forward, each.synchronized.backward)
                numbers += [*both, sum(both) - each.forward - each.backward]
            cells = [f"{number:.3f}" for number in numbers]
            lines.append(",".join([each.tensor, *cells, *[""] * (5 - len(cells))]))
        return "\n".join(lines) + "\n"

    def write(self, path):
        """Writes the trace to a file, which it replaces."""
        Path(path).write_text(self.to_csv(), encoding="utf-8")


def record(model, loss, path=None, *, iterations=20, of=None):
    """Times forward and backward passes of `model`, and returns the Profile.

    `loss` takes no argument, computes the model's loss of one batch and returns it, a tensor of one element. It is called
    WARM_UP times untimed, `iterations` times timed as a whole and as often with hooks on every tensor; of each time the
    median is kept. Parameters stay as they are, and so do the gradients that they had; what the model itself keeps, as
    batch normalization does, goes on. With `path` the trace is written there. `of` says what was timed in the trace's
    source line; without it stands the model's class.

    A gradient is ready when it has been added to what the tensor had, which is when DistributedDataParallel takes it.
    On a GPU times are those of CUDA events in the current stream, and nothing is synchronized before the last iteration.
    Further `iterations` are timed with the device synchronized before each time. A model on several devices has these times
    alone. Frozen parameters are left out.

    Raises ValueError for a model without gradients, one that is wrapped in DistributedDataParallel, and tensors on devices
    other than CPUs and CUDA's; RuntimeError where a tensor got no gradient.
    """
    if iterations < 1:
        raise ValueError(f"{iterations} iterations: at least one is timed")
    tensors = _tensors_of(model)
    clocks = clocks_for({each.device for each in tensors.values()})
    stopwatch = Stopwatch(model, tensors)
    with stopwatch.gradients_put_aside():
        stopwatch.warm_up(loss, clocks.profile, WARM_UP)
        wholes, samples = stopwatch.measure(loss, clocks.profile, iterations)
        synchronized = clocks.synchronized and stopwatch.samples(loss, clocks.synchronized, iterations)
        device = next(iter(tensors.values())).device
        where = describe(device, lambda: stopwatch.warm_up(loss, clocks.profile, 1))
    source = " ".join(f"{of or type(model).__name__} on {where}, medians of {iterations} iterations".split())
    profile = Profile(source, _timings(tensors, samples, synchronized), statistics.median(wholes))
    if path is not None:
        profile.write(path)
    return profile


def _tensors_of(model):
    """The parameters that have gradients, by name."""
    if isinstance(model, torch.nn.parallel.DistributedDataParallel):
        raise ValueError("DistributedDataParallel sends gradients while they are timed: record the model inside, .module")
    tensors = {name: each for name, each in model.named_parameters() if each.requires_grad}
    if not tensors:
        raise ValueError(f"{type(model).__name__} has no parameter with a gradient")
    for name, each in tensors.items():
        if each.device.type not in TIMED_DEVICES:
            raise ValueError(f"{name} is on {each.device}; computing is timed on {' and '.join(TIMED_DEVICES)}")
    return tensors


def _timings(tensors, samples, synchronized):
    """Timings of all tensors in forward order, the reverse of the order in which gradients are ready."""
    passes = _passes(samples)
    beside = _passes(synchronized) if synchronized else {}
    return tuple(Timing(name, tensors[name].numel(), each, beside.get(name)) for name, each in reversed(passes.items()))


def _passes(samples):
    """Passes by tensor, in the order in which gradients are ready."""
    names = list(samples[0].forward)
    forward = {name: [sample.forward[name] for sample in samples] for name in names}
    ready = {name: statistics.median(sample.ready[name] for sample in samples) for name in names}
    shares = {name: statistics.median(each) for name, each in forward.items()}
    # Medians of shares need not add up to the median of the whole.
    whole = statistics.median(sum(sample.forward.values()) for sample in samples)
    scale = whole / sum(shares.values()) if any(shares.values()) else 0
    passes, before = {}, None
    for name in sorted(reversed(names), key=ready.get):
        steps = [sample.ready[name] - (sample.ready[before] if before else 0) for sample in samples]
        passes[name] = Passes(scale * shares[name], ready[name] - (ready[before] if before else 0),
                              _range(forward[name]), _range(steps))
        before = name
    return passes


def _range(values):
    """Interquartile range; NaN for a single value."""
    if len(values) < 2:
        return math.nan
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return third - first
