"""What a student reads first: the summary, the diagnosis, the counterexample as text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from autograder.grading import Grading
from autograder.judging.divergence import without_repeats
from autograder.judging.scores import look_first, parts_of, score_text
from autograder.mistakes import diagnosis as e
from autograder.showing import sentences
from autograder.showing.explanation import explain
from autograder.showing.rowtext import WIDTH, drawing, printed_lines
from autograder.smalltrees.build import asked, lists_of, written
from gametree.trace import RAISED
from gametree.tree import Search

MOST_CAUSES = 6
MOST_LEAVES = 12
SYMPTOMS = {
    e.NEVER_PRUNES: "never prunes: it visits every leaf that minimax visits",
    e.TOO_LITTLE: "prunes too little: it visits leaves that a cutoff should spare",
    e.TOO_MUCH: "leaves out leaves that can matter",
    e.OTHER_LEAVES: "visits too few leaves, or too many, on some trees",
    e.OTHER_VALUES: "returns wrong values on some trees, and visits wrong leaves on some",
    e.BEYOND: "evaluates nodes that are no leaves of the search",
    e.WRONG_ANSWER: "visits the right leaves but gives other answers",
    e.WRONG_TYPE: "does not return what it is asked for",
    e.AGAIN: "visits the right leaves, but nodes more than once",
    e.KEEPS_STATE: "keeps something from one search to the next",
    e.STOPS: "gives no answer on some trees: it raises an error, or is stopped",
}


def feedback_text(grading: Grading) -> str:
    """Return the summary, and below it the diagnosis and the counterexample in full."""
    parts = [summary_text(grading)]
    if grading.diagnoses:
        parts.append("WHAT IT LOOKS LIKE\n" + diagnosis_text(grading.diagnoses))
    if grading.counterexample is not None:
        tree = counterexample_text(grading.counterexample, grading.convention)
        parts.append("THE SMALLEST TREE\n" + tree)
    return "\n\n".join(parts)


def summary_text(grading: Grading) -> str:
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
    lines += _never_returned_lines(grading)
    if grading.diagnoses:
        lines.append(f"Looks like: {headline(grading.diagnoses)}")
    if grading.counterexample is not None:
        lines.append(f"Fails on: {counterexample_line(grading.counterexample)}")
    lines.append(_next_step(grading))
    return "\n".join(lines)


def _part(part):
    trees = f"{part.right} of {len(part.rows)} trees right"
    return f"{part.function} {score_text(part)} ({trees})"


def functions_that_never_returned(grading: Grading) -> dict:
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


def _never_returned_lines(grading):
    by_reason = {}
    for function, reason in functions_that_never_returned(grading).items():
        by_reason.setdefault(reason, []).append(function)
    return [f"{', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _next_step(grading):
    first = look_first(grading.rows)
    if first is None:
        return sentences.ALL_RIGHT
    if grading.diagnoses:
        return f"Next step: {next_step(grading.diagnoses)}"
    if grading.counterexample is not None:
        return f"Next step: {_on_that_tree(grading.counterexample.verdict.trace.ending)}"
    stopped = [*functions_that_never_returned(grading)]
    if len(stopped) == len(parts_of(grading.rows)):
        return f"Next step: {stopped[0]}; run `python -m pytest` on your machine."
    return f"Look first at {first.number} {first.name}"


def _on_that_tree(ending):
    if ending.kind == RAISED:
        error = " ".join(sentences.ending(ending, public=True).split())
        return f"mend the error on that tree: {error}"
    return "follow that tree through your code, leaf by leaf."


def headline(diagnoses: tuple) -> str:
    """Return the one line that names the first diagnosis, "" where there is none."""
    if not diagnoses:
        return ""
    first = diagnoses[0]
    if not first.exact:
        return f"Closest to: {first.variants[0].headline}"
    if len(first.variants) == 1:
        return first.variants[0].headline
    return _symptom(first)


def next_step(diagnoses: tuple) -> str:
    """Return the next step of the first diagnosis, "" where there is none."""
    return diagnoses[0].variants[0].next_step if diagnoses else ""


@dataclass(frozen=True)
class Advice:
    """What a diagnosis says: a lead, perhaps a list of causes, and the next step."""

    lead: str
    causes: tuple[str, ...]
    next_step: str


def advice_of(diagnosis: e.Diagnosis) -> Advice:
    """Return the Advice of one diagnosis, in sentences that are not yet laid out."""
    headlines = tuple(variant.headline for variant in diagnosis.variants)
    step = diagnosis.variants[0].next_step
    if len(headlines) > 1:
        step = f"begin with the first of these. {step}"
    functions = " and ".join(diagnosis.functions)
    if diagnosis.exact and len(headlines) == 1:
        return Advice(f"{functions}: {headlines[0]}", (), step)
    if diagnosis.exact:
        lead = f"{_symptom(diagnosis)} Known causes that look just the same from outside:"
    elif len(headlines) == 1:
        lead = f"{functions} equals no known mistake. This one is the closest:"
    else:
        lead = (
            f"{functions} equals no single known mistake. It is closest to two of them, "
            "perhaps both at once:"
        )
    causes, more = headlines[:MOST_CAUSES], len(headlines) - MOST_CAUSES
    return Advice(lead, causes + (f"and {more} more",) * (more > 0), step)


def _symptom(diagnosis):
    return f"Your {' and '.join(diagnosis.functions)} {SYMPTOMS[diagnosis.symptom]}."


def diagnosis_text(diagnoses: tuple) -> str:
    """Return what a student reads of all diagnoses, "" where there are none."""
    return "\n\n".join(_advice_text(advice_of(diagnosis)) for diagnosis in diagnoses)


def _advice_text(advice):
    lines = textwrap.wrap(advice.lead, WIDTH)
    for cause in advice.causes:
        lines += textwrap.wrap(f"- {cause}", WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, *textwrap.wrap(f"Next step: {advice.next_step}", WIDTH)])


def counterexample_line(counterexample) -> str:
    """Return one line that names the tree: "alphabeta on MAX [1, [1, 1]]"."""
    task = counterexample.verdict.task
    return f"{task.function} on {task.tree.name}"


def counterexample_text(counterexample, convention: str = "equality") -> str:
    """Return what a student reads of the counterexample, its drawing included.

    The tree comes from a public enumeration, so what the submission returned,
    raised or printed may be shown.
    """
    verdict = counterexample.verdict
    task = verdict.task
    lead = f"The smallest tree on which your {task.function} fails"
    lead += right_before(counterexample)
    lines = [*textwrap.wrap(f"{lead}.", WIDTH), "", _as_file(task), ""]
    lines += [sentences.call(task), "", drawing(verdict), ""]
    if verdict.judged:
        lines += [*_both(verdict), ""]
    lines += textwrap.wrap(explain(verdict, convention), WIDTH)
    return "\n".join([*lines, *printed_lines(verdict.trace)])


def right_before(counterexample) -> str:
    """Return "; it is right on the 12 trees that were tried before it", "" for none."""
    before = counterexample.tried - 1
    if not before:
        return ""
    trees = "one tree that was" if before == 1 else f"{before:,} trees that were"
    return f"; it is right on the {trees} tried before it"


def _as_file(task):
    """Return the tree as the lines of a tree file, to try it out."""
    tree = task.tree
    lines = [
        f"root: {'max' if tree.maximizing else 'min'}",
        f"tree: {written(lists_of(tree.root))}",
    ]
    if task.search != Search(tree.root.height, tree.maximizing):
        lines.append(f"searches: [{asked(task.search)}]")
    return "\n".join(f"    {line}" for line in lines)


def _both(verdict):
    """Return the right visits beside the student's, each with its answer."""
    task = verdict.task
    right = _visits(task, task.expected)
    if task.function == "best_move":
        right = "any leaves that prove the move"
    return [
        f"right search: {right}; returns {sentences.answer(task, task.expected.answer)}",
        f"your search:  {_visits(task, verdict.trace)}; "
        f"returns {sentences.answer(task, verdict.trace.answer)}",
    ]


def _visits(task, trace):
    paths = without_repeats(trace.evaluated)
    listed = ", ".join(task.tree.root.at(path).name for path in paths[:MOST_LEAVES])
    return (listed or "no leaf") + (", ..." if len(paths) > MOST_LEAVES else "")
