"""Which trees tell the known mistakes from right: run as the autograder would, judged."""

from __future__ import annotations

import csv
import io
import itertools
from functools import partial

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
    charged = []
    for mistake in mistakes:
        functions = mistake.shows or FUNCTIONS
        if any(rubric.cents.get(function) for function in functions):
            charged.append(mistake)
    return charged


def least_of(trees):
    """Return on how many of so many hidden trees each mistake is to lose points."""
    return min(ENOUGH, max(1, trees * ENOUGH // FULL))


class Matrix:
    """What wrong programs lose on a kit's trees.

    rows: the kit's rows.
    hidden: the names of its hidden trees.
    lost: a program's name -> the points that it loses in each row.
    trees: a program's name -> the names of the hidden trees on which it loses any.
    best_tree: a program's name -> that of the hidden tree that shows best what is wrong: it
        loses most on a search there, and of several such searches this is the shortest.
    """

    def __init__(self, kit, programs, step=None):
        """Run the programs on every core; call `step` as each program has been run."""
        self.rows = kit.rows
        self.hidden = [tree.name for tree in kit.hidden]
        self.lost = {}
        self.trees = {}
        self.best_tree = {}
        find_losses = partial(losses, tasks=kit.tasks, rubric=kit.rubric)
        for program, lost in zip(programs, in_parallel(find_losses, programs, step)):
            self._add(program.name, lost)

    def _add(self, name, lost):
        """Add a program, with what losses() returns for it."""
        self.lost[name] = []
        wrong = []
        for row in self.rows:
            parts = {}
            for task in row.tasks:
                part = row.part_of(task)
                parts[part] = max(lost.get(task.key, 0.0), parts.get(part, 0.0))
            cents = row.max_cents * sum(parts.values()) / len(parts)
            self.lost[name].append(cents / 100)
            if row.max_cents and not row.is_public:
                wrong += [task for task in row.tasks if task.key in lost]
        wrong.sort(key=lambda task: (-lost[task.key], len(task.expected.events)))
        names = [task.tree.name for task in wrong]
        self.trees[name] = set(names)
        self.best_tree[name] = next(iter(names), "")

    def points_lost(self, program) -> float:
        """Return how many points a program loses, in all."""
        return sum(self.lost[program.name])

    def write(self, path):
        """Write a CSV file, the programs that lose least first.

        A line has a program's name, the points that it loses, on how many hidden trees, and
        the best of them; the points lost in each row; and a 1 below each hidden tree that
        it loses any on.
        """
        text = io.StringIO()
        file = csv.writer(text, lineterminator="\n")
        row_names = [row.name for row in self.rows]
        file.writerow(["program", "points", "trees", "best tree", *row_names, *self.hidden])
        for name in sorted(self.lost, key=lambda name: sum(self.lost[name])):
            lost = self.lost[name]
            trees = self.trees[name]
            kills = [1 if tree in trees else "" for tree in self.hidden]
            total = _in_words(sum(lost))
            head = [name, total, len(trees), self.best_tree[name]]
            file.writerow([*head, *map(_in_words, lost), *kills])
        replace_file(path, text.getvalue())


def _in_words(points):
    return f"{points:.2f}" if points else ""


def losses(variant, tasks, rubric):
    """Return key of a task -> the part of its points that a variant loses there.

    Tasks that cost it nothing are skipped. Functions that the variant's header rules out
    are not run.
    """
    lost = {}
    for verdict in failures(variant, tasks_concerning(variant, tasks)):
        part = 1 - earned(rubric, verdict)
        if part:
            lost[verdict.task.key] = float(part)
    return lost


def failures(variant, tasks):
    """Yield the Verdict on each task that is not right, in the order of a grading."""
    for task, trace in run_in_order(variant, tasks):
        verdict = judge(task, trace)
        if not verdict.is_right:
            yield verdict


def smallest_killing_tree(mistake, reference):
    """Return the text of a small tree on which the mistake loses points, or None.

    It is the first of the ladder, or else the first of some random trees.
    """
    functions = mistake.shows or ("alphabeta",)
    for tree in itertools.chain(small_trees(), random_trees(RANDOM, seed=1)):
        tasks = tasks_for([tree], reference, functions)
        if next(failures(mistake, tasks), None):
            return tree.title
    return None
