"""Collect facts about a tree: its positions, and what correct searches do on it."""

from __future__ import annotations

import itertools
from functools import cached_property

from autograder.scoring.steps import Step, replay
from autograder.scoring.tasks import tasks_for
from gametree.support.tree import Search, Tree

MAX_WALKED = 5000  # positions of a lazy tree that are visited


def player_of(tree: Tree) -> str:
    """Return "MAX" or "MIN", who moves at the root of a tree."""
    return Search(0, tree.maximizing).player_at(tree.root.path)


class Facts:
    """The facts about a tree.

    tree, root, searches: the tree and its parts.
    convention: the rule for ties that the reference uses; see autograder.scoring.tasks.
    positions: all positions, or the first MAX_WALKED positions of a lazy tree.
    leaves: the terminal positions.
    values: the values of the leaves.
    tasks: the searches by each function, with the reference's traces.
    """

    def __init__(self, tree: Tree, reference):
        self.tree = tree
        self.root = tree.root
        self.searches = tree.searches
        self.convention = reference.convention
        self.positions = list(itertools.islice(tree.root.subtree(), MAX_WALKED))
        self.leaves = [position for position in self.positions if position.terminal]
        self.values = [leaf.value for leaf in self.leaves]
        self.tasks = tasks_for([tree], reference)

    @cached_property
    def replays(self) -> list[tuple[Search, list[Step]]]:
        """The searches, each with the Steps of the correct alpha-beta."""
        return [
            (search, replay(self.tree, search, self.convention)) for search in self.searches
        ]
