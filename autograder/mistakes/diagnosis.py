"""What a wrong submission looks like: the known mistakes that behave like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter

from autograder.judging.evidence import (
    Counterexample,
    StateLeak,
    is_right,
    is_stub,
    wrong_and_written,
)
from autograder.mistakes.derived import IN_MINIMAX
from autograder.mistakes.library import (
    RIGHT,
    Library,
    first_wrong,
    keeps_state,
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
NEAR_ENOUGH = 0.35  # of the searches concerned, the share that a near mistake is alike on
QUICK_QUERIES = 24  # trees beyond this are left out of the search for a near mistake
CLEARLY_NEARER = 0.8  # the share of the next nearest is less than this part of its own


@dataclass(frozen=True)
class Diagnosis:
    """What a wrong submission looks like.

    `functions` are the functions concerned. `variants` are the known mistakes: where
    `exact`, each of them behaves just like the submission on every search, hidden,
    public and small; else there is one, much nearer than all others. `symptom` says in
    sum what goes wrong in the first of the functions. With RESTS_ON and CALLS_A_STUB it is
    about `others`, functions that it calls, and there are no variants; with KEEPS_STATE
    and AT_RANDOM, `state_leak` shows it.
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

    state_leaks: what functions keep or draw at random.
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
        diagnosis = _of_function(function, library, verdicts, clues)
        if diagnosis is not None:
            symptom = diagnosis.symptom or symptom_of(function, verdicts)
            diagnoses.append(replace(diagnosis, symptom=symptom))
    return tuple(_joined(diagnoses))


def _of_function(function, library, verdicts, clues):
    if is_right(function, verdicts):
        return None
    wrong = [n for n in FUNCTIONS if n != function and not is_right(n, verdicts)]
    called = [name for name in wrong if name in clues.reading.calls.get(function, ())]
    stubs = tuple(name for name in called if is_stub(name, verdicts))
    if stubs:
        return Diagnosis((function,), True, (), CALLS_A_STUB, others=stubs)
    if not wrong_and_written(function, verdicts):
        return None
    if FUNCTIONS[function].answer == NODE:  # it may rest on the others
        others = tuple(name for name in called if _misleads(name, verdicts))
        if others:
            return Diagnosis((function,), True, (), RESTS_ON, others=others)
        if wrong and function not in clues.reading.calls:
            return None
    comparison = _Comparison(library, function, verdicts)
    if not comparison.most_were_run():
        return None
    exact = comparison.exact(clues)
    leaks = (leak for leak in clues.state_leaks if leak.function == function)
    leak = next(leaks, None)
    if leak is not None:
        random = clues.reading.at_random or leak.at_random
        symptom = AT_RANDOM if random else KEEPS_STATE
        alike = exact.variants if exact else ()
        return Diagnosis((function,), True, alike, symptom, state_leak=leak)
    return exact or comparison.near()


def _misleads(function, verdicts):
    """Tell whether what calls a function may go wrong by it: by more than extra visits."""
    own = (one for one in verdicts if one.task.function == function)
    return any(finding.kind not in EXTRA for one in own for finding in one.findings)


class _Comparison:
    """One function of a submission beside the known mistakes of that function.

    Behaviours are lists of signatures, one for each of the function's `tasks`.
    """

    def __init__(self, library, function, verdicts):
        self.library = library
        self.function = function
        self.tasks = library.tasks_of(function)
        runs = {v.task.key: v.trace for v in verdicts if v.task.function == function}
        traces = [runs.get(task.key) for task in self.tasks]
        self.own = [t and signature(task, t) for task, t in zip(self.tasks, traces)]
        self.raised = [t is not None and t.ending.kind == RAISED for t in traces]
        self.right = library.known[RIGHT][function]

    def most_were_run(self):
        """Tell whether most of the function's searches were run."""
        return 2 * sum(own is not None for own in self.own) > len(self.own)

    def exact(self, clues):
        """Return the Diagnosis of the mistakes that behave just so, or None.

        Of mistakes from one file, which differ by a number, the first stands for all.
        """
        alike = [v for v in self.library.candidates(self.function) if self._same(v)]
        one_a_file = {variant.path: variant for variant in reversed(alike)}
        alike = [variant for variant in alike if one_a_file[variant.path] is variant]
        alike = tuple(v for v in alike if self._fails_alike(v, clues))
        return Diagnosis((self.function,), True, alike) if alike else None

    def _of(self, variant):
        return self.library.known[variant.name][self.function]

    def _same(self, variant):
        """Tell whether a variant does what was seen of the submission."""
        pairs = zip(self.own, self._of(variant))
        return all(own in (None, other) for own, other in pairs)

    def _fails_alike(self, variant, clues):
        """Tell whether a variant fails on the same small tree first, in the same way."""
        found = clues.smallest
        if found is None or found.verdict.task.function != self.function:
            return True
        if keeps_state(variant):
            return True
        tasks = islice(clues.small.tasks(self.function), found.tried)
        place, own = first_wrong(variant, tasks)
        same = found.late or own and _sign(own) == _sign(found.verdict)
        return place == found.tried and same

    def near(self):
        """Return the Diagnosis of the one mistake that is nearest, None where none is.

        Its share is of those searches that it or the submission gets wrong. A search that
        raised is alike to none: any slip can raise, and the error's own text says more.
        Nor are those of large trees looked at: they are alike to none by chance.
        """
        rows = [
            (place, own)
            for place, (task, own) in enumerate(zip(self.tasks, self.own))
            if own is not None and len(task.expected.events) <= QUICK_QUERIES
        ]
        shares = {}
        for variant in self.library.candidates(self.function):
            other = self._of(variant)
            rest = [(n, own) for n, own in rows if not other[n] == own == self.right[n]]
            alike = sum(other[n] == own and not self.raised[n] for n, own in rest)
            share = alike / max(1, len(rest))
            if share > shares.get(variant.path, (0, None))[0]:
                shares[variant.path] = share, variant
        ranked = sorted(shares.values(), key=itemgetter(0), reverse=True)
        (share, nearest), (second, _) = [*ranked, (0, None), (0, None)][:2]
        if share < NEAR_ENOUGH or second > CLEARLY_NEARER * share:
            return None
        return Diagnosis((self.function,), False, (nearest,))


def _sign(verdict):
    return signature(verdict.task, verdict.trace)


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
