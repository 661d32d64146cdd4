"""What is compared of two submissions' runs: terms that a style of code cannot change."""

from __future__ import annotations

import math

from autograder.judging.proof import search_leaf
from gametree.trace import NOT_RUN, OUT_OF_QUERIES, RETURNED, TIMED_OUT

MOST_LEAVES = 300
HONEST_INFINITY = 10**9  # trees hold no value as large as this
MORE, ENDLESS = "more leaves than are compared", "endless"
STOPPED = (OUT_OF_QUERIES, TIMED_OUT)


def signature(task, runs):
    """Return what was seen of a task: equal for the same behaviour in another style.

    For alphabeta: answer, visited leaves in order, node count; for minimax the same
    without the order, which is free; for best_move, which may search as it likes, the
    answer. In an answer's place stands the name of an exception that was raised. None
    where nothing is known.
    """
    first = _seen(task, runs.first)
    if runs.second is None or runs.second is runs.first:
        return first
    second = _seen(task, runs.second)
    return first if first == second else (first, second)


def right_signature(task):
    """Return the signature of the reference on a task."""
    return _seen(task, task.expected)


def _seen(task, trace):
    kind = trace.ending.kind
    if kind == NOT_RUN:
        return None
    leaves = without_repeats(trace.evaluated)
    if task.function == "best_move":
        beyond = not all(_search_leaf(task, path) for path in leaves[:MOST_LEAVES])
        if kind == RETURNED:
            return (trace.answer.kind, trace.answer.path, beyond)
        return ENDLESS if kind in STOPPED else (kind, trace.ending.error)
    if len(leaves) > MOST_LEAVES:
        return (MORE, hash(tuple(leaves[:MOST_LEAVES])))
    if task.function == "minimax":
        leaves.sort()
    if kind in STOPPED:
        return ENDLESS
    if kind != RETURNED:
        return (kind, trace.ending.error, hash(tuple(leaves)))
    return (_answer(task.search, trace.answer), hash(tuple(leaves)), trace.node_count)


def without_repeats(paths):
    """Return the paths without those that equal the one before, as a list."""
    return [path for path, before in zip(paths, [None, *paths]) if path != before]


def _search_leaf(task, path):
    return search_leaf(task.tree.root.at(path), task.search.depth)


def _answer(search, answer):
    """Return an answer in terms of the window: what lies outside counts as its bound."""
    number = answer.number
    if answer.kind != "number":
        return answer.kind
    if math.isnan(number):
        return "nan"
    if abs(number) >= HONEST_INFINITY:
        number = math.copysign(math.inf, number)
    return max(search.alpha, min(search.beta, number))
