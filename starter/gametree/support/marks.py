"""The marks of a search: its action at each node, compared with the correct one."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from gametree.functions import FUNCTIONS, NODE
from gametree.support.judging import Task, leaves_needed
from gametree.support.trace import Trace
from gametree.support.tree import with_ancestors


class Mark(NamedTuple):
    """One kind of mark.

    sign: the sign in a text drawing.
    meaning: its meaning, as in the legend.
    """

    sign: str
    meaning: str


VISITED = Mark("●", "visited")
REPEATED = Mark("●●", "visited more than once")
PRUNED = Mark("○", "pruned")
NOT_EVALUATED = Mark("○", "not evaluated")
UNNECESSARY = Mark("!", "unnecessary")
MISSED = Mark("?", "missed")
NOT_A_LEAF = Mark("#", "evaluated, but not a leaf of this search")
LEGEND = (VISITED, REPEATED, PRUNED, NOT_EVALUATED, UNNECESSARY, MISSED, NOT_A_LEAF)


class Marks:
    """The marks of a run of a task, compared with the correct search.

    task: the Task.
    trace: the Trace of the run.
    """

    def __init__(self, task: Task, trace: Trace):
        self.task = task
        self.trace = trace

    @property
    def is_for_a_move(self) -> bool:
        """Whether the search chooses a move: its other leaves and visits do not count."""
        return FUNCTIONS[self.task.function].answer == NODE

    def mark_at(self, path: tuple[int, ...], leaf: bool) -> Mark:
        """Return the Mark of a node; `leaf` says whether it is a leaf of the search."""
        if len(path) > self.task.search.depth:
            return UNNECESSARY
        visited = self.trace.visited
        if path in visited and not leaf:
            return NOT_A_LEAF
        needed = path in self.needed_above
        if not needed and not self.is_for_a_move:  # its children alone may be reached
            return UNNECESSARY if path in self.reached else PRUNED
        if path in self.repeated:
            return REPEATED
        was_there = visited if leaf else self.reached
        if path in was_there:
            return VISITED
        return MISSED if needed else NOT_EVALUATED

    @cached_property
    def needed(self) -> frozenset[tuple]:
        """The paths of the leaves that should be visited.

        For a move, other leaves may prove it too. Then they are those that every proof
        needs.
        """
        if self.is_for_a_move:
            return leaves_needed(self.task, self.trace)
        return self.task.expected.visited

    @cached_property
    def reached(self) -> frozenset[tuple]:
        """The paths of the nodes with an event, and of all nodes above them."""
        return with_ancestors(path for _, path in self.trace.events)

    @cached_property
    def repeated(self) -> frozenset[tuple]:
        """The paths of the evaluated nodes that should not have been visited again."""
        if self.is_for_a_move:
            return frozenset()
        return self.trace.visited.intersection(self.trace.revisited)

    @cached_property
    def needed_above(self) -> frozenset[tuple]:
        """The paths of the needed leaves and of all nodes above them."""
        return with_ancestors(self.needed)

    @cached_property
    def to_show_first(self) -> frozenset[tuple]:
        """The paths of the wrong leaves and of all nodes above them."""
        wrong = self.needed - self.trace.visited
        if not self.is_for_a_move:
            wrong |= self.trace.visited - self.needed
        return with_ancestors(wrong)
