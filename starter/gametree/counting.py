"""Count the nodes that a search visits, and keep nothing else of it."""

from __future__ import annotations

from gametree.node import Node
from gametree.observe import OutOfQueries


class Counter:
    """Answers a node's looks like a Recorder, in memory that grows with depth only.

    `nodes` counts visits as Trace.node_count does. More than `budget` looks
    raise OutOfQueries; None allows any number.
    """

    keeps_nodes = False

    def __init__(self, budget=None):
        self.nodes = 0
        self.looks = 0
        self.budget = budget
        self._open = []

    def _count(self, path):
        self.looks += 1
        if self.budget is not None and self.looks > self.budget:
            raise OutOfQueries
        while self._open and self._open[-1] != path[: len(self._open[-1])]:
            self._open.pop()
        if not self._open or self._open[-1] != path:
            self._open.append(path)
            self.nodes += 1

    def expand(self, position):
        """Count the visit; return (key, terminal) of each child."""
        self._count(position.path)
        return [(child, child.terminal) for child in position.children]

    def evaluate(self, position):
        """Count the visit; return the position's value."""
        self._count(position.path)
        return position.static_value()

    def name(self, position):
        """Return the position's name; nothing is counted."""
        return position.name

    def root(self, position):
        """Return the Node from which a search starts at this position."""
        return Node(self, position, position.terminal)
