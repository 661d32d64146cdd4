"""Find the trees that distinguish the known mistakes from correct programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from autograder.explaining.library import Library, failures, tasks_concerning
from autograder.explaining.variants import Variant
from autograder.ground.files import replace_file
from autograder.ground.processes import in_parallel
from autograder.kit import Kit
from autograder.scoring.rubric import Rubric
from autograder.scoring.scores import Result, earned, points
from autograder.scoring.tasks import Task, tasks_for
from autograder.smalltrees.enumeration import small_trees
from gametree.support.trace import Ending

ENOUGH = 5  # number of trees that must kill each mistake


class Losses(NamedTuple):
    """What a known mistake loses on a kit's trees.

    points: row -> the points that it loses there, if any.
    trees: the names of the hidden trees on which it loses points. The first tree shows the
        mistake best: the program loses the most points on a search of this tree, and no
        other such search is shorter.
    """

    points: dict[str, float]
    trees: list[str]

    @property
    def total(self) -> float:
        """The points that it loses in all rows."""
        return sum(self.points.values())


class Matrix:
    """The points that the known mistakes lose on a kit's trees.

    rows: the kit's rows.
    hidden: the names of the kit's hidden trees.
    losses: a mistake's name -> its Losses.
    """

    def __init__(self, kit: Kit, library: Library):
        """Score the behavior of the mistakes in a library of the kit's tasks."""
        self.rows = kit.rows
        self.hidden = [tree.name for tree in kit.hidden]
        self._rubric = kit.rubric
        self._correct = {}  # task -> the Result of a correct search
        for task in kit.tasks:
            aspects = dict.fromkeys(task.aspects, True)
            self._correct[task] = Result(aspects, Ending())
        names = list(library.behaviors)  # runs the mistakes, before the processes fork
        losses = in_parallel(partial(self._losses_of, library), library.variants)
        self.losses = dict(zip(names, losses))

    def _losses_of(self, library, mistake):
        """Return the Losses of a mistake."""
        failures = library.failures_of(mistake)
        return Losses(self._points_lost(failures), self._trees_lost(failures))

    def _points_lost(self, failures):
        """Return row -> lost points, for the rows in which a program loses points.

        failures: task -> its aspects; the program is correct on the other tasks.
        """
        results = dict(self._correct)
        for task, aspects in failures.items():
            results[task] = Result(aspects, Ending())
        lost = {}
        for planned in self.rows:
            if not failures.keys().isdisjoint(planned.tasks):
                row = planned.scored(results, self._rubric)
                if row.cents < row.max_cents:
                    lost[row.name] = points(row.max_cents - row.cents)
        return lost

    def _trees_lost(self, failures):
        """Return the names of hidden trees on which a program loses points, best first."""
        shares = {}  # a search that loses points -> the share that it earns, and its size
        for task, aspects in failures.items():
            share = earned(self._rubric, task.function, aspects)
            if share < 1 and task.tree.name in self.hidden:
                shares[task] = share, len(task.expected.events)
        best_first = sorted(shares, key=shares.__getitem__)
        return [*dict.fromkeys(task.tree.name for task in best_first)]

    def points_lost(self, program: Variant) -> float:
        """Return the points that a mistake loses in all rows."""
        return self.losses[program.name].total

    def write(self, path: Path) -> None:
        """Write a CSV file with a line for each program, sorted by lost points.

        A line has the program's name, its lost points, the number of hidden trees that kill
        it, the best tree, and the lost points in each row. Then each hidden tree that kills
        the program has a 1 in its column.
        """
        text = io.StringIO()
        row_names = [row.name for row in self.rows]
        heads = ["program", "points", "trees", "best tree", *row_names, *self.hidden]
        file = csv.DictWriter(text, heads, lineterminator="\n")
        file.writeheader()
        for name, lost in sorted(self.losses.items(), key=lambda item: item[1].total):
            cells = {
                "program": name,
                "points": f"{lost.total:.2f}",
                "trees": str(len(lost.trees)),
                "best tree": "".join(lost.trees[:1]),
            }
            cells |= {row: f"{points:.2f}" for row, points in lost.points.items()}
            cells |= dict.fromkeys(lost.trees, "1")
            file.writerow(cells)
        replace_file(path, text.getvalue())


def is_caught(program: Variant, tasks: Sequence[Task], rubric: Rubric) -> bool:
    """Tell whether a program loses points on one of these searches."""
    failed = failures(program.source, tasks_concerning(program, tasks))
    shares = (earned(rubric, v.task.function, v.aspects) for v in failed)
    return any(share < 1 for share in shares)


def smallest_killing_tree(mistake: Variant, kit: Kit) -> str | None:
    """Return the text of a small tree on which the mistake loses points, or None."""
    for tree in small_trees():
        tasks = tasks_for([tree], kit.reference)
        if is_caught(mistake, tasks, kit.rubric):
            return tree.name  # of a tree from lists: its text
    return None
