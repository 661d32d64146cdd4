"""Say where a wrong search and the right one part, and why: in a sentence, on a page.

The words and the page are gametree's, so that a student reads the same at home.
"""

from __future__ import annotations

from autograder.judging import verdict as v
from autograder.judging.divergence import find_divergence
from autograder.showing import sentences
from autograder.tasks import Task
from gametree.divergence import SAME_LEAVES
from gametree.explaining import parting, wrong_move, wrong_value
from gametree.steppage import step_page


def explain(verdict: v.Verdict) -> str:
    """Return the sentence for a wrong verdict on a tree that may be shown."""
    task, trace = verdict.task, verdict.trace
    kinds = {finding.kind for finding in verdict.findings}
    if kinds & {v.DID_NOT_RETURN, v.WRONG_TYPE}:
        return _listed(verdict)
    if task.function == "best_move":
        if v.WRONG_MOVE not in kinds:
            return _listed(verdict)
        best, chosen = task.expected.answer.path, trace.answer.path
        return wrong_move(task.tree, task.search, best, chosen)
    divergence = find_divergence(task, trace)
    if divergence.kind != SAME_LEAVES:
        return parting(task.tree, task.search, divergence)
    if kinds & {v.WRONG_VALUE, v.UNPROVEN}:  # these leaves prove a value, and not this
        return wrong_value(task.tree, trace, task.expected.visited)
    return _listed(verdict)


def _listed(verdict):
    text = "; ".join(sentences.findings(verdict))
    return sentences.ended(text[0].upper() + text[1:])


def step_html(
    task: Task, convention: str, verdict: v.Verdict | None = None, warning: str = ""
) -> str:
    """Return the page that steps through a task. Raises TreeError if it is too large.

    verdict: the one on a submission's run of the task, None to show the right one only.
    warning: what stands first on the page, if anything.
    """
    why = remark = ""
    if verdict and verdict.right:
        remark = "Your search does the same, from the first step to the last."
    elif verdict:
        why = explain(verdict)
        if verdict.judged:
            remark = f"It returned {sentences.answer(task, verdict.trace.answer)}."
    return step_page(
        task.tree,
        task.search,
        task.function,
        verdict and verdict.trace,
        why,
        remark,
        task.expected.visited,
        convention == "strict",
        (task.tree.lesson, task.tree.source),
        warning,
    )
