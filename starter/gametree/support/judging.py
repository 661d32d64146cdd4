"""The judge: it compares the Trace of a search with the Trace of a correct search.

The public tests, `python -m gametree` and the autograder use the same judge. It runs no
search. The correct Trace comes from the reference, or from a CorrectSearch.

An unvisited leaf may have any value, so the value of each position lies in an interval.
The visited leaves prove a value if both ends of the interval are equal. A correct search
always proves its result. A guess does not.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

from gametree.assignment import STRICT_CUTOFFS
from gametree.functions import (
    FUNCTIONS,
    LEAVES,
    MOVE,
    NODE,
    NODE_COUNT,
    VALUE,
)
from gametree.support.correct import CorrectSearch
from gametree.support.trace import NOT_RUN, RETURNED, Trace
from gametree.support.tree import (
    NodePath,
    Position,
    Search,
    Tree,
    search_leaf,
    with_ancestors,
)

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


def interval(position: Position, search: Search, visited: Collection[NodePath]) -> Interval:
    """Return the least and the largest value that a position of a search may have.

    visited: the paths of the visited leaves. Only positions above them are entered, so a
        lazy tree costs no more than the search.
    """
    return _interval(position, search, visited, with_ancestors(visited))


def _interval(position, search, visited, reached):
    path = position.path
    if path in reached and not search_leaf(position, search.depth):
        ends = [_interval(child, search, visited, reached) for child in position.children]
        combine = search.mover_at(path).combine
        lows, highs = zip(*ends)
        return combine(lows), combine(highs)
    if path in visited:
        value = position.static_value()
        return value, value
    return UNKNOWN


def proves_value(search: Search, low: float, high: float, returned: float) -> bool:
    """Tell whether `returned` is correct and proven, given the root's interval.

    Within the window the value must be exact. At or below alpha, a proven upper bound is
    also correct. At or above beta, a proven lower bound is also correct. Fail-soft and
    fail-hard searches return such bounds. Averages may be rounded in different ways.
    """
    if high <= search.alpha:
        return high <= returned <= search.alpha
    if low >= search.beta:
        return search.beta <= returned <= low
    tolerance = search.opponent.tolerance
    return high - tolerance <= returned <= low + tolerance


def proven_move(tree: Tree, search: Search, visited: Collection[tuple]) -> NodePath | None:
    """Return the child that the visited leaves prove to be the leftmost best, or None."""
    sign = 1 if search.maximizing else -1  # higher is better for both players
    reached = with_ancestors(visited)
    ranges = {}
    for child in tree.root.children:
        ends = _interval(child, search, visited, reached)
        ranges[child.path] = sorted(sign * end for end in ends)
    move = max(ranges, key=ranges.__getitem__)  # of equals the leftmost
    assured, _ = ranges.pop(move)
    for path, (_, possible) in ranges.items():
        if possible > assured or possible == assured and path < move:
            return None
    return move


class Task:
    """One search that a program must do, with its correct Trace.

    tree: the Tree to search.
    function: the name of the called function.
    search: its arguments: depth, player and window.
    expected: the Trace of a correct search.
    aspects: the judged aspects, in order.
    strict: whether the correct search cuts off only once alpha > beta.
    is_hidden: whether the tree is hidden. Its search seals the session that runs it, and is
        never shown.
    is_small: whether the tree is one of the small trees, which hold no secret.
    """

    def __init__(
        self,
        tree: Tree,
        function: str,
        search: Search,
        expected: Trace,
        aspects: tuple[str, ...],
        strict: bool = STRICT_CUTOFFS,
        is_hidden: bool = False,
        is_small: bool = False,
    ):
        self.tree = tree
        self.function = function
        self.search = search
        self.expected = expected
        self.aspects = aspects
        self.strict = strict
        self.is_hidden = is_hidden
        self.is_small = is_small

    @property
    def key(self) -> tuple:
        """The key that identifies the task among all tasks of a kit."""
        return self.is_hidden, self.tree.name, self.function, self.search

    def correct_search(self) -> CorrectSearch:
        """Return the correct search of the tree."""
        return CorrectSearch(self.tree, self.function, self.search, self.strict)

    def is_met_by(self, trace: Trace) -> bool:
        """Tell whether a run equals the correct one, event for event."""
        return (trace.events, trace.answer) == (self.expected.events, self.expected.answer)


def leaves_needed(task: Task, trace: Trace) -> frozenset[NodePath]:
    """Return the missed leaves without which no move is proven; none if one is proven.

    The leaves of the correct search prove a move. Its unvisited leaves are dropped, later
    ones first, as long as the other leaves prove a move.
    """
    visited = trace.visited
    if proven_move(task.tree, task.search, visited):
        return frozenset()
    needed = task.expected.visited - visited
    if len(needed) > MAX_MISSING:
        return needed
    for path in sorted(needed, reverse=True):
        fewer = needed - {path}
        if proven_move(task.tree, task.search, visited | fewer):
            needed = fewer
    return needed


class Finding(NamedTuple):
    """One error of a search.

    kind: one of the kinds above.
    path: the path of the position of the error, or None.
    expected: the correct value, count, path or kind of answer.
    got: the program's value, count, path or kind of answer, or the Ending of a search
        that did not return.
    """

    kind: str
    path: tuple | None = None
    expected: Any = None
    got: Any = None


class Verdict(NamedTuple):
    """The verdict on one task.

    task: the Task.
    trace: the Trace of the program.
    aspects: aspect -> whether it is correct.
    findings: the errors, aspect by aspect.
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
    if NODE_COUNT in aspects:  # a correct count of wrong leaves earns no points
        aspects[NODE_COUNT] &= aspects[LEAVES]
    return Verdict(task, trace, aspects, tuple(findings))


