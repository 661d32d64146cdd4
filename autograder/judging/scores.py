"""Rows and points: one row a function and concept, scored in whole cents."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from autograder.judging.concepts import PUBLIC, WEIGHTS, concept_of
from autograder.judging.rubric import VISIBLE
from autograder.tasks import Task
from gametree.functions import FUNCTIONS
from gametree.support.judging import DID_NOT_RETURN, Finding, Verdict
from gametree.support.trace import NOT_RUN, RETURNED, Ending
from gametree.support.tree import Tree

NOT_WRITTEN = ("NotImplementedError", "function missing")  # errors that say so
SEVERAL_WAYS = "several ways"  # in which searches of hidden trees ended


class OnTree(NamedTuple):
    """One function on one tree: its searches of one concept, and what came of them.

    `verdicts` are in the order of `tasks`, none where nothing was run yet. `earned` is
    the part of the tree's points that they earn, from 0 to 1: that of the worst search.
    """

    tree: Tree
    tasks: tuple[Task, ...]
    verdicts: tuple[Verdict, ...] = ()
    earned: Fraction = Fraction(0)

    @property
    def right(self) -> bool:
        """Whether every aspect of every search holds."""
        return bool(self.verdicts) and all(verdict.right for verdict in self.verdicts)

    @property
    def aspects(self) -> dict[str, tuple[int, int]]:
        """Aspect -> (searches on which it holds, searches)."""
        return {
            aspect: (sum(v.aspects[aspect] for v in self.verdicts), len(self.verdicts))
            for aspect in self.tasks[0].aspects
        }


class Row(NamedTuple):
    """One function and concept: what came of each tree, and what they earn together.

    `cents` and `max_cents` are hundredths of a point; `number` orders rows, as
    "2.07" for the seventh alphabeta row. `visibility` says when students see it, in
    Gradescope's words.
    """

    function: str
    concept: str
    number: str
    max_cents: int
    trees: tuple[OnTree, ...]
    cents: int = 0
    visibility: str = VISIBLE

    @property
    def name(self) -> str:
        """The line that the student reads: the function and the concept."""
        return f"{self.function}: {self.concept}"

    @property
    def public(self) -> bool:
        """Whether its trees are public, so that details are shown."""
        return self.concept == PUBLIC

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts on all its searches, tree by tree."""
        return tuple(verdict for on_tree in self.trees for verdict in on_tree.verdicts)

    @property
    def right(self) -> bool:
        """Whether every tree is right."""
        return all(on_tree.right for on_tree in self.trees)

    @property
    def right_trees(self) -> int:
        """How many of its trees are right."""
        return sum(on_tree.right for on_tree in self.trees)


def plan_rows(
    tasks: Iterable[Task], rubric, public_names: Collection[str]
) -> tuple[Row, ...]:
    """Return the rows of tasks that were not run yet, function by function.

    Those of a function are in the order of its concepts; a concept of which no tree is
    there has none, and the function's points are those of the others.
    """
    of_row = {}
    for task in tasks:
        public = task.tree.name in public_names
        concept = PUBLIC if public else concept_of(task, rubric.cutoff)
        trees = of_row.setdefault((task.function, concept), {})
        trees.setdefault(task.tree.name, []).append(task)
    rows = []
    for place, function in enumerate(rubric.cents, start=1):
        present = [name for name in WEIGHTS[function] if (function, name) in of_row]
        cents = row_cents(rubric, function, present)
        for number, concept in enumerate(present, start=1):
            groups = of_row[function, concept].values()
            trees = tuple(OnTree(group[0].tree, tuple(group)) for group in groups)
            number = f"{place}.{number:02d}"
            seen = VISIBLE if concept == PUBLIC else rubric.visibility
            most = cents[concept]
            rows.append(Row(function, concept, number, most, trees, visibility=seen))
    return tuple(rows)


def score_rows(
    to_come: Iterable[Row], verdicts: Iterable[Verdict], rubric
) -> tuple[Row, ...]:
    """Return the rows to come with what was judged, in the same order.

    A row's points are split evenly over its trees, a tree's over the aspects by the
    rubric's shares, and the row's are rounded once, to a cent. An aspect earns only
    where those before it hold.
    """
    by_task = {verdict.task.key: verdict for verdict in conceal_hidden_endings(verdicts)}

    def judged(on_tree):
        own = tuple(by_task[task.key] for task in on_tree.tasks)
        return on_tree._replace(verdicts=own, earned=min(earned(rubric, v) for v in own))

    rows = []
    for row in to_come:
        trees = tuple(map(judged, row.trees))
        share = sum(on_tree.earned for on_tree in trees) / len(trees)
        rows.append(row._replace(trees=trees, cents=round(row.max_cents * share)))
    return tuple(rows)


