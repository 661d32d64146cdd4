"""How numbers, names and players are written in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gametree.functions import FUNCTIONS
from gametree.saying import say
from gametree.tree import Position, Search, Tree

MOST_NAMES = 8


def number(value: float | None) -> str:
    """Return a number as people write it: 3, -0.5, infinity."""
    if value is None:
        return say("words.nothing")
    if math.isinf(value):
        infinity = say("words.infinity")
        return infinity if value > 0 else f"-{infinity}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value)


def names(root: Position, paths: Sequence[tuple]) -> str:
    """Return the names of positions as a list in words, the first few of many."""
    listed = [root.at(path).name for path in paths[:MOST_NAMES]]
    more = len(paths) - len(listed)
    return in_words([*listed, say("words.more", count=more)] if more > 0 else listed)


def in_words(parts: list[str]) -> str:
    """Return words as people list them: "", "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return say("words.and", listed=", ".join(parts[:-1]), last=parts[-1])


def player(root: Position, search: Search, path: tuple) -> str:
    """Return a node's name and who moves there: "C (MIN)"."""
    who = "MAX" if search.max_moves_at(path) else "MIN"
    return f"{root.at(path).name} ({who})"


def call(tree: Tree, search: Search, function: str) -> str:
    """Return the call of a search, as a student would write it."""
    values = zip(FUNCTIONS[function].arguments, search.arguments(function))
    shown = (f"{name}={x if isinstance(x, bool) else number(x)}" for name, x in values)
    return f"{function}({tree.root.name}, {', '.join(shown)})"
