"""The judge: what a correct search does, and what is wrong with another one.

The public tests, `python -m gametree` and the autograder judge alike. Nothing is run here.
A correct search is known by its Trace: the reference's, or what right_trace() works out.

An unvisited leaf may have any value, so each position's value lies in an interval
and a searched tree proves a value only where the two ends meet. A correct search
always proves what it returns; a guess does not.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gametree.course import STRICT_CUTOFFS
from gametree.functions import (
    FUNCTIONS,
    LEAVES,
    MOVE,
    NODE,
    NODE_COUNT,
    NUMBER,
    VALUE,
)
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

Interval = tuple[float, float]
UNKNOWN = (-math.inf, math.inf)
MAX_MISSING = 200  # leaves that leaves_needed() tries to drop, one by one

# Kinds of findings.
DID_NOT_RETURN = "did not return"
WRONG_TYPE = "wrong type"
WRONG_VALUE = "wrong value"
WRONG_MOVE = "wrong move"
UNPROVEN = "unproven"
MISSED = "missed"
UNNECESSARY = "needless"
NOT_A_LEAF = "not a leaf"
TOO_FEW = "too few"
WRONG_COUNT = "wrong count"
LOOKED_BEYOND = "looked beyond"


def intervals(
    tree: Tree, search: Search, visited: Collection[tuple[int, ...]]
) -> dict[tuple[int, ...], Interval]:
    """Return path -> (low, high) for the root and for each of its children.

    Only what was visited is walked, so a lazy tree costs what the search visited.
    """
    proven = {}
    reached = {(), *with_ancestors(visited)}

    def interval(position):
        path = position.path
        ends = UNKNOWN
        if path in reached and not search_leaf(position, search.depth):
            lows, highs = zip(*map(interval, position.children))
            best = search.best_at(path)
            ends = (best(lows), best(highs))
        elif path in visited:
            value = position.static_value()
            ends = (value, value)
        if len(path) <= 1:
            proven[path] = ends
        return ends

    interval(tree.root)
    return proven


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
    search: Search, proven: Mapping[tuple[int, ...], Interval], move: tuple[int, ...]
) -> bool:
    """Tell whether the leaves prove that `move` is the leftmost best child.

    `proven` is what `intervals` returns; `move` is a path.
    """
    if not move or move not in proven:
        return False
    sign = 1 if search.maximizing else -1  # higher is better for both players
    assured = min(sign * end for end in proven[move])
    for path, ends in proven.items():
        if path in ((), move):
            continue
        possible = max(sign * end for end in ends)
        is_left = path < move
        if possible > assured or possible == assured and is_left:
            return False
    return True


def proves_a_move(tree: Tree, search: Search, visited: Collection[tuple]) -> bool:
    """Tell whether the visited leaves prove some child to be the leftmost best."""
    return _some_move_is_proven(search, intervals(tree, search, visited))


def _some_move_is_proven(search, proven):
    return any(proves_move(search, proven, path) for path in proven)


def leaves_needed(
    tree: Tree, search: Search, visited: Collection[tuple], right: Collection[tuple]
) -> frozenset[tuple]:
    """Return the leaves that are missing for a move to be proven, none where one is.

    `right` are leaves that prove one. Of those that were not visited, the later ones are
    dropped as far as the others prove a move.
    """
    visited = frozenset(visited)
    if proves_a_move(tree, search, visited):
        return frozenset()
    needed = frozenset(right) - visited
    if len(needed) > MAX_MISSING:
        return needed
    for path in sorted(needed, reverse=True):
        fewer = needed - {path}
        if proves_a_move(tree, search, visited | fewer):
            needed = fewer
    return needed


def returned_values(tree: Tree, search: Search, leaves: Iterable[tuple]) -> dict:
    """Return path -> what the correct search returns there, of each node that it visits.

    `leaves` are those that it visits. A node returns the best of the values that its
    visited children have returned.
    """
    values = {path: tree.root.at(path).static_value() for path in leaves}
    left_to_right = sorted(with_ancestors(values) - {()})
    for path in sorted(left_to_right, key=len, reverse=True):  # from the deepest up
        parent = path[:-1]
        value = values[path]
        if parent in values:
            best = search.best_at(parent)
            value = best(values[parent], value)
        values[parent] = value
    return values


class Turn(NamedTuple):
    """What a correct search knows when it comes to a node.

    child: the path of the sibling that has returned last, None where none has.
    returned: what this sibling returned, or None.
    alpha: the best value that MAX has so far at the nodes above.
    beta: the best value that MIN has so far at the nodes above.
    """

    child: tuple[int, ...] | None
    returned: float | None
    alpha: float
    beta: float


def window_before(path: tuple[int, ...], search: Search, values: Mapping) -> Turn:
    """Return the Turn of the node at `path`: its window, and who has returned before.

    `values` is what returned_values() returns.
    """
    alpha = search.alpha
    beta = search.beta
    for length, index in enumerate(path):
        above = path[:length]
        earlier = [values[(*above, number)] for number in range(index)]
        if search.max_moves_at(above):
            alpha = max([alpha, *earlier])
        else:
            beta = min([beta, *earlier])
    if not path or path[-1] == 0:
        return Turn(None, None, alpha, beta)
    child = (*path[:-1], path[-1] - 1)
    return Turn(child, values[child], alpha, beta)


@dataclass(frozen=True, eq=False)
class Task:
    """One search that a program is asked for, and the correct Trace of it.

    tree: the Tree that is searched.
    function: the name of the function that is called.
    search: its arguments: depth, player and window.
    expected: the Trace of a correct search.
    aspects: those that are judged; all of the function's if none are given.
    proven: what the leaves of `expected` prove; judging fills it once.
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
        """Tell whether a run is the correct one, event for event: no need to judge it."""
        return (trace.events, trace.answer) == (self.expected.events, self.expected.answer)


