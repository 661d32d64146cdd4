"""Name the features of a search: what happens in the correct search of its tree.

Each name finishes "this search shows ...". The features determine the row that a search
counts toward, and a set of hidden trees must show them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

from autograder.scoring.tasks import Task
from gametree.functions import FUNCTIONS, NODE
from gametree.support.correct import ENTER, CorrectSearch, Step

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
# No row has these, but each set of hidden trees has them.
ONLY_ABOVE_ZERO = "only values above zero"
ONLY_BELOW_ZERO = "only values below zero"
FAR_ABOVE_ZERO = "a value above 10,000"
FAR_BELOW_ZERO = "a value below -10,000"
UNEVEN = "leaves at plies that differ by two"
ONLY_CHILD = "an only child"
MOST_CHILDREN = "nine children"
MOST_VISITS = "450 visits"
MOST_DEPTH = "a depth of 30"
LATER_MOVE = "a best move that is not the first"


@lru_cache(maxsize=1)  # the row and its part are found one after the other
def features_of(task: Task) -> frozenset[str]:
    """Return the features of the correct search of a task."""
    correct = task.correct_search()
    shown = _features_of_search(task)
    shown |= _features_of_numbers(correct)
    shown |= _features_of_shape(correct)
    if FUNCTIONS[task.function].answer == NODE:
        moves = [correct.values[path] for path in correct.children(())]
        shown[EQUAL_MOVES] = moves.count(correct.values[()]) > 1
        shown[LATER_MOVE] = moves[0] != correct.values[()]
    else:
        shown[RESULT_OF_ZERO] = correct.values[()] == 0
    if FUNCTIONS[task.function].has_window:
        shown |= _features_of_cutoffs(task, correct)
    return frozenset(feature for feature, is_shown in shown.items() if is_shown)


def _features_of_search(task: Task) -> dict[str, bool]:
    """Return feature -> whether it is shown, of the arguments and the number of visits."""
    search = task.search
    return {
        MAX_FIRST: search.maximizing,
        MIN_FIRST: not search.maximizing,
        GIVEN_WINDOW: not search.full_window,
        LARGE_DEPTH: search.depth >= 10,
        MOST_DEPTH: search.depth == 30,
        MANY_VISITS: len(task.expected.events) >= 150,
        MOST_VISITS: task.expected.node_count >= 450,
    }


def _features_of_numbers(correct: CorrectSearch) -> dict[str, bool]:
    """Return feature -> whether the visited leaves and the bounds show it."""
    leaves = [correct.root.at(path) for path in correct.leaves]
    values = {leaf.static_value() for leaf in leaves}
    search = correct.search
    numbers = values.union(filter(math.isfinite, (search.alpha, search.beta)))
    return {
        LIMITED_DEPTH: not all(leaf.terminal for leaf in leaves),
        FRACTION: any(value != int(value) for value in values),
        UNUSUALLY_LARGE: max(map(abs, values)) >= 1000,  # a typical finite infinity
        NOTHING_ABOVE_ZERO: max(values) <= 0,
        ONLY_ABOVE_ZERO: min(values) > 0,
        ONLY_BELOW_ZERO: max(values) < 0,
        FAR_ABOVE_ZERO: max(values) > 10_000,
        FAR_BELOW_ZERO: min(values) < -10_000,
        LARGE_VALUES: max(map(abs, numbers)) >= 100_000,
        CLOSE_VALUES: _smallest_gap(numbers) <= 0.001,
    }


def _features_of_shape(correct: CorrectSearch) -> dict[str, bool]:
    """Return feature -> whether the visited part of the tree shows it."""
    plies = [len(path) for path in correct.leaves]
    entered = [step.path for step in correct.steps if step.kind == ENTER]
    widths = [len(correct.root.at(path).children) for path in entered]
    return {
        MANY_CHILDREN: max(widths, default=0) >= 6,
        MOST_CHILDREN: 9 in widths,
        ONLY_CHILD: 1 in widths,
        ROOT_ALONE: not widths,
        MANY_PLIES: max(plies) >= 7,
        UNEVEN: max(plies) - min(plies) >= 2,
    }


def _features_of_cutoffs(task: Task, correct: CorrectSearch) -> dict[str, bool]:
    """Return feature -> whether the cutoffs show it."""
    players = {correct.search.player_at(cutoff.path) for cutoff in correct.cutoffs}
    equality = _pruned_on_equality(task, correct)
    shown = {
        NO_CUTOFF: not players,
        DEEP_CUTOFF: any(is_deep(correct, cutoff) for cutoff in correct.cutoffs),
        TIE: any(cutoff.alpha == cutoff.beta for cutoff in equality.cutoffs),
    }
    for player, feature in CUTOFF_AT.items():
        shown[feature] = player in players
    return shown


def _smallest_gap(numbers):
    """Return the smallest difference between two numbers, or their last decimal place."""
    gaps = [after - before for before, after in pairwise(sorted(numbers))]
    gaps += [10 ** -decimals_of(number) for number in numbers]
    return min(gaps)


def decimals_of(number: float) -> int:
    """Return the number of decimals, at most 16."""
    exact = (digits for digits in range(16) if round(number, digits) == number)
    return next(exact, 16)


def is_deep(correct: CorrectSearch, cutoff: Step) -> bool:
    """Tell whether a cutoff is deep: its bound was set at least three plies above.

    The parent's children have not narrowed the window that its own parent had. A bound
    that was given with the window makes no cutoff deep.
    Source: Knuth and Moore, "An analysis of alpha-beta pruning", 1975.
    """
    alpha, beta = correct.windows[cutoff.path[:-2]]
    if correct.search.max_moves_at(cutoff.path):
        return beta == cutoff.beta < correct.search.beta
    return alpha == cutoff.alpha > correct.search.alpha


def _pruned_on_equality(task, correct):
    """Return the search of a task that prunes on equality."""
    if not task.strict:
        return correct
    return CorrectSearch(task.tree, task.function, task.search, strict=False)
