"""Determine the concept of a search from the correct search of its tree.

A function's points are split over concepts instead of trees, so that they show what a
student understands. A task has one concept: the first that fits. Specific concepts come
before general ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from autograder.scoring.steps import CUTOFF, ENTER, Step, replay
from autograder.scoring.tasks import EQUALITY, Task
from gametree.functions import FUNCTIONS, NODE
from gametree.games import GamePosition

PUBLIC = "public trees"
MAX_FIRST = "MAX moves first"
MIN_FIRST = "MIN moves first"
CUTOFFS_AT_MAX = "cutoffs at MAX"
CUTOFFS_AT_MIN = "cutoffs at MIN"
CUTOFFS_BY_BOTH = "cutoffs by both players"
NO_CUTOFF = "no cutoffs"
DEEP_CUTOFFS = "deep cutoffs"
TIES = "ties"
EQUAL_MOVES = "equal moves"
GIVEN_WINDOW = "a given window"
LIMITED_DEPTH = "depth and static values"
ODD_SHAPES = "odd shapes"
ZERO_AND_NEGATIVE = "zero and negative values"
UNUSUAL_VALUES = "fractions and large values"
SPECIAL_NUMBERS = "zero, negative, fractional, large values"
AT_THE_LIMITS = "at the limits"
GAMES = "games"

ABOUT = {  # concept -> the sentence of texts.yaml on its trees
    PUBLIC: "concept.public trees",
    MAX_FIRST: "concept.MAX moves first",
    MIN_FIRST: "concept.MIN moves first",
    CUTOFFS_AT_MAX: "concept.cutoffs at MAX",
    CUTOFFS_AT_MIN: "concept.cutoffs at MIN",
    CUTOFFS_BY_BOTH: "concept.cutoffs by both players",
    NO_CUTOFF: "concept.no cutoffs",
    DEEP_CUTOFFS: "concept.deep cutoffs",
    TIES: "concept.ties",
    EQUAL_MOVES: "concept.equal moves",
    GIVEN_WINDOW: "concept.a given window",
    LIMITED_DEPTH: "concept.depth and static values",
    ODD_SHAPES: "concept.odd shapes",
    ZERO_AND_NEGATIVE: "concept.zero and negative values",
    UNUSUAL_VALUES: "concept.fractions and large values",
    SPECIAL_NUMBERS: "concept.zero, negative, fractional, large values",
    AT_THE_LIMITS: "concept.at the limits",
    GAMES: "concept.games",
}

# function -> concept -> its share of the function's points, in the order of the rows.
WEIGHTS = {
    "minimax": {
        PUBLIC: 3,
        MAX_FIRST: 5,
        MIN_FIRST: 5,
        LIMITED_DEPTH: 4,
        ODD_SHAPES: 3,
        SPECIAL_NUMBERS: 2,
        AT_THE_LIMITS: 2,
        GAMES: 1,
    },
    "alphabeta": {
        PUBLIC: 4,
        CUTOFFS_AT_MAX: 8,
        CUTOFFS_AT_MIN: 8,
        CUTOFFS_BY_BOTH: 4,
        NO_CUTOFF: 2,
        TIES: 8,
        DEEP_CUTOFFS: 4,
        GIVEN_WINDOW: 7,
        LIMITED_DEPTH: 5,
        ODD_SHAPES: 2,
        ZERO_AND_NEGATIVE: 2,
        UNUSUAL_VALUES: 2,
        AT_THE_LIMITS: 3,
        GAMES: 1,
    },
    "best_move": {
        PUBLIC: 1,
        MAX_FIRST: 2.5,
        MIN_FIRST: 2.5,
        EQUAL_MOVES: 3,
        LIMITED_DEPTH: 2,
        SPECIAL_NUMBERS: 1.5,
        AT_THE_LIMITS: 2,
        GAMES: 0.5,
    },
}
UNUSUALLY_LARGE = 1000  # a typical substitute for infinity
FAR_PLIES = 3  # from the node that sets a bound to the node that it cuts off

# Kinds of sizes of a task.
LARGE = "large values"
CLOSE = "close values"
WIDE = "many children"
DEEP = "many plies"
FAR = "a large depth"
MANY = "many visits"
# Kinds of limits, each a part of the row AT_THE_LIMITS.
VALUE = "value"
NEARNESS = "nearness"
WIDTH = "width"
DEPTH = "depth"
# Kind of size -> the size from which a task is at a limit, and the kind of this limit.
LIMITS = {
    LARGE: (100_000, VALUE),
    CLOSE: (-0.001, NEARNESS),
    WIDE: (6, WIDTH),
    MANY: (150, WIDTH),
    DEEP: (7, DEPTH),
    FAR: (10, DEPTH),
}


def sizes_of(task: Task) -> dict[str, float]:
    """Return kind -> size of a task. Close values have a size just below zero."""
    return {
        LARGE: max(map(abs, task.numbers), default=0),
        CLOSE: -task.smallest_gap,
        WIDE: max(task.widths, default=0),
        DEEP: max(map(len, task.expected.visited)),
        FAR: task.search.depth,
        MANY: len(task.expected.events),
    }


def limit_of(task: Task) -> str | None:
    """Return the first kind of limit that a task reaches, or None."""
    sizes = sizes_of(task)
    for kind, (boundary, limit) in LIMITS.items():
        if sizes[kind] >= boundary:
            return limit
    return None if task.widths else DEPTH


def concept_of(task: Task, convention: str = EQUALITY) -> str:
    """Return the name of a task's concept, which is a concept of its function.

    convention: the cutoff convention of the reference that searched the tree.
    """
    concepts = WEIGHTS[task.function]
    return next(name for name in _fitting_concepts(task, convention) if name in concepts)


def _fitting_concepts(task, convention):
    """Yield the names of the concepts that fit a task, specific concepts first."""
    search = task.search
    function = FUNCTIONS[task.function]
    if isinstance(task.tree.root, GamePosition):
        yield GAMES
    if limit_of(task):
        yield AT_THE_LIMITS
    if not search.full_window:
        yield GIVEN_WINDOW
    if task.ends_early:
        yield LIMITED_DEPTH
    if function.answer == NODE and _has_equal_moves(task):
        yield EQUAL_MOVES
    steps = ()
    if function.has_window:
        steps = replay(task.tree, search, convention)
        if any(map(_is_tie, replay(task.tree, search, EQUALITY))):
            yield TIES
    unusual = any(map(_is_unusual, task.values))
    if unusual:
        yield UNUSUAL_VALUES
    not_positive = max(task.values) <= 0 or task.expected.answer.number == 0
    if not_positive:
        yield ZERO_AND_NEGATIVE
    if unusual or not_positive:
        yield SPECIAL_NUMBERS
    if 1 in task.widths:
        yield ODD_SHAPES
    cutters = {search.player_at(step.path) for step in steps if step.kind == CUTOFF}
    if not cutters:
        yield NO_CUTOFF
    if cuts_off_far_below(steps):
        yield DEEP_CUTOFFS
    if len(cutters) == 2:
        yield CUTOFFS_BY_BOTH
    if cutters == {"MAX"}:
        yield CUTOFFS_AT_MAX
    if cutters == {"MIN"}:
        yield CUTOFFS_AT_MIN
    yield MAX_FIRST if search.maximizing else MIN_FIRST


def _is_unusual(value):
    return value != int(value) or abs(value) >= UNUSUALLY_LARGE


def _is_tie(step):
    return step.kind == CUTOFF and step.alpha == step.beta


def _has_equal_moves(task):
    """Tell whether the visited leaves prove that two moves are best."""
    values = [low for path, (low, _) in task.proven.items() if path]
    best = task.search.best_at(())(values)
    return values.count(best) > 1


def cuts_off_far_below(steps: Sequence[Step]) -> bool:
    """Tell whether a bound that was set FAR_PLIES above a node cuts it off."""
    windows = {step.path: (step.alpha, step.beta) for step in steps if step.kind == ENTER}
    for step in steps:
        if step.kind != CUTOFF or len(step.path) < FAR_PLIES:
            continue
        alpha_above, beta_above = windows[step.path[: 1 - FAR_PLIES]]
        if step.alpha == alpha_above and math.isfinite(step.alpha):
            return True
        if step.beta == beta_above and math.isfinite(step.beta):
            return True
    return False
