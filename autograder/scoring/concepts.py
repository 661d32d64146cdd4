"""Determine the concept of a search from its features.

A function's points are split over concepts instead of trees, so that they show what a
student understands. A task has one concept: the first that fits. Specific concepts come
before general ones.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from autograder.scoring import features
from autograder.scoring.features import features_of
from autograder.scoring.tasks import Task

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

# function -> concept -> its share of the function's points, in the order of the rows.
WEIGHTS: dict[str, dict[str, float]] = {
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


class Concept(NamedTuple):
    """A concept: the features of the searches that test it.

    name: the name of the concept.
    about: the key of the sentence on its trees in texts.yaml.
    features: a search tests the concept if it has one of these features.
    """

    name: str
    about: str
    features: Collection[str]


UNUSUAL = (features.FRACTION, features.UNUSUALLY_LARGE)
NOT_POSITIVE = (features.NOTHING_ABOVE_ZERO, features.RESULT_OF_ZERO)
# Extreme size -> the kind of limit, which is a part of the row AT_THE_LIMITS.
LIMITS = {
    features.LARGE_VALUES: "value",
    features.CLOSE_VALUES: "nearness",
    features.MANY_CHILDREN: "width",
    features.MANY_VISITS: "width",
    features.MANY_PLIES: "depth",
    features.LARGE_DEPTH: "depth",
    features.ROOT_ALONE: "depth",
}
# The concepts of searches, specific concepts first.
CONCEPTS = (
    Concept(PUBLIC, "concept.public trees", []),  # the trees decide, not their features
    Concept(GAMES, "concept.games", [features.GAME]),
    Concept(AT_THE_LIMITS, "concept.at the limits", LIMITS),
    Concept(GIVEN_WINDOW, "concept.a given window", [features.GIVEN_WINDOW]),
    Concept(LIMITED_DEPTH, "concept.depth and static values", [features.LIMITED_DEPTH]),
    Concept(EQUAL_MOVES, "concept.equal moves", [features.EQUAL_MOVES]),
    Concept(TIES, "concept.ties", [features.TIE]),
    Concept(UNUSUAL_VALUES, "concept.fractions and large values", UNUSUAL),
    Concept(ZERO_AND_NEGATIVE, "concept.zero and negative values", NOT_POSITIVE),
    Concept(
        SPECIAL_NUMBERS,
        "concept.zero, negative, fractional, large values",
        UNUSUAL + NOT_POSITIVE,
    ),
    Concept(ODD_SHAPES, "concept.odd shapes", [features.SINGLE_CHILD]),
    Concept(NO_CUTOFF, "concept.no cutoffs", [features.NO_CUTOFF]),
    Concept(DEEP_CUTOFFS, "concept.deep cutoffs", [features.DEEP_CUTOFF]),
    Concept(CUTOFFS_BY_BOTH, "concept.cutoffs by both players", [features.CUTOFFS_BY_BOTH]),
    Concept(CUTOFFS_AT_MAX, "concept.cutoffs at MAX", [features.CUTOFF_AT["MAX"]]),
    Concept(CUTOFFS_AT_MIN, "concept.cutoffs at MIN", [features.CUTOFF_AT["MIN"]]),
    Concept(MAX_FIRST, "concept.MAX moves first", [features.MAX_FIRST]),
    Concept(MIN_FIRST, "concept.MIN moves first", [features.MIN_FIRST]),
)
ABOUT = {concept.name: concept.about for concept in CONCEPTS}


def concept_of(task: Task) -> str:
    """Return the name of a task's concept, which is a concept of its function."""
    shown = features_of(task)
    own = WEIGHTS[task.function]
    return next(
        concept.name
        for concept in CONCEPTS
        if concept.name in own and not shown.isdisjoint(concept.features)
    )


def limit_of(task: Task) -> str | None:
    """Return the first kind of limit that a task reaches, or None."""
    shown = features_of(task)
    return next((limit for size, limit in LIMITS.items() if size in shown), None)
