"""The judge: what a right search does, and what is wrong with another one.

The public tests, `python -m gametree` and the autograder judge alike. Nothing is run here.
A right search is known by its Trace: the reference's, or what right_trace() works out.

An unvisited leaf may have any value, so each position's value lies in an interval
and a searched tree proves a value only where the two ends meet. A right search
always proves what it returns; a guess does not.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gametree.course import STRICT_CUTOFFS
from gametree.functions import FUNCTIONS, LEAVES, NODE, NODE_COUNT, NUMBER
from gametree.support.trace import (
    EVALUATE,
    EXPAND,
    NOT_RUN,
    RETURNED,
    Answer,
    Ending,
    Trace,
)
from gametree.support.tree import Search, Tree, search_leaf, with_ancestors

UNKNOWN = (-math.inf, math.inf)
MAX_MISSING = 200  # leaves of which each is tried
Interval = tuple[float, float]
# Kinds of findings.
DID_NOT_RETURN, WRONG_TYPE, WRONG_VALUE = "did not return", "wrong type", "wrong value"
UNPROVEN, WRONG_MOVE, TOO_FEW = "unproven", "wrong move", "too few"
MISSED, UNNECESSARY, NOT_A_LEAF = "missed", "needless", "not a leaf"
WRONG_COUNT, LOOKED_BEYOND = "wrong count", "looked beyond"


def intervals(
    tree: Tree, search: Search, visited: Collection[tuple[int, ...]]
) -> dict[tuple[int, ...], Interval]:
    """Return path -> (low, high) for the root and for each of its children.

    Only what was visited is walked, so a lazy tree costs what the search saw.
    """
    of_paths, reached = {}, {(), *with_ancestors(visited)}

    def interval(position):
        path, ends = position.path, UNKNOWN
        if path in reached and not search_leaf(position, search.depth):
            lows, highs = zip(*map(interval, position.children))
            best = search.best_at(path)
            ends = best(lows), best(highs)
        elif path in visited:
            ends = (position.static_value(), position.static_value())
        if len(path) <= 1:
            of_paths[path] = ends
        return ends

    interval(tree.root)
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
    best = {
        path: max(sign * end for end in ends) for path, ends in of_paths.items() if path
    }
    return all(
        worst > best[path] or worst == best[path] and path > move
        for path in best.keys() - {move}
    )


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
    for path in sorted(needed, reverse=True) if len(needed) <= MAX_MISSING else ():
        if proves_a_move(tree, search, visited | needed - {path}):
            needed -= {path}
    return needed


def returned_values(tree: Tree, search: Search, leaves: Iterable[tuple]) -> dict:
    """Return path -> what the right search returns there, of each node that it visits.

    `leaves` are those that it visits. A node returns the best of the values that its
    visited children have returned.
    """
    values = {path: tree.root.at(path).static_value() for path in leaves}
    for path in sorted(with_ancestors(values) - {()}, key=lambda path: (-len(path), path)):
        best = search.best_at(path[:-1])
        values[path[:-1]] = best(values.get(path[:-1], values[path]), values[path])
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


@dataclass(frozen=True, eq=False)
class Task:
    """One search that a program is asked for, and the right Trace of it.

    `aspects` are those that are judged, all of the function's if none are given. `proven`
    is what the right leaves prove; judging fills it once.
    """

    tree: Tree
    function: str
    search: Search
    expected: Trace
    aspects: tuple[str, ...] = ()
    proven: dict = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self):
        if not self.aspects:
            object.__setattr__(self, "aspects", FUNCTIONS[self.function].aspects)

    def is_met_by(self, trace: Trace) -> bool:
        """Tell whether a run is the right one, event for event: no need to judge it."""
        return (trace.events, trace.answer) == (self.expected.events, self.expected.answer)


class Finding(NamedTuple):
    """One thing that is wrong: what kind, where, what was expected, what was got.

    `path` is a position's path or None; `expected` and `got` are what the kind has: a
    value, a count (None in a sealed trace), a path, a kind of answer, or an Ending.
    """

    kind: str
    path: tuple | None = None
    expected: float | tuple | str | None = None
    got: float | tuple | str | Ending | None = None


class Verdict(NamedTuple):
    """The judgement of one task: aspect -> whether it holds, and the findings.

    `trace` is the program's run.
    """

    task: Task
    trace: Trace
    aspects: dict[str, bool]
    findings: tuple[Finding, ...] = ()

    @property
    def right(self) -> bool:
        """Whether every aspect holds."""
        return all(self.aspects.values())

    @property
    def judged(self) -> bool:
        """Whether there was a returned search to judge."""
        return self.trace.ending.kind == RETURNED

    @property
    def was_run(self) -> bool:
        """Whether the search was run at all: else it is neither right nor wrong."""
        return self.trace.ending.kind != NOT_RUN


def right_trace(tree: Tree, function: str, search: Search) -> Trace:
    """Return the Trace of a right search, worked out from the values of all nodes.

    Alpha-beta visits a leaf where alpha is below beta at its turn (Fuller, Gaschnig and
    Gillogly, 1973); where cutoffs are strict, also where they are equal. Every leaf of the
    search is looked at, so the tree has to be small.
    """
    known, leaves = FUNCTIONS[function], [p.path for p in tree.root.frontier(search.depth)]
    values = returned_values(tree, search, leaves)
    answer = Answer(NUMBER, number=values[()])
    if known.has_window:
        windows = {path: window_before(path, search, values)[2:] for path in leaves}
        leaves = [p for p, (a, b) in windows.items() if a < b or STRICT_CUTOFFS and a == b]
    elif known.answer == NODE:
        best = (path for path in values if len(path) == 1 and values[path] == values[()])
        answer = Answer(NODE, path=min(best))
    visited = set(leaves)
    in_order = dict.fromkeys(leaf[:n] for leaf in leaves for n in range(len(leaf) + 1))
    events = [(EVALUATE if path in visited else EXPAND, path) for path in in_order]
    return Trace(function, search, events, answer, Ending())


def judge(task: Task, trace: Trace) -> Verdict:
    """Return the Verdict on a run of a task."""
    right, findings = task.is_met_by(trace), []
    aspects, ended = dict.fromkeys(task.aspects, right), trace.ending.kind == RETURNED
    if not ended:
        findings.append(Finding(DID_NOT_RETURN, got=trace.ending))
    for aspect in aspects if ended and not right else ():
        wrong = CHECKS.get(aspect, _check_answer)(task, trace)
        aspects[aspect] = not wrong
        findings += wrong
    if NODE_COUNT in aspects and ended:  # else a right count of wrong leaves would pay
        aspects[NODE_COUNT] &= aspects[LEAVES]
    return Verdict(task, trace, aspects, tuple(findings))


def proven_by(task: Task, visited: frozenset[tuple]) -> dict:
    """Return what the visited leaves prove, of the right ones as it is remembered.

    That is path -> (low, high) for the root and for each of its children.
    """
    if visited != task.expected.visited:
        return intervals(task.tree, task.search, visited)
    if not task.proven:
        task.proven.update(intervals(task.tree, task.search, visited))
    return task.proven


def acceptable(search: Search, value: float) -> tuple[float, float]:
    """Return the least and the largest number that is right where `value` is the value.

    They differ outside the window: from the value to the bound, any number shows it.
    """
    bound = min(max(value, search.alpha), search.beta)
    return min(value, bound), max(value, bound)


def _check_answer(task, trace):
    right, own, ends = task.expected.answer, trace.answer, proven_by(task, trace.visited)
    if own.kind != right.kind:
        return [Finding(WRONG_TYPE, expected=right.kind, got=own.kind)]
    if right.kind == NODE:
        kind = UNPROVEN if own.path == right.path else WRONG_MOVE
        proven = proves_move(task.search, ends, own.path)
        return [] if proven else [Finding(kind, (), right.path, own.path)]
    low, high = acceptable(task.search, right.number)
    kind = UNPROVEN if low <= own.number <= high else WRONG_VALUE
    proven = proves_value(task.search, *ends[()], own.number)
    return [] if proven else [Finding(kind, (), right.number, own.number)]


def _check_leaves(task, trace):
    """Compare visited leaves; for a move, all that minimax visits may be visited.

    They are too few where they prove no move, be it another than the one returned:
    every right search proves one, a guess does not, though it visits no wrong leaf.
    """
    right, own = task.expected.visited, trace.visited
    root, depth, others = task.tree.root, task.search.depth, []
    for path in sorted(own - right):
        kind = UNNECESSARY if search_leaf(root.at(path), depth) else NOT_A_LEAF
        others.append(Finding(kind, path))
    if FUNCTIONS[task.function].answer != NODE:
        return [Finding(MISSED, path) for path in sorted(right - own)] + others
    wrong = [finding for finding in others if finding.kind == NOT_A_LEAF]
    ends = proven_by(task, own)
    if not any(proves_move(task.search, ends, path) for path in ends if path):
        wrong.append(Finding(TOO_FEW))
    return wrong


def looked_beyond(trace: Trace, leaves: Collection[tuple]) -> tuple[int, ...] | None:
    """Return the first node that was looked at and that the right search never visits.

    `leaves` are the paths that it does visit. None where there is no such node.
    """
    right = with_ancestors(leaves)
    return next((path for _, path in trace.events if path not in right), None)


def _check_count(task, trace):
    expected, got = task.expected.node_count, trace.node_count
    if got == expected or trace.visited != task.expected.visited:
        return []
    if not trace.text:  # a number or a place could speak of a hidden tree
        return [Finding(WRONG_COUNT, expected=expected)]
    path = looked_beyond(trace, task.expected.visited)
    kind = WRONG_COUNT if path is None else LOOKED_BEYOND
    return [Finding(kind, path, expected, got)]


CHECKS = {LEAVES: _check_leaves, NODE_COUNT: _check_count}  # of an aspect, or its answer
