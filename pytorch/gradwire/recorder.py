"""Records how long the layers of a model compute, and when the gradient of each tensor is ready to be sent.

    gradwire.recorder.record(model, lambda: criterion(model(images), labels), "mine.csv")

The file is what an experiment reads as `compute: {trace: mine.csv}`, and what `gradwire workload show mine.csv` draws.
"""

import platform
import statistics
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch

TIMED_DEVICES = ("cpu", "cuda")
# Iterations before the first that is timed: memory is taken, and libraries choose how they compute.
WARM_UP = 3


@dataclass(frozen=True)
class Timing:
    """One tensor of parameters. Times are in microseconds."""

    tensor: str
    elements: int
    forward: float  # of the module that the tensor belongs to, with what came before it; 0 for its further tensors
    backward: float  # since the gradient before this one was ready; of the first, since the backward pass began


@dataclass(frozen=True)
class Profile:
    """What was recorded: where, and the tensors in forward order, so that the last one's gradient is ready first."""

    source: str
    tensors: tuple

    def to_csv(self):
        """The trace, as text."""
        lines = ["# gradwire-trace: 1", f"# source: {self.source}", "tensor,elements,forward_us,backward_us"]
        lines += [f"{each.tensor},{each.elements},{each.forward:.3f},{each.backward:.3f}" for each in self.tensors]
        return "\n".join(lines) + "\n"

    def write(self, path):
        """Writes the trace to a file, in place of what was there."""
        Path(path).write_text(self.to_csv(), encoding="utf-8")


def record(model, loss, path=None, *, iterations=20, of=None):
    """Times forward and backward passes of `model`, and returns the Profile.

    `loss` takes no argument, computes the model's loss of one batch and returns it, a tensor of one element. It is called
    WARM_UP times untimed and `iterations` times timed; of each time the median is kept. Parameters stay as they are, and
    so do the gradients that they had; what the model itself keeps, as batch normalization does, goes on. With `path` the
    trace is written there. `of` says what was timed in the trace's source line; without it stands the model's class.

    A gradient is ready when it has been added to what the tensor had, which is when DistributedDataParallel takes it.
    On a GPU the device is synchronized before each time is taken. Frozen parameters are left out.

    Raises ValueError for a model without gradients, one that is wrapped in DistributedDataParallel, and tensors on devices
    other than CPUs and CUDA's; RuntimeError where a tensor got no gradient.
    """
    if iterations < 1:
        raise ValueError(f"{iterations} iterations: at least one is timed")
    stopwatch = _Stopwatch(model, _tensors_of(model))
    with stopwatch.attached():
        samples = [stopwatch.iterate(loss) for _ in range(WARM_UP + iterations)][WARM_UP:]
    profile = Profile(_source(stopwatch.device, of or type(model).__name__, iterations), _timings(stopwatch, samples))
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


def _now():
    """Microseconds."""
    return time.perf_counter_ns() / 1e3


@dataclass(frozen=True)
class _Sample:
    """One iteration, in microseconds."""

    forward: dict  # by tensor: of the modules whose first tensor it is
    ready: dict  # by tensor: since the backward pass began


class _Stopwatch:
    """Takes times while a model computes."""

    def __init__(self, model, tensors):
        self.model = model
        self.tensors = tensors
        self.device = next(iter(tensors.values())).device
        self._cuda = sorted({each.device.index for each in tensors.values() if each.device.type == "cuda"})
        # What adds up a tensor's gradient. Autograd keeps it only as long as somebody asks for it.
        self._adders = {name: each.expand_as(each).grad_fn.next_functions[0][0] for name, each in tensors.items()}
        self._ready = {}
        self._forward = None  # shares by tensor, during a forward pass
        self._begun = self._mark = 0.0
        self._last = ""  # the tensor that time was last counted for

    @contextmanager
    def attached(self):
        """With hooks on the model, which are gone afterwards, and without the gradients that it had, which are back."""
        kept = {name: each.grad for name, each in self.tensors.items()}
        hooks = [adder.register_hook(self._when_ready(name)) for name, adder in self._adders.items()]
        hooks += [module.register_forward_hook(self._when_passed(first)) for module, first in self._owners()]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()
            for name, each in self.tensors.items():
                each.grad = kept[name]

    def iterate(self, loss):
        """One iteration, timed."""
        for each in self.tensors.values():
            each.grad = None
        self._ready = {}
        forward = self._forward = dict.fromkeys(self.tensors, 0.0)
        self._last = next(iter(self.tensors))
        self._mark = self._time()
        value = loss()
        self._pass_by(self._last)
        self._forward = None  # what is computed once more during the backward pass belongs to that
        self._begun = self._mark
        value.backward()
        missing = [name for name in self.tensors if name not in self._ready]
        if missing:
            raise RuntimeError(f"no gradient of {', '.join(missing)}: take part in the loss, or requires_grad_(False)")
        return _Sample(forward, self._ready)

    def _owners(self):
        """Modules that have tensors of their own, each with the first of them."""
        names = {id(each): name for name, each in self.tensors.items()}
        for module in self.model.modules():
            own = [names[id(each)] for each in module.parameters(recurse=False) if id(each) in names]
            if own:
                yield module, own[0]

    def _when_ready(self, name):
        def note(*_):
            self._ready[name] = self._time() - self._begun

        return note

    def _when_passed(self, first):
        def note(*_):
            if self._forward is not None:
                self._pass_by(first)

        return note

    def _pass_by(self, tensor):
        """Counts the forward pass since the last time for a tensor."""
        now = self._time()
        self._forward[tensor] += now - self._mark
        self._mark, self._last = now, tensor

    def _time(self):
        for index in self._cuda:
            torch.cuda.synchronize(index)
        return _now()


def _timings(stopwatch, samples):
    """Medians of all samples, in forward order: opposite to that in which gradients are ready."""
    names = list(stopwatch.tensors)
    forward = _medians([sample.forward for sample in samples], names)
    whole = statistics.median(sum(sample.forward.values()) for sample in samples)
    # Medians of shares need not add up to the median of the whole.
    scale = whole / sum(forward.values()) if any(forward.values()) else 0
    ready = _medians([sample.ready for sample in samples], names)
    timings, before = [], 0.0
    for name in sorted(reversed(names), key=ready.get):
        elements = stopwatch.tensors[name].numel()
        timings.append(Timing(name, elements, scale * forward[name], ready[name] - before))
        before = ready[name]
    return tuple(reversed(timings))


def _medians(samples, names):
    return {name: statistics.median(sample[name] for sample in samples) for name in names}


def _source(device, of, iterations):
    where = torch.cuda.get_device_name(device) if device.type == "cuda" else f"{_processor()}, {_threads()}"
    text = f"{of} on {where}, torch {torch.__version__}, medians of {iterations} iterations"
    return " ".join(text.split())  # one line


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
