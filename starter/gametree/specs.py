"""Read `random:` and `game:` of a tree file: trees that are made, not written out."""

from __future__ import annotations

from gametree.games import GAMES
from gametree.lazy import KEYS, ORDERS, random_tree
from gametree.markup import Items, Pairs, Scalar
from gametree.scalars import number, whole, word, yaml_type
from gametree.treeerror import TreeError, check_keys


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
