"""Stopwatch that times a model's computing, with hooks on its tensors of parameters and without."""

from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sample:
    """Times of one iteration, in microseconds."""

    forward: dict  # by tensor: of the modules whose first tensor it is
    ready: dict  # by tensor: since the backward pass began


@dataclass
class _Moments:
    """Moments that were marked in one iteration."""

    begun: object
    passed: list = field(default_factory=list)  # (tensor, moment) as modules end, and the loss at the end
    ready: dict = field(default_factory=dict)  # moments by tensor
    is_forward: bool = True

    def read(self, clock, names):
        """The sample that these moments make, once the clock has settled."""
        forward, before = dict.fromkeys(names, 0.0), self.begun
        for tensor, moment in self.passed:
            forward[tensor] += clock.between(before, moment)
            before = moment
        return Sample(forward, {name: clock.between(before, moment) for name, moment in self.ready.items()})


class Stopwatch:
    """Stopwatch for iterations of a model. `tensors`: its parameters with gradients, by name."""

    def __init__(self, model, tensors):
        self.tensors = tensors
        self._model = model
        # What adds up a tensor's gradient. Autograd keeps it only as long as somebody asks for it.
        self._adders = {name: each.expand_as(each).grad_fn.next_functions[0][0] for name, each in tensors.items()}
        self._clock = self._moments = None

    @contextmanager
    def gradients_put_aside(self):
        """Removes the gradients of the model, and restores them afterwards."""
        kept = {name: each.grad for name, each in self.tensors.items()}
        try:
            yield
        finally:
            for name, each in self.tensors.items():
                each.grad = kept[name]

    def warm_up(self, loss, clock, iterations):
        """Runs iterations without timing them."""
        self._spans(loss, clock, iterations)
        clock.settle()

    def measure(self, loss, clock, iterations):
        """Returns (microseconds of whole iterations without hooks, Samples with hooks), `iterations` of each.

        Half of the former come before the latter and half behind, as a device that gets warm computes slower. Nothing is
        read, and so nothing waits, before all has been computed.
        """
        later = iterations // 2
        spans = self._spans(loss, clock, iterations - later)
        moments = self._hooked(loss, clock, iterations)
        spans += self._spans(loss, clock, later)
        clock.settle()
        return [clock.between(*span) for span in spans], [each.read(clock, self.tensors) for each in moments]

    def samples(self, loss, clock, iterations):
        """Returns Samples of iterations with hooks alone."""
        moments = self._hooked(loss, clock, iterations)
        clock.settle()
        return [each.read(clock, self.tensors) for each in moments]

    def _spans(self, loss, clock, iterations):
        """Runs iterations. Returns the moments where each begins and ends."""
        spans = []
        for _ in range(iterations):
            self._forget_gradients()
            begun = clock.mark()
            loss().backward()
            spans.append((begun, clock.mark()))
        return spans

    def _hooked(self, loss, clock, iterations):
        self._clock = clock
        with self._hooks():
            return [self._iterate(loss) for _ in range(iterations)]

    def _forget_gradients(self):
        for each in self.tensors.values():
            each.grad = None

    @contextmanager
    def _hooks(self):
        hooks = [adder.register_hook(self._when_ready(name)) for name, adder in self._adders.items()]
        hooks += [module.register_forward_hook(self._when_passed(first)) for module, first in self._owners()]
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()

    def _iterate(self, loss):
        self._forget_gradients()
        moments = self._moments = _Moments(self._clock.mark())
        value = loss()
        last = moments.passed[-1][0] if moments.passed else next(iter(self.tensors))
        moments.passed.append((last, self._clock.mark()))
        moments.is_forward = False  # what is computed once more during the backward pass belongs to that
        value.backward()
        missing = [name for name in self.tensors if name not in moments.ready]
        if missing:
            raise RuntimeError(f"no gradient of {', '.join(missing)}: take part in the loss, or requires_grad_(False)")
        return moments

    def _owners(self):
        """Yields the modules that have tensors of their own, each with the first of them."""
        names = {id(each): name for name, each in self.tensors.items()}
        for module in self._model.modules():
            own = [names[id(each)] for each in module.parameters(recurse=False) if id(each) in names]
            if own:
                yield module, own[0]

    def _when_ready(self, name):
        def note(*_):
            self._moments.ready[name] = self._clock.mark()

        return note

    def _when_passed(self, first):
        def note(*_):
            if self._moments.is_forward:
                self._moments.passed.append((first, self._clock.mark()))

        return note
