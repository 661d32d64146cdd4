"""The tree from the top down, its leaves on one even grid, as long as that fits."""

from __future__ import annotations

import textwrap
from itertools import count, groupby

from gametree.view import LEGEND, PRUNED, Marks, inner_label, marks_of, value_text, view_of

GUTTER = 5
CELLS = (6, *range(7, 21), 5, 4, 3)  # columns for each leaf, the best looking first
LINES = {"DU": "│╎", "LR": "─╌", "DR": "┌╭", "DL": "┐╮", "DLR": "┬┬", "LRU": "┴┴"}
CROSSING = "┼┼"


class DoesNotFit(Exception):
    """Two labels meet, or a line is longer than the width."""


class Canvas:
    """Characters, each with a colour or "", at rows and columns."""

    def __init__(self, width):
        self.width = width
        self.cells = {}

    def write(self, row, column, text, colour="", space=1):
        """Write text from a column on, with so much space at both ends."""
        end = column + len(text)
        places = range(column - space, end + space)
        taken = any((row, place) in self.cells for place in places)
        if taken or column < 0 or end > self.width:
            raise DoesNotFit
        self.cells.update({(row, column + i): (c, colour) for i, c in enumerate(text)})

    def centre(self, row, column, text, suffix="", colour=""):
        """Write text around a column, and a suffix behind it."""
        if text:
            self.write(row, column - (len(text) - 1) // 2, text + suffix, colour)

    def lines(self, paint):
        """Return the rows as text, each run of one colour through `paint`."""
        height = 1 + max(row for row, _ in self.cells)
        return [self._line(row, paint) for row in range(height)]

    def _line(self, row, paint):
        columns = [column for at, column in self.cells if at == row]
        line = run = colour = ""
        for column in range(1 + max(columns, default=-1)):
            char, new = self.cells.get((row, column), (" ", ""))
            if new != colour:
                line, run, colour = line + paint(run, colour), "", new
            run += char
        return line + paint(run, colour)


def grid(root, width, paint):
    """Return the lines of the drawing, or None where `width` is too narrow.

    paint: a function of (text, ANSI colour or "") that returns the text.
    """
    views = list(root.everything())
    if any(view.hidden != 0 for view in views):
        return None
    leaves = sum(not view.children for view in views)
    for cell in CELLS:
        if GUTTER + cell * leaves <= width:
            canvas = Canvas(width)
            try:
                _draw(canvas, root, cell)
            except DoesNotFit:
                continue
            return canvas.lines(paint)
    return None


def _draw(canvas, root, cell):
    centres = {}
    _place(root, centres, count(GUTTER + cell // 2, cell))
    for view in root.everything():
        centre, row = centres[view.path], 2 * len(view.path)
        if view.children:
            canvas.centre(row, centre, *inner_label(view), view.colour)
            if (row, 0) not in canvas.cells:
                canvas.write(row, 0, view.player)
            _connect(canvas, row + 1, centre, [(centres[c.path], c) for c in view.children])
        else:
            for line, text in enumerate((view.name, value_text(view), view.sign)):
                canvas.centre(row + line, centre, text, "", view.colour)


def _place(view, centres, columns):
    """Set the column of each view's centre: leaves evenly, parents over the middle."""
    for child in view.children:
        _place(child, centres, columns)
    if view.children:
        first, last = view.children[0], view.children[-1]
        centres[view.path] = (centres[first.path] + centres[last.path]) // 2
    else:
        centres[view.path] = next(columns)


def _connect(canvas, row, centre, children):
    """Draw the line from a parent to its children, faint where no search went."""
    columns = {column for column, _ in children}
    reached = [column for column, child in children if child.reached] + [centre]
    for column in range(min(columns), max(columns) + 1):
        sides = "D" * (column in columns)
        sides += "L" * (column > min(columns)) + "R" * (column < max(columns))
        sides += "U" * (column == centre)
        faint = not min(reached) <= column <= max(reached)
        faint |= len(columns) == 1 and not children[0][1].reached
        canvas.write(row, column, LINES.get(sides, CROSSING)[faint], space=0)


LEAF = object()
ROOMY = ("├─ ", "│  "), ("└─ ", "   ")
TIGHT = ("├", "│"), ("└", " ")


def outline(root, width, paint):
    """Return the lines of the drawing.

    Leaves that follow one another share lines. A subtree that is rightly pruned is one
    line: its leaves as nested lists.
    """
    lines = []
    deepest = max(len(view.path) for view in root.everything())
    branches = ROOMY if 3 * deepest < width // 2 else TIGHT
    _write(root, "", "", width, paint, lines, branches)
    return lines


def _write(view, first, rest, width, paint, lines, branches):
    """Write a view: `first` begins its own line, `rest` those of what is below."""
    name, suffix = inner_label(view)
    head = f"{first}{view.player} {name}"
    room = width - len(head) - len(suffix) - 2
    if view.end:
        lines += [first + line for line in _leaves([view], room, paint)]
        return
    if view.mark is PRUNED and not view.leaf:
        lines.append(head + paint(f"{suffix} {_pruned(view, room)}", view.colour))
        return
    head += paint(suffix, view.colour)
    if view.hidden == 0 and all(child.end for child in view.children):
        in_line = _leaves(view.children, room, paint)
        if len(in_line) == 1:
            lines.append(f"{head}  {in_line[0]}")
            return
    lines.append(head if view.hidden is not None else f"{head} ...")
    items = _items(view)
    for item in items:
        start, below = branches[item is items[-1]]
        if isinstance(item, list):
            for line in _leaves(item, width - len(rest) - len(start), paint):
                lines.append(rest + start + line)
                start = below
        elif isinstance(item, str):
            lines.append(rest + start + item)
        else:
            _write(item, rest + start, rest + below, width, paint, lines, branches)


def _items(view):
    """Return what stands below a view: views, lists of leaves in a row, and text."""
    items = []
    for alike, run in groupby(view.children, _alike):
        run = list(run)
        if alike is LEAF:
            items.append(run)
        elif alike and len(run) > 2:
            first, last = run[0], run[-1]
            names = f"{first.player} {first.name} to {last.name}"
            items.append(" ".join(filter(None, (names, first.sign, "..."))))
        else:
            items += run
    if view.hidden:
        items.append(f"... {view.hidden:,} more not drawn")
    return items


def _alike(view):
    """Return what makes neighbours share lines: LEAF, or a mark where nobody looked."""
    if view.end:
        return LEAF
    return (view.mark,) if view.hidden is None else None


def _leaves(leaves, width, paint):
    """Return lines of leaves, name=value and mark, in columns of one width."""
    texts = [f"{leaf.name}={value_text(leaf)}" for leaf in leaves]
    column = max(map(len, texts)) + max(len(leaf.sign) for leaf in leaves) + 4
    cells = []
    for text, leaf in zip(texts, leaves, strict=True):
        gap = " " * (column - len(text) - len(leaf.sign) - 1)
        cells.append(f"{text} {paint(leaf.sign, leaf.colour)}{gap}")
    each = max(1, (width + 3) // column)
    lines = (cells[start : start + each] for start in range(0, len(cells), each))
    return ["".join(line).rstrip() for line in lines]


def _pruned(view, room):
    """Return the leaves below a pruned view as nested lists, or how many they are."""
    nested = _nested(view)
    if len(nested) <= room:
        return nested
    below = list(view.everything())
    if any(each.hidden != 0 for each in below):
        return "[...]"
    leaves = [each for each in below if not each.children]
    first, last = leaves[0].position.name, leaves[-1].position.name
    return f"[{len(leaves)} leaves, {first} to {last}]"


def _nested(view):
    if view.hidden is None:
        return "..."
    if view.children:
        inside = ", ".join(map(_nested, view.children))
        return f"[{inside}, ...]" if view.hidden else f"[{inside}]"
    return f"{view.name}={value_text(view)}"


__all__ = ["Marks", "draw", "marks_of"]

FIXED = "\xa0"  # a blank at which no line is broken
ASCII = str.maketrans("│╎─╌┌╭┐╮├┤┬┴┼└●○…", "|:-.+.+.++++++*o~")


def draw(tree, search=None, marks=None, width=80, ascii=False, colour=False):
    """Return the drawing of a tree as text, without a newline at its end.

    search: draws the nodes that a search of its depth is about; None: the whole tree.
    marks: what a search did, from marks_of(); None draws no marks.
    width: the longest line, in columns. Where the tree from the top down does not
        fit, it becomes an outline, and at most 200 nodes are drawn.
    ascii: only ASCII characters; otherwise box-drawing ones too.
    colour: adds ANSI colours; the marks tell the same without.
    """
    paint = _painted if colour else _plain
    root = view_of(tree, search, marks)
    lines = grid(root, width, paint) or outline(root, width, paint)
    text = "\n".join([*lines, *_below(root, search, width)])
    if not ascii:
        return text
    return text.translate(ASCII).encode("ascii", "replace").decode()


def _plain(text, colour):
    return text


def _painted(text, colour):
    return f"\x1b[{colour}m{text}\x1b[0m" if colour and text else text


def _below(root, search, width):
    """Return an empty line, the legend of what occurs, and what is not drawn."""
    views = list(root.everything())
    occurring = {view.mark for view in views if view.sign}
    legend = (f"{mark.sign} {mark.meaning}" for mark in LEGEND if mark in occurring)
    notes = ["   ".join(item.replace(" ", FIXED) for item in legend)]
    if any(view.shows_value for view in views):
        notes.append("(7) after a name: the static value of a node with children")
    if any(view.hidden != 0 for view in views):
        notes.append(_not_drawn(views))
    if any(view.end and not view.position.terminal for view in views):
        notes.append(f"The search stops at depth {search.depth}: nothing below is drawn.")
    lines = [line for note in notes for line in textwrap.wrap(note, width)]
    lines = [line.replace(FIXED, " ") for line in lines]
    return ["", *lines] if lines else []


def _not_drawn(views):
    unopened = sum(view.hidden is None for view in views)
    hidden = sum(view.hidden or 0 for view in views) + unopened
    text = f"{len(views)} nodes are drawn, at least {hidden:,} more are not"
    return f"{text}: ... stands for what is below." if unopened else f"{text}."
