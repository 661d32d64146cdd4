"""The marks of a drawing: what a search did with a node, and what it should have done."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from functools import cached_property

from gametree.trace import EVALUATE, Trace
from gametree.tree import Position


@dataclass(frozen=True)
class Mark:
    """One kind of mark: its sign, also in ASCII, its ANSI colour, its meaning."""

    sign: str
    ascii: str
    colour: str
    meaning: str
    reached: bool


VISITED = Mark("●", "*", "32", "visited", True)
REPEATED = Mark("●●", "**", "36", "visited more than once", True)
PRUNED = Mark("○", "o", "2", "pruned", False)
NOT_VISITED = Mark("○", "o", "2", "not visited", False)
NEEDLESS = Mark("!", "!", "1;31", "visited needlessly", True)
MISSED = Mark("?", "?", "1;33", "not visited, but needed", False)
NO_LEAF = Mark("#", "#", "1;31", "evaluated, but not a leaf of this search", True)
LEGEND = (VISITED, REPEATED, PRUNED, NOT_VISITED, NEEDLESS, MISSED, NO_LEAF)
MOST_WRONG = 12


@dataclass(frozen=True)
class Marks:
    """Which nodes a search reached and visited, beside those that it should have.

    All four are sets of paths; `should_reach` and `should_visit` are None where
    nobody knows. `depth` is the search's, in plies: its leaves lie there, or at
    terminals.
    """

    depth: float
    reached: frozenset
    visited: frozenset
    repeated: frozenset = frozenset()
    should_reach: frozenset | None = None
    should_visit: frozenset | None = None
    should_visit_all: bool = False

    def of(self, path, leaf):
        """Return the Mark of a node; `leaf` tells a leaf of the search."""
        if len(path) > self.depth:
            return NEEDLESS
        if path in self.visited and not leaf:
            return NO_LEAF
        got = path in (self.visited if leaf else self.reached)
        should = self._should(path, leaf)
        if not got:
            return {True: MISSED, False: PRUNED, None: NOT_VISITED}[should]
        if should is False:
            return NEEDLESS
        return REPEATED if leaf and path in self.repeated else VISITED

    def _should(self, path, leaf):
        """Return True, False, or None where nobody knows."""
        if self.should_visit_all:
            return True
        known = self.should_visit if leaf else self.should_reach
        return None if known is None else path in known

    @cached_property
    def inner(self):
        """The paths of nodes of which the search reached a child."""
        return frozenset(path[:-1] for path in self.reached if path)

    @cached_property
    def to_show_first(self):
        """The paths of the leftmost leaves that are wrong, and of what is above them."""
        wrong = self.visited ^ self.should_visit if self.should_visit is not None else ()
        return _with_ancestors(sorted(wrong)[:MOST_WRONG])


def marks_of(tree, search, observed, expected=None):
    """Return the Marks of one search on a tree.

    observed: the Trace, or the set of paths of visited leaves.
    expected: the set of paths that a right search visits. None for "unknown";
        for a trace of minimax it is every leaf.
    """
    everything = False
    if isinstance(observed, Trace):
        visited, repeated = observed.visited, _repeated(observed.events)
        reached = _with_ancestors(path for _, path in observed.events)
        everything = observed.function == "minimax" and expected is None
    else:
        visited, repeated = frozenset(observed), frozenset()
        reached = _with_ancestors(visited)
    return Marks(
        search.depth,
        reached,
        visited,
        repeated,
        None if expected is None else _with_ancestors(expected),
        None if expected is None else frozenset(expected),
        everything,
    )


def _with_ancestors(paths):
    found = set()
    for path in paths:
        while path not in found:
            found.add(path)
            path = path[:-1]
    return frozenset(found)


def _repeated(events):
    """Return the leaves that were visited again after the search had left them."""
    seen, again, before = set(), set(), None
    for kind, path in events:
        if kind == EVALUATE:
            if path in seen and before != path:
                again.add(path)
            seen.add(path)
        before = path
    return frozenset(again)


MOST_NODES = 200
LONGEST_NAME = 16


@dataclass
class View:
    """One node as it is drawn.

    `leaf` tells a leaf of the search: a terminal, or a node at its depth. `hidden` is
    the number of children that are not drawn, None where nobody looked;
    `shows_value` tells to show the static value of an inner node.
    """

    position: Position
    maximizing: bool
    name: str
    leaf: bool = False
    mark: Mark | None = None
    children: list = field(default_factory=list)
    hidden: int | None = 0
    shows_value: bool = False

    @property
    def player(self):
        """Who moves here: MAX or MIN."""
        return "MAX" if self.maximizing else "MIN"

    @property
    def path(self):
        """The position's path."""
        return self.position.path

    @property
    def reached(self):
        """Whether the search came here, as far as is known."""
        return self.mark is None or self.mark.reached

    @property
    def end(self):
        """Whether this is a leaf of the search with nothing drawn below it."""
        return self.leaf and not self.children

    @property
    def sign(self):
        """The mark as a sign; at an inner node, "visited" goes without saying."""
        if self.mark is None or self.mark is VISITED and not self.end:
            return ""
        return self.mark.sign

    @property
    def colour(self):
        """The colour of the sign."""
        return self.mark.colour if self.sign else ""

    def everything(self):
        """Yield this view and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.everything()


def view_of(tree, search=None, marks=None, most=MOST_NODES):
    """Return the root's View; at most `most` nodes are drawn, and few more made.

    What is marked wrong comes first, then what the search reached, then the
    rest, each from the top down.
    """
    depth = search.depth if search else math.inf
    maximizing = search.maximizing if search else tree.maximizing
    root = View(tree.root, maximizing, tree.root.name)
    _mark(root, search, depth, marks)
    queue, drawn = [(0, 0, root)] if _opens(root, marks) else [], 1
    while queue:
        *_, view = heapq.heappop(queue)
        if drawn >= most:
            view.hidden = None
            continue
        for child in _chosen(view, depth, marks, most - drawn):
            below = View(child, not view.maximizing, _short(child.name, view.position))
            _mark(below, search, depth, marks)
            view.children.append(below)
            drawn += 1
            if _opens(below, marks):
                heapq.heappush(queue, (_urgency(below, marks), drawn, below))
    return root


def _mark(view, search, depth, marks):
    view.leaf = len(view.path) >= depth or view.position.terminal
    view.shows_value = not (view.leaf or search or view.position.value is None)
    if marks:
        view.mark = marks.of(view.path, view.leaf)


def _opens(view, marks):
    """Tell whether something below is drawn: an inner node, or a search gone too deep."""
    return not view.leaf or bool(marks) and view.path in marks.inner


def _urgency(view, marks):
    if marks and view.path in marks.to_show_first:
        return 0
    return 1 if view.reached else 2


def _chosen(view, depth, marks, room):
    """Return the children to draw, at most `room`, and set what stays hidden."""
    children = view.position.children
    if len(view.path) >= depth:
        return [child for child in children if child.path in marks.reached][:room]
    view.hidden = max(0, len(children) - room)
    if view.hidden and marks:
        ranked = sorted(children, key=lambda child: child.path not in marks.to_show_first)
        return sorted(ranked[:room], key=lambda child: child.path)
    return children[:room]


def _short(name, parent):
    """Return a name that fits: of 1.2.1.3 below 1.2.1 only .3, if it is long."""
    if len(name) > LONGEST_NAME // 2 and name.startswith(f"{parent.name}."):
        name = name[len(parent.name) :]
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def value_text(view):
    """Return the static value of a leaf of the search as it is drawn."""
    return str(view.position.static_value())


def inner_label(view):
    """Return the name of a view that is no end, and what follows the name."""
    suffix = f" ({value_text(view)})" if view.leaf or view.shows_value else ""
    return view.name, f"{suffix} {view.sign}".rstrip()
