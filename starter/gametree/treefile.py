"""Build a written-out tree: numbers, lists and mappings into named positions."""

from __future__ import annotations

import math
import re
from collections import deque
from itertools import count, product
from pathlib import Path
from string import ascii_uppercase

import yaml

from gametree.games import GAMES, GamePosition
from gametree.lazy import KEYS, ORDERS, LazyPosition, random_tree
from gametree.markup import (
    PLAYERS,
    Items,
    Pairs,
    Scalar,
    TreeError,
    check_keys,
    name,
    new_name,
    number,
    read_markup,
    whole,
    word,
    yaml_type,
)
from gametree.markup import text as read_text
from gametree.tree import Position, Published, Search, Tree


class Branch:
    """One node while its tree is being read: what is written, where, in what."""

    def __init__(self, line, parent=None, index=0, name=None):
        self.line = line
        self.parent = parent
        self.index = index
        self.name = name
        self.value = None
        self.children = []

    def __str__(self):
        if self.name:
            return f"node {self.name}"
        if self.parent is None:
            return "the root"
        place = f"child {self.index + 1} of "
        if self.parent.parent is None or self.parent.name:
            return place + str(self.parent)
        numbers, ancestor = [], self
        while ancestor.parent is not None and ancestor.name is None:
            numbers.insert(0, str(ancestor.index + 1))
            ancestor = ancestor.parent
        return f"child {'.'.join(numbers)} of {ancestor}"


def read_tree(markup):
    """Return the root Position of a tree that is written out in full."""
    root = Branch(markup.line)
    _read(markup, root)
    _name(root)
    return _position(root, ())


def _read(markup, branch):
    if isinstance(markup, Scalar):
        branch.value = number(markup, branch, "a leaf")
    elif isinstance(markup, Pairs) and _is_static(markup):
        _read_static(markup, branch)
    elif isinstance(markup, Pairs):
        _read_children([(new_name(key), value) for key, value in markup.pairs], branch)
    else:
        for item in markup.items:
            _refuse_bare_pair(item, branch)
        _read_children([(None, item) for item in markup.items], branch)


def _is_static(pairs):
    return any(key.text in ("value", "children") for key, _ in pairs.pairs)


def _read_static(pairs, branch):
    if {key.text for key, _ in pairs.pairs} != {"value", "children"}:
        problem = "a static value is written {value: 7, children: [1, 2]}"
        raise TreeError(f"{problem}, with these two keys only", pairs.line, branch)
    children = pairs.get("children")
    if isinstance(children, Scalar) or isinstance(children, Pairs) and _is_static(children):
        problem = "children must be a list or a mapping of names"
        raise TreeError(problem, children.line, branch)
    _read(children, branch)
    branch.value = number(pairs.get("value"), branch, "a static value")


def _refuse_bare_pair(item, branch):
    if not isinstance(item, Pairs) or item.braced or len(item.pairs) > 1:
        return
    written = item.pairs[0][0].text
    problem = f"{written!r} names a child inside a list"
    cure = "name children in a mapping, {b1: 3, b2: 4}, or leave the name out"
    raise TreeError(f"{problem}: {cure}", item.line, branch)


def _read_children(named, branch):
    if not named:
        problem = "an empty node: write its children, or one number for a leaf"
        raise TreeError(problem, branch.line, branch)
    for index, (given, markup) in enumerate(named):
        child = Branch(markup.line, branch, index, given)
        branch.children.append(child)
        _read(markup, child)


def letters():
    """Yield B, C, ... Z, AA, AB, ...: the names of unnamed interior nodes."""
    for length in count(1):
        for row in product(ascii_uppercase, repeat=length):
            if row != ("A",):
                yield "".join(row)


def default_names(root):
    """Yield (position, name) row by row, as a tree file that names nothing has them.

    A leaf is called after its parent, so give each position its name as it comes.
    """
    yield root, "A"
    row, fresh = [root], letters()
    while row:
        for position in row:
            for index, child in enumerate(position.children):
                leaf = f"{position.name.lower()}{index + 1}"
                yield child, leaf if child.terminal else next(fresh)
        row = [child for position in row for child in position.children]


