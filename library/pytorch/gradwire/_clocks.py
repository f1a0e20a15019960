"""What times are taken with while a model computes.

A clock notes moments and says how far they are apart. mark() notes one and returns it. Nothing may be asked of a moment
before settle(), which waits until all that were marked have passed; then between(first, last) is in microseconds.
"""

import time
from dataclasses import dataclass

import torch


def _now():
    """Microseconds."""
    return time.perf_counter_ns() / 1e3


class HostClock:
    """The host's clock: right where the host computes."""

    @staticmethod
    def mark():
        return _now()

    @staticmethod
    def settle():
        pass

    @staticmethod
    def between(first, last):
        return last - first


class SynchronizedClock(HostClock):
    """The host's clock, read when GPUs have done all that they were given. So they wait for each next launch."""

    def __init__(self, cuda, devices):
        self._cuda = cuda
        self._devices = devices

    def mark(self):
        for device in self._devices:
            self._cuda.synchronize(device)
        return super().mark()


class EventClock:
    """A GPU's own clock: events among what it computes, for which nobody waits before settle(). They tell 0.5 us apart."""

    def __init__(self, cuda, device):
        self._cuda = cuda
        self._device = device

    def mark(self):
        event = self._cuda.Event(enable_timing=True)
        event.record(self._cuda.current_stream(self._device))
        return event

    def settle(self):
        self._cuda.synchronize(self._device)

    @staticmethod
    def between(first, last):
        return first.elapsed_time(last) * 1e3


@dataclass(frozen=True)
class Clocks:
    """The clock of the profile, and one that is synchronized with a GPU before each moment, where that is another."""

    profile: object
    synchronized: object = None


def clocks_for(devices, cuda=torch.cuda):
    """Clocks for tensors on these devices, a set. Events of several devices, or of one and the host, cannot be compared."""
    gpus = sorted((each for each in devices if each.type == "cuda"), key=lambda each: each.index)
    if not gpus:
        return Clocks(HostClock())
    synchronized = SynchronizedClock(cuda, gpus)
    return Clocks(EventClock(cuda, gpus[0]), synchronized) if len(devices) == 1 else Clocks(synchronized)