def conceal_hidden_endings(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return verdicts that tell nothing of a hidden tree but what held on it.

    How its search ended could tell what is in it: so each that did not return is said to
    have ended as all such searches of its function did, an exception without its name.
    """
    verdicts, ways = list(verdicts), {}
    if verdicts and verdicts[0].trace.ending.loading:  # before any tree was seen
        return verdicts
    for verdict in filter(_ended_on_hidden, verdicts):
        ways.setdefault(verdict.task.function, set()).add(_way(verdict.trace.ending))
    told = {
        function: (Finding(DID_NOT_RETURN, got=_common(each)),)
        for function, each in ways.items()
    }
    return [
        one._replace(findings=told[one.task.function]) if _ended_on_hidden(one) else one
        for one in verdicts
    ]


def _ended_on_hidden(verdict):
    kind = verdict.trace.ending.kind
    return verdict.task.hidden and kind not in (RETURNED, NOT_RUN)


def _way(ending):
    return ending.kind, ending.error if ending.error in NOT_WRITTEN else ""


def _common(ways):
    return Ending(*next(iter(ways))) if len(ways) == 1 else Ending(SEVERAL_WAYS)


def row_cents(rubric, function: str, concepts: Iterable[str]) -> dict[str, int]:
    """Split a function's points over these concepts: cents that add up exactly."""
    weights = {name: rubric.weights[function][name] for name in concepts}
    if not weights:
        return {}
    if not any(weights.values()):
        weights = dict.fromkeys(weights, Fraction(1))
    part = Fraction(rubric.cents[function]) / sum(weights.values())
    exact = {name: weight * part for name, weight in weights.items()}
    cents = {name: math.floor(each) for name, each in exact.items()}
    left = rubric.cents[function] - sum(cents.values())
    for name in sorted(cents, key=lambda name: cents[name] - exact[name])[:left]:
        cents[name] += 1
    return cents


def earned(rubric, verdict: Verdict) -> Fraction:
    """Return the part of a search's points that it earns, aspect after aspect.

    An aspect earns where it holds, and all those before it.
    """
    if verdict.right:
        return Fraction(1)
    shares = rubric.shares[verdict.task.function]
    held = itertools.takewhile(lambda pair: pair[1], verdict.aspects.items())
    return sum((as_written(shares[aspect]) / 100 for aspect, _ in held), Fraction(0))


def by_loss(
    rubric, verdicts: Sequence[Verdict], calls: Mapping[str, Collection[str]]
) -> list[str]:
    """Return the functions, first the one that loses most points by these verdicts.

    One that calls another that is wrong (`calls` says so) comes after those that do not.
    """
    lost = {}
    for function in FUNCTIONS:
        own = [1 - earned(rubric, v) for v in verdicts if v.task.function == function]
        lost[function] = sum(own) / max(1, len(own)) * rubric.cents.get(function, 0)

    def key(function):
        return any(lost[name] for name in calls.get(function, ())), -lost[function]

    return sorted(FUNCTIONS, key=key)


def as_written(number: float) -> Fraction:
    """Return the number that its decimals say, as a Fraction: 33.3 is 333/10."""
    return Fraction(str(number))


class FunctionScore(NamedTuple):
    """One function's rows, and what they are worth together, in hundredths of a point."""

    function: str
    rows: tuple[Row, ...]

    @property
    def cents(self) -> int:
        """What the rows earn."""
        return sum(row.cents for row in self.rows)

    @property
    def max_cents(self) -> int:
        """The most that they could earn."""
        return sum(row.max_cents for row in self.rows)

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on all its searches, row by row."""
        return [verdict for row in self.rows for verdict in row.verdicts]

    @property
    def right(self) -> int:
        """How many of the rows are right."""
        return sum(row.right for row in self.rows)


def function_scores(rows: Iterable[Row]) -> list[FunctionScore]:
    """Return the FunctionScore of each function that has rows, in order."""
    parts = (
        FunctionScore(f, tuple(row for row in rows if row.function == f)) for f in FUNCTIONS
    )
    return [part for part in parts if part.rows]


def wrong_functions(rows: Iterable[Row]) -> list[FunctionScore]:
    """Return the parts of functions that are wrong, the one that lost most first."""
    wrong = (part for part in function_scores(rows) if part.right < len(part.rows))
    return sorted(wrong, key=lambda part: part.cents - part.max_cents)


def points(cents: int) -> float:
    """Return cents as the float of points that prints without float dust."""
    return round(cents / 100, 2)


def points_text(cents: float) -> str:
    """Return cents as text: 100, 73.5, 0.74."""
    return f"{cents / 100:.2f}".rstrip("0").rstrip(".")


def score_text(scored) -> str:
    """Return what a Row, a FunctionScore or a whole Grading earns of its most: 73.5/100."""
    return f"{points_text(scored.cents)}/{points_text(scored.max_cents)}"
