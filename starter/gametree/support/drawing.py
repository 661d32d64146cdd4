"""What a drawing shows of a search, and the drawing as text.

view_of() gives each node with what a search did there, and should have done; draw() makes
text of it: from the top down where that fits, else as an outline.
"""

from __future__ import annotations

import heapq
import math
import re
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, groupby
from operator import itemgetter

from gametree.functions import FUNCTIONS, NODE
from gametree.support.judging import leaves_needed
from gametree.support.saying import say
from gametree.support.trace import EVALUATE, Trace
from gametree.support.tree import Position, Search, Tree, with_ancestors

MAX_NODES = 200
MAX_WRONG = 12
LONGEST_NAME = 16
FIXED = "\xa0"  # a blank at which no line is broken
ASCII = str.maketrans("│╎─╌┌╭┐╮├┤┬┴┼└●○…", "|:-.+.+.++++++*o~")
GUTTER = 5
CELLS = (6, *range(7, 21), 5, 4, 3)  # columns for each leaf, the best looking first
# The line that goes down, left, right and up from a place: drawn, and faint.
LINES = {"DU": "│╎", "LR": "─╌", "DR": "┌╭", "DL": "┐╮", "DLR": "┬┬", "LRU": "┴┴"}
CROSSING = "┼┼"
COLOURS = re.compile("\x1b\\[[0-9;]*m")
ROOMY = ("├─ ", "│  "), ("└─ ", "   ")
TIGHT = ("├", "│"), ("└", " ")


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
    def needed_above(self) -> frozenset[tuple]:
        """The paths of what is needed, and of all that is above it."""
        return with_ancestors(self.needed)

    @cached_property
    def to_show_first(self) -> frozenset[tuple]:
        """The paths of the leftmost leaves that are wrong, and of what is above them."""
        needless = self.visited - self.needed if self.all_needed else frozenset()
        return with_ancestors(sorted(self.needed - self.visited | needless)[:MAX_WRONG])


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
    reached = with_ancestors(path for _, path in events)
    visited, repeated = frozenset(visited), frozenset(repeated)
    return Marks(search.depth, reached, visited, repeated, needed, all_needed)


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
    most: int = MAX_NODES,
) -> View:
    """Return the root's View; at most `most` nodes are drawn, and few more made.

    What is marked wrong comes first, then what the search reached, then the
    rest, each from the top down.
    """
    depth = search.depth if search else math.inf
    first = marks.to_show_first if marks else ()
    inner = {path[:-1] for path in marks.reached} if marks else ()  # went on to a child

    def view_at(position, name, maximizing):
        leaf = len(position.path) >= depth or position.terminal
        mark = marks.of(position.path, leaf) if marks else None
        shows_value = not (leaf or search or position.value is None)
        return View(position, maximizing, name, leaf, mark, shows_value)

    def push(view):
        """Have a view opened: an inner node, or a leaf below which the search went."""
        if not view.leaf or view.path in inner:
            urgency = 0 if view.path in first else 1 if view.reached else 2
            heapq.heappush(queue, (urgency, drawn, view))

    root = view_at(tree.root, tree.root.name, (search or tree).maximizing)
    queue, drawn = [], 1
    push(root)
    while queue:
        *_, view = heapq.heappop(queue)
        room, children = most - drawn, view.position.children
        if room <= 0:
            view.hidden = None
            continue
        if view.leaf:
            children = [child for child in children if child.path in marks.reached]
        else:
            view.hidden = max(0, len(children) - room)
        children = sorted(children, key=lambda child: child.path not in first)[:room]
        for child in sorted(children, key=lambda child: child.path):
            name = _short(child.name, view.position)
            view.children.append(view_at(child, name, not view.maximizing))
            drawn += 1
            push(view.children[-1])
    return root


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


