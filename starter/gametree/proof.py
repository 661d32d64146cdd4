"""What the visited leaves prove, whatever the unvisited ones may hold.

An unvisited leaf may have any value, so each position's value lies in an interval
and a searched tree proves a value only where the two ends meet. A right search
always proves what it returns; a guess does not.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from gametree.tree import Search, Tree, search_leaf

UNKNOWN = (-math.inf, math.inf)
MOST_MISSING = 200  # leaves of which each is tried
Interval = tuple[float, float]


def intervals(
    tree: Tree, search: Search, visited: Collection[tuple[int, ...]]
) -> dict[tuple[int, ...], Interval]:
    """Return path -> (low, high) for the root and for each of its children.

    Only what was visited is walked, so a lazy tree costs what the search saw.
    """
    reached = {path[:length] for path in visited for length in range(len(path) + 1)}

    def interval(position, maximizing):
        if position.path not in reached:
            return UNKNOWN
        if search_leaf(position, search.depth):
            value = position.static_value()
            return (value, value) if position.path in visited else UNKNOWN
        ends = [interval(child, not maximizing) for child in position.children]
        choose = max if maximizing else min
        return tuple(choose(end) for end in zip(*ends))

    of_paths = {(): interval(tree.root, search.maximizing)}
    if not search_leaf(tree.root, search.depth):
        for child in tree.root.children:
            of_paths[child.path] = interval(child, not search.maximizing)
    return of_paths


def proves_value(search: Search, low: float, high: float, returned: float) -> bool:
    """Tell whether `returned` is right and proven, given the root's interval.

    Within the window the value must be exact. At or below alpha an upper bound
    that is proven, at or above beta a proven lower bound, is right as well: that
    is what fail-soft and fail-hard return.
    """
    if high <= search.alpha:
        return high <= returned <= search.alpha
    if low >= search.beta:
        return search.beta <= returned <= low
    return low == high == returned


def proves_move(
    search: Search, of_paths: Mapping[tuple[int, ...], Interval], move: tuple[int, ...]
) -> bool:
    """Tell whether the leaves prove that `move` is the leftmost best child.

    `of_paths` is what `intervals` returns; `move` is a path.
    """
    moves = {path: ends for path, ends in of_paths.items() if path}
    if move not in moves:
        return False
    sign = 1 if search.maximizing else -1
    worst = min(sign * end for end in moves[move])
    for path, ends in moves.items():
        best = max(sign * end for end in ends)
        if path < move and best >= worst or path > move and best > worst:
            return False
    return True


def proves_a_move(tree: Tree, search: Search, visited: Collection[tuple]) -> bool:
    """Tell whether the visited leaves prove some child to be the leftmost best."""
    of_paths = intervals(tree, search, visited)
    return any(proves_move(search, of_paths, path) for path in of_paths)


def leaves_needed(
    tree: Tree, search: Search, visited: Collection[tuple], right: Collection[tuple]
) -> frozenset[tuple]:
    """Return the leaves that are missing for a move to be proven, none where one is.

    `right` are leaves that prove one. Of those that were not visited, the later ones are
    dropped as far as the others do.
    """
    visited = frozenset(visited)
    if proves_a_move(tree, search, visited):
        return frozenset()
    needed = frozenset(right) - visited
    for path in sorted(needed, reverse=True) if len(needed) <= MOST_MISSING else ():
        if proves_a_move(tree, search, visited | needed - {path}):
            needed -= {path}
    return needed