def _name(root):
    """Name every branch: given names first, then A, B, C ... and b1, b2, ..."""
    order, queue = [], deque([root])
    while queue:
        branch = queue.popleft()
        order.append(branch)
        queue.extend(branch.children)
    taken = _given_names(order)
    fresh = (name for name in letters() if name not in taken)
    if root.name is None:
        root.name = "A" if "A" not in taken else "Root"
        taken[root.name] = root
    for branch in order:
        if branch.name is None:
            branch.name = next(fresh) if branch.children else _leaf_name(branch, taken)
            taken[branch.name] = branch


def _given_names(order):
    taken = {}
    for branch in sorted((b for b in order if b.name), key=lambda b: b.line):
        if branch.name in taken:
            problem = f"the name stands twice, first on line {taken[branch.name].line}"
            raise TreeError(f"{problem}: give one another name", branch.line, branch)
        taken[branch.name] = branch
    return taken


def _leaf_name(branch, taken):
    name = f"{branch.parent.name.lower()}{branch.index + 1}"
    while name in taken:
        name += "'"
    return name


def _position(branch, path):
    children = [
        _position(child, (*path, index)) for index, child in enumerate(branch.children)
    ]
    return Position(path, branch.name, branch.value, children)


def height(position):
    """Return the number of plies below a position; of a lazy one, at most."""
    if isinstance(position, LazyPosition):
        return position.height
    return max((1 + height(child) for child in position.children), default=0)


PUBLISHED_KEYS = ("value", "leaves", "pruned", "evaluations", "nodes", "move")


def frontier(position, depth):
    """Yield the search leaves: terminals, and positions `depth` plies down."""
    if depth == 0 or position.terminal:
        yield position
    else:
        for child in position.children:
            yield from frontier(child, depth - 1)


def read_published(markup, root, depth):
    """Return the Published figures of a search of `depth` plies, or raise TreeError."""
    if not isinstance(markup, Pairs):
        raise TreeError("published must be a mapping such as {value: 3}", markup.line)
    check_keys(markup, PUBLISHED_KEYS, "published")
    named = _Names(root)
    readers = {
        "value": lambda given: number(given, what="the published value"),
        "leaves": lambda given: _leaves(given, named, depth),
        "pruned": lambda given: _leaves(given, named, depth),
        "evaluations": lambda given: whole(given, "evaluations", least=1),
        "nodes": lambda given: whole(given, "nodes", least=1),
        "move": lambda given: _move(given, named, depth),
    }
    found = {key.text: readers[key.text](given) for key, given in markup.pairs}
    both = found.get("leaves", frozenset()) & found.get("pruned", frozenset())
    if both:
        problem = f"{root.at(min(both)).name} is both visited and pruned: keep one"
        raise TreeError(problem, markup.line_of("pruned"))
    return Published(**found)


class _Names:
    """Finds a position by its name; in a lazy tree, by walking down to it."""

    def __init__(self, root):
        self.root = root
        self.known = None

    def find(self, markup):
        wanted = name(markup)
        if isinstance(self.root, LazyPosition):
            position = self._walk(wanted)
        else:
            self.known = self.known or {each.name: each for each in _all(self.root)}
            position = self.known.get(wanted)
        if position is None:
            cure = "python -m gametree FILE shows the names"
            raise TreeError(f"no node is called {wanted[:40]!r}: {cure}", markup.line)
        return position

    def _walk(self, wanted):
        position = self.root
        while position is not None and position.name != wanted:
            below = (c for c in position.children if f"{wanted}.".startswith(f"{c.name}."))
            position = next(below, None)
        return position


def _all(root):
    unseen = [root]
    while unseen:
        position = unseen.pop()
        yield position
        unseen += position.children


def _leaves(markup, named, depth):
    if not isinstance(markup, Items):
        raise TreeError("leaves are a list of names: [b1, b2]", markup.line)
    paths = set()
    for item in markup.items:
        position = named.find(item)
        below = depth - len(position.path)
        if below < 0 or below > 0 and not position.terminal:
            problem = f"{position.name} is no leaf of a search of depth {depth}"
            raise TreeError(f"{problem}: name its leaves only", item.line)
        if position.path in paths:
            raise TreeError(f"{position.name} stands twice: remove one", item.line)
        paths.add(position.path)
    return frozenset(paths)


def _move(markup, named, depth):
    position = named.find(markup)
    if depth == 0 or len(position.path) != 1:
        problem = f"{position.name} is no move: name a child of the root"
        raise TreeError(problem, markup.line)
    return position.path


