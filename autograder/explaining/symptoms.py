"""Name the symptom of a wrong function: a description of all its wrong searches.

A symptom follows from the verdicts alone, without the known mistakes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice, zip_longest
from typing import NamedTuple

from autograder.scoring.features import is_deep
from gametree.functions import FUNCTIONS
from gametree.support import judging
from gametree.support.judging import Verdict
from gametree.support.trace import OUT_OF_QUERIES
from gametree.support.tree import with_ancestors


class Symptom(NamedTuple):
    """What all wrong searches of a function have in common.

    kind: one of the kinds below; each has a sentence in texts.yaml.
    player: "MAX" or "MIN" if only nodes of this player show it, otherwise "".
    """

    kind: str
    player: str = ""


# Kinds of symptoms.
NEVER_PRUNES = "never prunes"
PRUNES_BY_GIVEN = "prunes only by a given window"
NO_CUTOFF = "does not cut off"
ON_TIES = "goes on at ties"
FAR_BELOW = "cuts off by the nearest bound only"
TOO_LITTLE = "prunes too little"
TOO_MUCH = "prunes too much"
OTHER_ORDER = "visits leaves in another order"
OTHER_LEAVES = "visits other leaves"
BEYOND = "evaluates what is not a leaf"
TOO_DEEP = "evaluates below the depth"
THE_ROOT = "evaluates the root"
WRONG_ANSWER = "right leaves, wrong answer"
OTHERS_MOVE = "the best move of the other player"
EQUAL_MOVE = "another of the best moves"
NOT_A_CHILD = "another node than a child"
DEEPER_MOVE = "a node below the children"
WRONG_TYPE = "answer of a wrong type"
AGAIN = "searches nodes again"
AGAIN_AND_MORE = "searches nodes again, and needless ones"
LOOKS_AHEAD = "looks ahead"
STOPS = "does not return"
OTHER_PLAYER = {"MAX": "MIN", "MIN": "MAX"}
# The cutoffs that a function may lack, in the order in which they are tried.
CUTOFFS = (
    Symptom(NO_CUTOFF, "MAX"),
    Symptom(NO_CUTOFF, "MIN"),
    Symptom(ON_TIES),
    Symptom(FAR_BELOW),
    Symptom(ON_TIES, "MAX"),
    Symptom(ON_TIES, "MIN"),
    Symptom(FAR_BELOW, "MAX"),
    Symptom(FAR_BELOW, "MIN"),
)

QUICK_QUERIES = 60  # larger searches are not examined step by step
MIN_CUTOFFS = 3  # cutoffs of a kind that must be due before it counts as missing
MIN_OTHERS_MADE = 0.75  # share of the other cutoffs that must be made then
MOST = 0.9  # share of the wrong searches that must show a symptom
MIN_SHARE = 0.25  # share of all searches that must prune too much at the named player


def symptom_of(function: str, verdicts: Iterable[Verdict]) -> Symptom:
    """Return the Symptom that describes the wrong verdicts of a function."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    wrong = [verdict for verdict in own if not verdict.is_right]
    # Repeated visits may use up all queries in some of the searches.
    if any(verdict.has_returned for verdict in wrong):
        wrong = [v for v in wrong if v.trace.ending.kind != OUT_OF_QUERIES]
    kinds = set()
    for verdict in wrong:
        kinds.update(finding.kind for finding in verdict.findings)
    if judging.DID_NOT_RETURN in kinds:
        return Symptom(STOPS)
    if judging.WRONG_TYPE in kinds:
        return Symptom(WRONG_TYPE)
    if judging.NOT_A_LEAF in kinds:
        return Symptom(_evaluations_of(wrong))
    if FUNCTIONS[function].has_window and any(map(_is_in_another_order, wrong)):
        return Symptom(OTHER_ORDER)
    if judging.TOO_FEW in kinds:
        return Symptom(TOO_MUCH)
    if kinds & {judging.MISSED, judging.UNNECESSARY}:
        return _symptom_of_leaves(own, wrong, kinds)
    if kinds == {judging.WRONG_COUNT}:
        return Symptom(AGAIN)
    if kinds and kinds <= {judging.LOOKED_BEYOND, judging.WRONG_COUNT}:
        return Symptom(LOOKS_AHEAD)
    return Symptom(_answers_of(wrong))


