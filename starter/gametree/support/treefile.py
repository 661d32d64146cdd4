"""Read tree files: each gives a Tree, or a one-line error."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

from gametree.games import GAMES, GamePosition
from gametree.support.errors import TreeError
from gametree.support.lazy import ORDERS, LazyPosition, Recipe
from gametree.support.markup import LIMIT, Markup, read_markup
from gametree.support.texts import sentence
from gametree.support.tree import Search, StoredPosition, Tree, name_positions

ALMOST_YAML = re.compile(r"\.ya?ml\b", re.IGNORECASE)  # x.yml or x.yaml.txt
MAX_BYTES = 250_000
MAX_DEPTH = 1000
MAX_BRANCHING = 1000  # of a random tree
MAX_RANDOM_DEPTH = 100
MAX_CHARACTERS = {"title": 69, "lesson": 69, "source": 500}
PLAYERS = {"max": True, "min": False}
MAX_START = 20  # characters of the start of a game
KINDS = ("tree", "random", "game")
STATIC = {"value", "children"}
FIGURES = ("value", "leaves", "pruned", "evaluations", "nodes", "move")
RECIPE = Recipe._fields[:4]  # the keys that a random tree needs


def load_tree(path: str | os.PathLike) -> Tree:
    """Read the tree file at `path`. The tree's name is the file name without its ending.

    Raises TreeError, one line, for a file that is unreadable or malformed.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return parse_tree(_decode(data), path.stem)
    except OSError as error:
        problem = sentence("file.unreadable", reason=error.strerror or error)
        raise TreeError(problem, file=str(path)) from None
    except TreeError as error:
        error.file = str(path)
        raise


def load_trees(folder: str | os.PathLike) -> list[Tree]:
    """Return the trees of all tree files in a folder, sorted by file name.

    Raises TreeError for the first invalid file.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise TreeError(sentence("file.no folder"), file=str(folder))
    trees = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.suffix == ".yaml":
            trees.append(load_tree(path))
        elif ALMOST_YAML.search(path.name):
            raise TreeError(sentence("file.yml"), file=str(path))
    if not trees:
        raise TreeError(sentence("file.no files"), file=str(folder))
    return trees


def parse_tree(text: str, name: str) -> Tree:
    """Return the tree of a tree file's text; `name` is its name, also in errors."""
    try:
        return _tree(read_markup(text), name)
    except TreeError as error:
        error.file = name
        raise


def _decode(data):
    if len(data) > MAX_BYTES:
        raise TreeError(sentence("file.large", most=MAX_BYTES))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TreeError(sentence("file.utf-8", byte=data[error.start]), line) from None


def _tree(markup, name):
    keys = (*MAX_CHARACTERS, "root", *KINDS, "searches", "published")
    markup.check_keys(keys, "the file", "file.begins with")
    root, maximizing = _root(markup)
    texts = {"title": name, "lesson": ""}
    for key, longest in MAX_CHARACTERS.items():
        if markup.get(key):
            texts[key] = markup.get(key).line_of_text(key, longest)
    published = _searches(markup, root, maximizing)
    return Tree(
        name,
        root=root,
        maximizing=maximizing,
        searches=tuple(published),
        published=published,
        **texts,
    )


def _root(markup):
    """Return the root and whether MAX moves there."""
    kind = _kind(markup)
    content = markup.get(kind)
    maximizing = _player(markup, "root", None)
    if kind == "game":
        root = _game(content, maximizing)
        return root, root.maximizing
    if maximizing is None:
        raise TreeError(sentence("file.no root"))
    if kind == "random":
        return _random(content, maximizing), maximizing
    if content.text == "":
        raise content.key.error("file.empty tree")
    root = _position(content, (), "the root", {})
    name_positions(root)
    return root, maximizing


def _kind(markup):
    """Return which of KINDS the file contains."""
    kinds = [kind for kind in KINDS if markup.get(kind)]
    if not kinds:
        raise TreeError(sentence("file.no tree"))
    if len(kinds) > 1:
        raise markup.get(kinds[1]).key.error("file.several trees")
    return kinds[0]


def _player(markup, key, otherwise):
    """Return whether the player of a key is MAX, or `otherwise` without the key."""
    given = markup.get(key)
    return PLAYERS[given.word(key, PLAYERS)] if given else otherwise


def _position(markup, path, place, lines):
    """Return a StoredPosition with all positions below it.

    `place` names it in errors; `lines` maps the name of a node to its line.
    """
    if markup.text is not None:
        return StoredPosition(path, "", markup.number("a leaf", place))
    value = None
    if _has_static_keys(markup):
        value, markup = _static_value(markup, place)
    children = []
    for index, (name, below) in enumerate(_named_children(markup, place)):
        child_place = _child_place(index + 1, place)
        if name:
            child_place = f"node {name}"
            if name in lines:
                raise below.error("file.name twice", child_place, first=lines[name])
            lines[name] = below.line
        child = _position(below, (*path, index), child_place, lines)
        child.name = name
        children.append(child)
    return StoredPosition(path, "", value, children)


