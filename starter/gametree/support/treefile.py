"""Read tree files: each gives a Tree, or one line that says what is wrong in it."""

from __future__ import annotations

import difflib
import math
import os
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import yaml

from gametree.games import GAMES, GamePosition
from gametree.support.lazy import ORDERS, LazyPosition, random_tree
from gametree.support.saying import say, sentences
from gametree.support.tree import (
    Position,
    Published,
    Search,
    Tree,
    TreeError,
    name_positions,
)

LIMIT = 10**9
LONGEST_NAME = 16
NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)")
NAME = re.compile(r"[^\W\d_][\w.'-]*")
SEVERAL = re.compile(r"[-+.\d]+((, +| +)[-+.\d]+)+")
MAX_LEVELS = 200  # of brackets in brackets
MAX_QUOTED = 60  # characters of the file that an error repeats
STANDARD = "tag:yaml.org,2002:"
# Of these of PyYAML's messages the line to blame is where the unfinished part begins.
BEGIN_EARLIER = "could not find expected", "found unexpected end of stream"
LARGEST = 250_000
DEEPEST = 1000
MAX_NAMED = 100_000  # positions that published figures may name
PLAYERS = {"max": True, "min": False}
TEXTS = {"title": 70, "lesson": 70, "source": 500, "concept": 70}  # and their lengths
KINDS = ("tree", "random", "game")
STATIC = {"value", "children"}
INFINITE = re.compile(r"[-+]?\.?inf(inity)?", re.IGNORECASE)


@dataclass
class Markup:
    """A value of a tree file and the line that it begins on.

    One of `text`, `items` (a list) and `pairs` (a mapping) is what it is, and the others
    are None. `key` is what stands before a value of a mapping. `kind` is what YAML takes it
    for: str, int, bool, null, seq, ... Without quotes or braces it is `plain`. Each method
    reads it as one kind of value, and raises TreeError where it is not one; `what` is what
    the error calls it.
    """

    line: int
    kind: str = "map"
    plain: bool = True
    text: str | None = None
    items: list[Markup] | None = None
    pairs: dict[str, Markup] | None = None
    key: Markup | None = None

    def get(self, key) -> Markup | None:
        """Return the value of `key`, None where there is none."""
        return (self.pairs or {}).get(key)

    def error(self, key, place="", /, **values) -> TreeError:
        """Return the error that blames this value, in the words of a sentence's key."""
        return TreeError(say(key, **values), self.line, place)

    def check_keys(self, known, what, otherwise):
        """Raise TreeError unless this is a mapping of known keys.

        `otherwise` is the key of what to say of anything but a mapping.
        """
        if self.pairs is None:
            raise self.error(otherwise)
        for key, value in self.pairs.items():
            if key not in known:
                cure = _did_you_mean(key, known)
                cure = cure or say("file.known keys", listed=", ".join(known))
                raise value.key.error("file.unknown key", key=key, what=what, cure=cure)

    def number(self, what, place="") -> float:
        """Return the finite int or float that is written."""
        if self.text is None:
            raise self.error("file.one number", place, what=what)
        if not (self.plain and NUMBER.fullmatch(self.text)):
            raise self.error(self._no_number(), place, what=what, text=_cut(self.text, 17))
        # An int of thousands of digits is slow to read, and refused below in any case.
        long = len(self.text) > 400
        value = float(self.text) if "." in self.text or long else int(self.text)
        if not -LIMIT < value < LIMIT:
            raise self.error("file.out of range", place, what=what, text=self.text[:20])
        return value

    def _no_number(self):
        """Return the key of the sentence that says why this text is no number."""
        if not self.text:
            return "file.nothing"
        if NUMBER.fullmatch(self.text):
            return "file.quoted number"
        return "file.several" if SEVERAL.fullmatch(self.text) else "file.no number"

    def whole(self, what, least=0, most=LIMIT) -> int:
        """Return the int from `least` to `most` that is written."""
        value = self.number(what)
        if not isinstance(value, int) or not least <= value <= most:
            given = {"what": what, "text": self.text, "least": least, "most": most}
            raise self.error("file.not possible", **given)
        return value

    def line_of_text(self, what, longest) -> str:
        """Return the one line of text that is written."""
        text = (self.text or "").strip()
        if text and self.kind != "str":
            raise self.error("file.not text", what=what, text=text)
        if not text or "\n" in text:
            raise self.error("file.one line", what=what)
        if len(text) > longest:
            raise self.error("file.long text", what=what, count=len(text), most=longest)
        return text

    def word(self, what, known) -> str:
        """Return the word that is written, one of `known`."""
        text = self.text or ""
        if text not in known:
            cure = _did_you_mean(text, known) or say("file.not it", text=text[:20])
            raise self.error("file.one of", what=what, listed=", ".join(known), cure=cure)
        return text

    def name(self) -> str:
        """Return the node name that is written."""
        if self.text is None:
            raise self.error("file.one word")
        if self.kind != "str":
            raise self.error("file.type of name", name=self.text, type=self.kind)
        return self.text

    def new_name(self) -> str:
        """Return a name for a node of this file: a letter, then letters and digits."""
        shown = self.text[:40]
        if re.fullmatch(r"[^\W\d_][\w.'-]*:\S+", self.text):
            raise self.error("file.no space", name=shown)
        if not NAME.fullmatch(self.text):
            raise self.error("file.no name", name=shown)
        if len(self.text) > LONGEST_NAME:
            raise self.error("file.long name", name=shown, most=LONGEST_NAME)
        return self.name()


def _did_you_mean(word, known):
    """Return "did you mean max?" where `word` is close to a known one, else ""."""
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return say("file.did you mean", word=close[0]) if close else ""


