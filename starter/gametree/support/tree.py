"""A game tree as its file describes it: positions, searches, published figures.

A search never sees a `Position`, only a Node. A path identifies a position: it is the
tuple of child numbers from the root, () for the root.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, product
from string import ascii_uppercase
from typing import NamedTuple

from gametree.functions import FUNCTIONS, MAX, MIN, NODE, Player

NodePath = tuple[int, ...]  # the child numbers from the root; () is the root


class Position(ABC):
    """One position: its path, its name in drawings, its static value, its children.

    `value` is a finite int or float. It is None at an interior position without a static
    value, which evaluates to 0.
    """

    path: NodePath
    value: float | None

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in drawings."""

    @property
    @abstractmethod
    def children(self) -> Sequence[Position]:
        """The child positions, left to right."""

    @property
    def terminal(self) -> bool:
        """Whether the position has no children."""
        return not self.children

    @property
    def height(self) -> int:
        """The number of plies below, or an upper bound in a lazy tree."""
        return max((1 + child.height for child in self.children), default=0)

    def static_value(self) -> float:
        """Return the result of `Node.evaluate()` here."""
        return 0 if self.value is None else self.value

    def at(self, path: NodePath) -> Position:
        """Return the position that `path` leads to from here."""
        position = self
        for index in path:
            position = position.children[index]
        return position

    def subtree(self) -> Iterator[Position]:
        """Yield this position and all positions below, parents first, left to right."""
        yield self
        for child in self.children:
            yield from child.subtree()

    def frontier(self, depth: int) -> Iterator[Position]:
        """Yield the leaves of a search `depth` plies deep, left to right.

        They are the terminals above that depth and the positions at that depth.
        """
        if depth == 0 or self.terminal:
            yield self
        else:
            for child in self.children:
                yield from child.frontier(depth - 1)


class StoredPosition(Position):
    """A position that stores its name and its children, as a tree file lists them."""

    name = ""  # in place of the property, so that name_positions() can store it
    children: Sequence[StoredPosition] = ()

    def __init__(
        self,
        path: NodePath,
        name: str,
        value: float | None = None,
        children: Iterable[StoredPosition] = (),
    ):
        self.path = path
        self.name = name
        self.value = value
        self.children = tuple(children)


def name_positions(root: StoredPosition) -> None:
    """Name the root, and every position below it whose name is "", row by row.

    The root is A, and the other interior positions are B, C, ... Z, AA, AB, ... A leaf
    has its parent's name and a number: b1, b2. Names already in use are skipped.
    """
    taken = {position.name for position in root.subtree()}
    root.name = "Root" if "A" in taken else "A"
    taken.add("A")
    letters = _letters()
    positions = [root]
    for position in positions:  # the list grows during the loop
        positions += position.children
        for number, child in enumerate(position.children, start=1):
            if child.name:
                continue
            if child.terminal:
                name = f"{position.name.lower()}{number}"
                while name in taken:
                    name += "'"
            else:
                name = next(name for name in letters if name not in taken)
            child.name = name
            taken.add(name)


def _letters():
    """Yield A, B, ... Z, AA, AB, ... without end."""
    for length in count(1):
        for letters in product(ascii_uppercase, repeat=length):
            yield "".join(letters)


def search_leaf(position: Position, depth: int) -> bool:
    """Tell whether a search `depth` plies deep from the root evaluates here."""
    plies = len(position.path)
    return plies == depth or position.terminal and plies < depth


def with_ancestors(paths: Iterable[NodePath]) -> frozenset[tuple]:
    """Return the paths and the paths of all positions above them."""
    above = set()
    for path in paths:
        while path not in above:
            above.add(path)
            path = path[:-1]
    return frozenset(above)


def max_moves_at(path: NodePath, maximizing: bool) -> bool:
    """Tell whether MAX moves at `path`; `maximizing` says who moves at the root."""
    return maximizing == (len(path) % 2 == 0)


class Search(NamedTuple):
    """One search of a tree: its arguments.

    depth: the number of plies to search.
    maximizing: whether MAX moves at the root.
    alpha, beta: the window at the root.
    earlier: how many equal searches stand before it in the tree file.
    opponent: the Player who takes turns with MAX.
    """

    depth: int
    maximizing: bool
    alpha: float = -math.inf
    beta: float = math.inf
    earlier: int = 0
    opponent: Player = MIN

    def max_moves_at(self, path: NodePath) -> bool:
        """Tell whether MAX is to move at the position that `path` leads to."""
        return max_moves_at(path, self.maximizing)

    def mover_at(self, path: NodePath) -> Player:
        """Return the player to move at the position of `path`."""
        return MAX if self.max_moves_at(path) else self.opponent

    def player_at(self, path: NodePath) -> str:
        """Return the name of the player to move at the position of `path`."""
        return self.mover_at(path).name

    @property
    def full_window(self) -> bool:
        """Whether the window is (-infinity, infinity)."""
        return self.alpha == -math.inf and self.beta == math.inf

    def arguments(self, function: str) -> tuple:
        """Return the arguments after `node` in a call of the named function."""
        return tuple(getattr(self, argument) for argument in FUNCTIONS[function].arguments)


class Tree(NamedTuple):
    """The content of a tree file: one tree, its lesson, its searches.

    name: the name of the file, without its ending.
    title: the line above its drawings.
    lesson: one line on what the tree tests.
    root: the root's Position.
    maximizing: whether MAX moves at the root.
    searches: the searches, in file order; at least one.
    source: where the tree comes from, or "".
    published: search -> the figures that the source gives for it, by their keys in the
        file: numbers, the name of a move, lists of the names of leaves.
    """

    name: str
    title: str
    lesson: str
    root: Position
    maximizing: bool
    searches: tuple[Search, ...]
    source: str = ""
    published: Mapping[Search, dict[str, float | str | list]] = {}

    def searches_for(self, function: str) -> tuple[Search, ...]:
        """Return the searches that test the named function, in file order.

        Only functions with a window get searches with a narrow window. best_move gets
        only searches in which the root has a move to choose.
        """
        asked = FUNCTIONS[function]
        searches = []
        for search in self.searches:
            fits_window = asked.has_window or search.full_window
            has_moves = search.depth >= 1 and not self.root.terminal
            if fits_window and (has_moves or asked.answer != NODE):
                searches.append(search._replace(opponent=asked.opponent))
        return tuple(searches)
