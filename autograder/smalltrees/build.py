"""Make a Tree of nested lists, and write a Tree as a tree file."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from functools import cache

from gametree.games import Coins, TicTacToe
from gametree.support.lazy import RandomPosition
from gametree.support.tree import Position, Search, Tree, name_positions


def tree_from_lists(
    spec: float | list | dict, maximizing: bool, searches: list[Search] | None = None
) -> Tree:
    """Return the Tree that `spec` describes.

    A number is a leaf, a list an interior node, {"value": v, "children": [...]}
    an interior node with a static value. Without `searches` the whole tree is
    searched with a full window.
    """
    root = _named_by_default(spec)
    text = f"{'MAX' if maximizing else 'MIN'} {flow(spec)}"
    if searches is None:
        searches = [Search(root.height, maximizing)]
    else:
        text += " " + " ".join(map(asked, searches))
    return Tree(text, text, "", root, maximizing, tuple(searches))


def _named_by_default(spec):
    root = _grown(spec, ())
    name_positions(root)
    return root


def _grown(spec, path):
    """Return the Position that the spec describes, with all below it; nobody is named."""
    value, parts = spec, ()
    if isinstance(spec, dict):
        value, parts = spec["value"], spec["children"]
    elif isinstance(spec, list):
        value, parts = None, spec
    children = [_grown(part, (*path, index)) for index, part in enumerate(parts)]
    return Position(path, "", value, children)


def asked(search: Search) -> str:
    """Return the search as one line of a tree file."""
    given = {"depth": search.depth, "alpha": search.alpha, "beta": search.beta}
    return flow({key: bound for key, bound in given.items() if math.isfinite(bound)})


WIDTH = 80
KEYS = {"value", "children", "depth", "alpha", "beta"}  # of small trees


def dump_tree(tree: Tree) -> str:
    """Return the text of a tree file that loads as an equal tree."""
    lines = [
        f"{key}: {_text(getattr(tree, key))}"
        for key in ("title", "lesson", "source")
        if getattr(tree, key)
    ]
    lines.append(f"root: {'max' if tree.maximizing else 'min'}")
    kind, content = described(tree.root)
    lines += _block(f"{kind}:", content, 0)
    searches = [_search(search, tree) for search in tree.searches]
    if [list(search) for search in searches] == [["published"]]:
        lines += _block("published:", searches[0]["published"], 0)
    elif searches != [{}]:
        lines += _block("searches:", searches, 0)
    return "\n".join(lines) + "\n"


def described(root: Position) -> tuple:
    """Return what a tree file says of a tree, as (key, content)."""
    if isinstance(root, RandomPosition):
        recipe = root.recipe._asdict()
        del recipe["maximizing"]
        return "random", recipe
    if isinstance(root, Coins):
        return "game", {"name": "coins", "coins": root.state}
    if isinstance(root, TicTacToe):
        return "game", {"name": "tictactoe", "board": root.state.replace("/", " ")}
    bare = lists_of(root)
    usual = [position.name for position in _named_by_default(bare).subtree()]
    named = [position.name for position in root.subtree()] != usual
    return "tree", lists_of(root, named=True) if named else bare


def lists_of(position: Position, named: bool = False) -> float | list | dict:
    """Return the position as `tree_from_lists` takes it, children in mappings if named."""
    if position.terminal:
        return position.value
    children = [lists_of(child, named) for child in position.children]
    if named:
        names = [child.name for child in position.children]
        children = dict(zip(names, children, strict=True))
    if position.value is not None:
        return {"value": position.value, "children": children}
    return children


def _search(search, tree):
    written = {}
    if search.depth != tree.root.height:
        written["depth"] = search.depth
    if search.maximizing != tree.maximizing:
        written["player"] = "max" if search.maximizing else "min"
    window = {"alpha": search.alpha, "beta": search.beta}
    written.update({key: each for key, each in window.items() if math.isfinite(each)})
    published = _published(search.published, tree.root)
    if published:
        written["published"] = published
    return written


def _published(published, root):
    written = {}
    for key, figure in published._asdict().items():
        if isinstance(figure, frozenset):
            written[key] = [root.at(path).name for path in sorted(figure)]
        elif isinstance(figure, tuple):
            written[key] = root.at(figure).name
        elif figure is not None:
            written[key] = figure
    return written


def _block(head, content, indent):
    """Return the lines of `head` and its content, in one line where it fits."""
    line = f"{' ' * indent}{head} {flow(content)}"
    if len(line) <= WIDTH or not isinstance(content, (list, dict)):
        return [line]
    inner = indent + 2
    lines = [f"{' ' * indent}{head}"]
    if isinstance(content, dict):
        for key, value in content.items():
            lines += _block(f"{_text(key)}:", value, inner)
    elif all(isinstance(item, (int, float, str)) for item in content):
        return [f"{' ' * indent}{head} [", *_wrapped(content, inner), f"{' ' * indent}]"]
    else:
        for item in content:
            lines += _block("-", item, inner)
    return lines


def _wrapped(items, indent):
    lines, line = [], " " * indent
    for item in items:
        if len(line) + len(flow(item)) + 2 > WIDTH:
            lines.append(line.rstrip())
            line = " " * indent
        line += f"{flow(item)}, "
    return [*lines, line.rstrip().removesuffix(",")]


def flow(content) -> str:
    """Return content as one line of YAML."""
    if isinstance(content, dict):
        pairs = (f"{_text(key)}: {flow(value)}" for key, value in content.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(content, (list, tuple)):
        return f"[{', '.join(map(flow, content))}]"
    if isinstance(content, str):
        return _text(content)
    return _number(content)


def _number(value):
    """Write a number out in full: no exponent, and the same number when read."""
    if isinstance(value, int):
        return str(value)
    written = format(Decimal(repr(value)), "f")
    return written if "." in written else f"{written}.0"


@cache
def _text(text):
    """Write text plain where YAML reads it as it stands, else in double quotes."""
    if text in KEYS:
        return text
    import yaml  # which is slow to import

    plain = re.fullmatch(r"[^\W\d_]([\w .()'/+-]|,(?= )|:(?=\S))*", text)
    if plain and text == text.strip() and yaml.safe_load(text) == text:
        return text
    return json.dumps(text, ensure_ascii=False)
