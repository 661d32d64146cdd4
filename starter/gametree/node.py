"""The node that a search receives; it needs the standard library only.

The same file runs on your machine and in the autograder. Only `queries` differs, the
object that answers a node: a tree in memory, or a pipe to the grader. Every answer is
recorded, so visits can be counted.
"""

from collections.abc import Iterable
from typing import Any, Protocol

CURES = {
    "call node.evaluate() for the value": "value score utility heuristic eval get_value",
    "read node.children (no parentheses)": "child get_children successors moves",
    "call node.is_terminal()": "is_leaf terminal leaf",
    "read node.name": "label",
}
HINTS = {word: cure for cure, words in CURES.items() for word in words.split()}
TREE_FACTOR = 2**32  # only the lower bits of a hash order a set
# The hashes of sibling places differ by a constant, but their squares do not. With these
# bits of the square, even the sets of a small tree are not in the order from left to right.
MIXED_BITS = 28
WHAT_A_NODE_HAS = "a node has children, evaluate(), is_terminal() and name"


class Queries(Protocol):
    """Answers the queries of nodes. A key identifies a node.

    keeps_nodes: whether a node stores its children, so that it always returns the same.
    tree: a number for the tree, so that the nodes of many trees can be in one table.
    """

    keeps_nodes: bool
    tree: int

    def expand(self, key: Any) -> Iterable[tuple[Any, bool]]:
        """Return (key, terminal) of each child."""

    def evaluate(self, key: Any) -> float:
        """Return the value of a leaf."""

    def name(self, key: Any) -> str:
        """Return the label of a node."""


class Node:
    """One node of a game tree, as the functions in search.py receive it.

    A node is equal only to itself. Reading `children` twice gives the same objects, so a
    dictionary keyed by node is safe, except in experiment.py: its trees are too large to
    keep. A node hashes by its place in the tree, the tuple of child numbers from the root,
    so a set of nodes has the same order on every machine. That is not the order from left
    to right.
    """

    def __init__(
        self, queries: Queries, key: Any, terminal: bool, place: tuple[int, ...] = ()
    ):
        self._queries = queries
        self._key = key
        self._terminal = terminal
        self._place = place
        self._children: tuple[Node, ...] | None = None

    def __hash__(self):
        code = hash(self._place)
        mixed = code * code >> MIXED_BITS
        return mixed % TREE_FACTOR + TREE_FACTOR * self._queries.tree

    @property
    def children(self) -> tuple["Node", ...]:
        """Expand the node: return a tuple of its children, empty at a terminal."""
        below = self._queries.expand(self._key)
        if self._children is not None:
            return self._children
        children = []
        for number, (key, terminal) in enumerate(below):
            child = Node(self._queries, key, terminal, (*self._place, number))
            children.append(child)
        if self._queries.keeps_nodes:
            self._children = tuple(children)
        return tuple(children)

    def evaluate(self) -> float:
        """Visit the leaf: return its value, which is exact only at a terminal."""
        return self._queries.evaluate(self._key)

    def is_terminal(self) -> bool:
        """Tell whether the node has no children. This is not a visit."""
        return self._terminal

    @property
    def name(self) -> str:
        """The label in drawings. Reading it is not a visit."""
        return self._queries.name(self._key)

    def __deepcopy__(self, _):
        """Return the node itself, because a node never changes."""
        return self

    def __repr__(self):
        return f"<Node {self.name}>"

    def __getattr__(self, attribute):
        hint = HINTS.get(attribute, WHAT_A_NODE_HAS)
        raise AttributeError(f"Node has no attribute {attribute!r}: {hint}")
