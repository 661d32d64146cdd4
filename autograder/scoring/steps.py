"""Replay the correct alpha-beta search, step by step."""

from __future__ import annotations

import math
from typing import NamedTuple

from gametree.support.tree import Search, Tree, search_leaf

# Kinds of steps.
ENTER, LEAF, UPDATE, CUTOFF, LEAVE = "enter", "leaf", "update", "cutoff", "leave"


class Step(NamedTuple):
    """One step of the correct search.

    kind: ENTER (the search enters an interior node), LEAF (it visits a leaf, which has no
        ENTER and no LEAVE), UPDATE (a child returns), CUTOFF (the remaining children are
        pruned) or LEAVE (an interior node returns).
    path: the node where the step happens.
    alpha, beta: the window at the node; after an UPDATE, the new window.
    value: a leaf's value, otherwise the best value so far; None at ENTER.
    child_path: the child that has just returned, at UPDATE and CUTOFF.
    pruned_paths: the children that a CUTOFF prunes, from left to right. Without remaining
        children there is no CUTOFF.
    """

    kind: str
    path: tuple[int, ...]
    alpha: float
    beta: float
    value: float | None = None
    child_path: tuple[int, ...] | None = None
    pruned_paths: tuple[tuple[int, ...], ...] = ()


def replay(tree: Tree, search: Search, convention: str | None = "equality") -> list[Step]:
    """Return the Steps of the correct alpha-beta search of `tree`, in order.

    The value of the last step is the result of the search. This search does not use the
    reference's Trace. It also supports conventions that the reference does not follow, and
    tests use it to check the messages derived from it.

    convention: "equality" (cut off once alpha >= beta) or "strict" (once alpha > beta).
        None selects minimax, which has no bounds.
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
            best = max(best, value) if maximizing else min(best, value)
            if convention and maximizing:
                alpha = max(alpha, best)
            elif convention:
                beta = min(beta, best)
            steps.append(Step(UPDATE, path, alpha, beta, best, child.path))
            if alpha > beta or alpha == beta and convention != "strict":
                pruned = tuple(sibling.path for sibling in children[number:])
                if pruned:
                    steps.append(Step(CUTOFF, path, alpha, beta, best, child.path, pruned))
                break
        steps.append(Step(LEAVE, path, alpha, beta, best))
        return best

    visit(tree.root, search.alpha, search.beta, search.maximizing)
    return steps
