"""A game tree as its file describes it: positions, searches, published figures.

A `Position` is the tree's side of a node; a search never sees it. Paths name
positions for good: the tuple of child numbers from the root, () for the root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gametree.functions import KNOWN, NODE


class Position:
    """One position: where it is, what drawings call it, its static value.

    `value` is a finite int or float, or None at an interior position for which
    the file gives none; such a position evaluates to 0. Lazy trees and games
    override `children` and `terminal`.
    """

    __slots__ = ("path", "name", "value", "_children")

    def __init__(self, path, name, value=None, children=()):
        self.path = path
        self.name = name
        self.value = value
        self._children = tuple(children)

    @property
    def children(self):
        """The child positions, left to right."""
        return self._children

    @property
    def terminal(self):
        """Whether the position has no children."""
        return not self._children

    def static_value(self):
        """Return what `Node.evaluate()` answers here."""
        return 0 if self.value is None else self.value

    def at(self, path):
        """Return the position that `path` leads to from here."""
        position = self
        for index in path:
            position = position.children[index]
        return position

    def __repr__(self):
        return f"<Position {self.name}>"


@dataclass(frozen=True)
class Published:
    """What the source of a tree, or its author, says of a search. All optional.

    `leaves` and `pruned` hold paths of search leaves; `evaluations` is the
    number of leaves that alpha-beta visits, `nodes` its node count with the
    root, `move` the path of the best child.
    """

    value: float | None = None
    leaves: frozenset | None = None
    pruned: frozenset | None = None
    evaluations: int | None = None
    nodes: int | None = None
    move: tuple | None = None


@dataclass(frozen=True)
class Search:
    """One question asked of a tree: how deep, who moves, within which window."""

    depth: int
    maximizing: bool
    alpha: float = -math.inf
    beta: float = math.inf
    published: Published = field(default=Published(), compare=False)

    def max_moves_at(self, path):
        """Tell whether MAX is to move at the position that `path` leads to."""
        return self.maximizing == (len(path) % 2 == 0)

    @property
    def full_window(self):
        """Whether the window is (-infinity, infinity)."""
        return self.alpha == -math.inf and self.beta == math.inf

    def in_words(self):
        """Return "depth 2, MAX moves first", and a narrow window's alpha and beta."""
        mover = "MAX" if self.maximizing else "MIN"
        words = f"depth {self.depth}, {mover} moves first"
        if self.full_window:
            return words
        bounds = (str(b).replace("inf", "infinity") for b in (self.alpha, self.beta))
        return "{}, alpha {}, beta {}".format(words, *bounds)

    def arguments(self, function):
        """Return what follows `node` in a call of the named function."""
        return tuple(getattr(self, argument) for argument in KNOWN[function].arguments)


@dataclass(frozen=True)
class Tree:
    """A tree file, read: one tree, its lesson, the searches asked of it."""

    name: str
    title: str
    lesson: str
    root: Position
    maximizing: bool
    searches: tuple
    source: str = ""

    def searches_for(self, function):
        """Return the searches that the named function is asked, in file order.

        A narrow window is for functions that are given it; a move is asked for
        where the root has one to choose.
        """
        known = KNOWN[function]
        return tuple(
            search
            for search in self.searches
            if (known.has_window or search.full_window)
            and (known.answer != NODE or search.depth >= 1 and not self.root.terminal)
        )