SEARCH_KEYS = ("depth", "player", "alpha", "beta", "published")
DEEPEST = 1000
INFINITE = re.compile(r"[-+]?\.?inf(inity)?", re.IGNORECASE)


def read_searches(markup, published, root, maximizing):
    """Return the Search tuple of a file: `searches:`, or one search of it all.

    `published` is the file's own `published:`, which belongs to the first search.
    Raises TreeError for a search that the tree cannot answer.
    """
    if markup is None:
        entries = [Pairs([], 1, True)]
    elif isinstance(markup, Items) and markup.items:
        entries = markup.items
    else:
        raise TreeError("searches must be a list such as [{depth: 2}]", markup.line)
    found = []
    for entry in entries:
        search = _read_search(entry, published, root, maximizing)
        if search in found:
            raise TreeError("this search stands twice: remove one", entry.line)
        found.append(search)
        published = None
    return tuple(found)


def _read_search(entry, published, root, maximizing):
    if not isinstance(entry, Pairs):
        raise TreeError("a search is a mapping such as {depth: 2}, or {}", entry.line)
    check_keys(entry, SEARCH_KEYS, "a search")
    depth = _depth(entry, root)
    if entry.get("player"):
        maximizing = _player(entry.get("player"), root, maximizing)
    alpha, beta = _window(entry)
    figures = entry.get("published")
    if figures and published:
        problem = "the first search is published twice, here and at the top of the file"
        raise TreeError(f"{problem}: keep one", entry.line_of("published"))
    figures = figures or published
    found = read_published(figures, root, depth) if figures else Published()
    return Search(depth, maximizing, alpha, beta, found)


def _depth(entry, root):
    """Return the depth, and refuse to stop where no static value is given."""
    if entry.get("depth") is None:
        return height(root)
    depth = whole(entry.get("depth"), "depth", most=DEEPEST)
    if not isinstance(root, LazyPosition):
        for position in frontier(root, depth):
            if position.value is None:
                problem = f"depth {depth} stops at {position.name}, without static value"
                cure = "write it as {value: 7, children: [1, 2]}"
                raise TreeError(f"{problem}: {cure}", entry.line_of("depth"))
    return depth


def _player(markup, root, maximizing):
    asked = PLAYERS[word(markup, "player", PLAYERS)]
    if isinstance(root, GamePosition) and asked != maximizing:
        problem = "the other player is to move in this game: remove player"
        raise TreeError(problem, markup.line)
    return asked


def _window(entry):
    alpha = _bound(entry, "alpha", -math.inf)
    beta = _bound(entry, "beta", math.inf)
    if alpha >= beta:
        problem = f"alpha {alpha} is not below beta {beta}: lower alpha or raise beta"
        raise TreeError(problem, entry.line_of("alpha"))
    return alpha, beta


def _bound(entry, key, unbounded):
    markup = entry.get(key)
    if markup is None:
        return unbounded
    if isinstance(markup, Scalar) and INFINITE.fullmatch(markup.text):
        problem = f"{key} is not finite: leave {key} out for an open window"
        raise TreeError(problem, markup.line)
    return number(markup, what=key)


def read_random(markup, maximizing):
    """Return the root of a `random:` tree, or raise TreeError."""
    example = "{branching: 2, depth: 10, values: [0, 100], seed: 7}"
    if not isinstance(markup, Pairs):
        raise TreeError(f"random must be a mapping: {example}", markup.line)
    check_keys(markup, KEYS, "random")
    missing = [key for key in KEYS[:-1] if markup.get(key) is None]
    if missing:
        raise TreeError(f"random lacks {missing[0]}: write {example}", markup.line)
    order = markup.get("order")
    try:
        return random_tree(
            whole(markup.get("branching"), "branching", 1, 1000),
            whole(markup.get("depth"), "depth", 0, 100),
            _range(markup.get("values")),
            whole(markup.get("seed"), "seed"),
            "random" if order is None else word(order, "order", ORDERS),
            maximizing,
        )
    except TreeError:
        raise
    except ValueError as error:
        raise TreeError(str(error), markup.line) from None