class Finding(NamedTuple):
    """One thing that is wrong.

    kind: one of the kinds above.
    path: the path of the position where it is wrong, or None.
    expected: what is right: a value, a count, a path, or a kind of answer.
    got: what the program did, of the same kind; or the Ending of a search that did not
        return. A count is None in a sealed trace.
    """

    kind: str
    path: tuple | None = None
    expected: float | tuple | str | None = None
    got: float | tuple | str | Ending | None = None


class Verdict(NamedTuple):
    """The judgement of one task.

    task: the Task.
    trace: the program's run.
    aspects: aspect -> whether it holds.
    findings: what is wrong, aspect by aspect.
    """

    task: Task
    trace: Trace
    aspects: dict[str, bool]
    findings: tuple[Finding, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether every aspect holds."""
        return all(self.aspects.values())

    @property
    def has_returned(self) -> bool:
        """Whether there was a returned search to judge."""
        return self.trace.ending.kind == RETURNED

    @property
    def was_run(self) -> bool:
        """Whether the search was run at all: else it is neither right nor wrong."""
        return self.trace.ending.kind != NOT_RUN


def right_trace(tree: Tree, function: str, search: Search) -> Trace:
    """Return the Trace of a correct search, worked out from the values of all nodes.

    Every leaf of the search is evaluated, so the tree has to be small.
    """
    asked = FUNCTIONS[function]
    leaves = [position.path for position in tree.root.frontier(search.depth)]
    values = returned_values(tree, search, leaves)
    answer = Answer(NUMBER, number=values[()])
    if asked.answer == NODE:
        moves = [path for path in values if len(path) == 1]
        best_moves = [path for path in moves if values[path] == values[()]]
        answer = Answer(NODE, path=min(best_moves))
    if asked.has_window:
        turns = {path: window_before(path, search, values) for path in leaves}
        leaves = [path for path, turn in turns.items() if _is_open(turn)]
    kinds = {}  # path -> EXPAND or EVALUATE, in the order of the first visits
    for leaf in leaves:
        for length in range(len(leaf)):
            kinds[leaf[:length]] = EXPAND
        kinds[leaf] = EVALUATE
    events = [(kind, path) for path, kind in kinds.items()]
    return Trace(function, search, events, answer, Ending())


def _is_open(turn):
    """Tell whether alpha-beta visits a leaf, by its window when its turn comes.

    Source: Fuller, Gaschnig and Gillogly, "Analysis of the alpha-beta pruning
    algorithm", 1973.
    """
    if STRICT_CUTOFFS:
        return turn.alpha <= turn.beta
    return turn.alpha < turn.beta


def judge(task: Task, trace: Trace) -> Verdict:
    """Return the Verdict on a run of a task."""
    if trace.ending.kind != RETURNED:
        aspects = dict.fromkeys(task.aspects, False)
        return Verdict(task, trace, aspects, (Finding(DID_NOT_RETURN, got=trace.ending),))
    if task.is_met_by(trace):
        return Verdict(task, trace, dict.fromkeys(task.aspects, True))
    aspects = {}
    findings = []
    for aspect in task.aspects:
        wrong = CHECKS[aspect](task, trace)
        aspects[aspect] = not wrong
        findings += wrong
    if NODE_COUNT in aspects:  # else a right count of wrong leaves would earn points
        aspects[NODE_COUNT] &= aspects[LEAVES]
    return Verdict(task, trace, aspects, tuple(findings))


def proven_by(task: Task, visited: frozenset[tuple]) -> dict:
    """Return the intervals that these leaves prove: path -> (low, high).

    For the leaves of the correct search the result is cached in the task.
    """
    if visited != task.expected.visited:
        return intervals(task.tree, task.search, visited)
    if not task.proven:
        task.proven.update(intervals(task.tree, task.search, visited))
    return task.proven


def acceptable(search: Search, value: float) -> tuple[float, float]:
    """Return the least and the largest number that is right where `value` is the value.

    They differ outside the window: any number from the value to the bound is right.
    """
    bound = min(max(value, search.alpha), search.beta)
    return min(value, bound), max(value, bound)


def _check_answer(task, trace):
    expected = task.expected.answer
    if trace.answer.kind != expected.kind:
        return [Finding(WRONG_TYPE, expected=expected.kind, got=trace.answer.kind)]
    if expected.kind == NODE:
        return _check_move(task, trace)
    return _check_number(task, trace)


def _check_move(task, trace):
    expected = task.expected.answer.path
    got = trace.answer.path
    if proves_move(task.search, proven_by(task, trace.visited), got):
        return []
    kind = UNPROVEN if got == expected else WRONG_MOVE
    return [Finding(kind, (), expected, got)]


def _check_number(task, trace):
    expected = task.expected.answer.number
    got = trace.answer.number
    low, high = proven_by(task, trace.visited)[()]
    if proves_value(task.search, low, high, got):
        return []
    least, largest = acceptable(task.search, expected)
    kind = UNPROVEN if least <= got <= largest else WRONG_VALUE
    return [Finding(kind, (), expected, got)]


def _check_leaves(task, trace):
    """Compare visited leaves; for a move, all that minimax visits may be visited.

    They are too few where they prove no move, be it another than the one returned:
    every correct search proves one, a guess does not, though it visits no wrong leaf.
    """
    right = task.expected.visited
    root = task.tree.root
    extra = []
    for path in sorted(trace.visited - right):
        is_leaf = search_leaf(root.at(path), task.search.depth)
        extra.append(Finding(UNNECESSARY if is_leaf else NOT_A_LEAF, path))
    if FUNCTIONS[task.function].answer != NODE:
        missed = [Finding(MISSED, path) for path in sorted(right - trace.visited)]
        return missed + extra
    wrong = [finding for finding in extra if finding.kind == NOT_A_LEAF]
    if not _some_move_is_proven(task.search, proven_by(task, trace.visited)):
        wrong.append(Finding(TOO_FEW))
    return wrong


def looked_beyond(trace: Trace, leaves: Collection[tuple]) -> tuple[int, ...] | None:
    """Return the first node with an event that the correct search never visits.

    `leaves` are the paths that it does visit. None where there is no such node.
    """
    right = with_ancestors(leaves)
    return next((path for _, path in trace.events if path not in right), None)


def _check_count(task, trace):
    expected = task.expected.node_count
    got = trace.node_count
    if got == expected or trace.visited != task.expected.visited:
        return []
    if trace.text is None:  # sealed: a number or a place could speak of a hidden tree
        return [Finding(WRONG_COUNT, expected=expected)]
    path = looked_beyond(trace, task.expected.visited)
    kind = WRONG_COUNT if path is None else LOOKED_BEYOND
    return [Finding(kind, path, expected, got)]


CHECKS = {
    VALUE: _check_answer,
    MOVE: _check_answer,
    LEAVES: _check_leaves,
    NODE_COUNT: _check_count,
}
