"""Name the symptom of a wrong function: how its searches go wrong, all in all.

Nothing here knows a mistake; a symptom is computed from the verdicts alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice, zip_longest

from gametree.functions import FUNCTIONS
from gametree.support import judging as v
from gametree.support.judging import Verdict, returned_values, window_before
from gametree.support.trace import OUT_OF_QUERIES
from gametree.support.tree import with_ancestors

# Symptoms: what goes wrong in sum.
NEVER_PRUNES = "never prunes"
PRUNES_BY_GIVEN = "prunes only by a window that is given"
NO_CUTOFF = "does not cut off"
ON_TIES = "goes on at ties"
FAR_BELOW = "cuts off by the nearest bound only"
TOO_LITTLE = "prunes too little"
TOO_MUCH = "prunes too much"
OTHER_ORDER = "visits leaves in another order"
OTHER_LEAVES = "visits other leaves"
OTHER_VALUES = "visits other leaves, wrong values"
BEYOND = "evaluates what is not a leaf"
WRONG_ANSWER = "right leaves, wrong answer"
EQUAL_MOVE = "another of the best moves"
NO_MOVE = "another node than a child"
WRONG_TYPE = "answer of a wrong type"
AGAIN = "searches nodes again"
LOOKS_AHEAD = "looks ahead"
STOPS = "does not return"
AT_MAX, AT_MIN = " at MAX", " at MIN"  # after TOO_MUCH, and the kinds of cutoffs
CUTOFFS = (
    *(NO_CUTOFF + AT_MAX, NO_CUTOFF + AT_MIN, ON_TIES, FAR_BELOW),
    *(ON_TIES + AT_MAX, ON_TIES + AT_MIN, FAR_BELOW + AT_MAX, FAR_BELOW + AT_MIN),
)

QUICK_QUERIES = 60  # of a search that is looked at step by step
FEWEST = 3  # cutoffs of a kind, to say that it is never made
MOSTLY, MAX_OTHERS, A_GOOD_PART = 0.9, 0.75, 0.25


def symptom_of(function: str, verdicts: Iterable[Verdict]) -> str:
    """Return the symptom that describes the wrong verdicts of a function."""
    own = [one for one in verdicts if one.task.function == function]
    wrong = [one for one in own if not one.right]
    if any(one.judged for one in wrong):  # what searches again may run out of queries
        wrong = [one for one in wrong if one.trace.ending.kind != OUT_OF_QUERIES]
    kinds = {finding.kind for verdict in wrong for finding in verdict.findings}
    for kind, symptom in (
        (v.DID_NOT_RETURN, STOPS),
        (v.WRONG_TYPE, WRONG_TYPE),
        (v.NOT_A_LEAF, BEYOND),
    ):
        if kind in kinds:
            return symptom
    if FUNCTIONS[function].has_window and any(map(_in_another_order, wrong)):
        return OTHER_ORDER
    if v.TOO_FEW in kinds:
        return TOO_MUCH
    if kinds & {v.MISSED, v.UNNECESSARY}:
        return _of_leaves(own, wrong, kinds)
    if v.LOOKED_BEYOND in kinds and kinds <= {v.LOOKED_BEYOND, v.WRONG_COUNT}:
        return LOOKS_AHEAD
    if kinds == {v.WRONG_COUNT}:
        return AGAIN
    moves = [one for one in wrong if one.findings[0].kind == v.WRONG_MOVE]
    if any(len(one.trace.answer.path) != 1 for one in moves):
        return NO_MOVE
    equal = sum(map(_as_good, moves)) >= max(1, MOSTLY * len(wrong))
    return EQUAL_MOVE if equal else WRONG_ANSWER


def _as_good(verdict):
    """Tell whether the move that is chosen is as good as the leftmost of the best."""
    task = verdict.task
    values = returned_values(task.tree, task.search, task.expected.visited)
    return values[verdict.trace.answer.path] == values[task.expected.answer.path]


def _of_leaves(own, wrong, kinds):
    """Return the symptom of a function that visits wrong leaves: by where it begins to."""
    if v.MISSED not in kinds:
        if _prunes_nothing(own):
            return NEVER_PRUNES
        if _prunes_nothing(one for one in own if one.task.search.full_window):
            return PRUNES_BY_GIVEN
    begins = Counter(map(_begins, filter(_is_quick, wrong)))
    left_out = [TOO_MUCH + player for player in (AT_MAX, AT_MIN)]
    most = max(1, MOSTLY * begins.total())
    if v.UNNECESSARY not in kinds or begins[left_out[0]] + begins[left_out[1]] >= most:
        enough = max(most, A_GOOD_PART * len(own))
        return next((one for one in left_out if begins[one] >= enough), TOO_MUCH)
    if v.MISSED not in kinds or begins[TOO_LITTLE] >= most:
        return cutoffs_not_made(own)
    return OTHER_VALUES if v.WRONG_VALUE in kinds else OTHER_LEAVES


def _begins(verdict):
    """Return how a search begins to visit wrong leaves, "" where it is not that simple."""
    task, trace = verdict.task, verdict.trace
    ordered = FUNCTIONS[task.function].has_window
    own = trace.in_order if ordered else sorted(trace.visited)
    pairs = zip_longest(sorted(task.expected.visited), own)
    due, got = next(((due, got) for due, got in pairs if due != got), (None, None))
    if got is not None and got not in task.expected.visited and (due is None or got < due):
        return TOO_LITTLE
    if due is None or due in own or not own:
        return ""
    above = next(due[:n] for n in range(len(due), -1, -1) if due[:n] in with_ancestors(own))
    return TOO_MUCH + (AT_MAX if task.search.max_moves_at(above) else AT_MIN)


def _is_quick(verdict):
    """Tell whether a search is small enough to be looked at step by step."""
    return verdict.judged and len(verdict.task.expected.events) < QUICK_QUERIES


def _in_another_order(verdict):
    """Tell whether leaves are visited otherwise than from left to right, each once."""
    leaves = verdict.trace.in_order
    return len(set(leaves)) == len(leaves) and leaves != sorted(leaves)


def _prunes_nothing(verdicts):
    """Tell whether a function visits all that minimax does."""
    return all(_visits_all(one.task, one.trace.visited) for one in verdicts)


def _visits_all(task, visited):
    leaves = task.tree.root.frontier(task.search.depth)  # of a lazy tree, too many to list
    return visited == {leaf.path for leaf in islice(leaves, len(visited) + 1)}


def cutoffs_not_made(verdicts):
    """Return the symptom of a function that searches too much: the cutoffs it never makes.

    It makes most of the others.
    """
    made, due, total, whole = Counter(), Counter(), 0, 0
    for one in filter(_is_quick, verdicts):
        touched = with_ancestors(path for _, path in one.trace.events)
        for path, left_out, kinds in _cutoffs(one.task):
            if path in touched and one.task.search.full_window:
                due.update(kinds)
                total += 1
                if not touched.intersection(left_out):
                    made.update(kinds)
                    whole += 1
                elif not touched.issuperset(left_out):  # late, but not missing
                    made.update(kind for kind in kinds if kind.startswith(NO_CUTOFF))
    never = [kind for kind in CUTOFFS if due[kind] >= FEWEST and not made[kind]]
    others = (kind for kind in never if whole >= MAX_OTHERS * (total - due[kind]))
    return next(others, TOO_LITTLE)


def _cutoffs(task):
    """Return (node, children left out, kinds) of each cutoff of the right search."""
    root, search = task.tree.root, task.search
    values, found = returned_values(task.tree, search, task.expected.visited), []
    for path in (path for path in values if path not in task.expected.visited):
        children = [child.path for child in root.at(path).children]
        left_out = [child for child in children if child not in values]
        if not left_out:
            continue
        _, _, alpha, beta = window_before(left_out[0], search, values)
        at_max = search.max_moves_at(path)
        above = [values[(*path[:-1], n)] for n in range(path[-1])] if path else []
        far = not any(
            values[path] >= one if at_max else values[path] <= one for one in above
        )
        player = AT_MAX if at_max else AT_MIN
        kinds = [ON_TIES] * (alpha == beta) + [FAR_BELOW] * far
        kinds += [kind + player for kind in (NO_CUTOFF, *kinds)]
        found.append((path, left_out, kinds))
    return found
