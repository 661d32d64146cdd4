"""Where a search parts from the right one: the place, the window there, what it did.

The right search is not run here. It is known by the leaves that it visits, as a tree file
publishes them: a node of which it visits some children and not the last was cut off.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from gametree.functions import FUNCTIONS
from gametree.trace import Trace
from gametree.tree import Search, Tree, search_leaf

# Kinds of divergences, as their sentences are called.
WENT_ON = "went on"
LEFT_OUT, BY_MINIMAX, NO_LEAF = "left out", "left out by minimax", "no leaf"
OTHER_ORDER = "other order"
AGAIN = "again"
READ_BEYOND, READ_BELOW = "read beyond", "read below the depth"
NO_END, BELOW = "no end", "below the depth"  # evaluated, but not a leaf of the search
SAME_LEAVES = "same leaves"


@dataclass(frozen=True)
class Divergence:
    """Where two runs part.

    `path` is the node at which they do. `child` is the child that had just returned
    there, with its value `returned`, or None. `alpha` and `beta` are the window at
    the node then, None for minimax, which has none. `paths` are the children that
    cannot matter (WENT_ON), that can (LEFT_OUT), or whose turn it was (OTHER_ORDER);
    `got` is the node that the submission went to.
    """

    kind: str
    path: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...] = ()
    got: tuple[int, ...] | None = None
    child: tuple[int, ...] | None = None
    returned: float | None = None
    alpha: float | None = None
    beta: float | None = None


def divergence_of(tree: Tree, trace: Trace, leaves: Collection[tuple]) -> Divergence:
    """Return the Divergence of a minimax or alphabeta trace from the right search.

    leaves: the paths that the right search visits.
    Where the leaves differ, the Divergence is at the first one that does, in order.
    Where they do not, nodes may be looked at in vain, or searched again; otherwise only
    the answers differ.
    """
    if trace.visited == frozenset(leaves):
        beyond = looked_beyond(trace, leaves)
        if beyond is not None:
            return _at_the_cutoff(READ_BEYOND, beyond, tree, trace, leaves)
        again = _searched_again(trace)
        return Divergence(SAME_LEAVES if again is None else AGAIN, again or (), got=again)
    has_window = FUNCTIONS[trace.function].has_window
    right, own = sorted(leaves), without_repeats(trace.evaluated)
    if not has_window:  # minimax, whose order is free
        own = sorted(trace.visited)
    number = _first_difference(right, own)
    expected = right[number] if number < len(right) else None
    if number < len(own):
        got = own[number]
        if not search_leaf(tree.root.at(got), trace.search.depth):
            kind = BELOW if len(got) > trace.search.depth else NO_END
            return Divergence(kind, got, got=got)
        if got in own[:number]:
            return Divergence(AGAIN, got, got=got)
        if got not in leaves and sum(leaf < got for leaf in right) <= number:
            return _at_the_cutoff(WENT_ON, got, tree, trace, leaves)
        if expected in own:
            length = _first_difference(expected, got) + 1
            child, other = expected[:length], got[:length]
            return Divergence(OTHER_ORDER, child[:-1], (child,), other)
    if not own:
        return Divergence(NO_LEAF, ())
    skipped = _largest_around(expected, own)
    if not has_window:
        return Divergence(BY_MINIMAX, skipped[:-1], (skipped,))
    at = window_before(skipped, trace.search, returned_values(tree, trace.search, leaves))
    return Divergence(LEFT_OUT, skipped[:-1], (skipped,), None, *at)


def _at_the_cutoff(kind, got, tree, trace, leaves):
    """Return the Divergence of a search that went on to `got`, at the cutoff before it."""
    values = returned_values(tree, trace.search, leaves)
    lengths = range(len(got) + 1)
    beyond = next(got[:length] for length in lengths if got[:length] not in values)
    path = beyond[:-1]
    if path in leaves:  # it went below the search's depth
        return Divergence(READ_BELOW, got, got=got)
    children = [child.path for child in tree.root.at(path).children]
    left_out = tuple(child for child in children if child not in values)
    at = window_before(left_out[0], trace.search, values)
    went_to = got if kind == READ_BEYOND else beyond
    return Divergence(kind, path, left_out, went_to, *at)


def looked_beyond(trace: Trace, leaves: Collection[tuple]) -> tuple[int, ...] | None:
    """Return the first node that was looked at and that the right search never visits.

    `leaves` are the paths that it does visit. None where there is no such node.
    """
    right = {path[:length] for path in leaves for length in range(len(path) + 1)}
    return next((path for _, path in trace.events if path not in right), None)


def without_repeats(paths: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the paths without those that equal the one before, as a list."""
    return [path for path, before in zip(paths, [None, *paths]) if path != before]


def returned_values(tree: Tree, search: Search, leaves: Iterable[tuple]) -> dict:
    """Return path -> what the right search returns there, of each node that it visits.

    A node returns the best of the values that its visited children have returned.
    """
    values = {path: tree.root.at(path).static_value() for path in leaves}
    for length in range(max(map(len, values), default=0), 0, -1):
        for path in sorted(path for path in values if len(path) == length):
            above = path[:-1]
            best = max if search.max_moves_at(above) else min
            values[above] = best(values.get(above, values[path]), values[path])
    return values


def _searched_again(trace):
    """Return the first node that is visited twice, None where none is."""
    seen = set()
    for path in trace.visits():
        if path in seen:
            return path
        seen.add(path)
    return None


def _first_difference(one, other):
    for number, (left, right) in enumerate(zip(one, other)):
        if left != right:
            return number
    return min(len(one), len(other))


def _largest_around(leaf, own):
    """Return the topmost node around a leaf below which no leaf was visited."""
    lengths = range(len(leaf) + 1)
    return next(
        leaf[:length]
        for length in lengths
        if not any(path[:length] == leaf[:length] for path in own)
    )


def window_before(path, search, values):
    """Return (child, returned, alpha, beta): who came back before the turn of `path`.

    alpha is the best that MAX has so far at the nodes above, beta the best of MIN.
    """
    alpha, beta = search.alpha, search.beta
    for length in range(len(path)):
        earlier = [values[(*path[:length], index)] for index in range(path[length])]
        if search.max_moves_at(path[:length]):
            alpha = max([alpha, *earlier])
        else:
            beta = min([beta, *earlier])
    child = (*path[:-1], path[-1] - 1) if path and path[-1] else None
    return child, values.get(child), alpha, beta
