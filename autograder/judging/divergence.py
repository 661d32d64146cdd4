"""Replay the right alpha-beta step by step, with alpha and beta at each step."""

from __future__ import annotations

import math
from dataclasses import dataclass

from autograder.judging.proof import search_leaf
from gametree.functions import KNOWN

ENTER, LEAF, UPDATE, CUTOFF, LEAVE = "enter", "leaf", "update", "cutoff", "leave"


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
    path: tuple
    alpha: float
    beta: float
    value: float | None = None
    child_path: tuple | None = None
    pruned_paths: tuple = ()


def replay(tree, search, convention="equality"):
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
                left_out = tuple(other.path for other in children[number:])
                if left_out:
                    steps.append(
                        Step(CUTOFF, path, alpha, beta, best, child.path, left_out)
                    )
                break
        steps.append(Step(LEAVE, path, alpha, beta, best))
        return best

    visit(tree.root, search.alpha, search.beta, search.maximizing)
    return steps


def ties(tree, steps):
    """Return the UPDATEs that make alpha equal beta while children are left."""
    return [
        step
        for step in steps
        if step.kind == UPDATE
        and step.alpha == step.beta
        and step.child_path != tree.root.at(step.path).children[-1].path
    ]


def prunes(alpha, beta, convention="equality"):
    """Tell whether a search stops at a node whose window is (alpha, beta)."""
    return alpha > beta if convention == "strict" else alpha >= beta


# Kinds of divergences.
WENT_ON = "went on after a cutoff"
LEFT_OUT = "left out what can matter"
OTHER_ORDER = "another order"
AGAIN = "searched again"
BEYOND = "not a leaf"
SAME_LEAVES = "the same leaves"


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
    path: tuple
    paths: tuple = ()
    got: tuple | None = None
    child: tuple | None = None
    returned: float | None = None
    alpha: float | None = None
    beta: float | None = None


def find_divergence(task, trace, convention="equality"):
    """Return the Divergence of a minimax or alphabeta trace from the right search.

    Where the leaves differ, it is at the first one that does, in order. Where they do
    not, nodes may be searched again; otherwise only the answers can differ.
    """
    right, own = task.expected.evaluated, without_repeats(trace.evaluated)
    if trace.visited == task.expected.visited:
        again = _searched_again(trace)
        return Divergence(SAME_LEAVES if again is None else AGAIN, again or (), got=again)
    if not KNOWN[task.function].has_window:  # minimax, whose order is free
        right, own = sorted(right), sorted(trace.visited)
        steps = ()
    else:
        steps = replay(task.tree, task.search, convention)
    number = _first_difference(right, own)
    wanted = right[number] if number < len(right) else None
    got = own[number] if number < len(own) else None
    if got is None:
        return _left_out(wanted, own, steps)
    if beyond(task, got):
        return Divergence(BEYOND, got, got=got)
    if got in own[:number]:
        return Divergence(AGAIN, got, got=got)
    if got not in right and _leaves_before(cut := _cutoff(got, steps), steps) <= number:
        return _went_on(got, cut, steps)
    if wanted in own:
        node = wanted[: _first_difference(wanted, got)]
        return Divergence(
            OTHER_ORDER, node, (wanted[: len(node) + 1],), got[: len(node) + 1]
        )
    return _left_out(wanted, own, steps)


def without_repeats(paths):
    """Return the paths without those that equal the one before, as a list."""
    return [path for path, before in zip(paths, [None, *paths]) if path != before]


def _first_difference(one, other):
    for number, (left, right) in enumerate(zip(one, other)):
        if left != right:
            return number
    return min(len(one), len(other))


def beyond(task, path):
    """Tell whether the path leads to no leaf of the task's search."""
    position = task.tree.root.at(path)
    return len(path) > task.search.depth or not search_leaf(position, task.search.depth)


def _cutoff(path, steps):
    """Return the number of the cutoff step behind which the leaf at `path` lies."""
    return next(
        number
        for number, step in enumerate(steps)
        if any(path[: len(pruned)] == pruned for pruned in step.pruned_paths)
    )


def _leaves_before(number, steps):
    return sum(step.kind == LEAF for step in steps[:number])


def _went_on(got, number, steps):
    cutoff = steps[number]
    return Divergence(
        WENT_ON,
        cutoff.path,
        cutoff.pruned_paths,
        got[: len(cutoff.path) + 1],
        cutoff.child_path,
        _value_of(cutoff.child_path, steps),
        cutoff.alpha,
        cutoff.beta,
    )


def _left_out(wanted, own, steps):
    """Describe the largest subtree around `wanted` of which no leaf was visited."""
    if not own:
        return Divergence(LEFT_OUT, ())
    length = next(
        n for n in range(len(wanted) + 1) if not any(p[:n] == wanted[:n] for p in own)
    )
    skipped, node = wanted[:length], wanted[: length - 1]
    window = next((step for step in steps if step.path == skipped), None)
    child = None
    for step in steps[: steps.index(window)] if window else ():
        if step.kind == UPDATE and step.path == node:
            child = step.child_path
    return Divergence(
        LEFT_OUT,
        node,
        (skipped,),
        child=child,
        returned=_value_of(child, steps),
        alpha=window and window.alpha,
        beta=window and window.beta,
    )


def _value_of(path, steps):
    """Return what the node at `path` returned, None where there is none."""
    values = (s.value for s in steps if s.path == path and s.kind in (LEAF, LEAVE))
    return next(values, None)


def _searched_again(trace):
    """Return the first node that is visited twice, None where none is."""
    seen = set()
    for path in trace.visits():
        if path in seen:
            return path
        seen.add(path)
    return None
