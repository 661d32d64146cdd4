"""What a submission is asked, and what came of it: the records that judging reads."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import ModuleType

from gametree.asked import ASKED
from gametree.functions import KNOWN
from gametree.trace import Trace, observe
from gametree.tree import Search, Tree

# What a search does where alpha equals beta: cut off, or go on.
EQUALITY, STRICT = "equality", "strict"
CONVENTIONS = (EQUALITY, STRICT)


class ReferenceFailed(Exception):
    """The reference itself failed on a tree: a fault of the kit, in one line."""


@dataclass(frozen=True)
class Task:
    """One search that a submission is asked for, and the reference's trace of it.

    `aspects` are those that are judged. `proven` is what the reference's leaves prove;
    judging fills it once.
    A search of a `hidden` tree is never shown, and seals the session that runs it.
    """

    tree: Tree
    function: str
    search: Search
    expected: Trace
    hidden: bool = False
    aspects: tuple[str, ...] = ()
    proven: dict = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self):
        if not self.aspects:
            object.__setattr__(self, "aspects", KNOWN[self.function].aspects)

    def is_met_by(self, trace: Trace) -> bool:
        """Tell whether a run is the reference's, event for event: no need to judge it."""
        return (trace.events, trace.answer) == (self.expected.events, self.expected.answer)


@dataclass(frozen=True)
class RunPair:
    """A submission's two runs of one task.

    `second` is None where one run was enough, where the first did not return, and where it
    used up the submission's time.
    """

    first: Trace
    second: Trace | None = None

    @property
    def both(self) -> list[Trace]:
        """The runs that there were."""
        return [self.first] if self.second is None else [self.first, self.second]


class Another(float):
    """A number that stands for another one, which nobody is to read: it says no more
    than how that one compares with the values of its tree and the bounds of its window.
    """

    def __str__(self):
        return "another number"

    def is_integer(self):
        """Return False, so that nobody writes it as an integer."""
        return False


def coarse(task: Task, trace: Trace) -> float:
    """Return the number that a trace has for its answer, or an Another in its place.

    It stays if it is an infinity, a bound of the window, the right answer or the value of
    a leaf that was visited. An Another lies between the same two of these, so that it is
    judged as the number itself would be.
    """
    number, search = trace.answer.number, task.search
    values = {task.tree.root.at(path).static_value() for path in trace.visited}
    values |= {search.alpha, search.beta, -math.inf, math.inf}
    if task.expected.answer.number is not None:
        values.add(task.expected.answer.number)
    known = sorted(values)
    if number in known or math.isnan(number):
        return next((value for value in known if value == number), math.nan)
    place = bisect(known, number)
    low, high = known[place - 1], known[place]
    if math.isinf(low) and math.isinf(high):
        return Another(0)
    if math.isinf(low) or math.isinf(high):
        return Another(low + 1 if math.isinf(high) else high - 1)
    return Another((low + high) / 2)


def tasks_for(
    trees: Iterable[Tree],
    reference: ModuleType,
    functions: Iterable[str] | None = None,
    hidden: bool = False,
) -> list[Task]:
    """Return every Task of the trees, in order: tree by tree, function by function.

    `reference` is a trusted module with these functions, and is run in this process. Its
    attribute `asked`, function -> aspects, says what is judged, and which functions are
    asked where none are named. A search that it does not return from is the kit's fault:
    ReferenceFailed.
    """
    asked, tasks = getattr(reference, "asked", ASKED), []
    functions = tuple(asked if functions is None else functions)
    for tree in trees:
        for function in functions:
            aspects = tuple(asked.get(function, ()))
            for search in tree.searches_for(function):
                expected = observe(getattr(reference, function), function, tree, search)
                if expected.answer.kind == "NoneType":
                    raise ReferenceFailed(
                        f"{tree.name}: the reference's {function} {expected.ending.kind} "
                        f"{expected.text.message}; mend solution/search.py or the tree"
                    )
                tasks.append(Task(tree, function, search, expected, hidden, aspects))
    return tasks
