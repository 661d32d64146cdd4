"""Draw a tree as text: from the top down where that fits, else as an outline."""

from __future__ import annotations

import textwrap
from itertools import count, groupby
from operator import itemgetter

from gametree.saying import say
from gametree.tree import Search, Tree
from gametree.view import LEGEND, PRUNED, Marks, inner_label, marks_of, value_text, view_of

__all__ = ["draw", "marks_of"]

FIXED = "\xa0"  # a blank at which no line is broken
ASCII = str.maketrans("│╎─╌┌╭┐╮├┤┬┴┼└●○…", "|:-.+.+.++++++*o~")
GUTTER = 5
CELLS = (6, *range(7, 21), 5, 4, 3)  # columns for each leaf, the best looking first
# The line that goes down, left, right and up from a place: drawn, and faint.
LINES = {"DU": "│╎", "LR": "─╌", "DR": "┌╭", "DL": "┐╮", "DLR": "┬┬", "LRU": "┴┴"}
CROSSING = "┼┼"
ROOMY = ("├─ ", "│  "), ("└─ ", "   ")
TIGHT = ("├", "│"), ("└", " ")


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
    paint = _painted if colour else lambda text, _: text
    root = view_of(tree, search, marks)
    lines = _grid(root, width, paint) or Outline(root, width, paint).lines
    text = "\n".join([*lines, *_below(root, search, width)])
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
        """Write text around a column, and a suffix after it."""
        if text:
            self.write(row, column - (len(text) - 1) // 2, text + suffix, colour)

    def lines(self, paint):
        """Yield the rows as text, each run of one colour through `paint`."""
        for row in range(1 + max(row for row, _ in self.cells)):
            end = 1 + max((column for at, column in self.cells if at == row), default=-1)
            cells = [self.cells.get((row, column), (" ", "")) for column in range(end)]
            runs = groupby(cells, key=itemgetter(1))
            yield "".join(paint("".join(c for c, _ in run), colour) for colour, run in runs)


def _grid(root, width, paint):
    """Return the lines of the tree from the top down, its leaves on one even grid.

    None where `width` is too narrow for that, or nodes are left out.
    """
    views = list(root.everything())
    leaves = sum(not view.children for view in views)
    if any(view.hidden != 0 for view in views):
        return None
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
            below = (view.name, value_text(view), view.sign)
            for line, text in enumerate(below):
                canvas.centre(row + line, centre, text, "", view.colour)


def _place(view, centres, columns):
    """Set and return the view's column: leaves evenly, parents over the middle."""
    below = [_place(child, centres, columns) for child in view.children]
    centres[view.path] = (below[0] + below[-1]) // 2 if below else next(columns)
    return centres[view.path]


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


class Outline:
    """The `lines` of a drawing with one line for each inner node.

    Leaves that follow one another share lines. A subtree that is rightly pruned is one
    line: its leaves as nested lists.
    """

    def __init__(self, root, width, paint):
        deepest = max(len(view.path) for view in root.everything())
        self.branches = ROOMY if 3 * deepest < width // 2 else TIGHT
        self.width = width
        self.paint = paint
        self.lines = []
        self.write(root, "", "")

    def write(self, view, first, rest):
        """Write a view: `first` begins its own line, `rest` those of what is below."""
        name, suffix = inner_label(view)
        head = f"{first}{view.player} {name}"
        room = self.width - len(head) - len(suffix) - 2
        if view.end:
            self.lines += [first + line for line in self.leaves([view], room)]
            return
        if view.mark is PRUNED and not view.leaf:
            pruned = self.paint(f"{suffix} {_pruned(view, room)}", view.colour)
            self.lines.append(head + pruned)
            return
        head += self.paint(suffix, view.colour)
        if view.hidden == 0 and all(child.end for child in view.children):
            in_line = self.leaves(view.children, room)
            if len(in_line) == 1:
                self.lines.append(f"{head}  {in_line[0]}")
                return
        self.lines.append(head if view.hidden is not None else f"{head} ...")
        items = _items(view)
        for item in items:
            start, below = self.branches[item is items[-1]]
            if isinstance(item, list):
                for line in self.leaves(item, self.width - len(rest) - len(start)):
                    self.lines.append(rest + start + line)
                    start = below
            elif isinstance(item, str):
                self.lines.append(rest + start + item)
            else:
                self.write(item, rest + start, rest + below)

    def leaves(self, leaves, room):
        """Return lines of leaves, name=value and mark, in columns of one width."""
        texts = [f"{leaf.name}={value_text(leaf)}" for leaf in leaves]
        signs = [leaf.sign for leaf in leaves]
        column = max(map(len, texts)) + max(map(len, signs)) + 4
        cells = []
        for text, sign, leaf in zip(texts, signs, leaves, strict=True):
            gap = " " * (column - len(text) - len(sign) - 1)
            cells.append(f"{text} {self.paint(sign, leaf.colour)}{gap}")
        each = max(1, (room + 3) // column)
        lines = (cells[start : start + each] for start in range(0, len(cells), each))
        return ["".join(line).rstrip() for line in lines]


def _items(view):
    """Return what stands below a view: views, lists of leaves in a row, and text."""
    items = []
    for (end, unopened, _), run in groupby(view.children, _alike):
        run = list(run)
        if end:
            items.append(run)
        elif unopened and len(run) > 2:
            first, last = run[0], run[-1]
            names = say("drawing.range", first=first.name, last=last.name)
            parts = first.player, names, first.sign, "..."
            items.append(" ".join(filter(None, parts)))
        else:
            items += run
    if view.hidden:
        items.append(say("drawing.hidden", count=view.hidden))
    return items


def _alike(view):
    """Return what neighbours that share lines have in common."""
    unopened = view.hidden is None
    return view.end, unopened, view.mark if unopened and not view.end else None


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
    return "[{}]".format(say("drawing.leaves", count=len(leaves), first=first, last=last))


def _nested(view):
    if view.hidden is None:
        return "..."
    if view.children:
        inside = ", ".join(map(_nested, view.children))
        return f"[{inside}, ...]" if view.hidden else f"[{inside}]"
    return f"{view.name}={value_text(view)}"
