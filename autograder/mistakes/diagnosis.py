"""What is compared of two submissions' runs: terms that a style of code cannot change."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import chain

from autograder.judging import verdict as v
from autograder.judging.divergence import without_repeats
from autograder.judging.proof import search_leaf
from gametree.functions import FUNCTIONS, NODE
from gametree.trace import NOT_RUN, OUT_OF_QUERIES, RAISED, RETURNED, TIMED_OUT

MOST_LEAVES = 300
HONEST_INFINITY = 10**9  # trees hold no value as large as this
MORE, ENDLESS = "more leaves than are compared", "endless"
STOPPED = (OUT_OF_QUERIES, TIMED_OUT)


def signature(task, runs):
    """Return what was seen of a task: equal for the same behaviour in another style.

    For alphabeta: answer, visited leaves in order, node count; for minimax the same
    without the order, which is free; for best_move, which may search as it likes, the
    answer. In an answer's place stands the name of an exception that was raised. None
    where nothing is known.
    """
    first = _seen(task, runs.first)
    if runs.second is None or runs.second is runs.first:
        return first
    second = _seen(task, runs.second)
    return first if first == second else (first, second)


def right_signature(task):
    """Return the signature of the reference on a task."""
    return _seen(task, task.expected)


def _seen(task, trace):
    kind = trace.ending.kind
    if kind == NOT_RUN:
        return None
    leaves = without_repeats(trace.evaluated)
    known = FUNCTIONS[task.function]
    if known.answer == NODE:
        beyond = not all(_search_leaf(task, path) for path in leaves[:MOST_LEAVES])
        if kind == RETURNED:
            return (trace.answer.kind, trace.answer.path, beyond)
        return ENDLESS if kind in STOPPED else (kind, trace.ending.error)
    if len(leaves) > MOST_LEAVES:
        return (MORE, hash(tuple(leaves[:MOST_LEAVES])))
    if not known.has_window:
        leaves.sort()
    if kind in STOPPED:
        return ENDLESS
    if kind != RETURNED:
        return (kind, trace.ending.error, hash(tuple(leaves)))
    return (_answer(task.search, trace.answer), hash(tuple(leaves)), trace.node_count)


def _search_leaf(task, path):
    return search_leaf(task.tree.root.at(path), task.search.depth)


def _answer(search, answer):
    """Return an answer in terms of the window: what lies outside counts as its bound."""
    number = answer.number
    if answer.kind != "number":
        return answer.kind
    if math.isnan(number):
        return "nan"
    if abs(number) >= HONEST_INFINITY:
        number = math.copysign(math.inf, number)
    return max(search.alpha, min(search.beta, number))


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


def symptom_of(function, verdicts):
    """Return the symptom that describes the wrong verdicts of a function."""
    wrong = [w for w in verdicts if w.task.function == function and not w.right]
    kinds = {finding.kind for verdict in wrong for finding in verdict.findings}
    for kind, symptom in (
        (v.DID_NOT_RETURN, STOPS),
        (v.WRONG_TYPE, WRONG_TYPE),
        (v.STATE_KEPT, KEEPS_STATE),
        (v.NOT_A_LEAF, BEYOND),
    ):
        if kind in kinds:
            return symptom
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


NEAR_ENOUGH = 0.35
QUICK_QUERIES = 24  # trees beyond this are left out of the search for a near mistake
IN_MINIMAX = "minimax_"  # begins the names of the mistakes of minimax
NOT_WRITTEN = ("NotImplementedError", "function missing")


@dataclass(frozen=True)
class Diagnosis:
    """What a wrong submission looks like.

    `functions` are the functions concerned. `variants` are the known mistakes: where
    `exact`, each of them behaves just like the submission on every search; else they
    are the nearest one or two, best first. `symptom` says in sum what goes wrong in the
    first of the functions: a constant of effect.py.
    """

    functions: tuple
    exact: bool
    variants: tuple
    symptom: str = ""


def diagnose(library, runs, verdicts):
    """Return the Diagnoses of a submission, in the order of the functions.

    `runs` and `verdicts` are in the order of the library's tasks. Right functions,
    and functions that are not written yet, have none. best_move rests on the other
    two: while one of them is wrong, only an exact match is told of it.
    """
    found = []
    wrong = [name for name in FUNCTIONS if wrong_and_written(name, verdicts)]
    for function in wrong:
        shown = _Shown(library, function, runs)
        if not shown.known():
            continue
        diagnosis = shown.exact()
        if diagnosis is None and (function != "best_move" or wrong == ["best_move"]):
            diagnosis = shown.near()
        if diagnosis is not None:
            found.append(replace(diagnosis, symptom=symptom_of(function, verdicts)))
    return tuple(_said_once(found))


def wrong_and_written(function, verdicts):
    """Tell whether a function lost points and is more than a stub or a missing name."""
    own = [v for v in verdicts if v.task.function == function]
    if all(verdict.right for verdict in own):
        return False
    endings = [verdict.trace.ending for verdict in own]
    return not all(
        ending.loading
        or ending.kind == NOT_RUN
        or ending.kind == RAISED
        and ending.error in NOT_WRITTEN
        for ending in endings
    )


class _Shown:
    """One function of a submission beside the known mistakes of that function."""

    def __init__(self, library, function, runs):
        self.library = library
        self.function = function
        self.right, self.seen, self.raised = {}, {}, set()
        for number in chain(*library.blocks(function)):
            task = library.tasks[number]
            self.right[number] = right_signature(task)
            self.seen[number] = signature(task, runs[number])
            if runs[number].first.ending.kind == RAISED:
                self.raised.add(number)

    def known(self):
        """Tell whether most of the function's searches were run."""
        return 2 * sum(seen is not None for seen in self.seen.values()) > len(self.seen)

    def exact(self):
        """Return the Diagnosis of the mistakes that behave just so, or None."""
        alike = self.library.candidates(self.function)
        for block in self.library.blocks(self.function):
            seen = [self.seen[number] for number in block]
            alike = [v for v in alike if _same(seen, self.library.kept(v, block))]
        return Diagnosis((self.function,), True, tuple(alike)) if alike else None

    def near(self):
        """Return the Diagnosis of the nearest mistake, or of two that may be mixed.

        The second is the one nearest on the searches that the first does not explain.
        """
        quick = [
            block
            for block in self.library.blocks(self.function)
            if self.library.queries(block) <= QUICK_QUERIES
        ]
        share, first = self._nearest(quick, {})
        if share < NEAR_ENOUGH:
            return None
        known = {n: kept for block in quick for n, kept in self._kept(first, block)}
        rest, second = self._nearest(quick, known)
        both = rest >= NEAR_ENOUGH
        return Diagnosis((self.function,), False, (first, second) if both else (first,))

    def _nearest(self, blocks, explained):
        """Return (share, variant) for the mistake that is alike on most searches.

        Left out are searches on which `explained` is alike already, and those on
        which both the submission and the mistake are right. A search that raised is
        alike to none: any slip can raise, and the error's own text says more.
        """
        best = 0.0, None
        for variant in self.library.candidates(self.function):
            alike = concerned = 0
            for block in blocks:
                for number, kept in self._kept(variant, block):
                    seen, right = self.seen[number], self.right[number]
                    if seen is None or seen == kept == right:
                        continue
                    if seen == explained.get(number, right) != right:
                        continue
                    concerned += 1
                    alike += seen == kept and number not in self.raised
            if concerned and alike / concerned > best[0]:
                best = alike / concerned, variant
        return best

    def _kept(self, variant, block):
        return zip(block, self.library.kept(variant, block))


def _same(seen, kept):
    return all(one is None or one == other for one, other in zip(seen, kept))


def _said_once(found):
    """Join the diagnoses of functions that go wrong by the same mistake."""
    said = []
    for diagnosis in found:
        for number, earlier in enumerate(said):
            shared = _shared(earlier, diagnosis)
            if shared:
                functions = earlier.functions + diagnosis.functions
                said[number] = replace(earlier, functions=functions, variants=shared)
                break
        else:
            said.append(diagnosis)
    return said


def _shared(earlier, later):
    """Return the variants that both name; `minimax_x` and `x` are the same mistake."""
    if not (earlier.exact and later.exact):
        return ()
    names = set(map(_base, earlier.variants)) & set(map(_base, later.variants))
    shared = {}
    for variant in earlier.variants + later.variants:
        name = _base(variant)
        if name in names and (name not in shared or variant.name == name):
            shared[name] = variant
    return tuple(shared.values())


def _base(variant):
    return variant.name.removeprefix(IN_MINIMAX)
