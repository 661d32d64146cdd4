"""Put the reference's figures in the place of a tree file's published ones."""

from __future__ import annotations

import re

from autograder.running.reference import tasks_for
from autograder.workbench.command import Refused
from autograder.workbench.published import figures, slips
from gametree import parse_tree
from gametree.published import frontier
from gametree.writer import flow

KEY = r"\b{}: (\[[^\]]*\]|[^,}}\n]+)"


def with_figures(text, name, reference):
    """Return a tree file's text with figures that the reference reproduces.

    Only figures that differ are rewritten; the rest of the text stays as it is.
    Raises Refused where they stand in a way that is not understood.
    """
    tasks = tasks_for([parse_tree(text, name)], reference, ["alphabeta"])
    seen = {}
    for task in tasks:
        for what, said, found in figures(task):
            if said is None:
                continue
            turn = seen[what] = seen.get(what, -1) + 1
            if what == "pruned" and (said != found or not said):
                found = _pruned(task)
            if said != found:
                text = _replaced(text, what, turn, _written(task, found))
    tasks = tasks_for([parse_tree(text, name)], reference, ["alphabeta"])
    for slip in slips(tasks):
        raise Refused(slip)
    return text


def _replaced(text, what, turn, figure):
    """Replace the figure at the turn-th place where `what` is published."""
    places = list(re.finditer(KEY.format(what), text))
    if turn >= len(places):
        return text
    start, end = places[turn].span(1)
    return text[:start] + figure + text[end:]


def _pruned(task):
    leaves = frontier(task.tree.root, task.search.depth)
    return frozenset(leaf.path for leaf in leaves) - task.expected.visited


def _written(task, figure):
    root = task.tree.root
    if isinstance(figure, frozenset):
        return flow([root.at(path).name for path in sorted(figure)])
    return flow(figure)
