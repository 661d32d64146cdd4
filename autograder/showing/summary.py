"""The first row: what a student reads before anything else; five lines sum it up."""

from __future__ import annotations

from autograder.judging.scores import points_text
from autograder.judging.verdict import ASPECTS
from autograder.showing import sentences
from autograder.showing.counterexample_text import counterexample_line, counterexample_text
from autograder.showing.diagnosis_text import diagnosis_text, headline, next_step
from gametree.trace import RAISED


def feedback_text(grading):
    """Return the summary, and below it the diagnosis and the counterexample in full."""
    parts = [summary_text(grading)]
    if grading.diagnoses:
        parts.append("WHAT IT LOOKS LIKE\n" + diagnosis_text(grading.diagnoses))
    if grading.counterexample is not None:
        text = counterexample_text(grading.counterexample, grading.convention)
        parts.append("THE SMALLEST TREE\n" + text)
    return "\n\n".join(parts)


def summary_text(grading):
    """Return the summary of a grading in at most five lines.

    The score, its parts, what it looks like, the smallest tree on which it fails, and
    one next step.
    """
    total = f"{points_text(grading.cents)}/{points_text(grading.most_cents)}"
    lines = [f"Score: {total}"]
    if grading.refusal:
        return "\n".join([*lines, grading.refusal])
    if grading.load_failure is not None:
        reason = sentences.ending(grading.load_failure, public=True)
        return "\n".join([*lines, f"search.py could not be loaded: {reason}"])
    lines.append(", ".join(part for part in map(_part(grading), ASPECTS) if part))
    lines += _standstill_lines(grading)
    if grading.diagnoses:
        lines.append(f"Looks like: {headline(grading.diagnoses)}")
    if grading.counterexample is not None:
        lines.append(f"Fails on: {counterexample_line(grading.counterexample)}")
    lines.append(_next_step(grading))
    return "\n".join(lines)


def standstill(grading):
    """Return function -> why it stopped, for those that returned on no tree at all.

    The reason is how its first search ended, in words that hold for hidden trees too.
    """
    reasons = {}
    for function in ASPECTS:
        verdicts = [v for r in grading.rows if r.function == function for v in r.verdicts]
        if verdicts and not any(verdict.judged for verdict in verdicts):
            reasons[function] = sentences.ending(verdicts[0].trace.ending, public=False)
    return reasons


def _standstill_lines(grading):
    by_reason = {}
    for function, reason in standstill(grading).items():
        by_reason.setdefault(reason, []).append(function)
    return [f"{', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _part(grading):
    def part(function):
        rows = [row for row in grading.rows if row.function == function]
        if not rows:
            return ""
        got, most = sum(r.cents for r in rows), sum(r.most_cents for r in rows)
        right = sum(row.right for row in rows)
        score = f"{points_text(got)}/{points_text(most)}"
        return f"{function} {score} ({right} of {len(rows)} trees right)"

    return part


def _next_step(grading):
    wrong = [row for row in grading.rows if not row.right]
    if not wrong:
        return "Every value, every leaf and every node count is right."
    if grading.diagnoses:
        return f"Next step: {next_step(grading.diagnoses)}"
    if grading.counterexample is not None:
        return f"Next step: {_on_that_tree(grading.counterexample.verdict.trace.ending)}"
    if len(standstill(grading)) == len({row.function for row in grading.rows}):
        return f"Next step: {wrong[0].function}; run `python -m pytest` on your machine."
    shown = next((row for row in wrong if row.public), wrong[0])
    return f"Look first at {shown.number} {shown.name}"


def _on_that_tree(end):
    if end.kind == RAISED:
        said = " ".join(sentences.ending(end, public=True).split())
        return f"mend the error on that tree: {said}"
    return "follow that tree through your code, leaf by leaf."
