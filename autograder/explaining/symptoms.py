"""Name the symptom of a wrong function: a description of all its wrong searches.

A symptom follows from the verdicts alone, without the known mistakes. It is one of the
kinds below, each of which has a sentence in texts.yaml.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from autograder.scoring.scores import all_right, is_stub
from gametree.functions import FUNCTIONS, NODE
from gametree.support import judging
from gametree.support.judging import Verdict
from gametree.support.trace import OUT_OF_QUERIES

NEVER_PRUNES = "never prunes"
TOO_LITTLE = "prunes too little"
TOO_MUCH = "prunes too much"
OTHER_LEAVES = "visits other leaves"
BEYOND = "evaluates what is not a leaf"
TOO_DEEP = "evaluates below the depth"
WRONG_ANSWER = "right leaves, wrong answer"
NOT_A_CHILD = "another node than a child"
WRONG_TYPE = "answer of a wrong type"
AGAIN = "searches nodes again"
LOOKS_AHEAD = "looks ahead"
STOPS = "does not return"


KINDS = (
    NEVER_PRUNES,
    TOO_LITTLE,
    TOO_MUCH,
    OTHER_LEAVES,
    BEYOND,
    TOO_DEEP,
    WRONG_ANSWER,
    NOT_A_CHILD,
    WRONG_TYPE,
    AGAIN,
    LOOKS_AHEAD,
    STOPS,
)
# Findings of visits that change no answer.
EXTRA = {judging.LOOKED_BEYOND, judging.UNNECESSARY, judging.WRONG_COUNT}


def symptoms_of(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Return wrong function -> its symptom, given verdicts on searches that were run."""
    symptoms = {}
    for function in FUNCTIONS:
        own = [verdict for verdict in verdicts if verdict.task.function == function]
        if not all_right(own):
            symptoms[function] = symptom_of(own)
    return symptoms


def symptom_of(verdicts: Sequence[Verdict]) -> str:
    """Return the symptom that describes the wrong verdicts of one function."""
    wrong = [verdict for verdict in verdicts if not verdict.is_right]
    # Repeated visits may use up all queries in some of the searches.
    if any(verdict.has_returned for verdict in wrong):
        wrong = [v for v in wrong if v.trace.ending.kind != OUT_OF_QUERIES]
    kinds = kinds_of(wrong)
    if judging.DID_NOT_RETURN in kinds:
        return STOPS
    if judging.WRONG_TYPE in kinds:
        return WRONG_TYPE
    if judging.NOT_A_LEAF in kinds:
        return TOO_DEEP if all(map(_is_too_deep, wrong)) else BEYOND
    return _wrong_leaves(kinds, verdicts) or _wrong_with_right_leaves(kinds, wrong)


def kinds_of(verdicts: Iterable[Verdict]) -> set[str]:
    """Return the kinds of all findings of verdicts."""
    return {finding.kind for verdict in verdicts for finding in verdict.findings}


def _wrong_leaves(kinds, verdicts):
    """Return the symptom of searches that visit wrong leaves, or None."""
    if judging.TOO_FEW in kinds:
        return TOO_MUCH
    if judging.MISSED in kinds:
        return OTHER_LEAVES if judging.UNNECESSARY in kinds else TOO_MUCH
    if judging.UNNECESSARY in kinds:
        full = [verdict for verdict in verdicts if verdict.task.search.full_window]
        return NEVER_PRUNES if all(map(_visits_all, full)) else TOO_LITTLE
    return None


def _wrong_with_right_leaves(kinds, wrong):
    """Return the symptom of searches that visit the correct leaves."""
    if kinds == {judging.WRONG_COUNT}:
        return AGAIN
    if kinds and kinds <= {judging.LOOKED_BEYOND, judging.WRONG_COUNT}:
        return LOOKS_AHEAD
    moves = [v for v in wrong if v.findings[0].kind == judging.WRONG_MOVE]
    if any(len(verdict.trace.answer.path) != 1 for verdict in moves):
        return NOT_A_CHILD
    return WRONG_ANSWER


def blamed_callees(
    function: str, calls: Collection[str], verdicts: Sequence[Verdict]
) -> tuple[str, ...]:
    """Return the wrong functions that a function calls and that may make it wrong.

    They are not written yet, or the function returns a move and they return wrong answers.

    calls: the functions that it calls.
    verdicts: the verdicts on searches that were run.
    """
    blamed = []
    for called in calls:
        own = [verdict for verdict in verdicts if verdict.task.function == called]
        misleads = FUNCTIONS[function].answer == NODE and not kinds_of(own) <= EXTRA
        if is_stub(called, verdicts) or misleads:
            blamed.append(called)
    return tuple(blamed)


def _is_too_deep(verdict):
    """Tell whether all nodes that are not leaves of the search are below its depth."""
    depth = verdict.task.search.depth
    paths = [f.path for f in verdict.findings if f.kind == judging.NOT_A_LEAF]
    return all(len(path) > depth for path in paths)


def _visits_all(verdict):
    """Tell whether a search visits all leaves that minimax visits."""
    task = verdict.task
    visited = verdict.trace.visited
    leaves = task.tree.root.frontier(task.search.depth)
    first = islice(leaves, len(visited) + 1)  # a lazy tree has too many to list
    return visited == {leaf.path for leaf in first}
