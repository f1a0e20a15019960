"""Clocks that time a model's computing.

A clock marks moments and measures the time between them. mark() marks one and returns it. A moment must not be used
before settle(), which waits until all marked moments have passed; then between(first, last) is in microseconds.
"""

import time
from dataclasses import dataclass

import torch


def _now():
    """The time of the host's clock in microseconds."""
    return time.perf_counter_ns() / 1e3


class HostClock:
    """The host's clock, which is right where the host computes."""

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
    """The host's clock, read when GPUs have finished all their work, so that they wait for each next launch."""

    def __init__(self, cuda, devices):
        self._cuda = cuda
        self._devices = devices

    def mark(self):
        for device in self._devices:
            self._cuda.synchronize(device)
        return super().mark()


class EventClock:
    """A GPU's own clock: events in its stream of work, for which nobody waits before settle(). They resolve 0.5 us."""

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
    """The clock of the profile, and where it is another, the one that synchronizes a GPU before each moment."""

    profile: object
    synchronized: object = None


def clocks_for(devices, cuda=torch.cuda):
    """Clocks for tensors on these devices, a set. Events of several devices, or of one and the host, cannot be compared."""
    gpus = sorted((each for each in devices if each.type == "cuda"), key=lambda each: each.index)
    if not gpus:
        return Clocks(HostClock())
    synchronized = SynchronizedClock(cuda, gpus)
    return Clocks(EventClock(cuda, gpus[0]), synchronized) if len(devices) == 1 else Clocks(synchronized)