def _answers_of(wrong):
    """Return the kind of symptom of a function that visits the correct leaves."""
    moves = [v for v in wrong if v.findings[0].kind == judging.WRONG_MOVE]
    plies = {len(verdict.trace.answer.path) for verdict in moves}
    if plies - {1}:
        return NOT_A_CHILD if 0 in plies else DEEPER_MOVE
    for kind, has_kind in KINDS_OF_ANSWERS.items():
        if sum(map(has_kind, wrong)) >= MOST * len(wrong):
            return kind
    return WRONG_ANSWER


def _evaluations_of(wrong):
    """Return the kind of symptom of a function that evaluates other nodes than leaves."""
    is_root = []
    is_too_deep = []
    for verdict in wrong:
        depth = verdict.task.search.depth
        paths = [f.path for f in verdict.findings if f.kind == judging.NOT_A_LEAF]
        is_root.append(paths == [()])
        is_too_deep.append(all(len(path) > depth for path in paths))
    if all(is_too_deep):
        return TOO_DEEP
    return THE_ROOT if all(is_root) else BEYOND


def _is_best_of_other_player(verdict):
    """Tell whether the other player would choose the same move."""
    task = verdict.task
    chosen = verdict.trace.answer.path
    if chosen is None:
        return False
    values = task.correct_search().values
    worst = min if task.search.maximizing else max
    moves = [path for path in values if len(path) == 1]
    return values[chosen] == worst(values[move] for move in moves)


def _is_best_move(verdict):
    """Tell whether the chosen move has the same value as the best move."""
    task = verdict.task
    if verdict.findings[0].kind != judging.WRONG_MOVE:
        return False
    values = task.correct_search().values
    return values[verdict.trace.answer.path] == values[task.expected.answer.path]


KINDS_OF_ANSWERS = {EQUAL_MOVE: _is_best_move, OTHERS_MOVE: _is_best_of_other_player}


def _symptom_of_leaves(own, wrong, kinds):
    """Return the Symptom of a function that visits wrong leaves."""
    prunes_too_much = judging.MISSED in kinds
    prunes_too_little = judging.UNNECESSARY in kinds
    if not prunes_too_much:
        if all(map(_visits_all, own)):
            return Symptom(NEVER_PRUNES)
        if all(_visits_all(v) for v in own if v.task.search.full_window):
            return Symptom(PRUNES_BY_GIVEN)
        if any(verdict.trace.revisited for verdict in wrong):
            return Symptom(AGAIN_AND_MORE)
    deviations = Counter(_first_deviation(v) for v in wrong if _is_quick(v))
    most = max(1, MOST * deviations.total())
    players = [Symptom(TOO_MUCH, player) for player in OTHER_PLAYER]
    if not prunes_too_little or sum(deviations[one] for one in players) >= most:
        enough = max(most, MIN_SHARE * len(own))
        for symptom in players:
            if deviations[symptom] >= enough:
                return symptom
        return Symptom(TOO_MUCH)
    if not prunes_too_much or deviations[Symptom(TOO_LITTLE)] >= most:
        return cutoffs_not_made(own)
    return Symptom(OTHER_LEAVES)


def _first_deviation(verdict):
    """Return the first deviation of a search from the correct leaves, or None."""
    task = verdict.task
    expected = sorted(task.expected.visited)
    leaves = verdict.trace.in_order
    if not FUNCTIONS[task.function].has_window:  # then the order is free
        leaves = sorted(verdict.trace.visited)
    pairs = zip_longest(expected, leaves)
    different = (pair for pair in pairs if pair[0] != pair[1])
    due, visited = next(different, (None, None))
    is_extra = visited is not None and visited not in task.expected.visited
    if is_extra and (due is None or visited < due):
        return Symptom(TOO_LITTLE)
    if due is None or due in leaves or not leaves:
        return None
    reached = with_ancestors(leaves)
    node = due
    while node not in reached:
        node = node[:-1]
    return Symptom(TOO_MUCH, task.search.player_at(node))


