"""What a wrong submission looks like: the known mistakes that behave like it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from autograder.judging import verdict as v
from autograder.judging.verdict import Verdict
from autograder.mistakes.library import Library, signature
from autograder.mistakes.variants import Variant
from autograder.tasks import RunPair
from gametree.functions import FUNCTIONS, NODE
from gametree.trace import NOT_RUN, RAISED

# Symptoms: what goes wrong in sum.
NEVER_PRUNES = "never prunes"
TOO_LITTLE = "prunes too little"
TOO_MUCH = "prunes too much"
OTHER_LEAVES = "visits other leaves"
OTHER_VALUES = "visits other leaves, wrong values"
BEYOND = "evaluates what is not a leaf"
WRONG_ANSWER = "right leaves, wrong answer"
WRONG_TYPE = "answer of a wrong type"
AGAIN = "searches nodes again"
KEEPS_STATE = "keeps state"
STOPS = "does not return"


NEAR_ENOUGH = 0.35  # of the searches concerned, the share that a near mistake is alike on
QUICK_QUERIES = 24  # trees beyond this are left out of the search for a near mistake
IN_MINIMAX = "minimax_"  # begins the names of the mistakes of minimax
NOT_WRITTEN = ("NotImplementedError", "function missing")


@dataclass(frozen=True)
class Diagnosis:
    """What a wrong submission looks like.

    `functions` are the functions concerned. `variants` are the known mistakes: where
    `exact`, each of them behaves just like the submission on every search; else they
    are the nearest one or two, best first. `symptom` says in sum what goes wrong in the
    first of the functions.
    """

    functions: tuple[str, ...]
    exact: bool
    variants: tuple[Variant, ...]
    symptom: str = ""


def diagnose(
    library: Library, runs: list[RunPair], verdicts: list[Verdict]
) -> tuple[Diagnosis, ...]:
    """Return the Diagnoses of a submission, in the order of the functions.

    `runs` and `verdicts` are in the order of the library's tasks. Right functions,
    and functions that are not written yet, have none. best_move rests on the other
    two: while one of them is wrong, it is given an exact match or none.
    """
    diagnoses = []
    wrong = [name for name in FUNCTIONS if wrong_and_written(name, verdicts)]
    for function in wrong:
        comparison = _Comparison(library, function, runs)
        if not comparison.most_were_run():
            continue
        diagnosis = comparison.exact()
        if diagnosis is None and (FUNCTIONS[function].answer != NODE or len(wrong) == 1):
            diagnosis = comparison.near()
        if diagnosis is not None:
            diagnoses.append(replace(diagnosis, symptom=symptom_of(function, verdicts)))
    return tuple(_joined(diagnoses))


def wrong_and_written(function: str, verdicts: list[Verdict]) -> bool:
    """Tell whether a function lost points and is more than a stub or a missing name."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
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


def symptom_of(function: str, verdicts: list[Verdict]) -> str:
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


class _Comparison:
    """One function of a submission beside the known mistakes of that function."""

    def __init__(self, library, function, runs):
        self.library = library
        self.function = function
        self.blocks = library.blocks(function)
        numbers = [*chain(*self.blocks)]
        self.own = {n: signature(library.tasks[n], runs[n]) for n in numbers}
        self.raised = {n for n in numbers if runs[n].first.ending.kind == RAISED}

    def most_were_run(self):
        """Tell whether most of the function's searches were run."""
        return 2 * sum(own is not None for own in self.own.values()) > len(self.own)

    def exact(self):
        """Return the Diagnosis of the mistakes that behave just so, or None."""
        alike = self.library.candidates(self.function)
        for block in self.blocks:
            alike = [variant for variant in alike if self._same(variant, block)]
        return Diagnosis((self.function,), True, tuple(alike)) if alike else None

    def _same(self, variant, block):
        """Tell whether a variant does what was seen of the submission on a block."""
        return all(
            self.own[number] in (None, other) for number, other in self._of(variant, block)
        )

    def near(self):
        """Return the Diagnosis of the nearest mistake, or of two that may be mixed.

        The second is the one nearest on the searches that the first does not explain.
        """
        quick = [b for b in self.blocks if self.library.queries(b) <= QUICK_QUERIES]
        share, first = self._nearest(quick, {})
        if share < NEAR_ENOUGH:
            return None
        explained = dict(chain.from_iterable(self._of(first, block) for block in quick))
        share, second = self._nearest(quick, explained)
        nearest = (first, second) if share >= NEAR_ENOUGH else (first,)
        return Diagnosis((self.function,), False, nearest)

    def _nearest(self, blocks, explained):
        """Return (share, variant) for the mistake that is alike on most searches.

        Left out are searches on which `explained` is alike already, and those on
        which both the submission and the mistake are right. A search that raised is
        alike to none: any slip can raise, and the error's own text says more.
        """
        best = 0.0, None
        for variant in self.library.candidates(self.function):
            alike = concerned = 0
            for number, other in chain.from_iterable(self._of(variant, b) for b in blocks):
                own, right = self.own[number], self.library.right[number]
                if own is None or own == other == right:
                    continue
                if own == explained.get(number, right) != right:
                    continue
                concerned += 1
                alike += own == other and number not in self.raised
            if concerned and alike / concerned > best[0]:
                best = alike / concerned, variant
        return best

    def _of(self, variant, block):
        """Return (task's number, variant's signature) for each task of a block."""
        return zip(block, self.library.signatures(variant, block))


def _joined(diagnoses):
    """Join the diagnoses of functions that go wrong by the same mistake."""
    joined = []
    for diagnosis in diagnoses:
        for index, earlier in enumerate(joined):
            shared = _shared(earlier, diagnosis)
            if shared:
                functions = earlier.functions + diagnosis.functions
                joined[index] = replace(earlier, functions=functions, variants=shared)
                break
        else:
            joined.append(diagnosis)
    return joined


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
