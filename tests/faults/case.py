"""What a fault is, and what must come of it."""

from dataclasses import dataclass, field
from typing import Any, Callable, Optional

ALGORITHMS = ("ring", "ps", "bml")
PATIENT = {"timeout": "60s"}  # an experiment in which no timeout is what names somebody


@dataclass
class Expectation:
    """What must come of a fault that was injected."""

    # The exit codes that are right. 0 is right only for a run that came to its end by itself.
    codes: tuple = (1,)
    # What standard error must say (a regular expression, searched for) when the exit code is not 0: whose fault it was.
    says: Optional[str] = None
    # Seconds from the injection to the end. Runs that survive: to the samples that they must still measure.
    within: float = 10.0
    # Runs that end with 0 or survive: flags that their row must carry. None: any.
    row: Optional[tuple] = None
    # The run goes on in spite of the fault: it measures some more, is interrupted by the suite, and ends with 130.
    survives: bool = False
    # Called with the Run after its end: what else is wrong, in words, or None.
    holds: Optional[Callable[[Any], Optional[str]]] = None


@dataclass
class Case:
    """A fault. Cases may share a number of the fault matrix; names are unique."""

    number: int
    name: str
    # inject(run, draw) -> Expectation: injects the fault into a running experiment. `draw` is a random.Random of
    # this run alone. It calls run.note_injection() at the moment of the fault; otherwise that is its return.
    inject: Callable[[Any, Any], Expectation]
    algorithms: tuple = ALGORITHMS
    # Lines of the experiment's file by key, in place of the standard one's: {"iterations": "20"}; None: no such line.
    experiment: dict = field(default_factory=dict)
    # What the machine must have; names of needs.py.
    needs: tuple = ()
    # prepare(run, draw): before the start; sets run.environment, run.prefix, run.out, ...
    prepare: Optional[Callable[[Any, Any], None]] = None
    # Whether the suite starts the run before inject is called.
    starts: bool = True
