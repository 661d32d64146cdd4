"""Build a Tree from nested lists, and write a Tree as a tree file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from gametree.support.lazy import RandomPosition
from gametree.support.tree import Position, Search, StoredPosition, Tree, name_positions

MAX_WIDTH = 72  # characters after which a line of a file is split


def tree_from_lists(
    spec: float | list | dict, maximizing: bool, searches: list[Search] | None = None
) -> Tree:
    """Return the Tree that `spec` describes.

    A number is a leaf, a list is an interior node, and {"value": v, "children": [...]} is
    an interior node with a static value. Without `searches`, one search with a full window
    visits the whole tree.
    """
    root = _make_root(spec)
    player = _player_word(maximizing).upper()
    text = f"{player} {flow(spec)}"
    if searches is None:
        searches = [Search(root.height, maximizing)]
    else:
        text += " " + " ".join(map(write_search, searches))
    return Tree(text, text, "", root, maximizing, tuple(searches))


def change_numbers(content: Any, change: Callable[[Any], Any]) -> Any:
    """Return lists and mappings with change(part) in place of each other part in them."""
    if isinstance(content, list):
        return [change_numbers(part, change) for part in content]
    if isinstance(content, dict):
        return {key: change_numbers(part, change) for key, part in content.items()}
    return change(content)


def _make_root(spec):
    """Return the root of the spec, with the usual name for every position."""
    root = _make_position(spec, ())
    name_positions(root)
    return root


def _make_position(spec, path):
    """Return the Position that the spec describes, with its subtree, without names."""
    if isinstance(spec, dict):
        value = spec["value"]
        specs_below = spec["children"]
    elif isinstance(spec, list):
        value = None
        specs_below = spec
    else:
        value = spec
        specs_below = ()
    children = []
    for index, child in enumerate(specs_below):
        children.append(_make_position(child, (*path, index)))
    return StoredPosition(path, "", value, children)


def _player_word(maximizing):
    return "max" if maximizing else "min"


def write_search(search: Search) -> str:
    """Return the search as one line of a tree file."""
    return flow({"depth": search.depth, **_finite_bounds(search)})


def _finite_bounds(search):
    bounds = {"alpha": search.alpha, "beta": search.beta}
    return {name: bound for name, bound in bounds.items() if math.isfinite(bound)}


def dump_tree(tree: Tree) -> str:
    """Return the text of a tree file for a generated tree, which is not a game."""
    entries: dict[str, Any] = {"title": tree.title, "lesson": tree.lesson}
    entries["root"] = _player_word(tree.maximizing)
    if isinstance(tree.root, RandomPosition):
        recipe = tree.root.recipe._asdict()
        del recipe["maximizing"]
        entries["random"] = recipe
    else:
        entries["tree"] = _describe_nodes(tree.root)
    searches = [_search_entry(search, tree) for search in tree.searches]
    if searches != [{}]:
        entries["searches"] = searches
    return dump_file(entries)


def dump_file(entries: Mapping[str, Any]) -> str:
    """Return the text of a tree file with these entries."""
    import yaml  # imported late, because it is slow to import

    class Dumper(yaml.SafeDumper):
        """Write each list in brackets, and each number without an exponent."""

    Dumper.add_representer(list, _represent_list)
    Dumper.add_representer(float, _represent_float)
    return yaml.dump(
        entries, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=MAX_WIDTH
    )


def _represent_list(dumper, items):
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


def _represent_float(dumper, value):
    return dumper.represent_scalar("tag:yaml.org,2002:float", _number(value))


def _describe_nodes(root):
    """Return the content of `tree:`, with the names of the nodes if they are unusual."""
    lists = lists_of(root)
    if _names_of(root) == _names_of(_make_root(lists)):
        return lists
    return lists_of(root, named=True)


def _names_of(root):
    return [position.name for position in root.subtree()]


def lists_of(position: Position, named: bool = False) -> Any:
    """Return the position as a spec for tree_from_lists().

    named: whether to write children as mappings from name to child.
    """
    if position.terminal:
        return position.value
    children: Any = [lists_of(child, named) for child in position.children]
    if named:
        names = [child.name for child in position.children]
        children = dict(zip(names, children, strict=True))
    if position.value is not None:
        return {"value": position.value, "children": children}
    return children


def _search_entry(search, tree):
    """Return a search as a mapping of a tree file, without default settings."""
    entry = {}
    if search.depth != tree.root.height:
        entry["depth"] = search.depth
    if search.maximizing != tree.maximizing:
        entry["player"] = _player_word(search.maximizing)
    return {**entry, **_finite_bounds(search)}


def flow(content: Any) -> str:
    """Return numbers, words, and lists and mappings of them as one line of YAML."""
    if isinstance(content, dict):
        pairs = [f"{key}: {flow(value)}" for key, value in content.items()]
        return f"{{{', '.join(pairs)}}}"
    if isinstance(content, (list, tuple)):
        return f"[{', '.join(map(flow, content))}]"
    if isinstance(content, str):
        return content
    return _number(content)


def _number(value):
    """Write a number without an exponent, so that it loads as the same number."""
    if isinstance(value, int):
        return str(value)
    return format(Decimal(repr(value)), "f")
