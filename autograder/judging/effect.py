"""What a wrong function does in sum, over all trees: one word for all its findings."""

from __future__ import annotations

from autograder.judging import verdict as v

NEVER_PRUNES = "never prunes"
TOO_LITTLE = "prunes too little"
TOO_MUCH = "prunes too much"
OTHER_LEAVES = "visits other leaves"
OTHER_VALUES = "visits other leaves, wrong values"
BEYOND = "evaluates what is no leaf"
WRONG_ANSWER = "right leaves, wrong answer"
WRONG_TYPE = "answer of a wrong type"
AGAIN = "searches nodes again"
KEEPS_STATE = "keeps state"
STOPS = "does not return"


def effect_of(function, verdicts):
    """Return the effect that describes the wrong verdicts of a function."""
    wrong = [w for w in verdicts if w.task.function == function and not w.right]
    kinds = {finding.kind for verdict in wrong for finding in verdict.findings}
    for kind, effect in (
        (v.DID_NOT_RETURN, STOPS),
        (v.WRONG_TYPE, WRONG_TYPE),
        (v.STATE_KEPT, KEEPS_STATE),
        (v.NOT_A_LEAF, BEYOND),
    ):
        if kind in kinds:
            return effect
    if {v.MISSED, v.NEEDLESS} <= kinds:
        return OTHER_VALUES if v.WRONG_VALUE in kinds else OTHER_LEAVES
    if v.MISSED in kinds:
        return TOO_MUCH
    if v.NEEDLESS in kinds:
        return NEVER_PRUNES if _prunes_nothing(verdicts) else TOO_LITTLE
    return AGAIN if kinds == {v.WRONG_COUNT} else WRONG_ANSWER


def _prunes_nothing(verdicts):
    """Tell whether alphabeta visits all that minimax does, from a full window."""
    leaves = {
        (w.task.tree.name, w.task.search): w.task.expected.visited
        for w in verdicts
        if w.task.function == "minimax"
    }
    return all(
        w.trace.visited == leaves.get((w.task.tree.name, w.task.search))
        for w in verdicts
        if w.task.function == "alphabeta" and w.task.search.full_window
    )
