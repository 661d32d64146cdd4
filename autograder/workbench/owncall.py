"""What a submission's own search returns on a node of a tree, called on that alone."""

from __future__ import annotations

from itertools import islice

from autograder.judging.divergence import ENTER, find_divergence, replay
from autograder.judging.verdict import Verdict, judge
from autograder.sandbox import Session
from autograder.showing import sentences
from autograder.tasks import RunPair, Task, tasks_for
from gametree.divergence import SAME_LEAVES
from gametree.functions import KNOWN, NODE, VALUE
from gametree.tree import Position, Search, Tree
from gametree.words import number

MOST_NODES = 5000  # of a subtree that is made anew


def own_call(session: Session, verdict: Verdict, reference, convention: str) -> str:
    """Call a wrong search where it and the right one part; say what it returned.

    It is called on one node alone, with the window that the right search has there. That
    is the child that came back last, else the node itself. Where the leaves are the same,
    it is the first child of the root for which the answer is wrong. Of a best_move, which
    calls nothing of its own below the root, nothing is said.
    """
    task, function = verdict.task, KNOWN[verdict.task.function]
    if function.answer == NODE:
        return ""
    windows = {
        step.path: (step.alpha, step.beta) if function.has_window else ()
        for step in replay(
            task.tree, task.search, convention if function.has_window else None
        )
        if step.kind == ENTER and step.path
    }
    divergence = find_divergence(task, verdict.trace, convention)
    if divergence.kind == SAME_LEAVES:
        paths = [path for path in windows if len(path) == 1]
    else:
        near = (divergence.child, divergence.path)
        paths = [path for path in near if path in windows][:1]
    trees = (_alone(task, path, windows[path]) for path in paths)
    tasks = tasks_for(filter(None, trees), reference, [task.function])
    found = [
        judge(own, RunPair(trace)) for own, trace in zip(tasks, session.run_together(tasks))
    ]
    if divergence.kind == SAME_LEAVES:
        found = [one for one in found if not one.aspects[VALUE]]
    return _said(found[0]) if found else _said(verdict)


def _said(verdict):
    task, trace = verdict.task, verdict.trace
    call = f"Your {sentences.call(task)}"
    if not verdict.judged:
        return f"{call}: {sentences.ending(trace.ending, trace.text)}."
    returned = f"{call} returned {sentences.answer(task, trace.answer)}"
    right = task.expected.answer.number
    if verdict.aspects[VALUE] or trace.answer.number == right:
        return f"{returned}."
    return f"{returned}; the right one returns {number(right)}."


def _alone(task: Task, path: tuple, window: tuple) -> Tree | None:
    """Return the tree below a node with its one search, None where it is too large."""
    below = task.tree.root.at(path)
    if len(list(islice(below.subtree(), MOST_NODES + 1))) > MOST_NODES:
        return None
    maximizing = task.search.max_moves_at(path)
    search = Search(task.search.depth - len(path), maximizing, *window)
    root = _copied(below, len(path))
    return Tree(task.tree.name, task.tree.title, "", root, maximizing, (search,))


def _copied(position, plies):
    children = [_copied(child, plies) for child in position.children]
    path = position.path[plies:]
    return Position(path, position.name, position.static_value(), children)
