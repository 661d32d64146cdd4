"""The right alpha-beta, step by step."""

from __future__ import annotations

import math
from typing import NamedTuple

from gametree.support.tree import Search, Tree, search_leaf

# Kinds of steps.
ENTER, LEAF, UPDATE, CUTOFF, LEAVE = "enter", "leaf", "update", "cutoff", "leave"


class Step(NamedTuple):
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


def replay(tree: Tree, search: Search, convention: str | None = "equality") -> list[Step]:
    """Return the Steps of the right alpha-beta search of `tree`, in order.

    `convention` is "equality" (cut off once alpha >= beta) or "strict" (once
    alpha > beta); None makes it minimax, which has no bounds. The last step's value
    is what the search returns.
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
                alpha = max(alpha, best) if convention else alpha
            else:
                best = min(best, value)
                beta = min(beta, best) if convention else beta
            steps.append(Step(UPDATE, path, alpha, beta, best, child.path))
            if alpha > beta or alpha == beta and convention != "strict":
                pruned = tuple(other.path for other in children[number:])
                if pruned:
                    steps.append(Step(CUTOFF, path, alpha, beta, best, child.path, pruned))
                break
        steps.append(Step(LEAVE, path, alpha, beta, best))
        return best

    visit(tree.root, search.alpha, search.beta, search.maximizing)
    return steps
