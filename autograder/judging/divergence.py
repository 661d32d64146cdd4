"""Where a search parts from the right one, and the right alpha-beta step by step."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.judging.proof import search_leaf, search_leaf_of
from autograder.tasks import Task
from gametree.functions import KNOWN
from gametree.trace import Trace
from gametree.tree import Search, Tree

# Kinds of divergences.
WENT_ON = "went on after a cutoff"
LEFT_OUT = "left out what can matter"
OTHER_ORDER = "another order"
AGAIN = "searched again"
BEYOND = "not a leaf"
SAME_LEAVES = "the same leaves"

# Kinds of steps.
ENTER, LEAF, UPDATE, CUTOFF, LEAVE = "enter", "leaf", "update", "cutoff", "leave"


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


@dataclass(frozen=True)
class Step:
    """One step of the right search.

    `kind` is ENTER (an inner node is entered), LEAF (a leaf is visited; it has no
    enter or leave), UPDATE (a child has returned), CUTOFF (the rest cannot matter)
    or LEAVE (an inner node returns). `path` is the node where it happens; `alpha`
    and `beta` are the window there, after an UPDATE the new one. `value` is a leaf's
    value, otherwise the best value so far, None at ENTER. `child_path` is the child
    that has just returned, at UPDATE and CUTOFF. `pruned_paths` are the children that
    a CUTOFF leaves out, left to right; where none are left, there is no CUTOFF.
    """

    kind: str
    path: tuple[int, ...]
    alpha: float
    beta: float
    value: float | None = None
    child_path: tuple[int, ...] | None = None
    pruned_paths: tuple[tuple[int, ...], ...] = ()


def find_divergence(task: Task, trace: Trace, convention: str = "equality") -> Divergence:
    """Return the Divergence of a minimax or alphabeta trace from the right search.

    Where the leaves differ, it is at the first one that does, in order. Where they do
    not, nodes may be searched again; otherwise only the answers can differ.
    """
    if trace.visited == task.expected.visited:
        again = _searched_again(trace)
        return Divergence(SAME_LEAVES if again is None else AGAIN, again or (), got=again)
    right, own, steps = task.expected.evaluated, without_repeats(trace.evaluated), []
    if KNOWN[task.function].has_window:
        steps = replay(task.tree, task.search, convention)
    else:  # minimax, whose order is free
        right, own = sorted(right), sorted(trace.visited)
    number = _first_difference(right, own)
    expected = right[number] if number < len(right) else None
    if number == len(own):
        return _left_out(expected, own, steps)
    got = own[number]
    if not search_leaf_of(task, got):
        return Divergence(BEYOND, got, got=got)
    if got in own[:number]:
        return Divergence(AGAIN, got, got=got)
    if got not in right:
        index = _cutoff_before(got, steps)
        if sum(step.kind == LEAF for step in steps[:index]) <= number:
            cut = steps[index]
            got, paths = got[: len(cut.path) + 1], cut.pruned_paths
            return _at(WENT_ON, cut.path, paths, cut.child_path, cut, steps, got)
    if expected in own:
        length = _first_difference(expected, got) + 1
        child, other = expected[:length], got[:length]
        return Divergence(OTHER_ORDER, child[:-1], (child,), other)
    return _left_out(expected, own, steps)


def without_repeats(paths: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the paths without those that equal the one before, as a list."""
    return [path for path, before in zip(paths, [None, *paths]) if path != before]


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


def _cutoff_before(path, steps):
    """Return the index of the CUTOFF that leaves out the leaf at `path`."""
    return next(
        index
        for index, step in enumerate(steps)
        if any(path[: len(pruned)] == pruned for pruned in step.pruned_paths)
    )


def _left_out(leaf, own, steps):
    """Describe the largest subtree around a leaf of which no leaf was visited."""
    if not own:
        return Divergence(LEFT_OUT, ())
    skipped = next(
        leaf[:length]
        for length in range(len(leaf) + 1)
        if not any(path[:length] == leaf[:length] for path in own)
    )
    node = skipped[:-1]
    if not steps:
        return Divergence(LEFT_OUT, node, (skipped,))
    index = next(index for index, step in enumerate(steps) if step.path == skipped)
    updates = [s for s in steps[:index] if s.kind == UPDATE and s.path == node]
    child = updates[-1].child_path if updates else None
    return _at(LEFT_OUT, node, (skipped,), child, steps[index], steps)


def _at(kind, node, paths, child, step, steps, got=None):
    """Return the Divergence at a node whose window is that of a step."""
    values = (s.value for s in steps if s.path == child and s.kind in (LEAF, LEAVE))
    returned = next(values, None)
    return Divergence(kind, node, paths, got, child, returned, step.alpha, step.beta)


def replay(tree: Tree, search: Search, convention: str = "equality") -> list[Step]:
    """Return the Steps of the right alpha-beta search of `tree`, in order.

    `convention` is "equality" (cut off once alpha >= beta) or "strict" (once
    alpha > beta). The last step's value is what the search returns.
    """
    steps = []

    def visit(position, alpha, beta, maximizing):
        path = position.path
        if search_leaf(position, search.depth):
            value = position.static_value()
            steps.append(Step(LEAF, path, alpha, beta, value))
            return value
        steps.append(Step(ENTER, path, alpha, beta))
        best = -math.inf if maximizing else math.inf
        children = position.children
        for number, child in enumerate(children, start=1):
            value = visit(child, alpha, beta, not maximizing)
            if maximizing:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            steps.append(Step(UPDATE, path, alpha, beta, best, child.path))
            if prunes(alpha, beta, convention):
                pruned = tuple(other.path for other in children[number:])
                if pruned:
                    steps.append(Step(CUTOFF, path, alpha, beta, best, child.path, pruned))
                break
        steps.append(Step(LEAVE, path, alpha, beta, best))
        return best

    visit(tree.root, search.alpha, search.beta, search.maximizing)
    return steps


def prunes(alpha: float, beta: float, convention: str = "equality") -> bool:
    """Tell whether a search stops at a node whose window is (alpha, beta)."""
    return alpha > beta if convention == "strict" else alpha >= beta


def ties(tree: Tree, steps: Iterable[Step]) -> list[Step]:
    """Return the UPDATEs that make alpha equal beta while children are left."""
    return [
        step
        for step in steps
        if step.kind == UPDATE
        and step.alpha == step.beta
        and step.child_path != tree.root.at(step.path).children[-1].path
    ]
