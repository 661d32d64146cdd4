"""Name the features of a search, and the concept that it tests.

A feature happens in the correct search of the tree. Its name finishes "this search shows
...". A set of hidden trees must show each feature. Those that no concept needs have no
constant.

A function's points are split over concepts instead of trees, so that they show what a
student understands. A search has one concept, by its features: the first that fits.
Specific concepts come before general ones.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

from autograder.scoring.tasks import Task
from gametree.functions import FUNCTIONS, NODE
from gametree.support.correct import CorrectSearch
from gametree.support.errors import InputError
from gametree.support.trace import EXPAND
from gametree.support.tree import NodePath

GIVEN_WINDOW = "a given window"
LIMITED_DEPTH = "a depth limit over static values"
MAX_FIRST = "MAX at the root"
MIN_FIRST = "MIN at the root"
FRACTION = "a fraction"
UNUSUALLY_LARGE = "a value of 1,000 or more"
NOTHING_ABOVE_ZERO = "nothing above zero"
RESULT_OF_ZERO = "a result of zero"
EQUAL_MOVES = "equal moves"
NO_CUTOFF = "no cutoff"
CUTOFF_AT = {"MAX": "a cutoff at MAX", "MIN": "a cutoff at MIN"}
DEEP_CUTOFF = "a deep cutoff"
TIE = "a tie that cuts off"
# Extreme sizes.
LARGE_VALUES = "large values"
CLOSE_VALUES = "close values"
MANY_CHILDREN = "many children"
MANY_VISITS = "many visits"
MANY_PLIES = "many plies"
LARGE_DEPTH = "a large depth"
ROOT_ALONE = "no expanded node"

PUBLIC = "public trees"
AT_THE_LIMITS = "at the limits"
# Extreme size -> the kind of limit, which is a part of the row AT_THE_LIMITS.
LIMITS = {
    LARGE_VALUES: "value",
    CLOSE_VALUES: "nearness",
    MANY_CHILDREN: "width",
    MANY_VISITS: "width",
    MANY_PLIES: "depth",
    LARGE_DEPTH: "depth",
    ROOT_ALONE: "depth",
}
# Concept -> features; a search with one of them tests it. Specific concepts come first.
CONCEPTS = {
    PUBLIC: [],  # the trees decide, not their features
    AT_THE_LIMITS: LIMITS,
    "no cutoffs": [NO_CUTOFF],
    "a given window": [GIVEN_WINDOW],
    "depth and static values": [LIMITED_DEPTH],
    "equal moves": [EQUAL_MOVES],
    "ties": [TIE],
    "unusual values": [FRACTION, UNUSUALLY_LARGE, NOTHING_ABOVE_ZERO, RESULT_OF_ZERO],
    "deep cutoffs": [DEEP_CUTOFF],
    "cutoffs at MAX": [CUTOFF_AT["MAX"]],
    "cutoffs at MIN": [CUTOFF_AT["MIN"]],
    "MAX moves first": [MAX_FIRST],
    "MIN moves first": [MIN_FIRST],
}


def concept_of(task: Task, rows: Collection[str]) -> str:
    """Return the concept of a task: the first that it tests.

    rows: the concepts that have a row. Only these are considered.

    Raises InputError if the task tests none of them.
    """
    shown = features_of(task)
    for concept, tested in CONCEPTS.items():
        if concept in rows and not shown.isdisjoint(tested):
            return concept
    raise InputError(
        f"rubric.yaml: rows: {task.function}: a search of {task.tree.name} fits no row; "
        "add MAX moves first and MIN moves first"
    )


def limit_of(task: Task) -> str | None:
    """Return the first kind of limit that a task reaches, or None."""
    shown = features_of(task)
    return next((limit for size, limit in LIMITS.items() if size in shown), None)


@lru_cache(maxsize=1)  # the row and its part are found one after the other
def features_of(task: Task) -> frozenset[str]:
    """Return the features of the correct search of a task."""
    correct = task.correct_search()
    found = {*_features_of_search(task), *_features_of_shape(correct)}
    leaves = [correct.root.at(path) for path in correct.leaves]
    if not all(leaf.terminal for leaf in leaves):
        found.add(LIMITED_DEPTH)
    values = {leaf.static_value() for leaf in leaves}
    found.update(_features_of_values(values))
    found.update(_features_of_numbers(values, task.search))
    if FUNCTIONS[task.function].answer == NODE:
        found.update(_features_of_moves(correct))
    elif correct.values[()] == 0:
        found.add(RESULT_OF_ZERO)
    if FUNCTIONS[task.function].has_window:
        found.update(_features_of_cutoffs(task, correct))
    return frozenset(found)


def _features_of_search(task):
    """Yield the features of the arguments and of the number of visits."""
    search = task.search
    yield MAX_FIRST if search.maximizing else MIN_FIRST
    if not search.full_window:
        yield GIVEN_WINDOW
    if search.depth >= 10:
        yield LARGE_DEPTH
    if search.depth == 30:
        yield "a depth of 30"
    if len(task.expected.events) >= 150:
        yield MANY_VISITS
    if task.expected.node_count >= 450:
        yield "450 visits"


def _features_of_shape(correct):
    """Yield the features of the visited part of the tree."""
    plies = [len(path) for path in correct.leaves]
    entered = [path for kind, path in correct.events if kind == EXPAND]
    widths = {len(correct.root.at(path).children) for path in entered}
    if not widths:
        yield ROOT_ALONE
    if 1 in widths:
        yield "an only child"
    if max(widths, default=0) >= 6:
        yield MANY_CHILDREN
    if 9 in widths:
        yield "nine children"
    if max(plies) >= 7:
        yield MANY_PLIES
    if max(plies) - min(plies) >= 2:
        yield "leaves at plies that differ by two"


def _features_of_values(values):
    """Yield the features of the values of the visited leaves."""
    lowest = min(values)
    highest = max(values)
    if any(value != int(value) for value in values):
        yield FRACTION
    if max(-lowest, highest) >= 1000:  # a typical finite infinity
        yield UNUSUALLY_LARGE
    if highest <= 0:
        yield NOTHING_ABOVE_ZERO
    if highest < 0:
        yield "only values below zero"
    if lowest > 0:
        yield "only values above zero"
    if highest > 10_000:
        yield "a value above 10,000"
    if lowest < -10_000:
        yield "a value below -10,000"


def _features_of_numbers(values, search):
    """Yield the features of the values and the bounds together."""
    numbers = {*values, *filter(math.isfinite, (search.alpha, search.beta))}
    if max(map(abs, numbers)) >= 100_000:
        yield LARGE_VALUES
    if _smallest_gap(numbers) <= 0.001:
        yield CLOSE_VALUES


def _features_of_moves(correct):
    """Yield the features of the moves at the root."""
    moves = [correct.values[path] for path in correct.children(())]
    best = correct.values[()]
    if moves.count(best) > 1:
        yield EQUAL_MOVES
    if moves[0] != best:
        yield "a best move that is not the first"


def _features_of_cutoffs(task, correct):
    """Yield the features of the cutoffs."""
    if not correct.pruned:
        yield NO_CUTOFF
    for path in correct.pruned:
        yield CUTOFF_AT[correct.search.player_at(path)]
        if is_deep(correct, path):
            yield DEEP_CUTOFF
    equality = _pruned_on_equality(task, correct)
    for first, *_ in equality.pruned.values():
        alpha, beta = equality.windows[first]
        if alpha == beta:
            yield TIE


def _smallest_gap(numbers):
    """Return the smallest difference between two numbers, or their last decimal place."""
    gaps = [after - before for before, after in pairwise(sorted(numbers))]
    gaps += [10 ** -decimals_of(number) for number in numbers]
    return min(gaps)


def decimals_of(number: float) -> int:
    """Return the number of decimals, at most 16."""
    exact = (digits for digits in range(16) if round(number, digits) == number)
    return next(exact, 16)


def is_deep(correct: CorrectSearch, path: NodePath) -> bool:
    """Tell whether the cutoff at a node is deep.

    Its bound was set at least three plies above: the parent's children have not narrowed
    the window that its own parent had. A bound that was given with the window makes no
    cutoff deep.
    Source: Knuth and Moore, "An analysis of alpha-beta pruning", 1975.
    """
    alpha_above, beta_above = correct.windows[path[:-2]]
    alpha, beta = correct.windows[correct.pruned[path][0]]
    if correct.search.max_moves_at(path):
        return beta_above == beta < correct.search.beta
    return alpha_above == alpha > correct.search.alpha


def _pruned_on_equality(task, correct):
    """Return the search of a task that prunes on equality."""
    if not task.strict:
        return correct
    return CorrectSearch(task.tree, task.function, task.search, strict=False)
