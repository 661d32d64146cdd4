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
from gametree.tree import Position, Published, Search, Tree, TreeError

LARGEST = 250_000
DEEPEST = 1000
MOST_NAMED = 100_000  # positions that published figures may name
PLAYERS = {"max": True, "min": False}
TEXTS = ("title", "lesson", "source", "concept")
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
        problem = f"{error.strerror or error}: name a tree file that can be read"
        raise TreeError(problem, file=str(path)) from None
    except TreeError as error:
        error.file = str(path)
        raise


def load_trees(folder: str | os.PathLike) -> list[Tree]:
    """Read every tree file of a folder: a list of trees, sorted by file name."""
    folder = Path(folder)
    if not folder.is_dir():
        raise TreeError("no such folder: name a folder of tree files", file=str(folder))
    paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    for path in paths:
        if path.suffix == ".yml":
            raise TreeError("tree files end in .yaml: rename it", file=str(path))
    trees = [load_tree(path) for path in paths if path.suffix == ".yaml"]
    if not trees:
        raise TreeError("no tree file (.yaml) is in this folder", file=str(folder))
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
        raise TreeError(f"the file is larger than {LARGEST:,} bytes: write a smaller tree")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise TreeError("the file is UTF-16 or UTF-32 text: save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte {data[error.start]:#x} is not UTF-8: save the file as UTF-8"
        raise TreeError(problem, line) from None


def _tree(markup, name):
    known = (*TEXTS, "root", *KINDS, "searches", "published")
    otherwise = "a tree file begins with keys: title, lesson, root and tree"
    markup.check_keys(known, "the file", otherwise)
    root, maximizing = _root(markup)
    texts = dict.fromkeys(TEXTS, "") | {"title": name}
    for key in texts:
        if markup.get(key):
            texts[key] = markup.get(key).line_of_text(key, 500 if key == "source" else 70)
    searches = _searches(markup.get("searches"), markup.get("published"), root, maximizing)
    return Tree(name, root=root, maximizing=maximizing, searches=searches, **texts)


def _root(markup):
    """Return the root and whether MAX moves there."""
    kinds = [kind for kind in KINDS if markup.get(kind)]
    if not kinds:
        raise TreeError("the file holds no tree: write tree, random or game")
    if len(kinds) > 1:
        problem = "a file holds one of tree, random and game: remove the others"
        raise markup.key(kinds[1]).error(problem)
    player = markup.get("root")
    maximizing = PLAYERS[player.word("root", PLAYERS)] if player else None
    content = markup.get(kinds[0])
    if kinds[0] == "game":
        root = _game(content, maximizing)
        return root, root.maximizing
    if maximizing is None:
        raise TreeError("root is missing: write root: max or root: min")
    if kinds[0] == "random":
        return _random(content, maximizing), maximizing
    if content.text == "":
        problem = "the tree is empty: write a list such as [[3, 5], [2, 9]]"
        raise markup.key("tree").error(problem)
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
            problem = f"the name appears twice, first on line {lines[name]}"
            raise below.error(f"{problem}: give one another name", child_place)
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
        problem = "a static value is written {value: 7, children: [1, 2]}"
        raise markup.error(f"{problem}, with these two keys only", place)
    if children.text is not None or _is_static(children):
        raise children.error("children must be a list or a mapping of names", place)
    return children


def _named_children(markup, place):
    """Return (name, markup) of each child of a list or mapping; "" is no name."""
    if markup.pairs:
        return [(key.new_name(), value) for key, value in markup.pairs]
    if not markup.items:
        problem = "an empty node: write its children, or one number for a leaf"
        raise markup.error(problem, place)
    for item in markup.items:
        if item.plain and item.pairs and len(item.pairs) == 1:
            problem = f"{item.pairs[0][0].text!r} names a child inside a list"
            cure = "name children in a mapping, {b1: 3, b2: 4}, or leave the name out"
            raise item.error(f"{problem}: {cure}", place)
    return [("", item) for item in markup.items]


def name_positions(root: Position) -> None:
    """Name every position whose name is "", row by row.

    The root is A, the other interior positions are B, C, ... Z, AA, AB, ..., and a leaf
    has its parent's name and its number: b1, b2. Names that are taken are left out.
    """
    taken = {position.name for position in root.subtree()}
    fresh = (name for name in _letters() if name not in taken)
    root.name = root.name or ("Root" if "A" in taken else "A")
    row = [root]
    while row:
        for position in row:
            for number, child in enumerate(position.children, start=1):
                if not child.name:
                    leaf = f"{position.name.lower()}{number}"
                    while leaf in taken:
                        leaf += "'"
                    child.name = leaf if child.terminal else next(fresh)
                    taken.add(child.name)
        row = [child for position in row for child in position.children]


def _letters():
    """Yield B, C, ... Z, AA, AB, ..."""
    for length in count(1):
        for letters in product(ascii_uppercase, repeat=length):
            if letters != ("A",):
                yield "".join(letters)


def _random(markup, maximizing):
    example = "{branching: 2, depth: 10, values: [0, 100], seed: 7}"
    needed = ("branching", "depth", "values", "seed")
    otherwise = f"random must be a mapping: {example}"
    markup.check_keys((*needed, "order"), "random", otherwise)
    for key in needed:
        if markup.get(key) is None:
            raise markup.error(f"random lacks {key}: write {example}")
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
        raise markup.error("values must be a list of two: [0, 100]")
    low, high = (item.number("an end of values") for item in markup.items)
    if not (isinstance(low, int) and isinstance(high, int) and low <= high):
        problem = f"values [{low}, {high}] is not a range of whole numbers"
        raise markup.error(f"{problem}: write the smaller first")
    return low, high


def _game(markup, maximizing):
    """Return the start of a game; `maximizing` is None where the game itself decides."""
    if markup.get("name") is None:
        problem = "game must be a mapping with a name: {name: coins, coins: 4}"
        raise markup.error(problem)
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
        raise markup.error(str(error)) from None


def _searches(markup, published, root, maximizing):
    """Return the searches of a file: those of `searches:`, or one search of it all.

    `published` is the file's own `published:`, which belongs to the first search.
    """
    if markup and not markup.items:
        raise markup.error("searches must be a list such as [{depth: 2}]")
    searches = []
    for entry in markup.items if markup else [Markup(1, pairs=[])]:
        search = _search(entry, published, root, maximizing)
        if search in searches:
            raise entry.error("this search appears twice: remove one")
        searches.append(search)
        published = None
    return tuple(searches)


def _search(entry, published, root, maximizing):
    otherwise = "a search is a mapping such as {depth: 2}, or {}"
    known = ("depth", "player", "alpha", "beta", "published")
    entry.check_keys(known, "a search", otherwise)
    depth = _depth(entry, root)
    if entry.get("player"):
        maximizing = _player(entry.get("player"), root, maximizing)
    alpha = _bound(entry, "alpha", -math.inf)
    beta = _bound(entry, "beta", math.inf)
    if alpha >= beta:
        problem = f"alpha {alpha} is not below beta {beta}: lower alpha or raise beta"
        raise entry.key("alpha").error(problem)
    own = entry.get("published")
    if own and published:
        problem = "the first search is published twice, here and at the top of the file"
        raise entry.key("published").error(f"{problem}: keep one")
    return Search(depth, maximizing, alpha, beta, _published(own or published, root, depth))


def _depth(entry, root):
    """Return the depth, and refuse to stop where no static value is given."""
    if entry.get("depth") is None:
        return root.height
    depth = entry.get("depth").whole("depth", most=DEEPEST)
    # A lazy position has a value anywhere; to look for one could take for ever.
    leaves = () if isinstance(root, LazyPosition) else root.frontier(depth)
    for position in leaves:
        if position.value is None:
            problem = f"depth {depth} stops at {position.name}, which has no static value"
            cure = "write it as {value: 7, children: [1, 2]}"
            raise entry.key("depth").error(f"{problem}: {cure}")
    return depth


def _player(markup, root, maximizing):
    asked = PLAYERS[markup.word("player", PLAYERS)]
    if isinstance(root, GamePosition) and asked != maximizing:
        raise markup.error("the other player is to move in this game: remove player")
    return asked


def _bound(entry, key, unbounded):
    markup = entry.get(key)
    if markup is None:
        return unbounded
    if INFINITE.fullmatch(markup.text or ""):
        raise markup.error(f"{key} is not finite: leave {key} out for an open window")
    return markup.number(key)


def _published(markup, root, depth):
    """Return the Published figures of a search of `depth` plies; markup may be None."""
    if markup is None:
        return Published()
    find = _finder(root)
    readers = {
        "value": lambda figure: figure.number("the published value"),
        "leaves": lambda figure: _leaves(figure, find, depth),
        "pruned": lambda figure: _leaves(figure, find, depth),
        "evaluations": lambda figure: figure.whole("evaluations", least=1),
        "nodes": lambda figure: figure.whole("nodes", least=1),
        "move": lambda figure: _move(figure, find, depth),
    }
    otherwise = "published must be a mapping such as {value: 3}"
    markup.check_keys(readers, "published", otherwise)
    figures = {key.text: readers[key.text](figure) for key, figure in markup.pairs}
    both = figures.get("leaves", frozenset()) & figures.get("pruned", frozenset())
    if both:
        problem = f"{root.at(min(both)).name} is both visited and pruned: keep one"
        raise markup.key("pruned").error(problem)
    return Published(**figures)


def _finder(root):
    """Return the function that reads a name and returns the position of that name."""
    known = {position.name: position for position in islice(root.subtree(), MOST_NAMED)}

    def find(markup):
        if markup.name() not in known:
            cure = "python -m gametree FILE shows the names"
            raise markup.error(f"no node is called {markup.text[:40]!r}: {cure}")
        return known[markup.text]

    return find


def _leaves(markup, find, depth):
    if markup.items is None:
        raise markup.error("leaves are a list of names: [b1, b2]")
    paths = set()
    for item in markup.items:
        position = find(item)
        below = depth - len(position.path)
        if below < 0 or below > 0 and not position.terminal:
            problem = f"{position.name} is not a leaf of a search of depth {depth}"
            raise item.error(f"{problem}: name its leaves only")
        if position.path in paths:
            raise item.error(f"{position.name} appears twice: remove one")
        paths.add(position.path)
    return frozenset(paths)


def _move(markup, find, depth):
    position = find(markup)
    if depth == 0 or len(position.path) != 1:
        problem = f"{position.name} is not a move: name a child of the root"
        raise markup.error(problem)
    return position.path
