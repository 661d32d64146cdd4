"""Evidence about a wrong function: its smallest failing tree, its state, a boundary.

A boundary is a size from which a function goes wrong, or a property of all its failures.
The module also tells whether a function is correct, wrong, or not written yet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from autograder.scoring import features
from autograder.scoring.features import features_of, sizes_of
from autograder.scoring.scores import NOT_WRITTEN
from autograder.scoring.tasks import Task
from gametree.support.judging import Verdict
from gametree.support.trace import RAISED

# Kinds of sizes.
LARGE = "large values"
CLOSE = "close values"
WIDE = "many children"
DEEP = "many plies"
FAR = "a large depth"
MANY = "many visits"
MIN_WRONG = 3  # minimum of wrong searches to report a common property
MIN_RIGHT = 10  # minimum of correct searches below a reported boundary
MAX_RIGHT_BEYOND = 3  # correct searches beyond a boundary per wrong search
# Kind of size -> the smallest boundary that is reported. Properties have no size.
REPORTED = {
    LARGE: 1000,
    CLOSE: -0.1,
    WIDE: 5,
    DEEP: 5,
    FAR: 5,
    MANY: 150,
}


@dataclass(frozen=True)
class StateLeak:
    """Evidence that a function keeps state between searches, or is nondeterministic.

    task: a search that is correct alone but wrong after other searches. If `at_random`, it
        is a search with a different result each time.
    before: a search that ran before it, or None.
    at_random: whether the search has a different result each time and is not correct alone.
    """

    task: Task
    before: Task | None
    at_random: bool = False

    @property
    def function(self) -> str:
        """The function's name."""
        return self.task.function


@dataclass(frozen=True)
class Counterexample:
    """The first small tree on which a function fails, and how it fails.

    verdict: the verdict on the search of this tree.
    tried: the position of the tree on the ladder, from 1. The function is correct on all
        earlier trees.
    late: whether hidden trees were run before it. In that case the verdict has the trace of
        the correct search, and only its aspects come from the submission.
    """

    verdict: Verdict
    tried: int
    late: bool = False


def is_right(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is correct on every tree."""
    return all(
        verdict.is_right for verdict in verdicts if verdict.task.function == function
    )


def is_stub(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is wrong because it is missing or not written yet."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    return bool(own) and all(map(_is_unwritten, own))


def _is_unwritten(verdict):
    ending = verdict.trace.ending
    if ending.kind != RAISED or ending.loading:
        return False
    return ending.error in NOT_WRITTEN


def wrong_and_written(function: str, verdicts: Sequence[Verdict]) -> bool:
    """Tell whether a function lost points and is neither a stub nor missing."""
    return not (is_right(function, verdicts) or is_stub(function, verdicts))


class Boundary(NamedTuple):
    """What all wrong searches have in common, with a size if it has one.

    kind: a kind of size or a key of search_properties().
    size: the size. Values and differences are rounded to a power of ten to conceal the
        trees: down below the failing values, and up above the failing differences.
    """

    kind: str
    size: float


def boundary_of(verdicts: Iterable[Verdict]) -> Boundary | None:
    """Return what a function's wrong searches have in common, or None.

    All wrong searches lie beyond the boundary, but only a few of the correct searches do.
    If several kinds fit, choose the kind with the fewest correct searches beyond it.
    """
    wrong = []
    right = []
    for verdict in verdicts:
        measures = _sizes(verdict.task) | search_properties(verdict.task)
        if verdict.is_right:
            right.append(measures)
        else:
            wrong.append(measures)
    if not wrong:
        return None
    found = []
    for kind in wrong[0]:
        begin = min(measures[kind] for measures in wrong)
        if kind in REPORTED:
            is_reported = begin >= REPORTED[kind]
        else:  # a property, which all wrong searches must have
            is_reported = begin and len(wrong) >= MIN_WRONG
        if not is_reported:
            continue
        count_beyond = sum(measures[kind] >= begin for measures in right)
        is_clear = count_beyond <= MAX_RIGHT_BEYOND * len(wrong)
        if is_clear and len(right) - count_beyond >= MIN_RIGHT:
            found.append((count_beyond, Boundary(kind, begin)))
    if not found:
        return None
    _, boundary = min(found, key=itemgetter(0))
    return _rounded(boundary)


def _sizes(task):
    """Return kind -> size of a task. Close values have a size just below zero."""
    sizes = sizes_of(task)
    return {
        LARGE: sizes.value,
        CLOSE: -sizes.gap,
        WIDE: sizes.width,
        DEEP: sizes.plies,
        FAR: sizes.depth,
        MANY: sizes.queries,
    }


def search_properties(task: Task) -> dict[str, bool]:
    """Return the properties of a task: kind -> whether it has the property."""
    shown = features_of(task)
    return {
        "a MAX root": task.search.maximizing,
        "a MIN root": not task.search.maximizing,
        "a window": not task.search.full_window,
        "a depth that ends early": features.LIMITED_DEPTH in shown,
        "a single child": features.SINGLE_CHILD in shown,
        "a zero": features.ZERO in shown,
        "nothing above zero": features.NOTHING_ABOVE_ZERO in shown,
        "nothing below zero": features.NOTHING_BELOW_ZERO in shown,
    }


def _rounded(boundary):
    """Return the boundary; round its size to a power of ten if it is about values."""
    kind, size = boundary
    if kind == LARGE:
        return Boundary(kind, 10 ** math.floor(math.log10(max(1, size))))
    if kind == CLOSE:
        return Boundary(kind, 10 ** math.ceil(math.log10(-size) - 0.01))
    return boundary
