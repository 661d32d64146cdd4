"""Say in a sentence where a wrong search and the right one part, and why."""

from __future__ import annotations

from autograder.judging import divergence as d
from autograder.judging import verdict as v
from autograder.judging.divergence import LEAF, LEAVE, replay
from autograder.judging.proof import intervals, search_leaf
from autograder.showing.sentences import findings, in_words, names, number, player


def explain(verdict: v.Verdict, convention: str = "equality") -> str:
    """Return the sentence for a wrong verdict on a tree that may be shown."""
    kinds = {finding.kind for finding in verdict.findings}
    if kinds & {v.DID_NOT_RETURN, v.WRONG_TYPE, v.STATE_KEPT}:
        return _listed(verdict)
    if verdict.task.function == "best_move":
        return _move(verdict) if v.WRONG_MOVE in kinds else _listed(verdict)
    divergence = d.find_divergence(verdict.task, verdict.trace, convention)
    if divergence.kind != d.SAME_LEAVES:
        return SENTENCES[divergence.kind](verdict.task, divergence)
    if v.WRONG_VALUE in kinds:
        return _value(verdict.task, verdict.trace.answer.number, convention)
    return _listed(verdict)


def _listed(verdict):
    text = "; ".join(findings(verdict))
    return text[0].upper() + text[1:] + "."


def _player(task, path):
    return player(task.tree.root, task.search, path)


def _name(task, path):
    return task.tree.root.at(path).name


def _place(task, divergence):
    """Return where it is and how the window stands there."""
    text = f"At {_player(task, divergence.path)}"
    if divergence.child is not None:
        child = task.tree.root.at(divergence.child)
        verb = "=" if search_leaf(child, task.search.depth) else "returned"
        text += f", after {child.name} {verb} {number(divergence.returned)}"
    if divergence.alpha is None:
        return text
    return f"{text}: alpha = {number(divergence.alpha)}, beta = {number(divergence.beta)}"


def _went_on(task, divergence):
    rest = names(task.tree.root, divergence.paths)
    return (
        f"{_place(task, divergence)}, so {rest} cannot matter; "
        f"your search went on to {_name(task, divergence.got)}."
    )


def _left_out(task, divergence):
    if not divergence.paths:
        return "Your search visited no leaf at all, so it cannot know the value."
    skipped = _name(task, divergence.paths[0])
    if divergence.alpha is None:
        return (
            f"At {_player(task, divergence.path)}: minimax visits every leaf, since each "
            f"can matter; your search left out {skipped}."
        )
    return f"{_place(task, divergence)}, so {skipped} can matter; your search left it out."


def _other_order(task, divergence):
    first, got = _name(task, divergence.paths[0]), _name(task, divergence.got)
    return (
        f"At {_player(task, divergence.path)}: children are searched from left to right, "
        f"so {first} comes before {got}; your search went to {got} first."
    )


def _again(task, divergence):
    return (
        f"Your search came to {_name(task, divergence.got)} again after it had been "
        "there; one visit is enough, if its value is kept in a variable."
    )


def _beyond(task, divergence):
    position = task.tree.root.at(divergence.got)
    if len(position.path) > task.search.depth:
        why = f"this search of depth {task.search.depth} ends above it"
    else:
        why = "it has children, and the search is to go on to them"
    return f"Your search evaluated {position.name}, but {why}."


SENTENCES = {
    d.WENT_ON: _went_on,
    d.LEFT_OUT: _left_out,
    d.OTHER_ORDER: _other_order,
    d.AGAIN: _again,
    d.BEYOND: _beyond,
}


def _value(task, returned, convention):
    """Explain a wrong value after the right visits, by what the root chooses from."""
    root, right = task.tree.root, task.expected.answer.number
    yours = f"your search returned {number(returned)}"
    if search_leaf(root, task.search.depth):
        return f"{root.name} is a leaf: its value is {number(right)}; {yours}."
    if task.function == "minimax":
        values = _values_of_children(task)
    else:
        steps = replay(task.tree, task.search, convention)
        values = [
            (step.path, step.value)
            for step in steps
            if len(step.path) == 1 and step.kind in (LEAF, LEAVE)
        ]
    listed = _worth(task, values)
    which = "largest" if task.search.maximizing else "smallest"
    if len(values) == 1:
        chosen = f"{_player(task, ())} has one child, {listed}, and takes its value,"
    else:
        chosen = f"{_player(task, ())} takes the {which} of {listed}, which is"
    return f"Your search visits the right leaves. {chosen} {number(right)}; {yours}."


def _values_of_children(task):
    """Return (path, value) of each child of the root, proven by the right visits."""
    ends = intervals(task.tree, task.search, task.expected.visited)
    return [(path, low) for path, (low, _) in ends.items() if path]


def _worth(task, values):
    return in_words([f"{_name(task, path)} = {number(value)}" for path, value in values])


def _move(verdict):
    task = verdict.task
    which = "largest" if task.search.maximizing else "smallest"
    best = _name(task, task.expected.answer.path)
    worth = _worth(task, _values_of_children(task))
    return (
        f"The moves are worth {worth}. {_player(task, ())} takes the leftmost of the "
        f"{which}, {best}; your best_move chose {_name(task, verdict.trace.answer.path)}."
    )
