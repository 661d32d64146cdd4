"""What all searches that go wrong have in common: large values, many children, MIN first.

A boundary is a size from which on a function goes wrong, or a property of all its failures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from autograder.tasks import Task
from gametree.support.judging import Verdict


class Boundary(NamedTuple):
    """What all searches that go wrong have in common, and from which size on, if any.

    Values and differences are a power of ten, so that they tell nothing of a tree: the
    next one below the failing values, the next one above the failing differences.
    """

    kind: str
    size: float


LARGE, CLOSE, WIDE = "large values", "close values", "many children"
DEEP, FAR, MANY = "many plies", "a large depth", "many visits"


# kind -> (its measure of a task, from where on it counts as a boundary, is worth a word)
MEASURES: dict[str, tuple[Callable[[Task], float], float, float]] = {
    LARGE: (lambda task: max(map(abs, task.numbers), default=0), 100_000, 1000),
    CLOSE: (lambda task: -task.smallest_gap, -0.001, -0.1),
    WIDE: (lambda task: max(task.widths, default=0), 6, 5),
    DEEP: (lambda task: max(map(len, task.expected.visited)), 7, 5),
    FAR: (lambda task: task.search.depth, 10, 5),
    MANY: (lambda task: len(task.expected.events), 150, 150),
    # What holds or does not is not a boundary.
    "a MAX root": (lambda task: task.search.maximizing, math.inf, 1),
    "a MIN root": (lambda task: not task.search.maximizing, math.inf, 1),
    "a window": (lambda task: not task.search.full_window, math.inf, 1),
    "a depth that ends early": (lambda task: task.ends_early, math.inf, 1),
    "a single child": (lambda task: 1 in task.widths, math.inf, 1),
    "a zero": (lambda task: 0 in task.values, math.inf, 1),
    "nothing above zero": (lambda task: max(task.values) <= 0, math.inf, 1),
    "nothing below zero": (lambda task: min(task.values) >= 0, math.inf, 1),
}


def is_at_a_boundary(task: Task) -> bool:
    """Tell whether a task goes to a boundary of any kind."""
    return any(measure(task) >= least for measure, least, _ in MEASURES.values())


MIN_WRONG = 3  # searches, to say what they have in common beside a size
ENOUGH = 10  # right searches below the boundary, so that a word about them is deserved
MAX_RIGHT = 3  # right searches beyond the boundary, to each that is wrong


def boundary_of(verdicts: Iterable[Verdict]) -> Boundary | None:
    """Return what a function's wrong searches have in common, or None.

    All that are wrong lie beyond the boundary, and of those that lie beyond it a good part.
    Where several kinds would do, the one that leaves fewest right searches beyond.
    """
    verdicts = list(verdicts)
    wrong = [verdict.task for verdict in verdicts if not verdict.right]
    right = [verdict.task for verdict in verdicts if verdict.right]
    found = []
    for kind, (measure, _, least) in MEASURES.items() if wrong else ():
        begin = min(map(measure, wrong))
        if begin < least or (least == 1 and len(wrong) < MIN_WRONG):
            continue
        beyond = sum(measure(task) >= begin for task in right)
        if beyond <= MAX_RIGHT * len(wrong) and len(right) - beyond >= ENOUGH:
            found.append((beyond, kind, begin))
    if not found:
        return None
    _, kind, begin = min(found, key=lambda row: row[0])
    if kind == LARGE:
        begin = 10 ** math.floor(math.log10(max(1, begin)))
    if kind == CLOSE:
        begin = 10 ** math.ceil(math.log10(-begin) - 0.01)
    return Boundary(kind, begin)
