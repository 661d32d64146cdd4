"""The edges of what a tree may hold: large values, hairline differences, wide, long.

A program that fails only from some size on is right in the main, and is told so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from autograder.tasks import Task
from gametree.judging import Verdict
from gametree.trace import EXPAND

LARGE, CLOSE, WIDE = "large values", "close values", "many children"
DEEP, FAR, MANY = "many plies", "a large depth", "many visits"


@dataclass(frozen=True)
class Edge:
    """A kind of size, and from where on searches go wrong.

    Values and differences are a power of ten, so that they tell nothing of a tree: the
    next one below the failing values, the next one above the failing differences.
    """

    kind: str
    size: float


def _numbers(task):
    root, search = task.tree.root, task.search
    known = {root.at(path).static_value() for path in task.expected.visited}
    return known | {bound for bound in (search.alpha, search.beta) if math.isfinite(bound)}


def _largest(task):
    return max(map(abs, _numbers(task)), default=0)


def _gap(task):
    """Return the smallest difference between two numbers, or the last decimal of one."""
    numbers = sorted(_numbers(task))
    gaps = [b - a for a, b in zip(numbers, numbers[1:])]
    return min([*gaps, *map(_last_decimal, numbers)], default=math.inf)


def _last_decimal(number):
    return next(10**-k for k in range(17) if k == 16 or round(number, k) == number)


def _width(task):
    expanded = {path for kind, path in task.expected.events if kind == EXPAND}
    return max((len(task.tree.root.at(path).children) for path in expanded), default=0)


def _plies(task):
    return max(map(len, task.expected.visited))


# kind -> (its measure of a task, from where on it counts as an edge, is worth a word)
MEASURES: dict[str, tuple[Callable[[Task], float], float, float]] = {
    LARGE: (_largest, 100_000, 1000),
    CLOSE: (lambda task: -_gap(task), -0.001, -0.1),
    WIDE: (_width, 6, 5),
    DEEP: (_plies, 7, 5),
    FAR: (lambda task: task.search.depth, 10, 5),
    MANY: (lambda task: len(task.expected.events), 150, 150),
}


def at_an_edge(task: Task) -> bool:
    """Tell whether a task goes to an edge of any kind."""
    return any(measure(task) >= least for measure, least, _ in MEASURES.values())


ENOUGH = 10  # right searches below the edge, so that a word about them is deserved
MOST_RIGHT = 3  # right searches beyond the edge, to each that is wrong


def edge_of(verdicts: Iterable[Verdict]) -> Edge | None:
    """Return from where on a function's searches go wrong, or None.

    All that are wrong lie beyond the edge, and of those that lie beyond it a good part.
    Where several kinds would do, the one that leaves fewest right searches beyond.
    """
    verdicts = list(verdicts)
    wrong = [verdict.task for verdict in verdicts if not verdict.right]
    right = [verdict.task for verdict in verdicts if verdict.right]
    found = []
    for kind, (measure, _, least) in MEASURES.items() if wrong else ():
        begin = min(map(measure, wrong))
        beyond = sum(measure(task) >= begin for task in right)
        common = beyond <= MOST_RIGHT * len(wrong) and len(right) - beyond >= ENOUGH
        if begin >= least and common:
            found.append((beyond, kind, begin))
    if not found:
        return None
    _, kind, begin = min(found, key=lambda row: row[0])
    if kind == LARGE:
        begin = 10 ** math.floor(math.log10(max(1, begin)))
    if kind == CLOSE:
        begin = 10 ** math.ceil(math.log10(-begin) - 0.01)
    return Edge(kind, begin)
