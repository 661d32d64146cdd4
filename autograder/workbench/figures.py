"""The figures that a tree file publishes of its searches, beside the reference's."""

from __future__ import annotations

import re

from autograder.command import Refused
from autograder.judging.proof import proves_value
from autograder.smalltrees.build import flow
from autograder.tasks import tasks_for
from gametree import parse_tree


def mismatches(tasks):
    """Yield one line for each published figure that the reference does not reproduce."""
    for task in tasks:
        for key, published, computed in figures(task):
            if published != computed:
                yield (
                    f"{task.tree.name}: published {key} is {_shown(task, published)}, "
                    f"the reference's is {_shown(task, computed)}; mend the file"
                )


def figures(task):
    """Yield (key, published figure, the reference's) of what a task's search publishes.

    A published value that the reference's answer proves is the reference's, too. Of the
    leaves published as pruned, the reference's are those that it does not visit.
    """
    published, trace = task.search.published, task.expected
    computed = {}
    if published.value is not None and task.function != "best_move":
        value, returned = published.value, trace.answer.number
        proven = proves_value(task.search, value, value, returned)
        computed["value"] = value if proven else returned
    if task.function == "alphabeta":
        computed["leaves"] = trace.visited
        computed["evaluations"] = len(trace.evaluated)
        computed["nodes"] = trace.node_count
        computed["pruned"] = frozenset((published.pruned or frozenset()) - trace.visited)
    if task.function == "best_move":
        computed["move"] = trace.answer.path
    for key, figure in computed.items():
        if getattr(published, key) is not None:
            yield key, getattr(published, key), figure


def _shown(task, figure):
    """Return a figure as people write it; paths become names."""
    root = task.tree.root
    if isinstance(figure, frozenset):
        return ", ".join(root.at(path).name for path in sorted(figure)) or "nothing"
    return root.at(figure).name if isinstance(figure, tuple) else str(figure)


PUBLISHED = r"\b{}: (\[[^\]]*\]|[^,}}\n]+)"


def with_figures(text, name, reference):
    """Return a tree file's text with figures that the reference reproduces.

    Only figures that differ are rewritten; the rest of the text stays as it is. Raises
    Refused where they stand in a way that is not understood.
    """
    tasks = tasks_for([parse_tree(text, name)], reference, ["alphabeta"])
    places = {}
    for task in tasks:
        for key, published, computed in figures(task):
            place = places[key] = places.get(key, -1) + 1
            if key == "pruned" and (published != computed or not published):
                computed = _pruned(task)
            if published != computed:
                text = _replaced(text, key, place, _written(task, computed))
    tasks = tasks_for([parse_tree(text, name)], reference, ["alphabeta"])
    for mismatch in mismatches(tasks):
        raise Refused(mismatch)
    return text


def _pruned(task):
    leaves = task.tree.root.frontier(task.search.depth)
    return frozenset(leaf.path for leaf in leaves) - task.expected.visited


def _replaced(text, key, place, figure):
    """Replace the figure at the place-th `key:` of the text, counted from 0."""
    matches = list(re.finditer(PUBLISHED.format(key), text))
    if place >= len(matches):
        return text
    start, end = matches[place].span(1)
    return text[:start] + figure + text[end:]


def _written(task, figure):
    if isinstance(figure, frozenset):
        return flow([task.tree.root.at(path).name for path in sorted(figure)])
    return flow(figure)
