"""Compare what a tree's source says of its searches with what the reference does."""

from __future__ import annotations

import re

from autograder.command import Refused
from autograder.judging.proof import proves_value
from autograder.smalltrees.build import flow
from autograder.tasks import tasks_for
from gametree import parse_tree
from gametree.treefile import frontier


def mismatches(tasks):
    """Yield one line for each published figure that the reference does not reproduce."""
    for task in tasks:
        for what, said, found in figures(task):
            if said is not None and said != found:
                yield (
                    f"{task.tree.name}: published {what} is {shown(task, said)}, "
                    f"the reference's is {shown(task, found)}; mend the file"
                )


def figures(task):
    """Yield (what, the published figure or None, the reference's figure) of a task."""
    published, trace = task.search.published, task.expected
    if task.function == "best_move":
        yield "move", published.move, trace.answer.path
        return
    if published.value is not None:
        value, returned = published.value, trace.answer.number
        bounds_it = proves_value(task.search, value, value, returned)
        yield "value", value, value if bounds_it else returned
    if task.function == "alphabeta":
        yield "leaves", published.leaves, trace.visited
        yield "evaluations", published.evaluations, len(trace.evaluated)
        yield "nodes", published.nodes, trace.node_count
        pruned = published.pruned
        yield "pruned", pruned, pruned and frozenset(pruned - trace.visited)


def shown(task, figure):
    """Return a figure as people write it; paths become names."""
    root = task.tree.root
    if isinstance(figure, frozenset):
        return ", ".join(root.at(path).name for path in sorted(figure)) or "nothing"
    return root.at(figure).name if isinstance(figure, tuple) else str(figure)


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
            index = seen[what] = seen.get(what, -1) + 1
            if what == "pruned" and (said != found or not said):
                found = _pruned(task)
            if said != found:
                text = _replaced(text, what, index, _written(task, found))
    tasks = tasks_for([parse_tree(text, name)], reference, ["alphabeta"])
    for mismatch in mismatches(tasks):
        raise Refused(mismatch)
    return text


def _replaced(text, what, index, figure):
    """Replace the figure at the index-th place where `what` is published."""
    places = list(re.finditer(KEY.format(what), text))
    if index >= len(places):
        return text
    start, end = places[index].span(1)
    return text[:start] + figure + text[end:]


def _pruned(task):
    leaves = frontier(task.tree.root, task.search.depth)
    return frozenset(leaf.path for leaf in leaves) - task.expected.visited


def _written(task, figure):
    root = task.tree.root
    if isinstance(figure, frozenset):
        return flow([root.at(path).name for path in sorted(figure)])
    return flow(figure)
