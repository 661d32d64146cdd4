"""Collect facts about a tree: its positions, and what correct searches do on it."""

from __future__ import annotations

import itertools

from autograder.scoring.tasks import tasks_for
from gametree.support.tree import Search, Tree

MAX_WALKED = 5000  # positions of a lazy tree that are visited


def player_of(tree: Tree) -> str:
    """Return "MAX" or "MIN", who moves at the root of a tree."""
    return Search(0, tree.maximizing).player_at(tree.root.path)


class Facts:
    """The facts about a tree.

    tree, root, searches: the tree and its parts.
    positions: all positions, or the first MAX_WALKED positions of a lazy tree.
    tasks: the searches by each function, with the reference's traces.
    """

    def __init__(self, tree: Tree, reference):
        self.tree = tree
        self.root = tree.root
        self.searches = tree.searches
        self.positions = list(itertools.islice(tree.root.subtree(), MAX_WALKED))
        self.tasks = tasks_for([tree], reference)
