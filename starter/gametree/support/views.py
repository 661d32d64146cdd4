"""The drawn part of a tree: each node with its name, its mark and its children."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import count
from operator import attrgetter
from typing import NamedTuple

from gametree.support.marks import VISITED, Mark, Marks
from gametree.support.texts import write_number
from gametree.support.tree import Position, Search, Tree

MAX_NODES = 200


class View(NamedTuple):
    """One drawn node.

    position: the Position.
    search: the drawn search, or a search of the whole tree.
    leaf: whether it is a leaf of the search: a terminal, or a node at its depth.
    mark: the Mark of the search here, or None if no search is drawn.
    reached: whether the search reached it or a node below. True if no search is drawn.
    shows_value: whether to show the static value of an inner node.
    below: the positions below it that could be drawn; below a leaf of the search, only
        those that were reached.
    children: the views of those that are drawn.
    """

    position: Position
    search: Search
    leaf: bool
    mark: Mark | None
    reached: bool
    shows_value: bool
    below: Sequence[Position]
    children: list[View]

    @property
    def hidden(self) -> int:
        """The number of positions below it that are not drawn."""
        return len(self.below) - len(self.children)

    @property
    def name(self) -> str:
        """The position's name."""
        return self.position.name

    @property
    def path(self) -> tuple[int, ...]:
        """The position's path."""
        return self.position.path

    @property
    def maximizing(self) -> bool:
        """Whether MAX moves here."""
        return self.search.max_moves_at(self.path)

    @property
    def player(self) -> str:
        """Who moves here: MAX or MIN."""
        return self.search.player_at(self.path)

    @property
    def end(self) -> bool:
        """Whether this is a leaf of the search with nothing drawn below it."""
        return self.leaf and not self.children

    @property
    def sign(self) -> str:
        """The sign of the mark; an inner node has no sign for "visited"."""
        if self.mark is None or self.mark is VISITED and not self.end:
            return ""
        return self.mark.sign

    @property
    def value(self) -> str:
        """The static value of a leaf, as a drawing shows it."""
        return write_number(self.position.static_value())

    @property
    def suffix(self) -> str:
        """The text after the name: the value of a node with children, and the sign."""
        shows_value = self.shows_value or self.leaf and not self.end
        value = f" ({self.value})" if shows_value else ""
        return f"{value} {self.sign}".rstrip()

    def everything(self) -> Iterator[View]:
        """Yield this view and all views below, parents first."""
        yield self
        for child in self.children:
            yield from child.everything()


def view_of(
    tree: Tree,
    search: Search | None = None,
    marks: Marks | None = None,
    max_nodes: int = MAX_NODES,
) -> View:
    """Return the root's View, with at most `max_nodes` drawn nodes.

    Wrong nodes come first, then the nodes that the search reached, then all others, each
    from the top down.
    """
    drawn_search = search or Search(tree.root.height, tree.maximizing)
    shows_values = search is None
    drawn = []
    numbers = count()
    queue = [(0, next(numbers), tree.root, None)]  # (urgency, number, position, parent)
    while queue and len(drawn) < max_nodes:
        *_, position, parent = heapq.heappop(queue)
        view = _make_view(position, drawn_search, marks, shows_values)
        drawn.append(view)
        if parent:
            parent.children.append(view)
        for child in view.below:
            urgency = _urgency(child.path, marks)
            heapq.heappush(queue, (urgency, next(numbers), child, view))
    for view in drawn:
        view.children.sort(key=attrgetter("path"))
    return drawn[0]


def _make_view(position, search, marks, shows_values):
    leaf = position.terminal or len(position.path) >= search.depth
    mark = marks.mark_at(position.path, leaf) if marks else None
    reached = not marks or position.path in marks.reached
    shows_value = shows_values and not leaf and position.value is not None
    below = _below(position, leaf, marks)
    return View(position, search, leaf, mark, reached, shows_value, below, children=[])


def _below(position, leaf, marks):
    """Return the positions below a View, as in its field."""
    if not leaf:
        return position.children
    if not marks:
        return ()
    return [child for child in position.children if child.path in marks.reached]


def _urgency(path, marks):
    """Return when a position is drawn: the smallest number first."""
    if marks and path in marks.to_show_first:
        return 0
    return 2 if marks and path not in marks.reached else 1
