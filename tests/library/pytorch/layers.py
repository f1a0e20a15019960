"""Layers that take as long as they are told, on a clock or a GPU that a test has made. Ends a test that lacks PyTorch."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "library" / "pytorch"))

try:
    import torch
except ImportError as error:
    print(f"SKIPPED: {error}; Debian's package is python3-torch")
    sys.exit(77)


class Takes(torch.autograd.Function):
    """Passes what comes in, and hands the time that each pass takes to `passes`."""

    @staticmethod
    def forward(context, values, passes, forward, backward):
        context.passes, context.backward_time = passes, backward
        passes(forward)
        return values.clone()

    @staticmethod
    def backward(context, gradient):
        context.passes(context.backward_time)
        return gradient, None, None, None


class Layer(torch.nn.Module):
    """`size` products, which take `forward` microseconds, and `backward` until their gradient is ready."""

    def __init__(self, passes, size, forward, backward):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))
        self.passes = passes
        self.times = (forward, backward)

    def forward(self, values):
        return Takes.apply(values.sum() * self.weight, self.passes, *self.times)


class Stack(torch.nn.Module):
    """Layers in another order than that in which they are used: second, first, third."""

    def __init__(self, passes):
        super().__init__()
        self.first = Layer(passes, 3, 10, 100)
        self.second = Layer(passes, 5, 20, 200)
        self.third = Layer(passes, 7, 40, 400)

    def forward(self, values):
        return self.third(self.first(self.second(values)))