def _cut(text, most=MAX_QUOTED):
    return text if len(text) <= most else f"{text[:most]}..."


def read_markup(text: str) -> Markup:
    """Return the single value that YAML text holds.

    Raises TreeError for what is not YAML, for what is nested deeper than MAX_LEVELS, and
    for the YAML that a tree file has no use for: aliases, tags, further documents.
    """
    try:
        node = yaml.compose(text, yaml.SafeLoader)
        if node is None:
            raise TreeError(say("file.empty"))
        return _markup(node, text, set(), 1)
    except yaml.YAMLError as error:
        raise _explained(error, text) from None
    except RecursionError:
        raise TreeError(say("file.too deep", most=MAX_LEVELS)) from None


def _markup(node, text, seen, depth):
    """Return the Markup of a YAML node of the text; `seen` are the nodes before it."""
    line, kind = node.start_mark.line + 1, node.tag.removeprefix(STANDARD)
    markup = Markup(line, kind)
    if id(node) in seen:
        raise markup.error("file.alias")
    if not kind.isalpha():  # as those of YAML itself are
        raise markup.error("file.tag", tag=_cut(kind))
    if depth > MAX_LEVELS + 1:
        raise markup.error("file.too deep", most=MAX_LEVELS)
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        markup.text, markup.plain = node.value, not node.style
        return markup
    if isinstance(node, yaml.SequenceNode):
        markup.items = [_markup(item, text, seen, depth + 1) for item in node.value]
        return markup
    markup.plain, markup.pairs = not text.startswith("{", node.start_mark.index), {}
    for pair in node.value:
        key, value = (_markup(part, text, seen, depth + 1) for part in pair)
        if key.text is None:
            raise key.error("file.name is list")
        if before := markup.get(key.text):
            raise key.error("file.key twice", name=_cut(key.text), first=before.key.line)
        markup.pairs[key.text], value.key = value, key
    return markup


def _explained(error, text):
    """Return the TreeError that says what a YAML error means for a tree file.

    Of a message that is not among the sentences PyYAML's own words are said.
    """
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return TreeError(say("file.character", character=ascii(chr(error.character))), line)
    message, mark = error.problem, error.problem_mark
    line, start = (each.line + 1 for each in (mark, error.context_mark or mark))
    known = [key for key in sentences() if f"yaml.{message}".startswith(key)]
    said = say(max(known, key=len, default="file.no yaml"), start=start, text=_cut(message))
    return TreeError(said, start if message.startswith(BEGIN_EARLIER) else line)


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
        raise markup.get(kinds[1]).key.error("file.several trees")
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
        raise content.key.error("file.empty tree")
    root = _position(content, (), "the root", {})
    name_positions(root)
    return root, maximizing


def _position(markup, path, place, lines):
    """Return a Position with all below it.

    `place` says where it is written; `lines` maps a name to the line that gives it.
    """
    if markup.text is not None:
        return Position(path, "", markup.number("a leaf", place))
    if STATIC & {*(markup.pairs or ())}:
        below = markup.get("children")
        if markup.pairs.keys() != STATIC:
            raise markup.error("file.static value", place)
        if below.text is not None or STATIC & {*(below.pairs or ())}:
            raise below.error("file.static children", place)
        position = _position(below, path, place, lines)
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


def _named_children(markup, place):
    """Return (name, markup) of each child of a list or mapping; "" is no name."""
    if markup.pairs:
        return [(value.key.new_name(), value) for value in markup.pairs.values()]
    if not markup.items:
        raise markup.error("file.empty node", place)
    for item in markup.items:
        if item.plain and item.pairs and len(item.pairs) == 1:
            raise item.error("file.name in a list", place, name=next(iter(item.pairs)))
    return [("", item) for item in markup.items]


def _random(markup, maximizing):
    needed = ("branching", "depth", "values", "seed")
    markup.check_keys((*needed, "order"), "random", "file.random")
    for key in needed:
        if not markup.get(key):
            raise markup.error("file.random lacks", key=key)
    branching, depth, values, seed, order = map(markup.get, (*needed, "order"))
    sizes = branching.whole("branching", 1, 1000), depth.whole("depth", 0, 100)
    order = order.word("order", ORDERS) if order else ORDERS[0]
    return random_tree(*sizes, _range(values), seed.whole("seed"), order, maximizing)


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
        key: value.text if value.kind == "str" else value.whole("a number of the game")
        for key, value in markup.pairs.items()
        if key != "name"
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
    for entry in listed.items if listed else [Markup(1, pairs={})]:
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
        raise entry.get("alpha").key.error("file.window", alpha=alpha, beta=beta)
    if own and published:
        raise own.key.error("file.published twice")
    return Search(depth, maximizing, alpha, beta, _published(own or published, root, depth))


def _depth(entry, root):
    """Return the depth, and refuse to stop where no static value is given."""
    given = entry.get("depth")
    if given is None:
        return root.height
    depth = given.whole("depth", most=DEEPEST)
    # A lazy position has a value anywhere; to look for one could take for ever.
    for position in () if isinstance(root, LazyPosition) else root.frontier(depth):
        if position.value is None:
            raise given.key.error("file.depth", depth=depth, name=position.name)
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
    known = {position.name: position for position in islice(root.subtree(), MAX_NAMED)}

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
    figures = {key: readers[key](figure) for key, figure in markup.pairs.items()}
    for path in sorted(figures.get("leaves", set()) & figures.get("pruned", set())):
        name = root.at(path).name
        raise markup.get("pruned").key.error("file.visited and pruned", name=name)
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
