"""What a diagnosis says, in sentences that are not yet laid out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.mistakes import diagnosis as d

MOST_CAUSES = 3
CAUSES = " Known mistakes that produce this same pattern:"
SYMPTOMS = {
    d.NEVER_PRUNES: "never prunes: it visits every leaf that minimax visits",
    d.TOO_LITTLE: "prunes too little: it visits leaves that a cutoff should spare",
    d.TOO_MUCH: "leaves out leaves that can matter",
    d.OTHER_LEAVES: "visits too few leaves, or too many, on some trees",
    d.OTHER_VALUES: "returns wrong values on some trees, and visits wrong leaves on some",
    d.BEYOND: "evaluates nodes that are not leaves of the search",
    d.WRONG_ANSWER: "visits the right leaves but gives other answers",
    d.WRONG_TYPE: "does not return what it is asked for",
    d.AGAIN: "visits the right leaves, but nodes more than once",
    d.LOOKS_AHEAD: "visits the right leaves, but reads the children of other nodes too",
    d.KEEPS_STATE: "keeps something from one search to the next",
    d.STOPS: "gives no answer on some trees: it raises an error, or is stopped",
}
IN_ORDER = (
    "Search the children from left to right, and of equally good moves take the first."
)


@dataclass(frozen=True)
class Advice:
    """One sentence that says what is wrong, and what to check.

    `causes` are the known mistakes that it may be, where there are several. `sure` tells
    whether it explains every search, and is not only the nearest that is known.
    """

    lead: str
    causes: tuple[str, ...]
    check: str
    sure: bool


def advice_of(diagnosis: d.Diagnosis) -> Advice:
    """Return the Advice of one diagnosis."""
    return Advice(*_parts(diagnosis), diagnosis.exact)


def _parts(diagnosis):
    """Return lead, causes and check."""
    who, others = _and(diagnosis.functions), _and(diagnosis.others)
    if diagnosis.symptom == d.RESTS_ON:
        return f"{who}: mend {others} first; {who} may then be right.", (), ""
    if diagnosis.symptom == d.CALLS_A_STUB:
        lead = f"{who} calls {others}, which is not written yet."
        if who != "best_move":
            return lead, (), f"For the children call {who} itself, not {others}."
        return lead, (), f"Write {others} first; best_move may then be right."
    if diagnosis.symptom == d.AT_RANDOM:
        return f"Your {who} draws at random: asked twice, it goes two ways.", (), IN_ORDER
    first, headlines = diagnosis.variants[0], [v.headline for v in diagnosis.variants]
    if len(headlines) == 1:
        closest = "" if diagnosis.exact else "closest to this known mistake: "
        names = f"{who}: " if closest or who not in first.headline else ""
        return f"{names}{closest}{first.headline}", (), first.next_step
    if diagnosis.exact:
        lead = f"Your {who} {SYMPTOMS[diagnosis.symptom]}."
        return lead + CAUSES, _few(headlines), first.next_step
    mixed = ", perhaps both at once" if diagnosis.mixed else ", equally close"
    lead = f"{who} matches no known mistake. The closest{mixed}:"
    return lead, _few(headlines), first.next_step


def _few(headlines):
    more = len(headlines) - MOST_CAUSES
    if more <= 0:
        return tuple(headlines)
    return *headlines[: MOST_CAUSES - 1], f"{headlines[MOST_CAUSES - 1]} ({more} more)"


def _and(names):
    return " and ".join(names)


def headline(diagnosis: d.Diagnosis) -> str:
    """Return a diagnosis in one line, for books and tables of a class."""
    who = _and(diagnosis.functions)
    if not diagnosis.variants:
        return advice_of(diagnosis).lead
    if not diagnosis.exact:
        return f"Closest to: {diagnosis.variants[0].headline}"
    if len(diagnosis.variants) == 1:
        return diagnosis.variants[0].headline
    return f"Your {who} {SYMPTOMS[diagnosis.symptom]}."


def about(function: str, diagnoses: Iterable[d.Diagnosis]) -> Advice | None:
    """Return the Advice about a function, None where there is none."""
    concerned = (one for one in diagnoses if function in one.functions)
    return next(map(advice_of, concerned), None)
