"""Find the smallest tree that tells a mistake from right, to advise its addition."""

from __future__ import annotations

from autograder.running.reference import tasks_for
from autograder.running.smalltrees import small_trees
from autograder.workbench.aspects import failures
from autograder.workbench.randomtrees import random_trees

MOST_LEAVES = 4  # of trees with values 1, 2, 3 that are searched whole
ODD_LEAVES = 2  # of trees with other values, depth limits and narrow windows
RANDOM = 2000


def witness(mistake, reference):
    """Return the text of a small tree on which the mistake loses points, or None.

    The smallest plain one of the enumeration, else the smallest with odd values, a
    depth limit or a narrow window, else the first of some random trees.
    """
    plain = small_trees(MOST_LEAVES, special_leaves=0)
    for trees in (plain, small_trees(ODD_LEAVES), random_trees(RANDOM, seed=1)):
        for tree in trees:
            tasks = tasks_for([tree], reference, mistake.shows or ("alphabeta",))
            if any(True for _ in failures(mistake, tasks)):
                return tree.title
    return None