def _range(markup):
    if not isinstance(markup, Items) or len(markup.items) != 2:
        raise TreeError("values must be a list of two: [0, 100]", markup.line)
    low, high = (number(item, what="an end of values") for item in markup.items)
    if not (isinstance(low, int) and isinstance(high, int) and low <= high):
        problem = f"values [{low}, {high}] is no range of whole numbers"
        raise TreeError(f"{problem}: write the smaller first", markup.line)
    return low, high


def read_game(markup, maximizing):
    """Return the start of a `game:`, or raise TreeError.

    `maximizing` is the file's root, or None where the game itself decides.
    """
    if not isinstance(markup, Pairs) or markup.get("name") is None:
        problem = "game must be a mapping with a name: {name: coins, coins: 4}"
        raise TreeError(problem, markup.line)
    name = word(markup.get("name"), "the game's name", GAMES)
    check_keys(markup, ("name", *GAMES[name].KEYS), f"game {name}")
    given = {key.text: _plain(value) for key, value in markup.pairs if key.text != "name"}
    try:
        return GAMES[name].start(**given, maximizing=maximizing)
    except ValueError as error:
        raise TreeError(str(error), markup.line) from None


def _plain(markup):
    if isinstance(markup, Items):
        return [_plain(item) for item in markup.items]
    if isinstance(markup, Scalar) and yaml_type(markup) == "str":
        return markup.text
    return whole(markup, "a number of the game")


LARGEST = 250_000
KINDS = ("tree", "random", "game")
FILE_KEYS = ("title", "lesson", "source", "root", *KINDS, "searches", "published")
# The quick parser first. What it refuses is read again by the one that every
# machine has, so that an error is the same everywhere.
LOADERS = (getattr(yaml, "CSafeLoader", yaml.SafeLoader), yaml.SafeLoader)


def load_tree(path):
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


def load_trees(folder):
    """Read every tree file of a folder: a list of trees, sorted by file name."""
    folder = Path(folder)
    if not folder.is_dir():
        raise TreeError("no such folder: name a folder of tree files", file=str(folder))
    paths = [path for path in folder.iterdir() if not path.name.startswith(".")]
    for path in paths:
        if path.suffix == ".yml":
            raise TreeError("tree files end in .yaml: rename it", file=str(path))
    found = [load_tree(path) for path in sorted(paths) if path.suffix == ".yaml"]
    if not found:
        raise TreeError("no tree file (.yaml) is in this folder", file=str(folder))
    return found


def parse_tree(text, name):
    """Read a tree from the text of a tree file; `name` names it, and its errors."""
    text = text.removeprefix("\ufeff")
    for loader in LOADERS:
        try:
            return _tree(read_markup(text, loader), name)
        except TreeError as error:
            error.file = name
            found = error
    raise found


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
    if not isinstance(markup, Pairs):
        problem = "a tree file begins with keys: title, lesson, root and tree"
        raise TreeError(problem, markup.line)
    check_keys(markup, FILE_KEYS, "the file")
    root, maximizing = _root(markup)
    texts = {"title": name, "lesson": "", "source": ""}
    for key in texts:
        if markup.get(key):
            longest = 500 if key == "source" else 70
            texts[key] = read_text(markup.get(key), key, longest)
    searches = read_searches(
        markup.get("searches"), markup.get("published"), root, maximizing
    )
    return Tree(name, root=root, maximizing=maximizing, searches=searches, **texts)


def _root(markup):
    kinds = [kind for kind in KINDS if markup.get(kind)]
    if len(kinds) != 1:
        if not kinds:
            raise TreeError("the file holds no tree: write tree, random or game")
        problem = "a file holds one of tree, random and game: remove the others"
        raise TreeError(problem, markup.line_of(kinds[1]))
    given = markup.get("root")
    maximizing = PLAYERS[word(given, "root", PLAYERS)] if given else None
    kind, content = kinds[0], markup.get(kinds[0])
    if kind == "game":
        root = read_game(content, maximizing)
        return root, root.maximizing
    if maximizing is None:
        raise TreeError("root is missing: write root: max or root: min")
    if kind == "random":
        return read_random(content, maximizing), maximizing
    if isinstance(content, Scalar) and not content.text:
        problem = "the tree is empty: write a list such as [[3, 5], [2, 9]]"
        raise TreeError(problem, markup.line_of("tree"))
    return read_tree(content), maximizing
