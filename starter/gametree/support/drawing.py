"""Text drawings of a tree and of a search in it: from the top down, or an outline."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from contextlib import suppress
from itertools import count, groupby
from operator import attrgetter

from gametree.support.marks import LEGEND, PRUNED, Marks
from gametree.support.texts import sentence
from gametree.support.tree import Search, Tree
from gametree.support.views import View, view_of

FIXED = "\xa0"  # a space at which lines do not break
ASCII = str.maketrans("│╎─╌┌╭┐╮├┤┬┴┼└●○", "|:-.+.+.++++++*o")
GUTTER = 5  # columns for MAX and MIN
CELLS = (6, *range(7, 21), 5, 4, 3)  # columns for each leaf, the preferred width first
# The line that goes down, left, right and up from a place: normal, and faint.
LINES = {
    "DU": ("│", "╎"),
    "LR": ("─", "╌"),
    "DR": ("┌", "╭"),
    "DL": ("┐", "╮"),
    "DLR": ("┬", "┬"),
    "LRU": ("┴", "┴"),
}
CROSSING = ("┼", "┼")
INDENT = "  "  # of each level of an outline


def draw(
    tree: Tree,
    search: Search | None = None,
    marks: Marks | None = None,
    width: int = 80,
    ascii: bool = False,
) -> str:
    """Return the drawing of a tree as text, without a newline at its end.

    search: draws the nodes down to its depth; None draws the whole tree.
    marks: the marks of a run of the search; None draws no marks.
    width: the columns of a line. A tree that does not fit from the top down becomes an
        outline of at most 200 nodes, in which only the lines of deep nodes are longer.
    ascii: uses ASCII characters only, and no box-drawing characters.
    """
    root = view_of(tree, search, marks)
    lines = grid_lines(root, width) or outline_lines(root, width)
    notes = _fill(_legend(root), width)
    for note in _notes(root):
        notes += textwrap.wrap(note, width)
    if notes:
        lines += ["", *notes]
    text = "\n".join(lines)
    if ascii:
        plain = text.translate(ASCII)
        text = plain.encode("ascii", "replace").decode()
    return text


def _legend(root):
    """Return the meanings of the marks that occur in a drawing."""
    occurring = {view.mark for view in root.everything() if view.sign}
    return [f"{mark.sign} {mark.meaning}" for mark in LEGEND if mark in occurring]


def _notes(root):
    """Return sentences on numbers in parentheses, and on what is not drawn."""
    views = list(root.everything())
    notes = []
    has_static_values = any(v.shows_value or v.leaf and v.children for v in views)
    if has_static_values:
        notes.append(sentence("drawing.static values"))
    hidden = sum(view.hidden for view in views)
    if hidden:
        notes.append(sentence("drawing.not all", drawn=len(views), hidden=hidden))
    is_limited = any(view.end and not view.position.terminal for view in views)
    if is_limited:
        notes.append(sentence("drawing.depth", depth=root.search.depth))
    return notes


def _fill(items, width, indent=""):
    """Return items in indented lines of at most `width` columns, each in one line."""
    unbroken = [item.replace(" ", FIXED) for item in items]
    lines = textwrap.wrap(
        "   ".join(unbroken),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(FIXED, " ") for line in lines]


# ---- from the top down


class DoesNotFit(Exception):
    """Raised if two labels touch, or a line is longer than the width."""


def grid_lines(root: View, width: int) -> list[str] | None:
    """Return the lines of the tree from the top down, with evenly spaced leaves.

    Returns None if `width` is too narrow, or some nodes are not drawn.
    """
    views = list(root.everything())
    if any(view.hidden for view in views):
        return None
    leaves = sum(not view.children for view in views)
    for cell in CELLS:
        if GUTTER + cell * leaves <= width:
            with suppress(DoesNotFit):
                return Grid(root, cell, width).lines()
    return None


class Grid:
    """A tree as characters at rows and columns, with `cell` columns for each leaf.

    width: the number of columns of the longest line.
    rows: row -> column -> character.
    columns: yields the column of each leaf, left to right.

    Raises DoesNotFit.
    """

    def __init__(self, root, cell, width):
        self.width = width
        self.rows = defaultdict(dict)
        self.columns = count(GUTTER + cell // 2, cell)
        self.draw(root)

    def draw(self, view):
        """Draw a view and all views below; return its column, centred above them."""
        below = [self.draw(child) for child in view.children]
        row = 2 * len(view.path)
        if not below:
            centre = next(self.columns)
            self.centre(row, centre, view.name, view.suffix)
            self.centre(row + 1, centre, view.value)
            return centre
        centre = (below[0] + below[-1]) // 2
        self.centre(row, centre, view.name, view.suffix)
        if 0 not in self.rows[row]:
            self.write(row, 0, view.player)
        reached = [at for at, child in zip(below, view.children) if child.reached]
        self.connect(row + 1, centre, below, reached)
        return centre

    def connect(self, row, centre, columns, reached):
        """Draw the line from a parent to its children, faint towards unreached ones."""
        solid = range(0)
        if reached:
            ends = [*reached, centre]
            solid = range(min(ends), max(ends) + 1)
        for column in range(columns[0], columns[-1] + 1):
            sides = _sides(column, centre, columns)
            line, faint = LINES.get(sides, CROSSING)
            if column not in solid:
                line = faint
            self.write(row, column, line, space=0)

    def centre(self, row, column, text, suffix=""):
        """Write text centred on a column, and a suffix after it."""
        start = column - (len(text) - 1) // 2
        self.write(row, start, text + suffix)

    def write(self, row, column, text, space=1):
        """Write text from a column on, with `space` free columns at both ends."""
        cells = self.rows[row]
        end = column + len(text)
        if column < 0 or end > self.width:
            raise DoesNotFit
        needed = range(column - space, end + space)
        if any(at in cells for at in needed):
            raise DoesNotFit
        for at, character in enumerate(text, start=column):
            cells[at] = character

    def lines(self):
        """Return the rows as lines of text."""
        lines = []
        for _, cells in sorted(self.rows.items()):
            columns = range(max(cells) + 1)
            characters = [cells.get(column, " ") for column in columns]
            lines.append("".join(characters))
        return lines


def _sides(column, centre, columns):
    """Return the sides to which a parent's line continues at a column, such as "DLR"."""
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


def outline_lines(view: View, width: int) -> list[str]:
    """Return a line for each inner node, indented; neighbouring leaves share lines.

    A subtree that is correctly pruned takes one line.
    """
    indent = INDENT * len(view.path)
    head = f"{indent}{view.player} {view.name}{view.suffix}"
    if view.mark is PRUNED and not view.leaf:
        return [head]
    if view.hidden and not view.children:
        return [f"{head} ..."]
    lines = [head]
    indent += INDENT
    for are_ends, neighbours in groupby(view.children, attrgetter("end")):
        if are_ends:
            leaves = [f"{leaf.name}={leaf.value} {leaf.sign}" for leaf in neighbours]
            lines += _fill(leaves, width, indent)
        else:
            for child in neighbours:
                lines += outline_lines(child, width)
    if view.hidden:
        lines.append(indent + sentence("drawing.hidden", count=view.hidden))
    return lines
