"""Name the symptom of a wrong function: a description of all its wrong searches.

A symptom follows from the verdicts alone, without the known mistakes. It is one of the
kinds below, each of which has a sentence in texts.yaml.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

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


def symptom_of(function: str, verdicts: Iterable[Verdict]) -> str:
    """Return the symptom that describes the wrong verdicts of a function."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    wrong = [verdict for verdict in own if not verdict.is_right]
    # Repeated visits may use up all queries in some of the searches.
    if any(verdict.has_returned for verdict in wrong):
        wrong = [v for v in wrong if v.trace.ending.kind != OUT_OF_QUERIES]
    kinds = set()
    for verdict in wrong:
        kinds.update(finding.kind for finding in verdict.findings)
    if judging.DID_NOT_RETURN in kinds:
        return STOPS
    if judging.WRONG_TYPE in kinds:
        return WRONG_TYPE
    if judging.NOT_A_LEAF in kinds:
        return TOO_DEEP if all(map(_is_too_deep, wrong)) else BEYOND
    if judging.TOO_FEW in kinds:
        return TOO_MUCH
    if judging.MISSED in kinds:
        return OTHER_LEAVES if judging.UNNECESSARY in kinds else TOO_MUCH
    if judging.UNNECESSARY in kinds:
        full = [verdict for verdict in own if verdict.task.search.full_window]
        return NEVER_PRUNES if all(map(_visits_all, full)) else TOO_LITTLE
    if kinds == {judging.WRONG_COUNT}:
        return AGAIN
    if kinds and kinds <= {judging.LOOKED_BEYOND, judging.WRONG_COUNT}:
        return LOOKS_AHEAD
    moves = [v for v in wrong if v.findings[0].kind == judging.WRONG_MOVE]
    if any(len(verdict.trace.answer.path) != 1 for verdict in moves):
        return NOT_A_CHILD
    return WRONG_ANSWER


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
