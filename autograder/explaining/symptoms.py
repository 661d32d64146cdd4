"""Name the symptom of a wrong function: a description of all its wrong searches.

A symptom follows from the verdicts alone, without the known mistakes. It is one of the
kinds below. Each is the key of its sentence in texts.yaml, except STOPS.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from autograder.explaining.explanation import SmallestTree
from autograder.scoring.scores import all_right, is_stub
from gametree.functions import FUNCTIONS, MAX, MIN, NODE
from gametree.support import judging
from gametree.support.judging import Verdict
from gametree.support.trace import OUT_OF_QUERIES
from gametree.support.tree import with_ancestors

NEVER_PRUNES = "symptom.never prunes"
TOO_LITTLE = "symptom.prunes too little"
TOO_MUCH = "symptom.prunes too much"
OTHER_LEAVES = "symptom.visits other leaves"
OUT_OF_ORDER = "symptom.searches children in another order"
BEYOND = "symptom.evaluates what is not a leaf"
TOO_DEEP = "symptom.evaluates below the depth"
WRONG_ANSWER = "symptom.right leaves, wrong answer"
OFTEN_WRONG_ANSWER = "symptom.often right leaves, wrong answer"
NOT_A_CHILD = "symptom.another node than a child"
WRONG_TYPE = "symptom.answer of a wrong type"
AGAIN = "symptom.searches nodes again"
LOOKS_AHEAD = "symptom.looks ahead"
STOPS = "does not return"
TOO_LITTLE_AT = {
    MAX.name: "symptom.prunes too little at MAX",
    MIN.name: "symptom.prunes too little at MIN",
}
TOO_MUCH_AT = {
    MAX.name: "symptom.prunes too much at MAX",
    MIN.name: "symptom.prunes too much at MIN",
}

# Ways in which a search fails, and the findings that show them, the gravest first.
LEAVES = "leaves"
ANSWER = "answer"
VISITS = "visits"
FAILURES = {
    STOPS: {judging.DID_NOT_RETURN},
    WRONG_TYPE: {judging.WRONG_TYPE},
    BEYOND: {judging.NOT_A_LEAF},
    LEAVES: {judging.TOO_FEW, judging.MISSED, judging.UNNECESSARY},
    ANSWER: {judging.WRONG_VALUE, judging.WRONG_MOVE, judging.UNPROVEN},
    VISITS: {judging.WRONG_COUNT, judging.LOOKED_BEYOND},
}
# Findings of visits that change no answer.
EXTRA = {judging.LOOKED_BEYOND, judging.UNNECESSARY, judging.WRONG_COUNT}


def symptoms_of(
    verdicts: Sequence[Verdict], smallest: SmallestTree | None = None
) -> dict[str, str]:
    """Return wrong function -> its symptom, given verdicts on searches that were run.

    smallest: the tree that is drawn, so that the symptom of its function is about the same
        aspect as the drawing.
    """
    symptoms = {}
    for function in FUNCTIONS:
        own = [verdict for verdict in verdicts if verdict.task.function == function]
        if not all_right(own):
            is_drawn = smallest is not None and smallest.function == function
            symptoms[function] = symptom_of(own, smallest if is_drawn else None)
    return symptoms


def symptom_of(verdicts: Sequence[Verdict], smallest: SmallestTree | None = None) -> str:
    """Return the symptom that describes wrong verdicts of one function.

    It describes those that fail in the way of the drawn tree, or else in the most frequent
    way.
    """
    by_failure = _by_failure(verdicts)
    failure = _drawn_failure(smallest, verdicts)
    if not failure:
        failure = max(by_failure, key=lambda failure: len(by_failure[failure]))
    alike = by_failure.pop(failure, [])
    if smallest and smallest.verdict:
        alike = _like_drawn([*alike, smallest.verdict], smallest.verdict)
    symptom = _describe(failure, alike, verdicts)
    if symptom == WRONG_ANSWER and by_failure:
        return OFTEN_WRONG_ANSWER
    return symptom


def _by_failure(verdicts):
    """Return the ways in which searches fail, the gravest first -> the wrong verdicts."""
    wrong = [verdict for verdict in verdicts if not verdict.is_right]
    # Repeated visits may use up all queries in some of the searches.
    if any(verdict.has_returned for verdict in wrong):
        wrong = [v for v in wrong if v.trace.ending.kind != OUT_OF_QUERIES]
    groups = {}
    for failure in FAILURES:
        alike = [verdict for verdict in wrong if failure_of(verdict) == failure]
        if alike:
            groups[failure] = alike
    return groups


def failure_of(verdict: Verdict) -> str:
    """Return the way in which a search fails: the gravest that its findings show."""
    kinds = kinds_of([verdict])
    return next(failure for failure, shown in FAILURES.items() if kinds & shown)


def kinds_of(verdicts: Iterable[Verdict]) -> set[str]:
    """Return the kinds of all findings of verdicts."""
    return {finding.kind for verdict in verdicts for finding in verdict.findings}


def wrong_aspects(verdict: Verdict) -> tuple[str, ...]:
    """Return the aspects that are wrong, in the order of judging."""
    return tuple(name for name, holds in verdict.aspects.items() if not holds)


def _drawn_failure(smallest, verdicts):
    """Return the way in which a program fails on the drawn tree, or "".

    If hidden trees ran before the drawn tree, only its wrong aspects are known. Then this
    is the way of a verdict with the same wrong aspects.
    """
    if smallest is None:
        return ""
    if smallest.verdict:
        return failure_of(smallest.verdict)
    for verdict in verdicts:
        if wrong_aspects(verdict) == smallest.wrong_aspects:
            return failure_of(verdict)
    return ""


def _like_drawn(alike, drawn):
    """Return the verdicts with unnecessary or missed leaves only if the drawn one has them.

    Otherwise the sentence would be about another mistake than the drawing.
    """
    absent = {judging.UNNECESSARY, judging.MISSED} - kinds_of([drawn])
    return [verdict for verdict in alike if absent.isdisjoint(kinds_of([verdict]))]


def _describe(failure, alike, verdicts):
    """Return the symptom of verdicts that fail in the same way, among all verdicts."""
    if failure == LEAVES:
        return _wrong_leaves(alike, verdicts)
    if failure == ANSWER:
        is_child = all(map(_chooses_child, alike))
        return WRONG_ANSWER if is_child else NOT_A_CHILD
    if failure == VISITS:
        return AGAIN if kinds_of(alike) == {judging.WRONG_COUNT} else LOOKS_AHEAD
    if failure == BEYOND:
        return TOO_DEEP if all(map(_is_too_deep, alike)) else BEYOND
    return failure


def _wrong_leaves(wrong, verdicts):
    """Return the symptom of searches that visit wrong leaves."""
    kinds = kinds_of(wrong)
    if judging.TOO_FEW in kinds:
        return TOO_MUCH
    if any(map(_is_out_of_order, wrong)):
        return OUT_OF_ORDER
    if judging.MISSED in kinds:
        if judging.UNNECESSARY in kinds:
            return OTHER_LEAVES
        return TOO_MUCH_AT.get(_only_player(wrong), TOO_MUCH)
    full = [verdict for verdict in verdicts if verdict.task.search.full_window]
    if all(map(_visits_all, full)):
        return NEVER_PRUNES
    return TOO_LITTLE_AT.get(_only_player(wrong), TOO_LITTLE)


def _is_out_of_order(verdict):
    """Tell whether a search with a window visits leaves of one pass from right to left."""
    visits = verdict.trace.in_order
    if not FUNCTIONS[verdict.task.function].has_window or visits == sorted(visits):
        return False
    return not verdict.trace.revisited


def _only_player(wrong):
    """Return the player at the first node of each search whose children differ.

    The children differ if one search visits a child and the other search skips it. Return
    "" if it is not the same player in all searches.
    """
    players = set()
    for verdict in wrong:
        task = verdict.task
        visited = with_ancestors([(), *verdict.trace.visited])
        expected = with_ancestors([(), *task.expected.visited])
        differing = [path for path in visited ^ expected if path[:-1] in visited & expected]
        if differing:
            players.add(task.search.player_at(min(differing)[:-1]))
    return players.pop() if len(players) == 1 else ""


def _chooses_child(verdict):
    """Tell whether a search that returned a wrong move returned a child of the root."""
    is_move = verdict.findings[0].kind == judging.WRONG_MOVE
    return not is_move or len(verdict.trace.answer.path) == 1


def blamed_callees(
    function: str, calls: Collection[str], verdicts: Sequence[Verdict]
) -> tuple[str, ...]:
    """Return the wrong functions that a function calls and that may make it wrong.

    They are not written yet, or the function returns a move and they return wrong answers
    where no window is given.

    calls: the functions that it calls.
    verdicts: the verdicts on searches that were run.
    """
    blamed = []
    for called in calls:
        own = [verdict for verdict in verdicts if verdict.task.function == called]
        full = [verdict for verdict in own if verdict.task.search.full_window]
        misleads = FUNCTIONS[function].answer == NODE and not kinds_of(full) <= EXTRA
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
