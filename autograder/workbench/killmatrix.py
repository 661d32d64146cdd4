"""Find what the known mistakes lose on a kit's trees, and which hidden trees kill them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.explaining.library import Library, failures, tasks_concerning
from autograder.explaining.variants import Variant
from autograder.ground.files import replace_file
from autograder.ground.tables import exact_text
from autograder.kit import Kit
from autograder.scoring.rubric import Rubric
from autograder.scoring.scores import Result, earned
from autograder.scoring.tasks import Task
from gametree.support.trace import Ending

ENOUGH = 5  # number of trees that must kill each mistake
IN_ROW = 3  # number of trees that each row of hidden trees should have


class Losses(NamedTuple):
    """What a known mistake loses on a kit's trees.

    cents: the hundredths of a point that it loses in all rows.
    trees: the names of the hidden trees that kill it: it loses points on them.
    """

    cents: int
    trees: list[str]


def find_losses(kit: Kit, library: Library) -> dict[str, Losses]:
    """Return a mistake's name -> its Losses, for the mistakes of a library of kit.tasks."""
    losses = {}
    for mistake in library.variants:
        failed = library.failures_of(mistake)
        trees = _trees_lost(kit.rubric, failed)
        losses[mistake.name] = Losses(_cents_lost(kit, failed), trees)
    return losses


def _cents_lost(kit, failed):
    """Return the hundredths of a point that a program loses.

    failed: each task that it fails -> aspect -> whether it is correct.
    """
    results = {}
    for task in kit.tasks:
        aspects = failed.get(task, dict.fromkeys(task.aspects, True))
        results[task] = Result(aspects, Ending())
    rows = [planned.scored(results, kit.rubric) for planned in kit.plan]
    return sum(row.max_cents - row.cents for row in rows)


def _trees_lost(rubric, failed):
    """Return the names of the hidden trees on which a program loses points."""
    names = {}  # a dict, which keeps the order
    for task, aspects in failed.items():
        if task.is_hidden and earned(rubric, task.function, aspects) < 1:
            names[task.tree.name] = True
    return list(names)


def write_matrix(path: Path, losses: Mapping[str, Losses]) -> None:
    """Write a CSV file with a line for each mistake, sorted by lost points.

    A line has the mistake's name, its lost points, the number of hidden trees that kill it,
    and their names.
    """
    rows = [["mistake", "points", "trees", "names"]]
    for name, lost in sorted(losses.items(), key=lambda item: item[1].cents):
        points = f"{lost.cents / 100:.2f}"
        rows.append([name, points, str(len(lost.trees)), *lost.trees])
    replace_file(path, exact_text(rows))


def is_caught(program: Variant, tasks: Sequence[Task], rubric: Rubric) -> bool:
    """Tell whether a program loses points on one of these searches."""
    for verdict in failures(program.source, tasks_concerning(program, tasks)):
        if earned(rubric, verdict.task.function, verdict.aspects) < 1:
            return True
    return False
