"""The drawn part of a tree: each node with its name, its mark and its children."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

from gametree.support.marks import VISITED, Mark, Marks
from gametree.support.texts import write_number
from gametree.support.tree import Position, Search, Tree

MAX_NODES = 200


@dataclass
class View:
    """One drawn node.

    position: the Position.
    search: the drawn search, or a search of the whole tree.
    leaf: whether it is a leaf of the search: a terminal, or a node at its depth.
    mark: the Mark of the search here, or None if no search is drawn.
    reached: whether the search reached it or a node below. True if no search is drawn.
    shows_value: whether to show the static value of an inner node.
    children: the views of the drawn children.
    hidden: the number of children that are not drawn, or None if unknown.
    """

    position: Position
    search: Search
    leaf: bool
    mark: Mark | None
    reached: bool
    shows_value: bool
    children: list[View] = field(default_factory=list)
    hidden: int | None = 0

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
    from the top down. Few nodes more are created.
    """
    drawn_search = search or Search(tree.root.height, tree.maximizing)
    shows_values = search is None
    root = _make_view(tree.root, drawn_search, marks, shows_values)
    queue = []  # views to open: (urgency, number, view)
    _push(queue, 1, root, marks)
    drawn = 1
    while queue:
        *_, view = heapq.heappop(queue)
        room = max_nodes - drawn
        if room <= 0:
            view.hidden = None
            continue
        below = view.position.children
        if view.leaf and marks:
            below = [position for position in below if position.path in marks.reached]
        else:
            view.hidden = max(0, len(below) - room)
        for position in _first_ones(below, room, marks):
            child = _make_view(position, drawn_search, marks, shows_values)
            view.children.append(child)
            drawn += 1
            _push(queue, drawn, child, marks)
    return root


def _make_view(position, search, marks, shows_values):
    leaf = position.terminal or len(position.path) >= search.depth
    mark = marks.mark_at(position.path, leaf) if marks else None
    reached = not marks or position.path in marks.reached
    shows_value = shows_values and not leaf and position.value is not None
    return View(position, search, leaf, mark, reached, shows_value)


def _push(queue, number, view, marks):
    """Queue an inner node, or a leaf below which the search went."""
    went_below = marks is not None and view.path in marks.entered
    if view.leaf and not went_below:
        return
    urgency = 1 if view.reached else 2
    if marks and view.path in marks.to_show_first:
        urgency = 0
    heapq.heappush(queue, (urgency, number, view))


def _first_ones(positions, room, marks):
    """Return the positions that fit, left to right; wrong positions have priority."""
    if marks:
        positions = sorted(
            positions, key=lambda child: child.path not in marks.to_show_first
        )
    return sorted(positions[:room], key=lambda child: child.path)
