"""Read the searches of a tree file: how deep, who moves, within which window."""

from __future__ import annotations

import math
import re

from gametree.branches import height
from gametree.games import GamePosition
from gametree.lazy import LazyPosition
from gametree.markup import Items, Pairs, Scalar
from gametree.position import Published, Search
from gametree.published import frontier, read_published
from gametree.scalars import PLAYERS, number, whole, word
from gametree.treeerror import TreeError, check_keys

KEYS = ("depth", "player", "alpha", "beta", "published")
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
    check_keys(entry, KEYS, "a search")
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
