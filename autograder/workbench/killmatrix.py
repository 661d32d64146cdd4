"""Which trees tell the known mistakes from right: run as the autograder would, judged."""

from __future__ import annotations

import csv
import io
import itertools

from autograder.files import replace_file
from autograder.judging.scores import earned
from autograder.mistakes.library import run_in_order, tasks_concerning
from autograder.processes import in_parallel
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from gametree.functions import FUNCTIONS
from gametree.support.judging import judge

ENOUGH = 5  # trees that kill each mistake, where that many can
FULL = 40  # hidden trees of a full set; a smaller one cannot hold everything
RANDOM = 2000  # trees that are tried where no small one kills a mistake


def charged_for(mistakes, rubric):
    """Return the mistakes in functions that earn points."""
    worth = {function for function, cents in rubric.cents.items() if cents}
    return [each for each in mistakes if worth & {*(each.shows or FUNCTIONS)}]


def least_of(trees):
    """Return on how many of so many hidden trees each mistake is to lose points."""
    return min(ENOUGH, max(1, trees * ENOUGH // FULL))


class Matrix:
    """What wrong programs lose on a kit's trees.

    `lost` maps a program's name to the points that it loses in each of the kit's `rows`,
    `trees` to the names of the hidden trees on which it loses any. `step` is called as
    each program has been run, on every core.
    """

    def __init__(self, kit, programs, step=None):
        self.rows, self.hidden = kit.rows, [tree.name for tree in kit.hidden]
        self.lost, self.trees = {each.name: [] for each in programs}, {}

        def lost_by(program):
            return losses(program, kit.tasks, kit.rubric)

        for program, lost in zip(programs, in_parallel(lost_by, programs, step)):
            trees = self.trees[program.name] = set()
            for row in kit.rows:
                parts = {
                    on.tree.name: max(lost.get(task.key, 0.0) for task in on.tasks)
                    for on in row.trees
                }
                points = row.max_cents * sum(parts.values()) / len(parts) / 100
                self.lost[program.name].append(points)
                if row.max_cents and not row.public:
                    trees |= {name for name, part in parts.items() if part}

    def points_lost(self, program) -> float:
        """Return how many points a program loses, in all."""
        return sum(self.lost[program.name])

    def write(self, path):
        """Write a CSV file, those that lose least first.

        A line has a program's name, the points that it loses, on how many hidden trees;
        the points lost in each row; and a 1 below each hidden tree that it loses any on.
        """
        lines = [["program", "points", "trees", *(r.name for r in self.rows), *self.hidden]]
        for name in sorted(self.lost, key=lambda name: sum(self.lost[name])):
            lost, trees = self.lost[name], self.trees[name]
            points = [f"{points:.2f}" if points else "" for points in (sum(lost), *lost)]
            kills = [1 if tree in trees else "" for tree in self.hidden]
            lines.append([name, points[0], len(trees), *points[1:], *kills])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(lines)
        replace_file(path, text.getvalue())


def losses(variant, tasks, rubric):
    """Return key of a task -> the part of its points that a variant loses there.

    Tasks that cost it nothing are left out. Functions that the variant's header rules out
    are not run.
    """
    wrong = failures(variant, tasks_concerning(variant, tasks))
    lost = {verdict.task.key: float(1 - earned(rubric, verdict)) for verdict in wrong}
    return {key: part for key, part in lost.items() if part}


def failures(variant, tasks):
    """Yield the Verdict on each task that is not right, in the order of a grading."""
    for task, trace in run_in_order(variant, tasks):
        verdict = judge(task, trace)
        if not verdict.right:
            yield verdict


def smallest_killing_tree(mistake, reference):
    """Return the text of a small tree on which the mistake loses points, or None.

    It is the first of the ladder, or else the first of some random trees.
    """
    for tree in itertools.chain(small_trees(), random_trees(RANDOM, seed=1)):
        tasks = tasks_for([tree], reference, mistake.shows or ("alphabeta",))
        if next(failures(mistake, tasks), None):
            return tree.title
    return None
