"""Read what is published of a search: its value, leaves, counts and move."""

from __future__ import annotations

from gametree.lazy import LazyPosition
from gametree.markup import Items, Pairs
from gametree.position import Published
from gametree.scalars import name, number, whole
from gametree.treeerror import TreeError, check_keys

KEYS = ("value", "leaves", "pruned", "evaluations", "nodes", "move")


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
    check_keys(markup, KEYS, "published")
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
