"""The marks of a drawing: what a search did with a node, and what it should have done."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gametree.trace import EVALUATE, Trace


@dataclass(frozen=True)
class Mark:
    """One kind of mark: its sign, also in ASCII, its ANSI colour, its meaning."""

    sign: str
    ascii: str
    colour: str
    meaning: str
    reached: bool


VISITED = Mark("●", "*", "32", "visited", True)
REPEATED = Mark("●●", "**", "36", "visited more than once", True)
PRUNED = Mark("○", "o", "2", "pruned", False)
NOT_VISITED = Mark("○", "o", "2", "not visited", False)
NEEDLESS = Mark("!", "!", "1;31", "visited needlessly", True)
MISSED = Mark("?", "?", "1;33", "not visited, but needed", False)
NO_LEAF = Mark("#", "#", "1;31", "evaluated, but not a leaf of this search", True)
LEGEND = (VISITED, REPEATED, PRUNED, NOT_VISITED, NEEDLESS, MISSED, NO_LEAF)
MOST_WRONG = 12


@dataclass(frozen=True)
class Marks:
    """Which nodes a search reached and visited, beside those that it should have.

    All four are sets of paths; `should_reach` and `should_visit` are None where
    nobody knows. `depth` is the search's, in plies: its leaves lie there, or at
    terminals.
    """

    depth: float
    reached: frozenset
    visited: frozenset
    repeated: frozenset = frozenset()
    should_reach: frozenset | None = None
    should_visit: frozenset | None = None
    should_visit_all: bool = False

    def of(self, path, leaf):
        """Return the Mark of a node; `leaf` tells a leaf of the search."""
        if len(path) > self.depth:
            return NEEDLESS
        if path in self.visited and not leaf:
            return NO_LEAF
        got = path in (self.visited if leaf else self.reached)
        should = self._should(path, leaf)
        if not got:
            return {True: MISSED, False: PRUNED, None: NOT_VISITED}[should]
        if should is False:
            return NEEDLESS
        return REPEATED if leaf and path in self.repeated else VISITED

    def _should(self, path, leaf):
        """Return True, False, or None where nobody knows."""
        if self.should_visit_all:
            return True
        known = self.should_visit if leaf else self.should_reach
        return None if known is None else path in known

    @cached_property
    def inner(self):
        """The paths of nodes of which the search reached a child."""
        return frozenset(path[:-1] for path in self.reached if path)

    @cached_property
    def to_show_first(self):
        """The paths of the leftmost leaves that are wrong, and of what is above them."""
        wrong = self.visited ^ self.should_visit if self.should_visit is not None else ()
        return _with_ancestors(sorted(wrong)[:MOST_WRONG])


def marks_of(tree, search, observed, expected=None):
    """Return the Marks of one search on a tree.

    observed: the Trace, or the set of paths of visited leaves.
    expected: the set of paths that a right search visits. None for "unknown";
        for a trace of minimax it is every leaf.
    """
    everything = False
    if isinstance(observed, Trace):
        visited, repeated = observed.visited, _repeated(observed.events)
        reached = _with_ancestors(path for _, path in observed.events)
        everything = observed.function == "minimax" and expected is None
    else:
        visited, repeated = frozenset(observed), frozenset()
        reached = _with_ancestors(visited)
    return Marks(
        search.depth,
        reached,
        visited,
        repeated,
        None if expected is None else _with_ancestors(expected),
        None if expected is None else frozenset(expected),
        everything,
    )


def _with_ancestors(paths):
    found = set()
    for path in paths:
        while path not in found:
            found.add(path)
            path = path[:-1]
    return frozenset(found)


def _repeated(events):
    """Return the leaves that were visited again after the search had left them."""
    seen, again, before = set(), set(), None
    for kind, path in events:
        if kind == EVALUATE:
            if path in seen and before != path:
                again.add(path)
            seen.add(path)
        before = path
    return frozenset(again)
