"""Which trees tell the known mistakes from right: run as the autograder would, judged."""

from __future__ import annotations

import csv
import io
import itertools

from autograder.judging.scores import earned
from autograder.mistakes.library import concerned, run_in_order
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.families import random_trees
from autograder.tasks import tasks_for
from autograder.utilities import in_parallel, replace_file
from gametree.functions import FUNCTIONS
from gametree.judging import judge

ENOUGH = 5  # trees that kill each mistake, where that many can
FULL = 40  # hidden trees of a full set; a smaller one cannot hold everything
RANDOM = 2000  # trees that are tried where no small one kills a mistake


def charged_for(mistakes, rubric):
    """Return (mistakes in functions that earn points, those in no such function)."""
    worth = {function for function, cents in rubric.cents.items() if cents}
    split = [], []
    for mistake in mistakes:
        split[not worth & set(mistake.shows or FUNCTIONS)].append(mistake)
    return split


def least_of(trees):
    """Return on how many of so many hidden trees each mistake is to lose points."""
    return min(ENOUGH, max(1, trees * ENOUGH // FULL))


def lost_by(variants, kit, step=None):
    """Return variant name -> its losses() on the kit's tasks, on every core."""
    lost = in_parallel(lambda each: losses(each, kit.tasks, kit.rubric), variants, step)
    return {variant.name: parts for variant, parts in zip(variants, lost)}


class Matrix:
    """What wrong programs lose on a kit's trees, from the losses() of each.

    `lost` maps a program's name to the points that it loses in each of the kit's `rows`,
    `trees` to the names of the hidden trees on which it loses any.
    """

    def __init__(self, kit, programs, losses_of):
        self.rows, self.hidden = kit.rows, [tree.name for tree in kit.hidden]
        self.lost, self.trees = {}, {}
        for program in programs:
            lost, trees = [], set()
            for row, parts in parts_lost(kit.rows, kit.tasks, losses_of[program.name]):
                lost.append(row.most_cents * sum(parts) / len(parts) / 100)
                if row.most_cents and not row.public:
                    trees |= {on.tree.name for on, part in zip(row.trees, parts) if part}
            self.lost[program.name], self.trees[program.name] = lost, trees

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
    """Return place of a task -> the part of its points that a variant loses there.

    Tasks that cost it nothing are left out. Functions that the variant's header rules out
    are not run.
    """
    places = {task.key: place for place, task in enumerate(tasks)}
    lost = {
        places[verdict.task.key]: float(1 - earned(rubric, verdict))
        for verdict in failures(variant, concerned(variant, tasks))
    }
    return {place: part for place, part in lost.items() if part}


def parts_lost(rows, tasks, lost):
    """Yield (row, the part of its points lost on each of its trees), row by row.

    `lost` is what losses() returns. Of the searches of a tree, the worst counts.
    """
    places = {task.key: place for place, task in enumerate(tasks)}
    for row in rows:
        yield (
            row,
            [
                max(lost.get(places[task.key], 0.0) for task in on_tree.tasks)
                for on_tree in row.trees
            ],
        )


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
