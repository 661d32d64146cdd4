"""Run a trusted variant in this process as the autograder would, and judge it."""

from __future__ import annotations

from autograder.judging import verdict as judging
from autograder.judging.verdict import judge
from autograder.running.limits import Limits
from autograder.running.plan import Runs
from gametree.observe import observe
from gametree.trace import OUT_OF_QUERIES, RETURNED

WORDS = {
    judging.WRONG_VALUE: "value",
    judging.UNPROVEN: "unproven",
    judging.WRONG_TYPE: "type",
    judging.WRONG_MOVE: "move",
    judging.NEEDLESS: "extra",
    judging.NOT_A_LEAF: "no-leaf",
    judging.MISSED: "missing",
    judging.TOO_FEW: "too-few",
    judging.WRONG_COUNT: "nodes",
    judging.STATE_KEPT: "second",
}
LIMITS = Limits()


def failures(variant, tasks):
    """Yield the Verdict on each of one tree's tasks that is not right, in order.

    `variant` has a `module()` that executes it afresh. Each search runs twice, on
    fresh nodes while those of the first run are alive, as in the autograder.
    """
    module, kept = variant.module(), []
    for task in tasks:
        first = _run(module, task, kept)
        again = first.ending.kind == RETURNED
        second = _run(module, task, kept) if again else None
        if second and task.is_met_by(first) and task.is_met_by(second):
            continue
        verdict = judge(task, Runs(first, second))
        if not verdict.right:
            yield verdict


def _run(module, task, kept):
    function = getattr(module, task.function)
    budget = LIMITS.query_budget(len(task.expected.events))

    def keeping(node, *arguments):
        kept.append(node)
        return function(node, *arguments)

    return observe(keeping, task.function, task.tree, task.search, budget)


def words(verdict):
    """Return, in one word each, what is wrong in a verdict that is not right."""
    if verdict.right:
        return frozenset()
    if not verdict.judged:
        endless = verdict.trace.ending.kind == OUT_OF_QUERIES
        return frozenset(["endless" if endless else "raised"])
    return frozenset(WORDS[finding.kind] for finding in verdict.findings)
