"""Rows and points: one row a tree and function, scored in whole cents."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from autograder.judging.verdict import Verdict
from autograder.tasks import Task
from gametree.functions import FUNCTIONS
from gametree.tree import Tree


@dataclass(frozen=True)
class Row:
    """One function on one tree: the verdicts on its searches and what they earn.

    `cents` and `most_cents` are hundredths of a point; `number` orders rows, as
    "2.07" for the seventh alphabeta row. `public` tells whether details are shown.
    A row to come has no verdicts yet.
    """

    tree: Tree
    function: str
    number: str
    public: bool
    most_cents: int
    verdicts: tuple[Verdict, ...] = ()
    cents: int = 0

    @property
    def name(self) -> str:
        """The line that the student reads: the function and the tree's lesson."""
        return f"{self.function}: {self.tree.lesson}"

    @property
    def right(self) -> bool:
        """Whether every aspect of every search holds."""
        return bool(self.verdicts) and all(verdict.right for verdict in self.verdicts)

    @property
    def aspects(self) -> dict[str, tuple[int, int]]:
        """Aspect -> (searches on which it holds, searches)."""
        return {
            aspect: (sum(v.aspects[aspect] for v in self.verdicts), len(self.verdicts))
            for aspect in FUNCTIONS[self.function].aspects
        }


def rows_to_come(tasks: Iterable[Task], rubric, public_names: Collection[str]) -> list[Row]:
    """Return the rows of tasks that were not run yet, function by function.

    Those of a function are in the order of the trees.
    """
    tasks, rows = list(tasks), []
    for number, function in enumerate(FUNCTIONS, start=1):
        trees = {task.tree.name: task.tree for task in tasks if task.function == function}
        cents = rubric.row_cents(function, len(trees))
        for index, (name, most) in enumerate(zip(trees, cents), start=1):
            place, public = f"{number}.{index:02d}", name in public_names
            rows.append(Row(trees[name], function, place, public, most))
    return rows


def make_rows(
    verdicts: Iterable[Verdict], rubric, public_names: Collection[str]
) -> list[Row]:
    """Return the rows of what was judged, in the order of rows_to_come().

    A row's points are split evenly over its searches, a search's over its aspects
    by the rubric's shares, and rounded once, to a cent.
    """
    of_row, tasks, rows = {}, [], []
    for verdict in verdicts:
        task = verdict.task
        tasks.append(task)
        of_row.setdefault((task.function, task.tree.name), []).append(verdict)
    for row in rows_to_come(tasks, rubric, public_names):
        own = of_row[row.function, row.tree.name]
        shares = sum(
            rubric.share(row.function, aspect)
            for verdict in own
            for aspect, holds in verdict.aspects.items()
            if holds
        )
        cents = round(row.most_cents * shares / len(own))
        rows.append(replace(row, verdicts=tuple(own), cents=cents))
    return rows


@dataclass(frozen=True)
class Part:
    """One function's rows, and what they are worth together, in hundredths of a point."""

    function: str
    rows: tuple[Row, ...]

    @property
    def cents(self) -> int:
        """What the rows earn."""
        return sum(row.cents for row in self.rows)

    @property
    def most_cents(self) -> int:
        """The most that they could earn."""
        return sum(row.most_cents for row in self.rows)

    @property
    def right(self) -> int:
        """How many of the rows are right."""
        return sum(row.right for row in self.rows)


def parts_of(rows: Iterable[Row]) -> list[Part]:
    """Return the Part of each function that has rows, in order."""
    parts = (Part(f, tuple(row for row in rows if row.function == f)) for f in FUNCTIONS)
    return [part for part in parts if part.rows]


def look_first(rows: Iterable[Row]) -> Row | None:
    """Return the wrong row to look at first, a public one if any; None if all are right."""
    wrong = [row for row in rows if not row.right]
    return next((row for row in wrong if row.public), wrong[0] if wrong else None)


def points(cents: int) -> float:
    """Return cents as the float of points that prints without float dust."""
    return round(cents / 100, 2)


def points_text(cents: float) -> str:
    """Return cents as text: 100, 73.5, 0.74."""
    return f"{cents / 100:.2f}".rstrip("0").rstrip(".")


def score_text(scored) -> str:
    """Return what a Row, a Part or a whole Grading earns of its most: 73.5/100."""
    return f"{points_text(scored.cents)}/{points_text(scored.most_cents)}"
