"""Define tasks: the searches that a submission must perform, with correct traces."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

from gametree.assignment import ASSIGNED
from gametree.functions import FUNCTIONS
from gametree.support import judging
from gametree.support.errors import InputError
from gametree.support.trace import EXPAND, NO_TEXT, Answer, Ending, Text, Trace, observe
from gametree.support.tree import Search, Tree

# The action of a search when alpha equals beta: cut off, or continue.
EQUALITY, STRICT = "equality", "strict"
CONVENTIONS = (EQUALITY, STRICT)


class ReferenceFailed(InputError):
    """The reference failed on a tree. The text is one line with the place and fix."""


@dataclass(frozen=True, eq=False)
class Task(judging.Task):
    """One search that a submission must perform, and the reference's trace of it.

    A search of a hidden tree seals the session that runs it, and is never shown.
    """

    is_hidden: bool = False

    @cached_property
    def values(self) -> frozenset[float]:
        """The values of the leaves that the correct search visits."""
        at = self.tree.root.at
        return frozenset(at(path).static_value() for path in self.expected.visited)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The values of the visited leaves, and the finite bounds of the window."""
        bounds = filter(math.isfinite, (self.search.alpha, self.search.beta))
        return self.values.union(bounds)

    @cached_property
    def smallest_gap(self) -> float:
        """The smallest difference between two numbers, or the smallest decimal place."""
        numbers = sorted(self.numbers)
        gaps = [after - before for before, after in zip(numbers, numbers[1:])]
        gaps += map(_last_decimal, numbers)
        return min(gaps, default=math.inf)

    @cached_property
    def widths(self) -> frozenset[int]:
        """The numbers of children of the nodes that the correct search expands."""
        at = self.tree.root.at
        expanded = {path for kind, path in self.expected.events if kind == EXPAND}
        return frozenset(len(at(path).children) for path in expanded)

    @cached_property
    def ends_early(self) -> bool:
        """Whether the correct search evaluates a node that has children."""
        at = self.tree.root.at
        return not all(at(path).terminal for path in self.expected.visited)

    def has_nodes_of(self, before: Task | None) -> bool:
        """Return whether this search shares the node objects of the previous search.

        Consecutive searches of one tree by one function share them, as in a program that
        loads a tree once.
        """
        if before is None:
            return False
        return self.tree is before.tree and self.function == before.function

    def not_begun(self, ending: Ending, text: Text = NO_TEXT) -> Trace:
        """Return the Trace of a search that did not begin."""
        return Trace(self.function, self.search, [], Answer(), ending, text)

    @property
    def key(self) -> tuple:
        """The key that identifies the task among all tasks of a kit."""
        return self.is_hidden, self.tree.name, self.function, self.search


def _last_decimal(number):
    """Return the place value of the last decimal, such as 0.01 for 2.75 and 1 for 3."""
    for digits in range(16):
        if round(number, digits) == number:
            return 10**-digits
    return 10**-16


def tasks_for(
    trees: Iterable[Tree],
    reference: ModuleType,
    functions: Iterable[str] | None = None,
    hidden: bool = False,
) -> list[Task]:
    """Return every Task of the trees, ordered by tree and then by function.

    `reference` is a trusted module with these functions, and runs in this process. Its
    attribute `assigned` maps each function to the aspects that are judged. These functions
    get tasks if `functions` is None. Raises ReferenceFailed if a search of the reference
    does not return.
    """
    assigned = getattr(reference, "assigned", ASSIGNED)
    chosen = tuple(assigned if functions is None else functions)
    tasks = []
    for tree in trees:
        for function in chosen:
            aspects = assigned.get(function, FUNCTIONS[function].aspects)
            for search in tree.searches_for(function):
                expected = expected_trace(reference, function, tree, search)
                task = Task(tree, function, search, expected, tuple(aspects), hidden)
                tasks.append(task)
    return tasks


def expected_trace(
    reference: ModuleType, function: str, tree: Tree, search: Search
) -> Trace:
    """Return the reference's Trace of a search. Raises ReferenceFailed."""
    trace = observe(getattr(reference, function), function, tree, search)
    if trace.answer.kind == "NoneType":
        raise ReferenceFailed(
            f"{tree.name}: the reference's {function} {trace.ending.kind} "
            f"{trace.text.message}; fix solution/search.py or the tree"
        )
    return trace
