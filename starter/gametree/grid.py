"""The tree from the top down, its leaves on one even grid, as long as that fits."""

from __future__ import annotations

from itertools import count

from gametree.view import inner_label, value_text

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
