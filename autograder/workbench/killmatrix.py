"""Find the trees that distinguish the known mistakes from correct programs.

Each mistake runs and is judged as a submission would be.
"""

from __future__ import annotations

import csv
import io
import itertools
from functools import partial
from typing import NamedTuple

from autograder.explaining.library import failures, tasks_concerning
from autograder.ground.files import replace_file
from autograder.ground.processes import in_parallel
from autograder.scoring.scores import earned, points, score_rows
from autograder.scoring.tasks import tasks_for
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.families import random_trees
from gametree.support.judging import judge

ENOUGH = 5  # number of trees that must kill each mistake
FULL = 40  # minimum of hidden trees; a smaller set cannot kill every mistake
RANDOM = 2000  # random trees to try if no small tree kills a mistake


class Losses(NamedTuple):
    """What a wrong program loses on a kit's trees.

    points: the points that it loses in each row.
    trees: the names of the hidden trees on which it loses points. The first tree shows the
        mistake best: the program loses the most points on a search of this tree, and no
        other such search is shorter.
    """

    points: list[float]
    trees: list[str]


def find_losses(kit, correct, program) -> Losses:
    """Grade a trusted program, and return what it loses.

    correct: key of a task -> the Verdict on a correct search.
    """
    tasks = tasks_concerning(program, kit.tasks)
    wrong = {verdict.task.key: verdict for verdict in failures(program, tasks)}
    rows = score_rows(kit.rows, (correct | wrong).values(), kit.rubric)
    shares = {}  # a search that loses points -> the share that it earns, and its size
    for row in rows:
        if row.is_public:
            continue
        for verdict in row.verdicts:
            share = earned(kit.rubric, verdict)
            if share < 1:
                shares[verdict.task] = share, len(verdict.task.expected.events)
    best_first = sorted(shares, key=shares.__getitem__)
    trees = dict.fromkeys(task.tree.name for task in best_first)
    return Losses([points(row.max_cents - row.cents) for row in rows], [*trees])


class Matrix:
    """The points that wrong programs lose on a kit's trees.

    rows: the kit's rows.
    hidden: the names of the kit's hidden trees.
    losses: a program's name -> its Losses.
    """

    def __init__(self, kit, programs, step=None):
        """Run the programs on all cores, and call `step` after each program."""
        self.rows = kit.rows
        self.hidden = [tree.name for tree in kit.hidden]
        correct = {task.key: judge(task, task.expected) for task in kit.tasks}
        find = partial(find_losses, kit, correct)
        found = in_parallel(find, programs, step)
        self.losses = {program.name: lost for program, lost in zip(programs, found)}

    def points_lost(self, program) -> float:
        """Return the total number of points that a program loses."""
        return sum(self.losses[program.name].points)

    def write(self, path):
        """Write a CSV file with a line for each program, sorted by lost points.

        A line has the program's name, its lost points, the number of hidden trees that kill
        it, the best tree, and the lost points in each row. Then each hidden tree that kills
        the program has a 1 in its column.
        """
        text = io.StringIO()
        file = csv.writer(text, lineterminator="\n")
        row_names = [row.name for row in self.rows]
        file.writerow(["program", "points", "trees", "best tree", *row_names, *self.hidden])
        by_points = sorted(self.losses.items(), key=lambda item: sum(item[1].points))
        for name, (lost, trees) in by_points:
            kills = [1 if tree in trees else "" for tree in self.hidden]
            best = trees[0] if trees else ""
            head = [name, _in_words(sum(lost)), len(trees), best]
            file.writerow([*head, *map(_in_words, lost), *kills])
        replace_file(path, text.getvalue())


def _in_words(points):
    return f"{points:.2f}" if points else ""


def is_caught(program, tasks, rubric) -> bool:
    """Tell whether a program loses points on one of these searches."""
    failed = failures(program, tasks_concerning(program, tasks))
    return any(earned(rubric, verdict) < 1 for verdict in failed)


def smallest_killing_tree(mistake, kit):
    """Return the text of a small tree on which the mistake loses points, or None.

    The enumerated small trees are tried first, then random trees.
    """
    for tree in itertools.chain(small_trees(), random_trees(RANDOM, seed=1)):
        if is_caught(mistake, tasks_for([tree], kit.reference), kit.rubric):
            return tree.title
    return None