def draw(
    tree: Tree,
    search: Search | None = None,
    marks: Marks | None = None,
    width: int = 80,
    ascii: bool = False,
    colour: bool = False,
) -> str:
    """Return the drawing of a tree as text, without a newline at its end.

    search: draws the nodes that a search of its depth is about; None: the whole tree.
    marks: what a search did, from marks_of(); None draws no marks.
    width: the longest line, in columns. Where the tree from the top down does not
        fit, it becomes an outline, and at most 200 nodes are drawn.
    ascii: only ASCII characters; otherwise box-drawing ones too.
    colour: adds ANSI colours; the marks tell the same without.
    """
    root = view_of(tree, search, marks)
    lines = _grid(root, width)
    if lines is None:
        deepest = max(len(view.path) for view in root.everything())
        lines = _outline(root, width, ROOMY if 3 * deepest < width // 2 else TIGHT)
    text = "\n".join([*lines, *_below(root, search, width)])
    if not colour:
        text = COLOURS.sub("", text)
    return text.translate(ASCII).encode("ascii", "replace").decode() if ascii else text


def _painted(text, colour):
    return f"\x1b[{colour}m{text}\x1b[0m" if colour and text else text


def _below(root, search, width):
    """Return an empty line, the legend of what occurs, and what is not drawn."""
    views = list(root.everything())
    occurring = {view.mark for view in views if view.sign}
    legend = (f"{mark.sign} {mark.meaning}" for mark in LEGEND if mark in occurring)
    notes = ["   ".join(item.replace(" ", FIXED) for item in legend)]
    if any(view.shows_value for view in views):
        notes.append(say("drawing.static values"))
    unopened = sum(view.hidden is None for view in views)
    hidden = sum(view.hidden or 0 for view in views) + unopened
    if hidden:
        key = "drawing.unopened" if unopened else "drawing.not all"
        notes.append(say(key, drawn=len(views), hidden=hidden))
    if any(view.end and not view.position.terminal for view in views):
        notes.append(say("drawing.depth", depth=search.depth))
    lines = [line for note in notes for line in textwrap.wrap(note, width)]
    return ["", *(line.replace(FIXED, " ") for line in lines)] if lines else []


# ---- from the top down


class DoesNotFit(Exception):
    """Two labels meet, or a line is longer than the width."""


def _grid(root, width):
    """Return the lines of the tree from the top down, its leaves on one even grid.

    None where `width` is too narrow for that, or nodes are left out.
    """
    views = list(root.everything())
    leaves = sum(not view.children for view in views)
    if any(view.hidden != 0 for view in views):
        return None
    for cell in CELLS:
        if GUTTER + cell * leaves <= width:
            with suppress(DoesNotFit):
                return Grid(root, cell, width).lines()
    return None


class Grid:
    """A tree with so many columns for each leaf, as characters at rows and columns.

    Each character has a colour or "". Raises DoesNotFit.
    """

    def __init__(self, root, cell, width):
        self.width, self.cells = width, {}
        self.columns = count(GUTTER + cell // 2, cell)
        self.draw(root)

    def draw(self, view):
        """Draw a view with all below it; return its column, over the middle of these."""
        below = [self.draw(child) for child in view.children]
        row = 2 * len(view.path)
        if not below:
            centre = next(self.columns)
            for line, text in enumerate((view.name, value_text(view), view.sign)):
                self.centre(row + line, centre, text, "", view.colour)
            return centre
        centre = (below[0] + below[-1]) // 2
        self.centre(row, centre, *inner_label(view), view.colour)
        if (row, 0) not in self.cells:
            self.write(row, 0, view.player)
        reached = [c for c, child in zip(below, view.children) if child.reached]
        self.connect(row + 1, centre, below, reached)
        return centre

    def connect(self, row, centre, columns, reached):
        """Draw the line from a parent to its children, faint where no search went."""
        for column in range(columns[0], columns[-1] + 1):
            sides = "D" * (column in columns)
            sides += "L" * (column > columns[0]) + "R" * (column < columns[-1])
            sides += "U" * (column == centre)
            faint = not min([*reached, centre]) <= column <= max([*reached, centre])
            faint |= len(columns) == 1 and not reached
            self.write(row, column, LINES.get(sides, CROSSING)[faint], space=0)

    def centre(self, row, column, text, suffix="", colour=""):
        """Write text around a column, and a suffix after it."""
        if text:
            self.write(row, column - (len(text) - 1) // 2, text + suffix, colour)

    def write(self, row, column, text, colour="", space=1):
        """Write text from a column on, with so much space at both ends."""
        end = column + len(text)
        places = range(column - space, end + space)
        if column < 0 or end > self.width or any((row, c) in self.cells for c in places):
            raise DoesNotFit
        self.cells.update({(row, column + i): (c, colour) for i, c in enumerate(text)})

    def lines(self):
        """Return the rows as text, each run of one colour painted."""
        lines = []
        for row in range(1 + max(row for row, _ in self.cells)):
            end = 1 + max((column for at, column in self.cells if at == row), default=-1)
            cells = [self.cells.get((row, column), (" ", "")) for column in range(end)]
            runs = groupby(cells, key=itemgetter(1))
            parts = (_painted("".join(c for c, _ in run), colour) for colour, run in runs)
            lines.append("".join(parts))
        return lines


# ---- as an outline


def _outline(view, width, branches, first="", rest=""):
    """Yield a line for each inner node: `first` begins its own, `rest` those below.

    Leaves that follow one another share lines. A subtree that is rightly pruned is one
    line: its leaves as nested lists.
    """
    name, suffix = inner_label(view)
    head = f"{first}{view.player} {name}"
    room = width - len(head) - len(suffix) - 2
    if view.mark is PRUNED and not view.leaf:
        yield head + _painted(f"{suffix} {_pruned(view)}", view.colour)
        return
    head += _painted(suffix, view.colour)
    if view.hidden == 0 and all(child.end for child in view.children):
        in_line = _in_columns(view.children or [view], room)
        if len(in_line) == 1:
            yield f"{head}  {in_line[0]}" if view.children else in_line[0]
            return
    yield head if view.hidden is not None else f"{head} ..."
    items = _items(view)
    for item in items:
        start, below = branches[item is items[-1]]
        if isinstance(item, View):
            yield from _outline(item, width, branches, rest + start, rest + below)
            continue
        room = width - len(rest) - len(start)
        for line in [item] if isinstance(item, str) else _in_columns(item, room):
            yield rest + start + line
            start = below


def _in_columns(leaves, room):
    """Return lines of leaves, name=value and mark, in columns of one width."""
    texts = [f"{leaf.name}={value_text(leaf)}" for leaf in leaves]
    column = max(map(len, texts)) + max(len(leaf.sign) for leaf in leaves) + 4
    cells = []
    for text, leaf in zip(texts, leaves):
        gap = " " * (column - len(text) - len(leaf.sign) - 1)
        cells.append(f"{text} {_painted(leaf.sign, leaf.colour)}{gap}")
    each = max(1, (room + 3) // column)
    lines = (cells[start : start + each] for start in range(0, len(cells), each))
    return ["".join(line).rstrip() for line in lines]


def _items(view):
    """Return what stands below a view: views, lists of leaves in a row, and text."""
    items = []
    for _, run in groupby(view.children, _alike):
        run = [*run]
        first, last = run[0], run[-1]
        if first.end:
            items.append(run)
        elif first.hidden is None and len(run) > 2:
            names = say("drawing.range", first=first.name, last=last.name)
            items.append(" ".join(filter(None, (first.player, names, first.sign, "..."))))
        else:
            items += run
    if view.hidden:
        items.append(say("drawing.hidden", count=view.hidden))
    return items


def _alike(view):
    """Return what neighbours that share lines have in common."""
    unopened = view.hidden is None
    return view.end, unopened, view.mark if unopened and not view.end else None


def _pruned(view):
    """Return which leaves are below a pruned view, as far as they are drawn."""
    below = list(view.everything())
    names = [each.position.name for each in below if not each.children]
    if any(each.hidden != 0 for each in below):
        return "[...]"
    return say("drawing.leaves", count=len(names), first=names[0], last=names[-1])
