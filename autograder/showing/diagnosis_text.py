"""The text of a diagnosis: what a submission looks like, and one next step."""

from __future__ import annotations

import textwrap

from autograder.judging import effect as e
from autograder.showing.rowtext import WIDTH

MOST_CAUSES = 6
EFFECTS = {
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


def headline(diagnoses):
    """Return the one line that names the first diagnosis, "" where there is none."""
    if not diagnoses:
        return ""
    first = diagnoses[0]
    if not first.exact:
        return f"Closest to: {first.variants[0].headline}"
    if len(first.variants) == 1:
        return first.variants[0].headline
    return _effect(first)


def next_step(diagnoses):
    """Return the next step of the first diagnosis, "" where there is none."""
    return diagnoses[0].variants[0].next_step if diagnoses else ""


def diagnosis_text(diagnoses, width=WIDTH):
    """Return what a student reads of all diagnoses, "" where there are none."""
    return "\n\n".join(_paragraph(diagnosis, width) for diagnosis in diagnoses)


def _paragraph(diagnosis, width):
    headlines = [variant.headline for variant in diagnosis.variants]
    functions = " and ".join(diagnosis.functions)
    if diagnosis.exact and len(headlines) == 1:
        lines = textwrap.wrap(f"{functions}: {headlines[0]}", width)
    else:
        lines = textwrap.wrap(_lead(diagnosis, functions), width)
        for text in headlines[:MOST_CAUSES]:
            lines += textwrap.wrap(f"- {text}", width, subsequent_indent="  ")
        if len(headlines) > MOST_CAUSES:
            lines.append(f"- and {len(headlines) - MOST_CAUSES} more")
    step = diagnosis.variants[0].next_step
    if len(headlines) > 1:
        step = f"begin with the first of these. {step}"
    return "\n".join([*lines, *textwrap.wrap(f"Next step: {step}", width)])


def _lead(diagnosis, functions):
    if diagnosis.exact:
        return f"{_effect(diagnosis)} Known causes that look just the same from outside:"
    if len(diagnosis.variants) == 1:
        return f"{functions} equals no known mistake. This one is the closest:"
    return (
        f"{functions} equals no single known mistake. It is closest to two of them, "
        "perhaps both at once:"
    )


def _effect(diagnosis):
    return f"Your {' and '.join(diagnosis.functions)} {EFFECTS[diagnosis.effect]}."
