"""Lines of text for a View: the tree from the top down, or an outline.

A line may have ANSI colours; draw() removes them.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count, groupby
from operator import itemgetter
from typing import NamedTuple

from gametree.support.marks import PRUNED
from gametree.support.saying import say
from gametree.support.views import View, inner_label, value_text

GUTTER = 5  # columns for MAX and MIN
CELLS = (6, *range(7, 21), 5, 4, 3)  # columns for each leaf, the best looking first
# The line that goes down, left, right and up from a place: drawn, and faint.
LINES = {
    "DU": ("│", "╎"),
    "LR": ("─", "╌"),
    "DR": ("┌", "╭"),
    "DL": ("┐", "╮"),
    "DLR": ("┬", "┬"),
    "LRU": ("┴", "┴"),
}
CROSSING = ("┼", "┼")
BLANK = (" ", "")  # a character and its colour


class Branch(NamedTuple):
    """How the lines of an item of an outline begin: its first one, and those below."""

    first: str
    below: str


class Branches(NamedTuple):
    """A style of outline: the Branch of an item that others follow, and of the last."""

    item: Branch
    last: Branch


ROOMY = Branches(item=Branch("├─ ", "│  "), last=Branch("└─ ", "   "))
TIGHT = Branches(item=Branch("├", "│"), last=Branch("└", " "))


def paint(text: str, colour: str) -> str:
    """Return text in an ANSI colour, as it is where the colour is ""."""
    if not colour or not text:
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


# ---- from the top down


class DoesNotFit(Exception):
    """Two labels meet, or a line is longer than the width."""


def grid_lines(root: View, width: int) -> list[str] | None:
    """Return the lines of the tree from the top down, its leaves on one even grid.

    None where `width` is too narrow for that, or nodes are left out.
    """
    views = list(root.everything())
    if any(view.hidden != 0 for view in views):
        return None
    leaves = sum(not view.children for view in views)
    for cell in CELLS:
        if GUTTER + cell * leaves <= width:
            with suppress(DoesNotFit):
                return Grid(root, cell, width).lines()
    return None


class Grid:
    """A tree with so many columns for each leaf, as characters at rows and columns.

    width: the number of columns of the longest line.
    cells: (row, column) -> (character, its colour or "").
    columns: yields the column of each leaf, left to right.

    Raises DoesNotFit.
    """

    def __init__(self, root, cell, width):
        self.width = width
        self.cells = {}
        self.columns = count(GUTTER + cell // 2, cell)
        self.draw(root)

    def draw(self, view):
        """Draw a view with all below it; return its column, over the middle of these."""
        below = [self.draw(child) for child in view.children]
        row = 2 * len(view.path)
        if not below:
            centre = next(self.columns)
            self.centre(row, centre, view.name, colour=view.colour)
            self.centre(row + 1, centre, value_text(view), colour=view.colour)
            self.centre(row + 2, centre, view.sign, colour=view.colour)
            return centre
        centre = (below[0] + below[-1]) // 2
        name, suffix = inner_label(view)
        self.centre(row, centre, name, suffix, view.colour)
        if (row, 0) not in self.cells:
            self.write(row, 0, view.player)
        reached = [at for at, child in zip(below, view.children) if child.reached]
        self.connect(row + 1, centre, below, reached)
        return centre

    def connect(self, row, centre, columns, reached):
        """Draw the line from a parent to its children, faint where no search went."""
        drawn_from = min([*reached, centre])
        drawn_to = max([*reached, centre])
        if len(columns) == 1 and not reached:
            drawn_to = -1
        for column in range(columns[0], columns[-1] + 1):
            line, faint = LINES.get(_sides(column, centre, columns), CROSSING)
            if not drawn_from <= column <= drawn_to:
                line = faint
            self.write(row, column, line, space=0)

    def centre(self, row, column, text, suffix="", colour=""):
        """Write text around a column, and a suffix after it."""
        if text:
            self.write(row, column - (len(text) - 1) // 2, text + suffix, colour)

    def write(self, row, column, text, colour="", space=1):
        """Write text from a column on, with so much space at both ends."""
        end = column + len(text)
        if column < 0 or end > self.width:
            raise DoesNotFit
        if any((row, at) in self.cells for at in range(column - space, end + space)):
            raise DoesNotFit
        for at, character in enumerate(text, start=column):
            self.cells[row, at] = (character, colour)

    def lines(self):
        """Return the rows as text, each run of one colour painted."""
        last_row = max(row for row, _ in self.cells)
        return [self.line(row) for row in range(last_row + 1)]

    def line(self, row):
        """Return one row as text."""
        columns = [column for at, column in self.cells if at == row]
        end = 1 + max(columns, default=-1)
        cells = [self.cells.get((row, column), BLANK) for column in range(end)]
        line = ""
        for colour, run in groupby(cells, key=itemgetter(1)):
            characters = [character for character, _ in run]
            line += paint("".join(characters), colour)
        return line


def _sides(column, centre, columns):
    """Return to which sides the line of a parent goes on from a column, such as "DLR"."""
    sides = ""
    if column in columns:
        sides += "D"
    if column > columns[0]:
        sides += "L"
    if column < columns[-1]:
        sides += "R"
    if column == centre:
        sides += "U"
    return sides


# ---- as an outline


def outline_lines(root: View, width: int) -> list[str]:
    """Return a line for each inner node; leaves that follow one another share lines."""
    deepest = max(len(view.path) for view in root.everything())
    has_room = len(ROOMY.item.first) * deepest < width // 2
    return Outline(width, ROOMY if has_room else TIGHT).lines(root)


class Outline:
    """Makes the lines of an outline, `width` columns wide, with its Branches."""

    def __init__(self, width, branches):
        self.width = width
        self.branches = branches

    def lines(self, view, first="", rest=""):
        """Return the lines of a view: `first` begins its own, `rest` those below.

        A subtree that is pruned rightly is one line.
        """
        name, suffix = inner_label(view)
        head = f"{first}{view.player} {name}"
        if view.mark is PRUNED and not view.leaf:
            return [head + paint(f"{suffix} {_pruned_leaves(view)}", view.colour)]
        room = self.width - len(head) - len(suffix) - 2
        head += paint(suffix, view.colour)
        if view.hidden is None:
            return [f"{head} ..."]
        if view.children and not view.hidden and all(child.end for child in view.children):
            columns = _in_columns(view.children, room)
            if len(columns) == 1:
                return [f"{head}  {columns[0]}"]
        return [head, *self.lines_below(view, rest)]

    def lines_below(self, view, rest):
        """Return the lines of what stands below a view."""
        lines = []
        room = self.width - len(rest) - len(self.branches.item.first)
        items = _items(view, room)
        for item in items:
            is_last = item is items[-1]
            branch = self.branches.last if is_last else self.branches.item
            first = rest + branch.first
            below = rest + branch.below
            if isinstance(item, View):
                lines += self.lines(item, first, below)
            else:
                lines.append(first + item[0])
                lines += [below + text for text in item[1:]]
        return lines


def _items(view, room):
    """Return what stands below a view: views, and lists of lines."""
    items = []
    for _, run in groupby(view.children, _likeness):
        neighbours = list(run)
        first = neighbours[0]
        if first.end:
            items.append(_in_columns(neighbours, room))
        elif first.hidden is None and len(neighbours) > 2:
            names = say("drawing.range", first=first.name, last=neighbours[-1].name)
            words = [first.player, names, first.sign, "..."]
            items.append([" ".join(filter(None, words))])
        else:
            items += neighbours
    if view.hidden:
        items.append([say("drawing.hidden", count=view.hidden)])
    return items


def _likeness(view):
    """Return what neighbours that share lines have in common."""
    is_unopened = view.hidden is None
    mark = None
    if is_unopened and not view.end:
        mark = view.mark
    return view.end, is_unopened, mark


def _in_columns(leaves, room):
    """Return lines of leaves, name=value and mark, in columns of one width."""
    texts = [f"{leaf.name}={value_text(leaf)}" for leaf in leaves]
    column = max(map(len, texts)) + max(len(leaf.sign) for leaf in leaves) + 4
    cells = []
    for text, leaf in zip(texts, leaves):
        gap = " " * (column - len(text) - len(leaf.sign) - 1)
        cells.append(f"{text} {paint(leaf.sign, leaf.colour)}{gap}")
    per_line = max(1, (room + 3) // column)
    lines = []
    for start in range(0, len(cells), per_line):
        lines.append("".join(cells[start : start + per_line]).rstrip())
    return lines


def _pruned_leaves(view):
    """Return which leaves are below a pruned view, as far as they are drawn."""
    below = list(view.everything())
    if any(each.hidden != 0 for each in below):
        return "[...]"
    names = [each.position.name for each in below if not each.children]
    return say("drawing.leaves", count=len(names), first=names[0], last=names[-1])
