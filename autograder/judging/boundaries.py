"""Find what all wrong searches of a function have in common, such as a MIN root.

A boundary is a size from which a function goes wrong, or a property of all its failures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import NamedTuple

from autograder.tasks import Task
from gametree.support.judging import Verdict

MIN_WRONG = 3  # minimum of wrong searches to report a common property
MIN_RIGHT = 10  # minimum of correct searches below a reported boundary
MAX_RIGHT_BEYOND = 3  # correct searches beyond a boundary per wrong search

LARGE, CLOSE, WIDE = "large values", "close values", "many children"
DEEP, FAR, MANY = "many plies", "a large depth", "many visits"


class Boundary(NamedTuple):
    """What all wrong searches have in common, with a size if it has one.

    kind: a key of MEASURES.
    size: the size. Values and differences are rounded to a power of ten to conceal the
        trees: down below the failing values, and up above the failing differences.
    """

    kind: str
    size: float


class Measure(NamedTuple):
    """A measure of tasks.

    size_of: the function that measures a task.
    boundary: the size from which a task counts as being at a boundary.
    reported: the minimum size of a Boundary that is reported.
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
    """Return the first kind of limit that a task reaches, or None."""
    for kind, limit in LIMITS.items():
        measure = SIZES[kind]
        if measure.size_of(task) >= measure.boundary:
            return limit
    return None if task.widths else DEPTH


def boundary_of(verdicts: Iterable[Verdict]) -> Boundary | None:
    """Return what a function's wrong searches have in common, or None.

    All wrong searches lie beyond the boundary, but only a few of the correct searches do.
    If several kinds fit, choose the kind with the fewest correct searches beyond it.
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
    """Return the boundary; round its size to a power of ten if it is about values."""
    kind, size = boundary
    if kind == LARGE:
        return Boundary(kind, 10 ** math.floor(math.log10(max(1, size))))
    if kind == CLOSE:
        return Boundary(kind, 10 ** math.ceil(math.log10(-size) - 0.01))
    return boundary
