"""What follows from the visited leaves alone: what they prove, and what returns where.

An unvisited leaf may have any value, so each position's value lies in an interval
and a searched tree proves a value only where the two ends meet. A right search
always proves what it returns; a guess does not.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

from gametree.tree import Search, Tree, search_leaf, with_ancestors

UNKNOWN = (-math.inf, math.inf)
MOST_MISSING = 200  # leaves of which each is tried
Interval = tuple[float, float]


def intervals(
    tree: Tree, search: Search, visited: Collection[tuple[int, ...]]
) -> dict[tuple[int, ...], Interval]:
    """Return path -> (low, high) for the root and for each of its children.

    Only what was visited is walked, so a lazy tree costs what the search saw.
    """
    of_paths, reached = {}, {(), *with_ancestors(visited)}

    def interval(position, maximizing):
        path, ends, choose = position.path, UNKNOWN, max if maximizing else min
        if path in reached and not search_leaf(position, search.depth):
            below = [interval(child, not maximizing) for child in position.children]
            ends = tuple(map(choose, zip(*below)))
        elif path in visited:
            ends = (position.static_value(), position.static_value())
        if len(path) <= 1:
            of_paths[path] = ends
        return ends

    interval(tree.root, search.maximizing)
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
    if not move or move not in of_paths:
        return False
    sign = 1 if search.maximizing else -1
    worst = min(sign * end for end in of_paths[move])
    for path, ends in of_paths.items():
        best = max(sign * end for end in ends)
        if path and (path < move and best >= worst or path > move and best > worst):
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


def returned_values(tree: Tree, search: Search, leaves: Iterable[tuple]) -> dict:
    """Return path -> what the right search returns there, of each node that it visits.

    `leaves` are those that it visits. A node returns the best of the values that its
    visited children have returned.
    """
    values = {path: tree.root.at(path).static_value() for path in leaves}
    for length in range(max(map(len, values), default=0), 0, -1):
        for path in sorted(path for path in values if len(path) == length):
            above = path[:-1]
            best = max if search.max_moves_at(above) else min
            values[above] = best(values.get(above, values[path]), values[path])
    return values


def window_before(path: tuple[int, ...], search: Search, values: Mapping) -> tuple:
    """Return (child, returned, alpha, beta): who came back before the turn of `path`.

    `values` is what returned_values() returns. alpha is the best that MAX has so far at
    the nodes above, beta the best of MIN. Where nobody came back, the child is None.
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
