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
# Beginnings of lines: an item, the lines below it; the last item, the lines below it.
ITEM = "├─ "
BELOW_ITEM = "│  "
LAST = "└─ "
BELOW_LAST = "   "


def draw(
    tree: Tree,
    search: Search | None = None,
    marks: Marks | None = None,
    width: int = 80,
    ascii: bool = False,
) -> str:
    """Return the drawing of a tree as text, without a newline at its end.

    search: draws the nodes down to its depth; None draws the whole tree.
    marks: the marks of a search, from marks_of(); None draws no marks.
    width: the columns of a line. A tree that does not fit from the top down becomes an
        outline of at most 200 nodes, in which only the lines of deep nodes are longer.
    ascii: uses ASCII characters only, and no box-drawing characters.
    """
    root = view_of(tree, search, marks)
    lines = grid_lines(root, width) or outline_lines(root, width)
    notes = _notes(root)
    if notes:
        lines.append("")
    for note in notes:
        for line in textwrap.wrap(note, width):
            lines.append(line.replace(FIXED, " "))
    text = "\n".join(lines)
    if ascii:
        plain = text.translate(ASCII)
        text = plain.encode("ascii", "replace").decode()
    return text


def _notes(root):
    """Return the notes below a drawing: its legend, and what is not drawn."""
    views = list(root.everything())
    notes = []
    occurring = {view.mark for view in views if view.sign}
    legend = [f"{mark.sign} {mark.meaning}" for mark in LEGEND if mark in occurring]
    if legend:
        fixed = [item.replace(" ", FIXED) for item in legend]
        notes.append("   ".join(fixed))
    has_static_values = any(v.shows_value or v.leaf and v.children for v in views)
    if has_static_values:
        notes.append(sentence("drawing.static values"))
    hidden = sum(1 if view.hidden is None else view.hidden for view in views)
    if hidden:
        notes.append(sentence("drawing.not all", drawn=len(views), hidden=hidden))
    is_limited = any(view.end and not view.position.terminal for view in views)
    if is_limited:
        notes.append(sentence("drawing.depth", depth=root.search.depth))
    return notes


# ---- from the top down


class DoesNotFit(Exception):
    """Raised if two labels touch, or a line is longer than the width."""


def grid_lines(root: View, width: int) -> list[str] | None:
    """Return the lines of the tree from the top down, with evenly spaced leaves.

    Returns None if `width` is too narrow, or some nodes are not drawn.
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
        drawn_from = min([*reached, centre])
        drawn_to = max([*reached, centre])
        if len(columns) == 1 and not reached:
            drawn_to = -1
        for column in range(columns[0], columns[-1] + 1):
            sides = _sides(column, centre, columns)
            line, faint = LINES.get(sides, CROSSING)
            if not drawn_from <= column <= drawn_to:
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


def outline_lines(view: View, width: int, first: str = "", rest: str = "") -> list[str]:
    """Return a line for each inner node; consecutive leaves share lines.

    A subtree that is correctly pruned takes one line.

    first: the beginning of the view's own line.
    rest: the beginning of the lines below.
    """
    head = f"{first}{view.player} {view.name}{view.suffix}"
    if view.mark is PRUNED and not view.leaf:
        return [head]
    if view.hidden is None:
        return [f"{head} ..."]
    has_only_ends = all(child.end for child in view.children)
    if view.children and not view.hidden and has_only_ends:
        room = width - len(head) - 2
        columns = _in_columns(view.children, room)
        if len(columns) == 1:
            return [f"{head}  {columns[0]}"]
    lines = [head]
    room = width - len(rest) - len(ITEM)
    items = _items(view, room)
    for item in items:
        is_last = item is items[-1]
        start = rest + (LAST if is_last else ITEM)
        below = rest + (BELOW_LAST if is_last else BELOW_ITEM)
        if isinstance(item, View):
            lines += outline_lines(item, width, start, below)
            continue
        lines.append(start + item[0])
        lines += [below + text for text in item[1:]]
    return lines


def _items(view, room):
    """Return the items below a view: views, and lists of lines."""
    items = []
    for is_end, run in groupby(view.children, attrgetter("end")):
        neighbours = list(run)
        if is_end:
            items.append(_in_columns(neighbours, room))
        else:
            items += neighbours
    if view.hidden:
        items.append([sentence("drawing.hidden", count=view.hidden)])
    return items


def _in_columns(leaves, room):
    """Return lines of leaves, name=value and mark, in columns of equal width."""
    texts = [f"{leaf.name}={leaf.value}" for leaf in leaves]
    signs = [leaf.sign for leaf in leaves]
    widest_text = max(map(len, texts))
    widest_sign = max(map(len, signs))
    column = widest_text + widest_sign + 4
    cells = [f"{text} {sign}".ljust(column) for text, sign in zip(texts, signs)]
    per_line = max(1, (room + 3) // column)
    lines = []
    for start in range(0, len(cells), per_line):
        line = "".join(cells[start : start + per_line])
        lines.append(line.rstrip())
    return lines
