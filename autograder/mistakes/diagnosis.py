"""What a wrong submission looks like: the known mistakes that behave like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from autograder.judging.evidence import (
    Counterexample,
    StateLeak,
    is_right,
    is_stub,
    wrong_and_written,
)
from autograder.mistakes.derived import IN_MINIMAX
from autograder.mistakes.library import (
    REFERENCE,
    Library,
    find_first_wrong,
    may_keep_state,
    signature,
)
from autograder.mistakes.reading import Reading
from autograder.mistakes.symptoms import symptom_of
from autograder.mistakes.variants import Variant
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS, NODE
from gametree.support.judging import LOOKED_BEYOND, UNNECESSARY, WRONG_COUNT, Verdict
from gametree.support.trace import RAISED

# Symptoms beside those of symptoms.py
KEEPS_STATE = "keeps state"
RESTS_ON = "right but for what it calls"
CALLS_A_STUB = "calls what is not written"
AT_RANDOM = "draws at random"

EXTRA = {LOOKED_BEYOND, UNNECESSARY, WRONG_COUNT}  # visits that change no answer
NEAR_ENOUGH = 0.35  # the least share of alike searches of a mistake that is near
CLEARLY_NEARER = 0.8  # the share of the next nearest is at most this part of it
QUICK_QUERIES = 24  # larger trees are not compared in the search for a near mistake


@dataclass(frozen=True)
class Diagnosis:
    """What a wrong submission looks like.

    functions: the functions concerned.
    exact: whether each of the variants behaves just like the submission on every search,
        hidden, public and small. Otherwise there is one, much nearer than all others.
    variants: the known mistakes that it may be.
    symptom: what goes wrong, all in all, in the first of the functions.
    others: with RESTS_ON and CALLS_A_STUB, the functions that it calls. Then there are no
        variants.
    state_leak: what shows KEEPS_STATE or AT_RANDOM, else None.
    """

    functions: tuple[str, ...]
    exact: bool
    variants: tuple[Variant, ...]
    symptom: str = ""
    others: tuple[str, ...] = ()
    state_leak: StateLeak | None = None


@dataclass(frozen=True)
class Clues:
    """What is known of a submission beside its runs on the trees.

    state_leaks: what functions keep between searches, or draw at random.
    reading: what the text shows by itself.
    smallest: the first of the small trees on which a function fails.
    small: the small trees.
    """

    state_leaks: Sequence[StateLeak] = ()
    reading: Reading = Reading()
    smallest: Counterexample | None = None
    small: Ladder | None = None


def diagnose(
    library: Library, verdicts: Sequence[Verdict], clues: Clues = Clues()
) -> tuple[Diagnosis, ...]:
    """Return the Diagnoses of a submission, in the order of the functions.

    `verdicts` are on the library's tasks, all of them or the public ones. Right functions,
    and functions that are not written yet, have none; nor has best_move while another is
    wrong, unless it is known what it calls.
    """
    diagnoses = []
    for function in FUNCTIONS:
        diagnosis = _diagnosis_of(function, library, verdicts, clues)
        if diagnosis is not None:
            symptom = diagnosis.symptom or symptom_of(function, verdicts)
            diagnoses.append(replace(diagnosis, symptom=symptom))
    return tuple(_joined(diagnoses))


def _diagnosis_of(function, library, verdicts, clues):
    """Return the Diagnosis of a function, its symptom left open, or None."""
    if is_right(function, verdicts):
        return None
    others = [name for name in FUNCTIONS if name != function]
    wrong = [name for name in others if not is_right(name, verdicts)]
    names_read = clues.reading.calls.get(function, ())
    called = [name for name in wrong if name in names_read]
    stubs = tuple(name for name in called if is_stub(name, verdicts))
    if stubs:
        return Diagnosis((function,), True, (), CALLS_A_STUB, others=stubs)
    if not wrong_and_written(function, verdicts):
        return None
    if FUNCTIONS[function].answer == NODE:  # it may call the others
        misleading = tuple(name for name in called if _misleads(name, verdicts))
        if misleading:
            return Diagnosis((function,), True, (), RESTS_ON, others=misleading)
        if wrong and function not in clues.reading.calls:
            return None
    comparison = _Comparison(library, function, verdicts)
    if comparison.most_were_run():
        return _diagnosis_by(comparison, clues)
    return None


def _misleads(function, verdicts):
    """Tell whether a function's errors can make its caller wrong: not only extra visits."""
    for verdict in verdicts:
        if verdict.task.function == function:
            kinds = {finding.kind for finding in verdict.findings}
            if not kinds <= EXTRA:
                return True
    return False


def _diagnosis_by(comparison, clues):
    """Return the Diagnosis of a function by what it is compared with, or None."""
    function = comparison.function
    exact = comparison.find_exact(clues)
    for leak in clues.state_leaks:
        if leak.function == function:
            is_random = clues.reading.at_random or leak.at_random
            symptom = AT_RANDOM if is_random else KEEPS_STATE
            return Diagnosis((function,), True, exact, symptom, state_leak=leak)
    if exact:
        return Diagnosis((function,), True, exact)
    nearest = comparison.find_nearest()
    if nearest is None:
        return None
    return Diagnosis((function,), False, (nearest,))


