"""Draw a tree as text: MAX and MIN, names and values, what a search visited."""

from __future__ import annotations

import textwrap

from gametree.grid import grid
from gametree.marks import LEGEND, Marks, marks_of
from gametree.outline import outline
from gametree.view import view_of

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