def _has_static_keys(markup):
    return not STATIC.isdisjoint(markup.pairs or ())


def _static_value(markup, place):
    """Return the value and the children of {value: 7, children: [1, 2]}."""
    if markup.pairs.keys() != STATIC:
        raise markup.error("file.static value", place)
    below = markup.get("children")
    if below.text is not None or _has_static_keys(below):
        raise below.error("file.static children", place)
    return markup.get("value").number("a static value", place), below


def _child_place(number, place):
    """Return the place of a child without a name, such as "child 2.1 of B"."""
    numbers, of, above = place.rpartition(" of ")
    return f"{numbers}.{number} of {above}" if of else f"child {number} of {place}"


def _named_children(markup, place):
    """Return (name, markup) of each child of a list or mapping; "" without a name."""
    if markup.pairs:
        return [(value.key.new_name(), value) for value in markup.pairs.values()]
    if not markup.items:
        raise markup.error("file.empty node", place)
    for item in markup.items:
        if item.plain and item.pairs and len(item.pairs) == 1:
            (name,) = item.pairs
            raise item.error("file.name in a list", place, name=name)
    return [("", item) for item in markup.items]


def _random(markup, maximizing):
    markup.check_keys((*RECIPE, "order"), "random", "file.random", needed=RECIPE)
    branching = markup.get("branching").whole("branching", 1, MAX_BRANCHING)
    depth = markup.get("depth").whole("depth", 0, MAX_RANDOM_DEPTH)
    values = _range(markup.get("values"))
    seed = markup.get("seed").whole("seed")
    order = ORDERS[0]
    if markup.get("order"):
        order = markup.get("order").word("order", ORDERS)
    return Recipe(branching, depth, values, seed, order, maximizing).root()


def _range(markup):
    ends = [item.whole("an end of values", -LIMIT) for item in markup.items or ()]
    if len(ends) != 2 or ends != sorted(ends):
        raise markup.error("file.values")
    return tuple(ends)


def _game(markup, maximizing):
    """Return the start of a game; if `maximizing` is None, the game decides."""
    if markup.get("name") is None:
        raise markup.error("file.game")
    name = markup.get("name").word("the game's name", GAMES)
    key, start = GAMES[name]
    markup.check_keys(("name", key), f"game {name}", "")
    given = markup.get(key)
    text = given.line_of_text(key, MAX_START) if given else ""
    try:
        return start(text, maximizing)
    except ValueError as error:
        raise TreeError(str(error), markup.line) from None


def _searches(markup, root, maximizing):
    """Return each search of a file -> its published figures, as in a Tree.

    Without `searches:` it is one search of the whole tree. The file's own `published:`
    belongs to the first search.
    """
    whole = Markup(1)
    whole.pairs = {}
    entries = [whole]
    listed = markup.get("searches")
    if listed:
        if not listed.items:
            raise listed.error("file.searches")
        entries = listed.items
    figures = {}
    published = markup.get("published")
    for entry in entries:
        search = _search(entry, root, maximizing)
        while search in figures:
            search = search._replace(earlier=search.earlier + 1)
        figures[search] = _published(entry.get("published") or published)
        published = None
    return figures


def _search(entry, root, maximizing):
    """Return the Search of an entry."""
    keys = ("depth", "player", "alpha", "beta", "published")
    entry.check_keys(keys, "a search", "file.search")
    depth = _depth(entry, root)
    player = _player(entry, "player", maximizing)
    if isinstance(root, GamePosition) and player != maximizing:
        raise entry.get("player").error("file.other player")
    alpha = _bound(entry, "alpha", -math.inf)
    beta = _bound(entry, "beta", math.inf)
    if alpha >= beta:
        raise entry.get("alpha").key.error("file.window", alpha=alpha, beta=beta)
    return Search(depth, player, alpha, beta)


def _depth(entry, root):
    """Return the depth; raise TreeError if a leaf there has no static value."""
    given = entry.get("depth")
    if given is None:
        return root.height
    depth = given.whole("depth", most=MAX_DEPTH)
    if isinstance(root, LazyPosition):  # all its positions have values
        return depth
    for position in root.frontier(depth):
        if position.value is None:
            raise given.key.error("file.depth", depth=depth, name=position.name)
    return depth


def _bound(entry, key, unbounded):
    given = entry.get(key)
    return given.number(key) if given else unbounded


def _published(markup):
    """Return the figures that are published of a search, as written; {} for None.

    The checks of the kit compare them with the reference.
    """
    if markup is None:
        return {}
    markup.check_keys(FIGURES, "published", "file.published")
    return {key: _figure(key, figure) for key, figure in markup.pairs.items()}


def _figure(key, figure):
    if key == "move":
        return figure.name()
    if key not in ("leaves", "pruned"):
        return figure.number(key)
    if figure.items is None:
        raise figure.error("file.leaves")
    return [item.name() for item in figure.items]