def _is_quick(verdict):
    """Tell whether a search is small enough to be examined step by step."""
    return verdict.has_returned and len(verdict.task.expected.events) < QUICK_QUERIES


def _is_in_another_order(verdict):
    """Tell whether each leaf is visited once, but not from left to right."""
    leaves = verdict.trace.in_order
    return len(set(leaves)) == len(leaves) and leaves != sorted(leaves)


def _visits_all(verdict):
    """Tell whether a search visits all leaves that minimax visits."""
    task = verdict.task
    visited = verdict.trace.visited
    leaves = task.tree.root.frontier(task.search.depth)
    first = islice(leaves, len(visited) + 1)  # a lazy tree has too many to list
    return visited == {leaf.path for leaf in first}


def cutoffs_not_made(verdicts: Iterable[Verdict]) -> Symptom:
    """Return the cutoffs that a function never makes, though it makes most others.

    A player is named only if most cutoffs of the kind are made at the other player's nodes.
    Return TOO_LITTLE if no single kind explains the unnecessary visits.
    """
    due = Counter()  # symptom -> cutoffs of the correct search, at nodes that were visited
    made = Counter()
    cutoffs_due = 0
    cutoffs_made = 0
    for verdict in verdicts:
        if not (_is_quick(verdict) and verdict.task.search.full_window):
            continue
        if any(finding.kind == judging.NOT_A_LEAF for finding in verdict.findings):
            continue  # the values of other nodes give other windows
        visited = with_ancestors(path for _, path in verdict.trace.events)
        correct = verdict.task.correct_search()
        for cutoff in correct.cutoffs:
            if cutoff.path not in visited:
                continue
            symptoms = _symptoms_without(cutoff, correct)
            cutoffs_due += 1
            due.update(symptoms)
            if visited.isdisjoint(cutoff.pruned_paths):
                cutoffs_made += 1
                made.update(symptoms)
            elif not visited.issuperset(cutoff.pruned_paths):  # late, but not missing
                made.update(s for s in symptoms if s.kind == NO_CUTOFF)
    for symptom in CUTOFFS:
        is_never_made = due[symptom] >= MIN_CUTOFFS and not made[symptom]
        others_due = cutoffs_due - due[symptom]
        are_others_made = cutoffs_made >= MIN_OTHERS_MADE * others_due
        is_one_sided = True
        if symptom.player:
            mirrored = Symptom(symptom.kind, OTHER_PLAYER[symptom.player])
            is_one_sided = made[mirrored] >= MIN_OTHERS_MADE * due[mirrored]
        if is_never_made and are_others_made and is_one_sided:
            return symptom
    return Symptom(TOO_LITTLE)


def _symptoms_without(cutoff, correct):
    """Return the members of CUTOFFS that a search shows if it never makes such a cutoff."""
    kinds = [NO_CUTOFF]
    if cutoff.alpha == cutoff.beta:
        kinds.append(ON_TIES)
    if is_deep(correct, cutoff) and not _is_made_by_nearest_bound(cutoff, correct):
        kinds.append(FAR_BELOW)
    players = ("", correct.search.player_at(cutoff.path))
    return [s for s in CUTOFFS if s.kind in kinds and s.player in players]


def _is_made_by_nearest_bound(cutoff, correct):
    """Tell whether an earlier child of the parent has a value that would cut off too."""
    best = correct.search.mover_at(cutoff.path).combine
    siblings = correct.children(cutoff.path[:-1])
    earlier = [correct.values[path] for path in siblings if path < cutoff.path]
    return any(best(cutoff.value, value) == cutoff.value for value in earlier)
