"""Load tree files: one YAML file, one tree, one lesson."""

from __future__ import annotations

from pathlib import Path

import yaml

from gametree.branches import read_tree
from gametree.markup import Pairs, Scalar, read_markup
from gametree.position import Tree
from gametree.scalars import PLAYERS, word
from gametree.scalars import text as read_text
from gametree.searches import read_searches
from gametree.specs import read_game, read_random
from gametree.treeerror import TreeError, check_keys

LARGEST = 250_000
KINDS = ("tree", "random", "game")
KEYS = ("title", "lesson", "source", "root", *KINDS, "searches", "published")
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
    check_keys(markup, KEYS, "the file")
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
