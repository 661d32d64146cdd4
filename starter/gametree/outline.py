"""The tree as an indented outline, for trees too wide or too large for a grid."""

from __future__ import annotations

from itertools import groupby

from gametree.marks import PRUNED
from gametree.view import inner_label, value_text

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
