"""A game tree as its file describes it: positions, searches, published figures.

A `Position` is the tree's side of a node; a search never sees it. Paths name
positions for good: the tuple of child numbers from the root, () for the root.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, product
from string import ascii_uppercase
from typing import NamedTuple

from gametree.functions import FUNCTIONS, NODE


class TreeError(ValueError):
    """A tree file that cannot be read: where the slip is and what to write.

    As text it is one line: `file, line 4, child 2 of B: what is wrong: what to
    write instead`. `line` counts from 1, and is None where no line is to blame.
    """

    def __init__(self, problem, line: int | None = None, node="", file: str = ""):
        super().__init__(problem)
        self.problem, self.line, self.node, self.file = problem, line, str(node), file

    def __str__(self):
        where = [self.file, f"line {self.line}" if self.line else "", self.node]
        return f"{', '.join(filter(None, where))}: {self.problem}".removeprefix(": ")


class Position:
    """One position: where it is, what drawings call it, its static value.

    `value` is a finite int or float, or None at an interior position for which
    the file gives none; such a position evaluates to 0. `children` are the child
    positions, left to right. Lazy trees and games override `children` and `terminal`.
    """

    def __init__(
        self, path: tuple, name: str, value: float | None = None, children: Iterable = ()
    ):
        self.path, self.name, self.value = path, name, value
        self.children = tuple(children)

    @property
    def terminal(self) -> bool:
        """Whether the position has no children."""
        return not self.children

    @property
    def height(self) -> int:
        """The number of plies below; in a lazy tree, at most."""
        return max((1 + child.height for child in self.children), default=0)

    def static_value(self) -> float:
        """Return what `Node.evaluate()` answers here."""
        return 0 if self.value is None else self.value

    def at(self, path: tuple[int, ...]) -> Position:
        """Return the position that `path` leads to from here."""
        position = self
        for index in path:
            position = position.children[index]
        return position

    def subtree(self) -> Iterator[Position]:
        """Yield this position and all below it, parents first, left to right."""
        yield self
        for child in self.children:
            yield from child.subtree()

    def frontier(self, depth: int) -> Iterator[Position]:
        """Yield the leaves of a search `depth` plies deep, left to right.

        They are the terminals above that depth, and the positions at it.
        """
        if depth == 0 or self.terminal:
            yield self
        else:
            for child in self.children:
                yield from child.frontier(depth - 1)


def name_positions(root: Position) -> None:
    """Name every position whose name is "", row by row.

    The root is A, the other interior positions are B, C, ... Z, AA, AB, ..., and a leaf
    has its parent's name and its number: b1, b2. Names that are taken are left out.
    """
    taken = {position.name for position in root.subtree()}
    root.name = root.name or ("Root" if "A" in taken else "A")
    taken.add("A")
    letters = (product(ascii_uppercase, repeat=length) for length in count(1))
    names = ("".join(name) for same_length in letters for name in same_length)
    row = [root]
    for position in row:  # which grows meanwhile
        for number, child in enumerate(position.children, start=1):
            if not child.name:
                leaf = f"{position.name.lower()}{number}"
                while leaf in taken:
                    leaf += "'"
                fresh = leaf if child.terminal else next(n for n in names if n not in taken)
                child.name = fresh
                taken.add(fresh)
            row.append(child)


def search_leaf(position: Position, depth: int) -> bool:
    """Tell whether a search `depth` plies deep from the root evaluates here."""
    plies = len(position.path)
    return plies == depth or position.terminal and plies < depth


def with_ancestors(paths: Iterable[tuple[int, ...]]) -> frozenset[tuple]:
    """Return the paths, and those of all positions above them."""
    above = set()
    for path in paths:
        while path not in above:
            above.add(path)
            path = path[:-1]
    return frozenset(above)


class Published(NamedTuple):
    """What the source of a tree, or its author, says of a search. All optional.

    `leaves` and `pruned` hold paths of search leaves; `evaluations` is the
    number of leaves that alpha-beta visits, `nodes` its node count with the
    root, `move` the path of the best child.
    """

    value: float | None = None
    leaves: frozenset[tuple] | None = None
    pruned: frozenset[tuple] | None = None
    evaluations: int | None = None
    nodes: int | None = None
    move: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Search:
    """One question asked of a tree: how deep, who moves, within which window."""

    depth: int
    maximizing: bool
    alpha: float = -math.inf
    beta: float = math.inf
    published: Published = field(default=Published(), compare=False)

    def max_moves_at(self, path: tuple[int, ...]) -> bool:
        """Tell whether MAX is to move at the position that `path` leads to."""
        return self.maximizing == (len(path) % 2 == 0)

    def player_at(self, path: tuple[int, ...]) -> str:
        """Return "MAX" or "MIN": the player to move at the position of `path`."""
        return "MAX" if self.max_moves_at(path) else "MIN"

    def best_at(self, path: tuple[int, ...]) -> Callable:
        """Return `max` or `min`: what picks the best of the children's values there."""
        return max if self.max_moves_at(path) else min

    @property
    def full_window(self) -> bool:
        """Whether the window is (-infinity, infinity)."""
        return self.alpha == -math.inf and self.beta == math.inf

    def arguments(self, function):
        """Return what follows `node` in a call of the named function."""
        return tuple(getattr(self, argument) for argument in FUNCTIONS[function].arguments)


@dataclass(frozen=True)
class Tree:
    """A tree file, read: one tree, its lesson, the searches asked of it.

    `concept` is what the autograder counts it under, "" where it finds that out.
    """

    name: str
    title: str
    lesson: str
    root: Position
    maximizing: bool
    searches: tuple[Search, ...]
    source: str = ""
    concept: str = ""

    def searches_for(self, function):
        """Return the searches that the named function is asked, in file order.

        A narrow window is for functions that are given it; a move is asked for where the
        root has one to choose.
        """
        known = FUNCTIONS[function]
        return tuple(
            search
            for search in self.searches
            if (known.has_window or search.full_window)
            and (known.answer != NODE or search.depth >= 1 and not self.root.terminal)
        )
