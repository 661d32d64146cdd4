"""Read tree files: each gives a Tree, or one line that says what is wrong in it."""

from __future__ import annotations

import math
import os
import re
from itertools import count, islice, product
from pathlib import Path
from string import ascii_uppercase

from gametree.games import GAMES, GamePosition
from gametree.lazy import ORDERS, LazyPosition, random_tree
from gametree.markup import Markup, read_markup
from gametree.saying import say
from gametree.tree import Position, Published, Search, Tree, TreeError

LARGEST = 250_000
DEEPEST = 1000
MOST_NAMED = 100_000  # positions that published figures may name
PLAYERS = {"max": True, "min": False}
TEXTS = {"title": 70, "lesson": 70, "source": 500, "concept": 70}  # and their lengths
KINDS = ("tree", "random", "game")
INFINITE = re.compile(r"[-+]?\.?inf(inity)?", re.IGNORECASE)


def load_tree(path: str | os.PathLike) -> Tree:
    """Read the tree file at `path`; its name is the file's, without the ending.

    Raises TreeError, one line, for a file that cannot be read or is malformed.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        return parse_tree(_decoded(data), path.stem)
    except OSError as error:
        problem = say("file.unreadable", reason=error.strerror or error)
        raise TreeError(problem, file=str(path)) from None
    except TreeError as error:
        error.file = str(path)
        raise


def load_trees(folder: str | os.PathLike) -> list[Tree]:
    """Read every tree file of a folder: a list of trees, sorted by file name."""
    folder = Path(folder)
    if not folder.is_dir():
        raise TreeError(say("file.no folder"), file=str(folder))
    paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    for path in paths:
        if path.suffix == ".yml":
            raise TreeError(say("file.yml"), file=str(path))
    trees = [load_tree(path) for path in paths if path.suffix == ".yaml"]
    if not trees:
        raise TreeError(say("file.no files"), file=str(folder))
    return trees


def parse_tree(text: str, name: str) -> Tree:
    """Read a tree from the text of a tree file; `name` names it, and its errors."""
    try:
        return _tree(read_markup(text.removeprefix("\ufeff")), name)
    except TreeError as error:
        error.file = name
        raise


def _decoded(data):
    if len(data) > LARGEST:
        raise TreeError(say("file.large", most=LARGEST))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise TreeError(say("file.utf-16"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TreeError(say("file.utf-8", byte=data[error.start]), line) from None


def _tree(markup, name):
    known = (*TEXTS, "root", *KINDS, "searches", "published")
    markup.check_keys(known, "the file", "file.begins with")
    root, maximizing = _root(markup)
    texts = {"title": name, "lesson": ""}
    for key, longest in TEXTS.items():
        if markup.get(key):
            texts[key] = markup.get(key).line_of_text(key, longest)
    searches = _searches(markup, root, maximizing)
    return Tree(name, root=root, maximizing=maximizing, searches=searches, **texts)


def _root(markup):
    """Return the root and whether MAX moves there."""
    kinds = [kind for kind in KINDS if markup.get(kind)]
    if not kinds:
        raise TreeError(say("file.no tree"))
    if len(kinds) > 1:
        raise markup.key(kinds[1]).error("file.several trees")
    player = markup.get("root")
    maximizing = PLAYERS[player.word("root", PLAYERS)] if player else None
    content = markup.get(kinds[0])
    if kinds[0] == "game":
        root = _game(content, maximizing)
        return root, root.maximizing
    if maximizing is None:
        raise TreeError(say("file.no root"))
    if kinds[0] == "random":
        return _random(content, maximizing), maximizing
    if content.text == "":
        raise markup.key("tree").error("file.empty tree")
    root = _position(content, (), "the root", {})
    name_positions(root)
    return root, maximizing


def _position(markup, path, place, lines):
    """Return a Position with all below it.

    `place` says where it is written; `lines` maps a name to the line that gives it.
    """
    if markup.text is not None:
        return Position(path, "", markup.number("a leaf", place))
    if _is_static(markup):
        position = _position(_static_children(markup, place), path, place, lines)
        position.value = markup.get("value").number("a static value", place)
        return position
    children = []
    for index, (name, below) in enumerate(_named_children(markup, place)):
        child_place = f"node {name}" if name else _child(index + 1, place)
        if name in lines:
            raise below.error("file.name twice", child_place, first=lines[name])
        if name:
            lines[name] = below.line
        child = _position(below, (*path, index), child_place, lines)
        child.name = name
        children.append(child)
    return Position(path, "", None, children)


def _child(number, place):
    """Return the place of a child without a name: counted from a node that has one."""
    numbers, of, above = place.rpartition(" of ")
    return f"{numbers}.{number} of {above}" if of else f"child {number} of {place}"


def _is_static(markup):
    return bool(markup.get("value") or markup.get("children"))


def _static_children(markup, place):
    children = markup.get("children")
    if {key.text for key, _ in markup.pairs} != {"value", "children"}:
        raise markup.error("file.static value", place)
    if children.text is not None or _is_static(children):
        raise children.error("file.static children", place)
    return children


def _named_children(markup, place):
    """Return (name, markup) of each child of a list or mapping; "" is no name."""
    if markup.pairs:
        return [(key.new_name(), value) for key, value in markup.pairs]
    if not markup.items:
        raise markup.error("file.empty node", place)
    for item in markup.items:
        if item.plain and item.pairs and len(item.pairs) == 1:
            raise item.error("file.name in a list", place, name=item.pairs[0][0].text)
    return [("", item) for item in markup.items]


def name_positions(root: Position) -> None:
    """Name every position whose name is "", row by row.

    The root is A, the other interior positions are B, C, ... Z, AA, AB, ..., and a leaf
    has its parent's name and its number: b1, b2. Names that are taken are left out.
    """
    taken = {position.name for position in root.subtree()}
    root.name = root.name or ("Root" if "A" in taken else "A")
    taken.add("A")
    letters = (product(ascii_uppercase, repeat=length) for length in count(1))
    names = ("".join(name) for same_length in letters for name in same_length)
    row = [root]
    for position in row:  # which grows meanwhile
        for number, child in enumerate(position.children, start=1):
            if not child.name:
                leaf = f"{position.name.lower()}{number}"
                while leaf in taken:
                    leaf += "'"
                fresh = leaf if child.terminal else next(n for n in names if n not in taken)
                child.name = fresh
                taken.add(fresh)
            row.append(child)


def _random(markup, maximizing):
    needed = ("branching", "depth", "values", "seed")
    markup.check_keys((*needed, "order"), "random", "file.random")
    for key in needed:
        if markup.get(key) is None:
            raise markup.error("file.random lacks", key=key)
    order = markup.get("order")
    return random_tree(
        branching=markup.get("branching").whole("branching", 1, 1000),
        depth=markup.get("depth").whole("depth", 0, 100),
        values=_range(markup.get("values")),
        seed=markup.get("seed").whole("seed"),
        order=order.word("order", ORDERS) if order else "random",
        maximizing=maximizing,
    )


def _range(markup):
    if len(markup.items or ()) != 2:
        raise markup.error("file.values")
    low, high = (item.number("an end of values") for item in markup.items)
    if not (isinstance(low, int) and isinstance(high, int) and low <= high):
        raise markup.error("file.no range", low=low, high=high)
    return low, high


def _game(markup, maximizing):
    """Return the start of a game; `maximizing` is None where the game itself decides."""
    if markup.get("name") is None:
        raise markup.error("file.game")
    game = markup.get("name").word("the game's name", GAMES)
    markup.check_keys(("name", GAMES[game].key), f"game {game}", "")
    start = {
        key.text: value.text if value.kind == "str" else value.whole("a number of the game")
        for key, value in markup.pairs
        if key.text != "name"
    }
    try:
        return GAMES[game].start(maximizing=maximizing, **start)
    except ValueError as error:
        raise TreeError(str(error), markup.line) from None


def _searches(markup, root, maximizing):
    """Return the searches of a file: those of `searches:`, or one search of it all.

    The file's own `published:` belongs to the first search.
    """
    listed, published = markup.get("searches"), markup.get("published")
    if listed and not listed.items:
        raise listed.error("file.searches")
    searches = []
    for entry in listed.items if listed else [Markup(1, pairs=[])]:
        search = _search(entry, published, root, maximizing)
        if search in searches:
            raise entry.error("file.search twice")
        searches.append(search)
        published = None
    return tuple(searches)


def _search(entry, published, root, maximizing):
    known = ("depth", "player", "alpha", "beta", "published")
    entry.check_keys(known, "a search", "file.search")
    depth, player, own = _depth(entry, root), entry.get("player"), entry.get("published")
    if player:
        asked = PLAYERS[player.word("player", PLAYERS)]
        if isinstance(root, GamePosition) and asked != maximizing:
            raise player.error("file.other player")
        maximizing = asked
    alpha, beta = _bound(entry, "alpha", -math.inf), _bound(entry, "beta", math.inf)
    if alpha >= beta:
        raise entry.key("alpha").error("file.window", alpha=alpha, beta=beta)
    if own and published:
        raise entry.key("published").error("file.published twice")
    return Search(depth, maximizing, alpha, beta, _published(own or published, root, depth))


def _depth(entry, root):
    """Return the depth, and refuse to stop where no static value is given."""
    if entry.get("depth") is None:
        return root.height
    depth = entry.get("depth").whole("depth", most=DEEPEST)
    # A lazy position has a value anywhere; to look for one could take for ever.
    for position in () if isinstance(root, LazyPosition) else root.frontier(depth):
        if position.value is None:
            raise entry.key("depth").error("file.depth", depth=depth, name=position.name)
    return depth


def _bound(entry, key, unbounded):
    markup = entry.get(key)
    if markup and INFINITE.fullmatch(markup.text or ""):
        raise markup.error("file.not finite", bound=key)
    return markup.number(key) if markup else unbounded


def _published(markup, root, depth):
    """Return the Published figures of a search of `depth` plies; markup may be None."""
    if markup is None:
        return Published()
    known = {position.name: position for position in islice(root.subtree(), MOST_NAMED)}

    def find(name):
        if name.name() not in known:
            raise name.error("file.unknown name", name=name.text[:40])
        return known[name.text]

    readers = {
        "value": lambda figure: figure.number("the published value"),
        "leaves": lambda figure: _leaves(figure, find, depth),
        "pruned": lambda figure: _leaves(figure, find, depth),
        "evaluations": lambda figure: figure.whole("evaluations", least=1),
        "nodes": lambda figure: figure.whole("nodes", least=1),
        "move": lambda figure: _move(figure, find, depth),
    }
    markup.check_keys(readers, "published", "file.published")
    figures = {key.text: readers[key.text](figure) for key, figure in markup.pairs}
    for path in sorted(figures.get("leaves", set()) & figures.get("pruned", set())):
        raise markup.key("pruned").error("file.visited and pruned", name=root.at(path).name)
    return Published(**figures)


def _leaves(markup, find, depth):
    if markup.items is None:
        raise markup.error("file.leaves")
    paths = set()
    for item in markup.items:
        position = find(item)
        if len(position.path) > depth or len(position.path) < depth and position.children:
            raise item.error("file.no leaf", name=position.name, depth=depth)
        if position.path in paths:
            raise item.error("file.leaf twice", name=position.name)
        paths.add(position.path)
    return frozenset(paths)


def _move(markup, find, depth):
    position = find(markup)
    if depth == 0 or len(position.path) != 1:
        raise markup.error("file.no move", name=position.name)
    return position.path
