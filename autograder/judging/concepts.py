"""What a search of a tree is about: its concept, computed from the right search.

A function's points are spread over concepts and not over trees, so that they say what
is understood. A task has one concept: the one that its tree's file names, or else the
first that fits, the particular ones before the plain ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from autograder.judging.boundaries import is_at_a_boundary
from autograder.judging.steps import CUTOFF, ENTER, LEAF, Step, replay
from autograder.tasks import EQUALITY, STRICT, Task
from gametree.functions import FUNCTIONS, NODE
from gametree.games import GamePosition
from gametree.support.judging import intervals

PUBLIC = "public trees"
MAX_FIRST, MIN_FIRST = "MAX moves first", "MIN moves first"
AT_MAX, AT_MIN, BY_BOTH = "cutoffs at MAX", "cutoffs at MIN", "cutoffs by both players"
NO_CUTOFF = "where nothing may be cut off"
FAR = "bounds from far above"
TIES, EQUAL_MOVES = "ties", "equal moves"
WINDOW = "a window that is given"
DEPTH = "depth and static values"
SHAPES = "odd shapes"
SIGNS, SIZES = "zero and negative values", "fractions and large values"
NUMBERS = "zero, negative, fractional, large values"
LIMITS = "at the limits"
GAMES = "games"

ABOUT = {  # what the trees of a concept have in common, in a line for the student
    PUBLIC: "the trees that you have in `trees/`",
    MAX_FIRST: "plain trees, MAX moves at the root",
    MIN_FIRST: "plain trees, MIN moves at the root",
    AT_MAX: "a MAX node leaves children out once alpha reaches beta",
    AT_MIN: "a MIN node leaves children out once beta comes down to alpha",
    BY_BOTH: "both players leave children out",
    NO_CUTOFF: "every leaf can matter",
    TIES: "a value that equals a bound decides what is left out",
    EQUAL_MOVES: "several moves are equally good, and the leftmost counts",
    FAR: "a bound cuts off three plies below the node that set it, or further down",
    WINDOW: "alpha and beta are given at the root",
    DEPTH: "the depth runs out where the game goes on",
    SHAPES: "a node with one child",
    SIGNS: "no value is above zero, or the answer is zero",
    SIZES: "fractions, or values of 1000 and more",
    NUMBERS: "no value above zero, a zero, fractions, or values of 1000 and more",
    LIMITS: "large or very close values, many children or plies, no or much depth",
    GAMES: "the positions of a game",
}
# function -> concept -> its part of the function's points, unless rubric.yaml says
# otherwise. In the order of the rows.
WEIGHTS = {
    "minimax": {
        PUBLIC: 3, MAX_FIRST: 5, MIN_FIRST: 5, DEPTH: 4, SHAPES: 3, NUMBERS: 2, LIMITS: 2,
        GAMES: 1,
    },
    "alphabeta": {
        PUBLIC: 4, AT_MAX: 8, AT_MIN: 8, BY_BOTH: 4, NO_CUTOFF: 2, TIES: 8, FAR: 4,
        WINDOW: 7, DEPTH: 5, SHAPES: 2, SIGNS: 2, SIZES: 2, LIMITS: 3, GAMES: 1,
    },
    "best_move": {
        PUBLIC: 1, MAX_FIRST: 3, MIN_FIRST: 3, EQUAL_MOVES: 3, DEPTH: 2, NUMBERS: 1.5,
        LIMITS: 1, GAMES: 0.5,
    },
}  # fmt: skip
LARGE = 1000  # and above: what many take for infinity
FAR_PLIES = 3  # between the node that set a bound and the node that it cuts off


def concept_of(task: Task, convention: str = EQUALITY) -> str:
    """Return the name of a task's concept, one of those that its function has.

    `convention` is that of the reference that searched the task's tree.
    """
    known = WEIGHTS[task.function]
    if task.tree.concept in known:
        return task.tree.concept
    return next(name for name, fits in _rules(task, convention) if fits and name in known)


def _rules(task, convention):
    """Yield (concept, whether it fits) in the order in which they are asked."""
    search = task.search
    yield GAMES, isinstance(task.tree.root, GamePosition)
    widths, values = task.widths, task.values
    yield LIMITS, is_at_a_boundary(task) or not widths
    yield WINDOW, not search.full_window
    yield DEPTH, task.ends_early
    yield EQUAL_MOVES, FUNCTIONS[task.function].answer == NODE and _equal_moves(task)
    steps = []
    if FUNCTIONS[task.function].has_window:
        replays = {name: replay(task.tree, search, name) for name in (EQUALITY, STRICT)}
        steps = replays[convention]
        yield TIES, _leaves(replays[EQUALITY]) != _leaves(replays[STRICT])
    special = any(v != int(v) or abs(v) >= LARGE for v in values)
    yield SIZES, special
    yield SIGNS, max(values) <= 0 or task.expected.answer.number == 0
    yield NUMBERS, max(values) <= 0 or special or task.expected.answer.number == 0
    yield SHAPES, 1 in widths
    cutters = {search.max_moves_at(step.path) for step in steps if step.kind == CUTOFF}
    yield NO_CUTOFF, not cutters
    yield FAR, cuts_off_far_below(steps)
    yield BY_BOTH, len(cutters) == 2
    yield AT_MAX, cutters == {True}
    yield AT_MIN, cutters == {False}
    yield MAX_FIRST, search.maximizing
    yield MIN_FIRST, not search.maximizing


def _leaves(steps):
    return {step.path for step in steps if step.kind == LEAF}


def _equal_moves(task):
    """Tell whether two moves are best, as the leaves that are visited prove it."""
    search = task.search
    of_paths = intervals(task.tree, search, task.expected.visited)
    values = [value for path, (value, _) in of_paths.items() if path]
    return values.count(max(values) if search.maximizing else min(values)) > 1


def cuts_off_far_below(steps: Sequence[Step]) -> bool:
    """Tell whether a node is cut off by a bound that was set FAR_PLIES above it."""
    windows = {step.path: (step.alpha, step.beta) for step in steps if step.kind == ENTER}
    for step in steps:
        if step.kind == CUTOFF and len(step.path) >= FAR_PLIES:
            given = windows[step.path[: 1 - FAR_PLIES]]
            pairs = zip(given, (step.alpha, step.beta))
            if any(math.isfinite(own) and own == above for own, above in pairs):
                return True
    return False
