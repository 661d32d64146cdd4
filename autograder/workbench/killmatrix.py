"""Find the trees that distinguish the known mistakes from correct programs.

Each mistake runs and is judged as a submission would be.
"""

from __future__ import annotations

import csv
import io
import itertools
from functools import partial

from autograder.explaining.library import run_in_order, tasks_concerning
from autograder.ground.files import replace_file
from autograder.ground.processes import in_parallel
from autograder.scoring.scores import earned
from autograder.scoring.tasks import tasks_for
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.families import random_trees
from gametree.support.judging import judge

ENOUGH = 5  # number of trees that must kill each mistake
FULL = 40  # minimum of hidden trees; a smaller set cannot kill every mistake
RANDOM = 2000  # random trees to try if no small tree kills a mistake


def functions_with_points(rubric):
    """Return each function that earns points -> the aspects that are judged."""
    assigned = rubric.assigned.items()
    return {function: aspects for function, aspects in assigned if rubric.cents[function]}


class Matrix:
    """The points that wrong programs lose on a kit's trees.

    rows: the kit's rows.
    hidden: the names of the kit's hidden trees.
    lost: a program's name -> the points that it loses in each row.
    trees: a program's name -> the names of the hidden trees on which it loses points. The
        first tree shows the mistake best: the program loses the most points on a search of
        this tree, and no other such search is shorter.
    """

    def __init__(self, kit, programs, step=None):
        """Run the programs on all cores, and call `step` after each program."""
        self.rows = kit.rows
        self.hidden = [tree.name for tree in kit.hidden]
        self.lost = {}
        self.trees = {}
        find_losses = partial(losses, tasks=kit.tasks, rubric=kit.rubric)
        for program, lost in zip(programs, in_parallel(find_losses, programs, step)):
            self._add(program.name, lost)

    def _add(self, name, lost):
        """Add a program with the result of losses() for it."""
        self.lost[name] = []
        wrong = []
        for row in self.rows:
            parts = {}
            for task, part in zip(row.tasks, row.parts):
                parts[part] = max(lost.get(task.key, 0.0), parts.get(part, 0.0))
            cents = row.max_cents * sum(parts.values()) / len(parts)
            self.lost[name].append(cents / 100)
            if row.max_cents and not row.is_public:
                wrong += [task for task in row.tasks if task.key in lost]
        wrong.sort(key=lambda task: (-lost[task.key], len(task.expected.events)))
        self.trees[name] = list(dict.fromkeys(task.tree.name for task in wrong))

    def points_lost(self, program) -> float:
        """Return the total number of points that a program loses."""
        return sum(self.lost[program.name])

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
        for name in sorted(self.lost, key=lambda name: sum(self.lost[name])):
            lost = self.lost[name]
            trees = self.trees[name]
            kills = [1 if tree in trees else "" for tree in self.hidden]
            best = trees[0] if trees else ""
            head = [name, _in_words(sum(lost)), len(trees), best]
            file.writerow([*head, *map(_in_words, lost), *kills])
        replace_file(path, text.getvalue())


def _in_words(points):
    return f"{points:.2f}" if points else ""


def losses(variant, tasks, rubric):
    """Return key of a task -> the fraction of its points that a variant loses.

    Tasks without a loss are skipped. Functions that the variant's header excludes do not
    run.
    """
    lost = {}
    for verdict in failures(variant, tasks_concerning(variant, tasks)):
        part = 1 - earned(rubric, verdict)
        if part:
            lost[verdict.task.key] = float(part)
    return lost


def failures(variant, tasks):
    """Yield the Verdict on each task that the variant fails, in grading order."""
    for task, trace in run_in_order(variant, tasks):
        verdict = judge(task, trace)
        if not verdict.is_right:
            yield verdict


def smallest_killing_tree(mistake, reference):
    """Return the text of a small tree on which the mistake loses points, or None.

    The enumerated small trees are tried first, then random trees.
    """
    functions = mistake.shows or ("alphabeta",)
    for tree in itertools.chain(small_trees(), random_trees(RANDOM, seed=1)):
        tasks = tasks_for([tree], reference, functions)
        if next(failures(mistake, tasks), None):
            return tree.title
    return None
