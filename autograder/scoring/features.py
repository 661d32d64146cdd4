"""Name the features of a search: what the correct search of its tree exhibits.

There is one vocabulary for rows and for the required features of a set of hidden trees.
Each feature has a name that finishes "this search shows ...". The choice of trees counts
finer details too, which only `make trees` uses (workbench/details.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from autograder.scoring.tasks import Task
from gametree.functions import FUNCTIONS, NODE
from gametree.games import GamePosition
from gametree.support.correct import UPDATE, CorrectSearch, Step
from gametree.support.trace import EXPAND

GAME = "a game"
GIVEN_WINDOW = "a given window"
LIMITED_DEPTH = "a depth limit over static values"
MAX_FIRST = "MAX at the root"
MIN_FIRST = "MIN at the root"
LEAF_AS_ROOT = "a leaf as the root"
UNEVEN_DEPTH = "uneven depth"
SINGLE_CHILD = "a single child"
FRACTION = "a fraction"
UNUSUALLY_LARGE = "a value of 1,000 or more"
NOTHING_ABOVE_ZERO = "nothing above zero"
ZERO = "a zero"
RESULT_OF_ZERO = "a result of zero"
EQUAL_MOVES = "equal moves"
NO_CUTOFF = "no cutoff"
CUTOFF_AT = {"MAX": "a cutoff at MAX", "MIN": "a cutoff at MIN"}
CUTOFFS_BY_BOTH = "cutoffs by both players"
DEEP_CUTOFF = "a deep cutoff"
TIE = "a tie that cuts off"
# Numbers that programs use as "no value yet".
COMMON_STARTS = (0, 1, -1, 42, -42, 99, -99, 100, -100, 999, -999, 1000, -1000, 9999, -9999)
# Extreme sizes.
LARGE_VALUES = "large values"
CLOSE_VALUES = "close values"
MANY_CHILDREN = "many children"
MANY_VISITS = "many visits"
MANY_PLIES = "many plies"
LARGE_DEPTH = "a large depth"
ROOT_ALONE = "no expanded node"


class Sizes(NamedTuple):
    """The sizes of a task.

    value: the largest absolute value of a visited leaf or of a given bound.
    gap: the smallest difference between two of them, or their smallest decimal place.
    width: the most children of an expanded node; 0 if no node is expanded.
    plies: the depth of the deepest visited leaf.
    depth: the depth of the search.
    queries: the queries of the correct search.
    """

    value: float
    gap: float
    width: int
    plies: int
    depth: int
    queries: int

    def extremes(self) -> Iterator[str]:
        """Yield the extreme sizes."""
        if self.value >= 100_000:
            yield LARGE_VALUES
        if self.gap <= 0.001:
            yield CLOSE_VALUES
        if self.width >= 6:
            yield MANY_CHILDREN
        if self.queries >= 150:
            yield MANY_VISITS
        if self.plies >= 7:
            yield MANY_PLIES
        if self.depth >= 10:
            yield LARGE_DEPTH
        if self.width == 0:
            yield ROOT_ALONE


def _sizes_of(task: Task) -> Sizes:
    """Return the Sizes of a task."""
    search = task.search
    numbers = {*_values(task), *filter(math.isfinite, (search.alpha, search.beta))}
    return Sizes(
        value=max(map(abs, numbers)),
        gap=_smallest_gap(numbers),
        width=max(_widths(task), default=0),
        plies=max(map(len, task.expected.visited)),
        depth=search.depth,
        queries=len(task.expected.events),
    )


def _smallest_gap(numbers: set[float]) -> float:
    """Return the smallest difference between two numbers, or their last decimal place."""
    ordered = sorted(numbers)
    gaps = [after - before for before, after in zip(ordered, ordered[1:])]
    gaps += map(_last_decimal, ordered)
    return min(gaps, default=math.inf)


def _last_decimal(number):
    """Return the place value of the last decimal, such as 0.01 for 2.75 and 1 for 3."""
    return 10 ** -decimals_of(number)


def decimals_of(number: float) -> int:
    """Return the number of decimals, at most 16."""
    exact = (digits for digits in range(16) if round(number, digits) == number)
    return next(exact, 16)


def _values(task):
    """Return the values of the leaves that the correct search visits."""
    at = task.tree.root.at
    return {at(path).static_value() for path in task.expected.visited}


def _widths(task):
    """Return the numbers of children of the nodes that the correct search expands."""
    at = task.tree.root.at
    expanded = {path for kind, path in task.expected.events if kind == EXPAND}
    return {len(at(path).children) for path in expanded}


def features_of(task: Task) -> frozenset[str]:
    """Return the features of the correct search of a task."""
    features = {*_of_arguments(task), *_of_shape(task), *_of_values(task)}
    features.update(_sizes_of(task).extremes())
    if FUNCTIONS[task.function].has_window:
        features.update(_of_cutoffs(task))
        features.update(_of_bounds(task))
    if FUNCTIONS[task.function].answer == NODE:
        features.update(_of_moves(task))
    return frozenset(features)


def _of_arguments(task):
    search = task.search
    if isinstance(task.tree.root, GamePosition):
        yield GAME
    if not search.full_window:
        yield GIVEN_WINDOW
    yield MAX_FIRST if search.maximizing else MIN_FIRST
    if search.depth > 20:
        yield "a depth above 20"
    if search.earlier and len(task.tree.root.children) > 1:
        yield "a repeated search with several moves"
    if search.earlier and search.depth >= 7 and task.tree.root.height >= 7:
        yield "a search of seven plies repeated"


def _of_shape(task):
    root = task.tree.root
    leaves = task.expected.visited
    if _ends_at_limit(task):
        yield LIMITED_DEPTH
        if max(map(len, leaves)) >= 11:
            yield "a depth limit eleven plies below the root"
    if root.terminal and task.search.depth > 0:
        yield LEAF_AS_ROOT
        yield from _of_leaf_as_root(task)
    if len(set(map(len, leaves))) > 1:
        yield UNEVEN_DEPTH
    if 1 in _widths(task):
        yield SINGLE_CHILD
    if task.expected.node_count >= 450:
        yield f"450 visits in {task.function}"


def _ends_at_limit(task):
    """Tell whether the depth limit makes an interior node a leaf of the search."""
    at = task.tree.root.at
    return not all(at(path).terminal for path in task.expected.visited)


def _of_leaf_as_root(task):
    search = task.search
    value = task.tree.root.static_value()
    bounds = (search.alpha, search.beta)
    if value == 0:
        yield "a leaf as the root, worth zero"
    if value < 0:
        yield "a leaf as the root, worth less than zero"
    if abs(value) >= 10**6 and _last_decimal(value) <= 0.000001:
        yield "a leaf as the root, with seven digits and six decimals"
    if value in bounds:
        yield "a leaf as the root, equal to a bound"
    if 0 in bounds:
        yield "a leaf as the root, with a bound of zero"
    if search.depth == 30:
        yield "a leaf as the root, at depth 30"


def _of_values(task):
    values = _values(task)
    if any(value != int(value) for value in values):
        yield FRACTION
    if max(map(abs, values)) >= 1000:  # a typical substitute for infinity
        yield UNUSUALLY_LARGE
    if max(values) <= 0:
        yield NOTHING_ABOVE_ZERO
    if task.expected.answer.number == 0:
        yield RESULT_OF_ZERO
    if max(values) > 10_000:
        yield "a value above 10,000"
    if min(values) < -10_000:
        yield "a value below -10,000"
    if max(values) < 0:
        yield "all values negative"
    if min(values) > 0:
        yield "all values positive"
    if 0 in values:
        yield ZERO
    if 0 < abs(task.expected.answer.number or 0) < 0.00001 and task.search.depth:
        yield f"a result close to zero in {task.function}"


def _of_moves(task):
    """Yield the features of the moves, whose values the visited leaves prove."""
    values = [low for path, (low, _) in task.proven.items() if path]
    best = task.search.mover_at(()).combine(values)
    at_limit = " at the depth limit" if _ends_at_limit(task) else ""
    if values.count(best) > 1:
        yield EQUAL_MOVES
        if at_limit:
            yield f"{EQUAL_MOVES}{at_limit}"
    if len(values) >= 5 and min(map(len, task.expected.visited)) >= 6:
        yield "five moves in a search of six plies"
    if len(values) == 1:
        yield f"an only move{at_limit}"
    if best in COMMON_STARTS:
        place = "later" if any(task.expected.answer.path) else "first"
        yield "a best move worth a common initial value"
        yield f"a best move worth {best:.0f}, {place}"
    player = task.search.player_at(())
    if min(values) > 10**6:
        yield f"only large gains for {player}"
    if max(values) < -(10**6):
        yield f"only large losses for {player}"


def _of_cutoffs(task):
    """Yield the features of the cutoffs and of the compared values of alphabeta."""
    correct = task.correct_search()
    player_at = task.search.player_at
    players = {player_at(step.path) for step in correct.cutoffs}
    for player in players:
        yield CUTOFF_AT[player]
    if len(players) == 2:
        yield CUTOFFS_BY_BOTH
    if not players:
        yield NO_CUTOFF
    if any(is_deep(correct, cutoff) for cutoff in correct.cutoffs):
        yield DEEP_CUTOFF
    for step in _ties(task):
        yield TIE
        count = len(step.pruned_paths)
        yield f"a tie that prunes {count} children of {player_at(step.path)}"
        if step.alpha in (-1, 0, 1) and is_deep(correct, step):
            yield f"a deep tie at {step.alpha:.0f}"
    yield from _worse_last_children(correct)


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


def _ties(task):
    """Return the cutoffs at which alpha equals beta, if a search prunes on equality."""
    prunes_on_equality = CorrectSearch(task.tree, task.function, task.search, strict=False)
    return [step for step in prunes_on_equality.cutoffs if step.alpha == step.beta]


def _of_bounds(task):
    """Yield the features of the given bounds."""
    search = task.search
    bounds = [*filter(math.isfinite, (search.alpha, search.beta))]
    plies = _single_children_at_root(task)
    player = search.player_at((0,) * plies)
    for bound in bounds:
        if plies >= 2 and task.search.depth > plies:
            yield f"a bound of {_kind_of(bound)} below single children, at {player}"
        for value in _values(task):
            if 0 < abs(value - bound) <= 0.5:
                yield "a value within 0.5 of a bound"
            if 0 < abs(value - bound) < 0.000002:
                yield "a value within 0.000001 of a bound"
        if _last_decimal(bound) < 0.001:
            yield "a bound with six decimals"
        for step in task.correct_search().cutoffs:
            if bound == 0 and 0 in (step.alpha, step.beta):
                yield "a cutoff at a bound of zero"
    width = search.beta - search.alpha
    if width < 0.000002:
        yield "a window of width 0.000001"
    if width <= 0.5 and min(map(abs, bounds)) > 10**6:
        yield "a narrow window at large values"


def _single_children_at_root(task):
    """Return the number of plies below the root at which no player has a choice."""
    position = task.tree.root
    plies = 0
    while len(position.children) == 1:
        position = position.children[0]
        plies += 1
    return plies


def _kind_of(bound):
    if bound == 0:
        return "zero"
    if abs(bound) > 10**6:
        return "more than a million"
    return "a whole number" if bound == int(bound) else "a fraction"


def _worse_last_children(correct):
    """Yield a feature for each node whose last child is worse than an earlier child."""
    for step in correct.steps:
        if step.kind != UPDATE:
            continue
        last = len(correct.root.at(step.path).children) - 1
        is_worse = correct.values[step.child_path] != step.value
        if step.child_path[-1] == last and is_worse:
            player = correct.search.player_at(step.path)
            yield f"a worse last child of {player} at ply {len(step.path)}"
