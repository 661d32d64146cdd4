"""What a drawing shows: each node with what a search did there, and should have done."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from gametree.functions import FUNCTIONS, NODE
from gametree.proof import leaves_needed
from gametree.trace import EVALUATE, Trace
from gametree.tree import Position, Search, Tree, with_ancestors

MOST_NODES = 200
MOST_WRONG = 12
LONGEST_NAME = 16


@dataclass(frozen=True)
class Mark:
    """One kind of mark: its sign, its ANSI colour, its meaning."""

    sign: str
    colour: str
    meaning: str
    reached: bool


VISITED = Mark("●", "32", "visited", True)
REPEATED = Mark("●●", "36", "visited more than once", True)
PRUNED = Mark("○", "2", "pruned", False)
NOT_VISITED = Mark("○", "2", "not visited", False)
NEEDLESS = Mark("!", "1;31", "visited needlessly", True)
MISSED = Mark("?", "1;33", "not visited, but needed", False)
NO_LEAF = Mark("#", "1;31", "evaluated, but not a leaf of this search", True)
LEGEND = (VISITED, REPEATED, PRUNED, NOT_VISITED, NEEDLESS, MISSED, NO_LEAF)


@dataclass(frozen=True)
class Marks:
    """Which nodes a search reached and visited, beside those that it should have.

    All are sets of paths. `needed` are leaves that should be visited; no other should
    where these are `all_needed`. `depth` is the search's, in plies: its leaves lie there,
    or at terminals.
    """

    depth: float
    reached: frozenset[tuple]
    visited: frozenset[tuple]
    repeated: frozenset[tuple]
    needed: frozenset[tuple]
    all_needed: bool

    def of(self, path: tuple[int, ...], leaf: bool) -> Mark:
        """Return the Mark of a node; `leaf` tells a leaf of the search."""
        if len(path) > self.depth:
            return NEEDLESS
        if path in self.visited and not leaf:
            return NO_LEAF
        needed = path in self.needed_above
        if self.all_needed and not needed:  # a leaf may be reached by its children alone
            return NEEDLESS if path in self.reached else PRUNED
        if path in (self.visited if leaf else self.reached):
            return REPEATED if leaf and path in self.repeated else VISITED
        return MISSED if needed else NOT_VISITED

    @cached_property
    def inner(self) -> frozenset[tuple]:
        """The paths of nodes of which the search reached a child."""
        return frozenset(path[:-1] for path in self.reached if path)

    @cached_property
    def needed_above(self) -> frozenset[tuple]:
        """The paths of what is needed, and of all that is above it."""
        return with_ancestors(self.needed)

    @cached_property
    def to_show_first(self) -> frozenset[tuple]:
        """The paths of the leftmost leaves that are wrong, and of what is above them."""
        needless = self.visited - self.needed if self.all_needed else frozenset()
        return with_ancestors(sorted(self.needed - self.visited | needless)[:MOST_WRONG])


def marks_of(
    tree: Tree,
    search: Search,
    observed: Trace | Iterable[tuple],
    expected: Iterable[tuple] | None = None,
) -> Marks:
    """Return the Marks of one search on a tree.

    observed: the Trace, or the paths of the visited leaves.
    expected: the paths that a right search visits, None for "unknown". Where the answer
        is a move, others may do as well: of these, those are marked without which no move
        is known to be best.
    """
    traced, needed = isinstance(observed, Trace), frozenset(expected or ())
    all_needed = expected is not None
    if traced and FUNCTIONS[observed.function].answer == NODE and all_needed:
        needed, all_needed = leaves_needed(tree, search, observed.visited, needed), False
    events = observed.events if traced else [(EVALUATE, path) for path in observed]
    visited, repeated, before = set(), set(), None
    for kind, path in events:
        if kind == EVALUATE:
            if path in visited and before != path:  # again, after the search had left it
                repeated.add(path)
            visited.add(path)
        before = path
    sets = (
        with_ancestors(path for _, path in events),
        frozenset(visited),
        frozenset(repeated),
    )
    return Marks(search.depth, *sets, needed, all_needed)


@dataclass
class View:
    """One node as it is drawn.

    `leaf` tells a leaf of the search: a terminal, or a node at its depth. `hidden` is
    the number of children that are not drawn, None where nobody looked; `shows_value`
    tells to show the static value of an inner node.
    """

    position: Position
    maximizing: bool
    name: str
    leaf: bool
    mark: Mark | None
    shows_value: bool
    children: list[View] = field(default_factory=list)
    hidden: int | None = 0

    @property
    def player(self) -> str:
        """Who moves here: MAX or MIN."""
        return "MAX" if self.maximizing else "MIN"

    @property
    def path(self) -> tuple[int, ...]:
        """The position's path."""
        return self.position.path

    @property
    def reached(self) -> bool:
        """Whether the search came here, as far as is known."""
        return self.mark is None or self.mark.reached

    @property
    def end(self) -> bool:
        """Whether this is a leaf of the search with nothing drawn below it."""
        return self.leaf and not self.children

    @property
    def sign(self) -> str:
        """The mark as a sign; at an inner node, "visited" goes without saying."""
        if self.mark is None or self.mark is VISITED and not self.end:
            return ""
        return self.mark.sign

    @property
    def colour(self) -> str:
        """The colour of the sign."""
        return self.mark.colour if self.sign else ""

    def everything(self) -> Iterator[View]:
        """Yield this view and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.everything()


def view_of(
    tree: Tree,
    search: Search | None = None,
    marks: Marks | None = None,
    most: int = MOST_NODES,
) -> View:
    """Return the root's View; at most `most` nodes are drawn, and few more made.

    What is marked wrong comes first, then what the search reached, then the
    rest, each from the top down.
    """
    depth = search.depth if search else math.inf

    def view_at(position, name, maximizing):
        leaf = len(position.path) >= depth or position.terminal
        mark = marks.of(position.path, leaf) if marks else None
        shows_value = not (leaf or search or position.value is None)
        return View(position, maximizing, name, leaf, mark, shows_value)

    root = view_at(tree.root, tree.root.name, (search or tree).maximizing)
    queue, drawn = [(0, 0, root)] if _opens(root, marks) else [], 1
    while queue:
        *_, view = heapq.heappop(queue)
        if drawn >= most:
            view.hidden = None
            continue
        for child in _chosen(view, depth, marks, most - drawn):
            name = _short(child.name, view.position)
            below = view_at(child, name, not view.maximizing)
            view.children.append(below)
            drawn += 1
            if _opens(below, marks):
                heapq.heappush(queue, (_urgency(below, marks), drawn, below))
    return root


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


def value_text(view: View) -> str:
    """Return the static value of a leaf of the search as it is drawn."""
    return str(view.position.static_value())


def inner_label(view: View) -> tuple[str, str]:
    """Return the name of a view that is no end, and what follows the name."""
    suffix = f" ({value_text(view)})" if view.leaf or view.shows_value else ""
    return view.name, f"{suffix} {view.sign}".rstrip()
