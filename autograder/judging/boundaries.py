"""What all wrong searches of a function have in common: large values, a MIN root, ...

A boundary is a size from which on a function goes wrong, or a property of all its failures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import NamedTuple

from autograder.tasks import Task
from gametree.support.judging import Verdict

MIN_WRONG = 3  # wrong searches, to report a property that they have in common
MIN_RIGHT = 10  # right searches below a boundary, to report it
MAX_RIGHT_BEYOND = 3  # right searches beyond a boundary, for each wrong one

LARGE, CLOSE, WIDE = "large values", "close values", "many children"
DEEP, FAR, MANY = "many plies", "a large depth", "many visits"


class Boundary(NamedTuple):
    """What all wrong searches have in common, and from which size on, if any.

    kind: a key of MEASURES.
    size: the size. Values and differences are a power of ten, so that they tell nothing of
        a tree: the next one below the failing values, the next above the failing
        differences.
    """

    kind: str
    size: float


class Measure(NamedTuple):
    """A measure of tasks.

    size_of: the function that measures a task.
    boundary: the size from which on a task is at a boundary.
    reported: the least size of a Boundary that is reported.
    """

    size_of: Callable[[Task], float]
    boundary: float
    reported: float


def _largest_number(task):
    return max(map(abs, task.numbers), default=0)


def _closeness(task):
    return -task.smallest_gap


def _most_children(task):
    return max(task.widths, default=0)


def _plies(task):
    return max(map(len, task.expected.visited))


def _depth(task):
    return task.search.depth


def _visits(task):
    return len(task.expected.events)


def _has_max_root(task):
    return task.search.maximizing


def _has_min_root(task):
    return not task.search.maximizing


def _has_window(task):
    return not task.search.full_window


def _ends_early(task):
    return task.ends_early


def _has_single_child(task):
    return 1 in task.widths


def _has_zero(task):
    return 0 in task.values


def _has_nothing_above_zero(task):
    return max(task.values) <= 0


def _has_nothing_below_zero(task):
    return min(task.values) >= 0


SIZES = {
    LARGE: Measure(_largest_number, boundary=100_000, reported=1000),
    CLOSE: Measure(_closeness, boundary=-0.001, reported=-0.1),
    WIDE: Measure(_most_children, boundary=6, reported=5),
    DEEP: Measure(_plies, boundary=7, reported=5),
    FAR: Measure(_depth, boundary=10, reported=5),
    MANY: Measure(_visits, boundary=150, reported=150),
}
VALUE, NEARNESS, WIDTH, DEPTH = "value", "nearness", "width", "depth"
LIMITS = {LARGE: VALUE, CLOSE: NEARNESS, WIDE: WIDTH, MANY: WIDTH, DEEP: DEPTH, FAR: DEPTH}
PROPERTIES = {
    "a MAX root": _has_max_root,
    "a MIN root": _has_min_root,
    "a window": _has_window,
    "a depth that ends early": _ends_early,
    "a single child": _has_single_child,
    "a zero": _has_zero,
    "nothing above zero": _has_nothing_above_zero,
    "nothing below zero": _has_nothing_below_zero,
}
MEASURES = SIZES | {
    kind: Measure(has_property, boundary=math.inf, reported=True)
    for kind, has_property in PROPERTIES.items()
}


def limit_of(task: Task) -> str | None:
    """Return the kind of limit that a task is at, the first that fits, or None."""
    for kind, limit in LIMITS.items():
        measure = SIZES[kind]
        if measure.size_of(task) >= measure.boundary:
            return limit
    return None if task.widths else DEPTH


def boundary_of(verdicts: Iterable[Verdict]) -> Boundary | None:
    """Return what a function's wrong searches have in common, or None.

    All wrong searches lie beyond the boundary, and only some of the right ones. Of several
    kinds, it is the one with the fewest right searches beyond it.
    """
    wrong = []
    right = []
    for verdict in verdicts:
        if verdict.is_right:
            right.append(verdict.task)
        else:
            wrong.append(verdict.task)
    if not wrong:
        return None
    found = []
    for kind, measure in MEASURES.items():
        begin = min(map(measure.size_of, wrong))
        if begin < measure.reported:
            continue
        if kind in PROPERTIES and len(wrong) < MIN_WRONG:
            continue
        beyond = [task for task in right if measure.size_of(task) >= begin]
        count_below = len(right) - len(beyond)
        if len(beyond) <= MAX_RIGHT_BEYOND * len(wrong) and count_below >= MIN_RIGHT:
            found.append((len(beyond), Boundary(kind, begin)))
    if not found:
        return None
    _, boundary = min(found, key=itemgetter(0))
    return _rounded(boundary)


def _rounded(boundary):
    """Return a boundary whose size is a power of ten, if it is about values."""
    kind, size = boundary
    if kind == LARGE:
        return Boundary(kind, 10 ** math.floor(math.log10(max(1, size))))
    if kind == CLOSE:
        return Boundary(kind, 10 ** math.ceil(math.log10(-size) - 0.01))
    return boundary
