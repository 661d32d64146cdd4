"""Find the place where a wrong search and the right one part."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.judging.proof import search_leaf
from autograder.judging.signature import without_repeats
from autograder.judging.steps import LEAF, LEAVE, UPDATE, replay

# Kinds of partings.
WENT_ON = "went on after a cutoff"
LEFT_OUT = "left out what can matter"
OTHER_ORDER = "another order"
AGAIN = "searched again"
BEYOND = "not a leaf"
SAME_LEAVES = "the same leaves"


@dataclass(frozen=True)
class Parting:
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


def parting(task, trace, convention="equality"):
    """Return the Parting of a minimax or alphabeta trace from the right search.

    Where the leaves differ, it is at the first one that does, in order. Where they do
    not, nodes may be searched again; otherwise only the answers can differ.
    """
    right, own = task.expected.evaluated, without_repeats(trace.evaluated)
    if trace.visited == task.expected.visited:
        again = _searched_again(trace)
        return Parting(SAME_LEAVES if again is None else AGAIN, again or (), got=again)
    if task.function == "minimax":  # whose order is free
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
        return Parting(BEYOND, got, got=got)
    if got in own[:number]:
        return Parting(AGAIN, got, got=got)
    if got not in right and _leaves_before(cut := _cutoff(got, steps), steps) <= number:
        return _went_on(got, cut, steps)
    if wanted in own:
        node = wanted[: _first_difference(wanted, got)]
        return Parting(OTHER_ORDER, node, (wanted[: len(node) + 1],), got[: len(node) + 1])
    return _left_out(wanted, own, steps)


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
    return Parting(
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
        return Parting(LEFT_OUT, ())
    length = next(
        n for n in range(len(wanted) + 1) if not any(p[:n] == wanted[:n] for p in own)
    )
    skipped, node = wanted[:length], wanted[: length - 1]
    window = next((step for step in steps if step.path == skipped), None)
    child = None
    for step in steps[: steps.index(window)] if window else ():
        if step.kind == UPDATE and step.path == node:
            child = step.child_path
    return Parting(
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
