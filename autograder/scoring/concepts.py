"""Determine the concept of a search from its features.

A function's points are split over concepts instead of trees, so that they show what a
student understands. A task has one concept: the first that fits. Specific concepts come
before general ones.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from autograder.scoring import features
from autograder.scoring.features import row_features
from autograder.scoring.tasks import Task
from gametree.functions import FUNCTIONS

PUBLIC = "public trees"
MAX_FIRST = "MAX moves first"
MIN_FIRST = "MIN moves first"
CUTOFFS_AT_MAX = "cutoffs at MAX"
CUTOFFS_AT_MIN = "cutoffs at MIN"
NO_CUTOFF = "no cutoffs"
DEEP_CUTOFFS = "deep cutoffs"
TIES = "ties"
EQUAL_MOVES = "equal moves"
GIVEN_WINDOW = "a given window"
LIMITED_DEPTH = "depth and static values"
UNUSUAL_VALUES = "unusual values"
AT_THE_LIMITS = "at the limits"


class Concept(NamedTuple):
    """A concept: the features of the searches that test it.

    name: the name of the concept.
    about: the key of the sentence on its trees in texts.yaml.
    features: a search tests the concept if it has one of these features.
    """

    name: str
    about: str
    features: Collection[str]


UNUSUAL = (
    features.FRACTION,
    features.UNUSUALLY_LARGE,
    features.NOTHING_ABOVE_ZERO,
    features.RESULT_OF_ZERO,
)
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
    Concept(AT_THE_LIMITS, "concept.at the limits", LIMITS),
    Concept(NO_CUTOFF, "concept.no cutoffs", [features.NO_CUTOFF]),
    Concept(GIVEN_WINDOW, "concept.a given window", [features.GIVEN_WINDOW]),
    Concept(LIMITED_DEPTH, "concept.depth and static values", [features.LIMITED_DEPTH]),
    Concept(EQUAL_MOVES, "concept.equal moves", [features.EQUAL_MOVES]),
    Concept(TIES, "concept.ties", [features.TIE]),
    Concept(UNUSUAL_VALUES, "concept.unusual values", UNUSUAL),
    Concept(DEEP_CUTOFFS, "concept.deep cutoffs", [features.DEEP_CUTOFF]),
    Concept(CUTOFFS_AT_MAX, "concept.cutoffs at MAX", [features.CUTOFF_AT["MAX"]]),
    Concept(CUTOFFS_AT_MIN, "concept.cutoffs at MIN", [features.CUTOFF_AT["MIN"]]),
    Concept(MAX_FIRST, "concept.MAX moves first", [features.MAX_FIRST]),
    Concept(MIN_FIRST, "concept.MIN moves first", [features.MIN_FIRST]),
)
ABOUT = {concept.name: concept.about for concept in CONCEPTS}


def concept_of(task: Task, rows: Collection[str]) -> str:
    """Return the concept of a task: the first that it tests.

    rows: the concepts that have a row. Only these are considered.
    """
    shown = row_features(task)
    return next(
        concept.name
        for concept in CONCEPTS
        if concept.name in rows and not shown.isdisjoint(concept.features)
    )


def fit_every_task(function: str, rows: Collection[str]) -> bool:
    """Tell whether each search of a function tests one of these concepts."""
    if {MAX_FIRST, MIN_FIRST} <= set(rows):
        return True
    has_cutoffs = FUNCTIONS[function].has_window
    return has_cutoffs and {NO_CUTOFF, CUTOFFS_AT_MAX, CUTOFFS_AT_MIN} <= set(rows)


def limit_of(task: Task) -> str | None:
    """Return the first kind of limit that a task reaches, or None."""
    shown = row_features(task)
    return next((limit for size, limit in LIMITS.items() if size in shown), None)