def acceptable(search: Search, value: float) -> tuple[float, float]:
    """Return the least and the largest correct result if `value` is the true value.

    They differ outside the window: any number from the value to the bound is correct.
    """
    bound = min(max(value, search.alpha), search.beta)
    return min(value, bound), max(value, bound)


def _check_answer(task, trace):
    """Check that the answer is a number or a move, correct, and proven."""
    expected = task.expected.answer
    if trace.answer.kind != expected.kind:
        return [Finding(WRONG_TYPE, expected=expected.kind, got=trace.answer.kind)]
    if expected.kind == NODE:
        move = trace.answer.path
        if move == proven_move(task.tree, task.search, trace.visited):
            return []
        kind = UNPROVEN if move == expected.path else WRONG_MOVE
        return [Finding(kind, (), expected.path, move)]
    value = trace.answer.number
    low, high = interval(task.tree.root, task.search, trace.visited)
    if proves_value(task.search, low, high, value):
        return []
    least, largest = acceptable(task.search, expected.number)
    kind = UNPROVEN if least <= value <= largest else WRONG_VALUE
    return [Finding(kind, (), expected.number, value)]


def _check_leaves(task, trace):
    """Compare the visited leaves; best_move may visit any leaf that minimax visits.

    The leaves are too few if they prove no move at all. Every correct search proves a
    move. A guess does not, although it visits no wrong leaf.
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
    if not proven_move(task.tree, task.search, trace.visited):
        wrong.append(Finding(TOO_FEW))
    return wrong


def looked_beyond(trace: Trace, leaves: Collection[tuple]) -> NodePath | None:
    """Return the first node with an event that the correct search never visits, or None.

    `leaves` are the paths of the leaves that the correct search visits.
    """
    right = with_ancestors(leaves)
    return next((path for _, path in trace.events if path not in right), None)


def _check_count(task, trace):
    expected = task.expected.node_count
    got = trace.node_count
    if got == expected or trace.visited != task.expected.visited:
        return []
    path = looked_beyond(trace, task.expected.visited)
    kind = WRONG_COUNT if path is None else LOOKED_BEYOND
    return [Finding(kind, path, expected, got)]


CHECKS = {
    VALUE: _check_answer,
    MOVE: _check_answer,
    LEAVES: _check_leaves,
    NODE_COUNT: _check_count,
}