class _Near(NamedTuple):
    """A known mistake, and how near it is.

    variant: the mistake.
    share: the share of the searches concerned on which it is alike.
    """

    variant: Variant
    share: float


class _Comparison:
    """One function of a submission beside the known mistakes of that function.

    tasks: the tasks of the function, public ones first.
    signatures: the submission's signature on each task, None where it was not run.
    raised: whether it raised an exception, for each task.
    expected: the reference's signature on each task.
    """

    def __init__(self, library, function, verdicts):
        self.library = library
        self.function = function
        self.tasks = library.tasks_of(function)
        self.expected = library.signatures[REFERENCE][function]
        traces = {v.task.key: v.trace for v in verdicts if v.task.function == function}
        self.signatures = []
        self.raised = []
        for task in self.tasks:
            trace = traces.get(task.key)
            if trace is None:
                self.signatures.append(None)
                self.raised.append(False)
            else:
                self.signatures.append(signature(task, trace))
                self.raised.append(trace.ending.kind == RAISED)

    def most_were_run(self):
        """Tell whether most of the function's searches were run."""
        run = [own for own in self.signatures if own is not None]
        return 2 * len(run) > len(self.signatures)

    def find_exact(self, clues):
        """Return the mistakes that behave exactly like the submission.

        Of mistakes from one file, which differ by a number, the first stands for all.
        """
        first_of_file = {}
        for variant in self.library.candidates(self.function):
            if self._is_alike(variant):
                first_of_file.setdefault(variant.path, variant)
        variants = first_of_file.values()
        return tuple(v for v in variants if self._fails_first_alike(v, clues))

    def find_nearest(self):
        """Return the one mistake that is clearly nearest, None where none is."""
        nearest_of_file = {}
        for variant in self.library.candidates(self.function):
            near = _Near(variant, self._share_alike(variant))
            best = nearest_of_file.setdefault(variant.path, near)
            if near.share > best.share:
                nearest_of_file[variant.path] = near
        by_share = attrgetter("share")
        ranked = sorted(nearest_of_file.values(), key=by_share, reverse=True)
        if not ranked or ranked[0].share < NEAR_ENOUGH:
            return None
        if len(ranked) > 1 and ranked[1].share > CLEARLY_NEARER * ranked[0].share:
            return None
        return ranked[0].variant

    def _signatures_of(self, variant):
        return self.library.signatures[variant.name][self.function]

    def _is_alike(self, variant):
        """Tell whether a variant does what the submission did, wherever it was run."""
        pairs = zip(self.signatures, self._signatures_of(variant))
        return all(own in (None, other) for own, other in pairs)

    def _fails_first_alike(self, variant, clues):
        """Tell whether a variant fails on the same small tree first, in the same way."""
        smallest = clues.smallest
        if smallest is None or smallest.verdict.task.function != self.function:
            return True
        if may_keep_state(variant):
            return True
        tasks = islice(clues.small.tasks(self.function), smallest.tried)
        place, verdict = find_first_wrong(variant, tasks)
        if place != smallest.tried:
            return False
        return smallest.late or _signature_of(verdict) == _signature_of(smallest.verdict)

    def _share_alike(self, variant):
        """Return the share of searches on which the submission is like a variant.

        It is a share of those that either gets wrong. A search that raised is like none,
        since any slip can raise, and the error's own text says more. Large trees are not
        compared: they are alike to none by chance.
        """
        others = self._signatures_of(variant)
        compared = 0
        alike = 0
        for place, own in enumerate(self.signatures):
            is_quick = len(self.tasks[place].expected.events) <= QUICK_QUERIES
            is_wrong = not (own == others[place] == self.expected[place])
            if own is not None and is_quick and is_wrong:
                compared += 1
                if own == others[place] and not self.raised[place]:
                    alike += 1
        return alike / max(1, compared)


def _signature_of(verdict):
    return signature(verdict.task, verdict.trace)


def _joined(diagnoses):
    """Join the diagnoses of functions that go wrong by the same mistake."""
    joined = []
    for diagnosis in diagnoses:
        for index, earlier in enumerate(joined):
            shared = _shared_variants(earlier, diagnosis)
            if shared:
                functions = earlier.functions + diagnosis.functions
                joined[index] = replace(earlier, functions=functions, variants=shared)
                break
        else:
            joined.append(diagnosis)
    return joined


def _shared_variants(earlier, later):
    """Return the variants that both name; `minimax_x` and `x` are the same mistake."""
    if not (earlier.exact and later.exact):
        return ()
    earlier_names = set(map(_base_name, earlier.variants))
    shared_names = earlier_names.intersection(map(_base_name, later.variants))
    shared = {}
    for variant in earlier.variants + later.variants:
        name = _base_name(variant)
        if name in shared_names:
            shared.setdefault(name, variant)
            if variant.name == name:
                shared[name] = variant
    return tuple(shared.values())


def _base_name(variant):
    return variant.name.removeprefix(IN_MINIMAX)
