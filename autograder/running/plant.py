"""Turn a tree written as nested lists into a Tree, as a tree file would hold it."""

from __future__ import annotations

from gametree.branches import default_names, height
from gametree.position import Position, Search, Tree


def plant(spec, maximizing, searches=None):
    """Return the Tree that `spec` describes.

    A number is a leaf, a list an interior node, {"value": v, "children": [...]}
    an interior node with a static value. Without `searches` the whole tree is
    searched with a full window.
    """
    root = grow(spec, ())
    for position, name in default_names(root):
        position.name = name
    text = f"{'MAX' if maximizing else 'MIN'} {written(spec)}"
    if searches is None:
        searches = [Search(height(root), maximizing)]
    else:
        text += " " + " ".join(map(asked, searches))
    return Tree(text, text, "", root, maximizing, tuple(searches))


def grow(spec, path):
    """Return the Position that the spec describes, with all below it."""
    value, parts = spec, ()
    if isinstance(spec, dict):
        value, parts = spec["value"], spec["children"]
    elif isinstance(spec, list):
        value, parts = None, spec
    children = [grow(part, (*path, index)) for index, part in enumerate(parts)]
    return Position(path, "A", value, children)


def written(spec):
    """Return the spec as one line of a tree file."""
    if isinstance(spec, dict):
        return f"{{value: {spec['value']}, children: {written(spec['children'])}}}"
    if isinstance(spec, list):
        return f"[{', '.join(map(written, spec))}]"
    return str(spec)


def asked(search):
    """Return the search as one line of a tree file."""
    window = "" if search.full_window else f", alpha: {search.alpha}, beta: {search.beta}"
    return f"{{depth: {search.depth}{window}}}"
