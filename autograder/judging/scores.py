"""Rows and points: one row a tree and function, scored in whole cents."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from gametree.functions import FUNCTIONS


@dataclass(frozen=True)
class Row:
    """One function on one tree: the verdicts on its searches and what they earn.

    `cents` and `most_cents` are hundredths of a point; `number` orders rows, as
    "2.07" for the seventh alphabeta row. `public` tells whether details are shown.
    """

    tree: object
    function: str
    number: str
    public: bool
    verdicts: tuple
    cents: int
    most_cents: int

    @property
    def name(self):
        """The line that the student reads: the function and the tree's lesson."""
        return f"{self.function}: {self.tree.lesson}"

    @property
    def right(self):
        """Whether every aspect of every search holds."""
        return all(verdict.right for verdict in self.verdicts)

    @property
    def aspects(self):
        """Aspect -> (searches on which it holds, searches)."""
        return {
            aspect: (sum(v.aspects[aspect] for v in self.verdicts), len(self.verdicts))
            for aspect in FUNCTIONS[self.function].aspects
        }


def make_rows(verdicts, rubric, public_names):
    """Return the rows, function by function, each in the order of the trees.

    A row's points are split evenly over its searches, a search's over its aspects
    by the rubric's shares, and rounded once, to a cent.
    """
    rows = []
    for number, function in enumerate(FUNCTIONS, start=1):
        of_function = [v for v in verdicts if v.task.function == function]
        groups = [list(g) for _, g in groupby(of_function, key=lambda v: v.task.tree.name)]
        if not groups:
            continue
        points = rubric.row_cents(function, len(groups))
        for index, (group, most) in enumerate(zip(groups, points), start=1):
            tree = group[0].task.tree
            rows.append(
                Row(
                    tree=tree,
                    function=function,
                    number=f"{number}.{index:02d}",
                    public=tree.name in public_names,
                    verdicts=tuple(group),
                    cents=_earned(group, most, rubric),
                    most_cents=most,
                )
            )
    return rows


def _earned(verdicts, most, rubric):
    share = sum(
        (
            rubric.share(verdict.task.function, aspect)
            for verdict in verdicts
            for aspect, holds in verdict.aspects.items()
            if holds
        ),
        Fraction(0),
    )
    return round(most * share / len(verdicts))


@dataclass(frozen=True)
class Part:
    """One function's rows, and what they are worth together, in hundredths of a point."""

    function: str
    rows: tuple

    @property
    def cents(self):
        """What the rows earn."""
        return sum(row.cents for row in self.rows)

    @property
    def most_cents(self):
        """The most that they could earn."""
        return sum(row.most_cents for row in self.rows)

    @property
    def right(self):
        """How many of the rows are right."""
        return sum(row.right for row in self.rows)


def parts_of(rows):
    """Return the Part of each function that has rows, in order."""
    parts = (Part(f, tuple(row for row in rows if row.function == f)) for f in FUNCTIONS)
    return [part for part in parts if part.rows]


def look_first(rows):
    """Return the wrong row to look at first, a public one if any; None if all are right."""
    wrong = [row for row in rows if not row.right]
    return next((row for row in wrong if row.public), wrong[0] if wrong else None)


def points(cents):
    """Return cents as the float of points that prints without float dust."""
    return round(cents / 100, 2)


def points_text(cents):
    """Return cents as text: 100, 73.5, 0.74."""
    return f"{cents / 100:.2f}".rstrip("0").rstrip(".")


def score_text(scored):
    """Return what a Row, a Part or a whole Grading earns of its most: 73.5/100."""
    return f"{points_text(scored.cents)}/{points_text(scored.most_cents)}"
