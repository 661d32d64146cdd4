"""Text drawings of a tree and of a search in it."""

from __future__ import annotations

import re
import textwrap

from gametree.support.layouts import grid_lines, outline_lines
from gametree.support.marks import LEGEND, Marks
from gametree.support.saying import say
from gametree.support.tree import Search, Tree
from gametree.support.views import view_of

FIXED = "\xa0"  # a space at which lines do not break
ASCII = str.maketrans("│╎─╌┌╭┐╮├┤┬┴┼└●○…", "|:-.+.+.++++++*o~")
COLOURS = re.compile("\x1b\\[[0-9;]*m")


def draw(
    tree: Tree,
    search: Search | None = None,
    marks: Marks | None = None,
    width: int = 80,
    ascii: bool = False,
    colour: bool = False,
) -> str:
    """Return the drawing of a tree as text, without a newline at its end.

    search: draws the nodes down to its depth; None draws the whole tree.
    marks: the marks of a search, from marks_of(); None draws no marks.
    width: the longest line, in columns. A tree that does not fit from the top down
        becomes an outline, with at most 200 nodes.
    ascii: uses ASCII characters only, and no box-drawing characters.
    colour: adds ANSI colours. The marks have the same meaning without them.
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
    if not colour:
        text = COLOURS.sub("", text)
    if ascii:
        text = text.translate(ASCII).encode("ascii", "replace").decode()
    return text


def _notes(root):
    """Return the notes below a drawing: its legend, and what is not drawn."""
    views = list(root.everything())
    notes = []
    occurring = {view.mark for view in views if view.sign}
    legend = [f"{mark.sign} {mark.meaning}" for mark in LEGEND if mark in occurring]
    if legend:
        notes.append("   ".join(item.replace(" ", FIXED) for item in legend))
    if any(view.shows_value for view in views):
        notes.append(say("drawing.static values"))
    unopened = sum(view.hidden is None for view in views)
    hidden = sum(view.hidden or 0 for view in views) + unopened
    if hidden:
        key = "drawing.unopened" if unopened else "drawing.not all"
        notes.append(say(key, drawn=len(views), hidden=hidden))
    if any(view.end and not view.position.terminal for view in views):
        notes.append(say("drawing.depth", depth=root.search.depth))
    return notes
