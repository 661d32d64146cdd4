"""The kill matrix: which known mistakes lose points on which rows.

Variants are the kit's own files, so they run in this process; a mistake is killed
by a row (one function on one tree) where any aspect of any search is lost.
"""

from __future__ import annotations

import itertools

from autograder.running.variants import quietly
from autograder.workbench.aspects import failures
from autograder.workbench.parallel import in_parallel
from gametree.position import FUNCTIONS

WANTED = 5  # rows that kill each mistake, where that many can


def rows_lost(variant, tasks, functions=FUNCTIONS):
    """Return the rows that a variant loses points on: a set of (function, tree).

    What the variant prints is dropped. With `functions`, only their rows are run.
    """
    lost = set()
    wanted = [task for task in tasks if task.function in functions]
    with quietly():
        for _, group in itertools.groupby(wanted, key=lambda task: task.tree.name):
            for verdict in failures(variant, list(group)):
                lost.add((verdict.task.function, verdict.task.tree.name))
    return lost


def kill_matrix(variants, tasks, step=None):
    """Return variant name -> the set of rows that kill it."""
    found = in_parallel(lambda variant: rows_lost(variant, tasks), variants, step)
    return {variant.name: rows for variant, rows in zip(variants, found)}
