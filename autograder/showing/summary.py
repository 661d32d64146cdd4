"""The first row: what a student reads before anything else; five lines sum it up."""

from __future__ import annotations

from autograder.judging.scores import look_first, parts_of, score_text
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
    lines = [f"Score: {score_text(grading)}"]
    if grading.refusal:
        return "\n".join([*lines, grading.refusal])
    if grading.load_failure is not None:
        return "\n".join([*lines, sentences.not_loaded(grading.load_failure)])
    lines.append(", ".join(map(_part, parts_of(grading.rows))))
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
    for part in parts_of(grading.rows):
        verdicts = [verdict for row in part.rows for verdict in row.verdicts]
        if not any(verdict.judged for verdict in verdicts):
            first = verdicts[0].trace.ending
            reasons[part.function] = sentences.ending(first, public=False)
    return reasons


def _standstill_lines(grading):
    by_reason = {}
    for function, reason in standstill(grading).items():
        by_reason.setdefault(reason, []).append(function)
    return [f"{', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _part(part):
    trees = f"{part.right} of {len(part.rows)} trees right"
    return f"{part.function} {score_text(part)} ({trees})"


def _next_step(grading):
    first = look_first(grading.rows)
    if first is None:
        return sentences.ALL_RIGHT
    if grading.diagnoses:
        return f"Next step: {next_step(grading.diagnoses)}"
    if grading.counterexample is not None:
        return f"Next step: {_on_that_tree(grading.counterexample.verdict.trace.ending)}"
    stopped = [*standstill(grading)]
    if len(stopped) == len(parts_of(grading.rows)):
        return f"Next step: {stopped[0]}; run `python -m pytest` on your machine."
    return f"Look first at {first.number} {first.name}"


def _on_that_tree(end):
    if end.kind == RAISED:
        said = " ".join(sentences.ending(end, public=True).split())
        return f"mend the error on that tree: {said}"
    return "follow that tree through your code, leaf by leaf."
