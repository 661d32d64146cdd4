"""The data of a step-through page: each step by numbers, and where two runs part."""

from __future__ import annotations

from itertools import takewhile

from autograder.judging.parting import (
    LEFT_OUT,
    OTHER_ORDER,
    SAME_LEAVES,
    WENT_ON,
    parting,
)
from autograder.judging.signature import without_repeats
from autograder.judging.steps import CUTOFF, ENTER, LEAF
from autograder.showing.explanation import explain
from autograder.showing.narration import shown


def step_data(told, numbers):
    """Return a told step as JSON data; `numbers` maps drawn paths to their numbers.

    `node` is where it happens (the nearest drawn node), `window` what stands there
    then: alpha, beta, what is known, the condition.
    """
    step = told.step
    data = {"kind": step.kind, "node": nearest(step.path, numbers), "says": told.says}
    if step.kind != LEAF:
        data["window"] = [shown(step.alpha), shown(step.beta), told.known, told.rule]
    if told.better:
        data["best"] = nearest(step.child_path, numbers)
    if step.kind == CUTOFF:
        data["cut"] = [numbers[path] for path in step.pruned_paths if path in numbers]
    return data


def nearest(path, numbers):
    """Return the number of the node at `path`, or of the nearest drawn one above it."""
    while path not in numbers:
        path = path[:-1]
    return numbers[path]


def stop_data(task, verdict, convention, steps, numbers):
    """Return where the page stops: after how many steps, which nodes, in what words.

    None where the submission's run does the same as the right one to the end.
    """
    if verdict.right:
        return None
    found = parting(task, verdict.trace, convention)
    at = _steps_before(task, verdict.trace, found, steps)
    wanted = None
    if found.kind in (LEFT_OUT, OTHER_ORDER) and at < len(steps):
        wanted = nearest(steps[at].path, numbers)
    got = None if found.got is None else nearest(found.got, numbers)
    says = [explain(verdict, convention)]
    node = nearest(found.path, numbers)
    return {"at": at, "node": node, "got": got, "wanted": wanted, "says": says}


def _steps_before(task, trace, found, steps):
    """Return how many steps of the right search come before the runs part."""
    if found.kind == WENT_ON:
        for number, step in enumerate(steps, start=1):
            if (step.kind, step.path) == (CUTOFF, found.path):
                return number
        return len(steps)
    both = zip(task.expected.evaluated, without_repeats(trace.evaluated))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
    leaves = [number for number, step in enumerate(steps) if step.kind == LEAF]
    if found.kind == SAME_LEAVES or same >= len(leaves):
        return len(steps)
    at = leaves[same]
    while at and steps[at - 1].kind == ENTER and steps[at].path[:-1] != found.path:
        at -= 1
    return at
