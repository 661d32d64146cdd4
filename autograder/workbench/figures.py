"""The figures that a tree file publishes of its searches, beside the reference's."""

from __future__ import annotations

import re

from autograder.command import Refused
from autograder.judging.divergence import cutoffs_of
from autograder.smalltrees.build import cutoff_as_written, flow
from autograder.tasks import EQUALITY, tasks_for
from gametree import parse_tree
from gametree.proof import proves_value
from gametree.tree import Cutoff


def mismatches(tasks, convention=EQUALITY, other=None):
    """Yield one line for each published figure that the reference does not reproduce.

    `other` is the reference of the other rule for ties, if what holds under that rule is
    to be turned (`make cutoff`), and is not wrong.
    """
    for task in tasks:
        there = _figures_under(other, task)
        for key, published, computed in figures(task, convention):
            if published not in (computed, there.get(key, computed)):
                yield (
                    f"{task.tree.name}: published {key} is {_shown(task, published)}, "
                    f"the reference's is {_shown(task, computed)}; mend the file"
                )


def _figures_under(reference, task):
    """Return key -> what a reference, if any, finds of the same search."""
    if reference is None:
        return {}
    there = tasks_for([task.tree], reference, [task.function])
    same = next(each for each in there if each.search == task.search)
    return {key: figure for key, _, figure in figures(same, reference.convention)}


def figures(task, convention):
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
        computed["cutoffs"] = cutoffs_of(task.tree, task.search, convention)
    if task.function == "best_move":
        computed["move"] = trace.answer.path
    for key, figure in computed.items():
        if getattr(published, key) is not None:
            yield key, getattr(published, key), figure


def _shown(task, figure):
    """Return a figure as people write it; paths become names."""
    root = task.tree.root
    if figure and isinstance(figure[0] if isinstance(figure, tuple) else None, Cutoff):
        return flow([cutoff_as_written(cutoff, root) for cutoff in figure])
    if isinstance(figure, frozenset):
        return ", ".join(root.at(path).name for path in sorted(figure)) or "nothing"
    return root.at(figure).name if isinstance(figure, tuple) else str(figure)


PUBLISHED = r"\b{}: (\[[^\]]*\]|[^,}}\n]+)"
# A list of mappings: one a line, further in than its key, or all in brackets.
CUTOFFS = r"^( *)cutoffs:((?:\n\1 +- .*)+)|\bcutoffs:( \[(?:[^\[\]]|\[[^\[\]]*\])*\])"


def with_figures(text, name, reference, other):
    """Return a tree file's text with figures that the reference reproduces.

    Only figures of the `other` rule for ties are rewritten; the rest of the text stays as
    it is. Raises Refused where a figure holds under neither, or is not understood.
    """
    tasks = tasks_for([parse_tree(text, name)], reference, ["alphabeta"])
    convention, places = reference.convention, {}
    for mismatch in mismatches(tasks, convention, other):
        raise Refused(mismatch)
    for task in tasks:
        for key, published, computed in figures(task, convention):
            place = places[key] = places.get(key, -1) + 1
            if key == "pruned" and (published != computed or not published):
                computed = _pruned(task)
            if key == "cutoffs":
                text = _with_cutoffs(text, place, task, computed)
            elif published != computed:
                text = _replaced(text, key, place, _written(task, computed))
    tasks = tasks_for([parse_tree(text, name)], reference, ["alphabeta"])
    for mismatch in mismatches(tasks, convention):
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


def _with_cutoffs(text, place, task, cutoffs):
    """Rewrite the place-th `cutoffs:`; each has its own line where the key has one."""
    matches = list(re.finditer(CUTOFFS, text, re.MULTILINE))
    if place >= len(matches):
        return text
    start, end = matches[place].span(2 if matches[place][2] else 3)
    written = [cutoff_as_written(cutoff, task.tree.root) for cutoff in cutoffs]
    indent = text[text.rfind("\n", 0, start) + 1 : start].removesuffix("cutoffs:")
    figure = f" {flow(written)}"
    if written and not indent.strip():
        figure = "".join(f"\n{indent}  - {flow(cutoff)}" for cutoff in written)
    return text[:start] + figure + text[end:]


def _written(task, figure):
    if isinstance(figure, frozenset):
        return flow([task.tree.root.at(path).name for path in sorted(figure)])
    return flow(figure)
