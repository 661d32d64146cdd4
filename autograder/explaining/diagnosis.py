"""Find the known mistakes that behave like a wrong submission."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from autograder.explaining.derived import IN_MINIMAX
from autograder.explaining.evidence import (
    Counterexample,
    StateLeak,
    is_right,
    is_stub,
    wrong_and_written,
)
from autograder.explaining.library import (
    REFERENCE,
    Library,
    find_first_wrong,
    may_keep_state,
    run_variant,
    signature,
)
from autograder.explaining.reading import Program, Reading
from autograder.explaining.symptoms import symptom_of
from autograder.explaining.variants import Variant
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS, NODE
from gametree.support.judging import (
    LOOKED_BEYOND,
    UNNECESSARY,
    WRONG_COUNT,
    Verdict,
    judge,
)
from gametree.support.trace import RAISED

# Symptoms in addition to those of symptoms.py
KEEPS_STATE = "keeps state"
RESTS_ON = "right but for what it calls"
CALLS_A_STUB = "calls what is not written"
AT_RANDOM = "draws at random"

EXTRA = {LOOKED_BEYOND, UNNECESSARY, WRONG_COUNT}  # visits that change no answer
NEAR_ENOUGH = 0.35  # minimum share of identical searches for the nearest mistake
CLEARLY_NEARER = 0.8  # maximum ratio of the second-best share to the best share
ENOUGH_CODE = 0.5  # minimum share of a mistake's code in the text, to prefer it
# A mistake's `never` -> the phrases of what it never does: update a bound, or search.
ACTIONS = {"updates": {"alpha =", "beta ="}, "searches": {"F ("}}
QUICK_QUERIES = 24  # larger trees are not compared in the search for a near mistake


@dataclass(frozen=True)
class Diagnosis:
    """The likely mistake in one or more functions of a submission.

    functions: the names of the functions.
    exact: whether each variant behaves exactly like the submission on all searches:
        hidden, public and small. If not, there is one variant, the clearly nearest.
    variants: the known mistakes that are possible.
    symptom: the symptom of the first function.
    others: the called functions, for RESTS_ON and CALLS_A_STUB. Then there are no
        variants.
    state_leak: the evidence for KEEPS_STATE or AT_RANDOM, or None.
    """

    functions: tuple[str, ...]
    exact: bool
    variants: tuple[Variant, ...]
    symptom: str = ""
    others: tuple[str, ...] = ()
    state_leak: StateLeak | None = None


@dataclass(frozen=True)
class Clues:
    """Facts about a submission in addition to its runs on the trees.

    state_leaks: evidence that functions keep state or are nondeterministic.
    reading: the result of reading the program text.
    smallest: the first small tree on which a function fails.
    small: the small trees.
    fixed: function -> the statements that a proven change fixes.
    """

    state_leaks: Sequence[StateLeak] = ()
    reading: Reading = Reading()
    smallest: Counterexample | None = None
    small: Ladder | None = None
    fixed: Mapping[str, Sequence[str]] = field(default_factory=dict)


def diagnose(
    library: Library, verdicts: Sequence[Verdict], clues: Clues = Clues()
) -> tuple[Diagnosis, ...]:
    """Return the Diagnoses of a submission, in the order of the functions.

    Correct functions and stubs have no Diagnosis. Nor does best_move while another function
    is wrong, unless the functions that it calls are known.

    verdicts: the verdicts on the library's tasks, or on its public tasks.
    """
    diagnoses = []
    for function in FUNCTIONS:
        diagnosis = _diagnosis_of(function, library, verdicts, clues)
        if diagnosis is not None:
            symptom = diagnosis.symptom or symptom_of(function, verdicts)
            diagnoses.append(replace(diagnosis, symptom=symptom))
    return tuple(_joined(diagnoses))


def _diagnosis_of(function, library, verdicts, clues):
    """Return the Diagnosis of a function, usually without its symptom, or None."""
    if is_right(function, verdicts):
        return None
    others = [name for name in FUNCTIONS if name != function]
    wrong = [name for name in others if not is_right(name, verdicts)]
    calls = clues.reading.text_of(function).calls
    called = [name for name in wrong if name in calls]
    stubs = tuple(name for name in called if is_stub(name, verdicts))
    if stubs:
        return Diagnosis((function,), True, (), CALLS_A_STUB, others=stubs)
    if not wrong_and_written(function, verdicts):
        return None
    if FUNCTIONS[function].answer == NODE:  # it may call the other functions
        misleading = tuple(name for name in called if _misleads(name, verdicts))
        if misleading:
            return Diagnosis((function,), True, (), RESTS_ON, others=misleading)
        if wrong and function not in clues.reading.functions:
            return None
    comparison = _Comparison(library, function, verdicts, clues)
    if comparison.most_were_run():
        return _diagnosis_by(comparison, clues)
    return None


def _misleads(function, verdicts):
    """Tell whether a function's errors, beyond extra visits, can break its caller."""
    for verdict in verdicts:
        if verdict.task.function == function:
            kinds = {finding.kind for finding in verdict.findings}
            if not kinds <= EXTRA:
                return True
    return False


def _diagnosis_by(comparison, clues):
    """Return the Diagnosis that follows from a comparison and the clues, or None."""
    function = comparison.function
    exact = comparison.find_exact()
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


class _Comparison:
    """A comparison of one function with the known mistakes of that function.

    clues: the Clues.
    reading: the FunctionText of the function, and `phrases` its phrases.
    tasks: the tasks of the function, public tasks first.
    verdicts: the submission's verdicts on the tasks that were run.
    signatures: the submission's signature on each task, or None if it was not run.
    raised: the keys of the tasks on which the submission raised an exception.
    expected: the reference's signature on each task.
    """

    def __init__(self, library, function, verdicts, clues):
        self.library = library
        self.function = function
        self.clues = clues
        self.reading = clues.reading.text_of(function)
        self.phrases = set(self.reading.phrases)
        self.verdicts = [v for v in verdicts if v.task.function == function]
        self.tasks = library.tasks_of(function)
        self.expected = library.signatures[REFERENCE][function]
        signatures = {v.task.key: _signature_of(v) for v in self.verdicts}
        self.signatures = [signatures.get(task.key) for task in self.tasks]
        raised = [v for v in self.verdicts if v.trace.ending.kind == RAISED]
        self.raised = {verdict.task.key for verdict in raised}

    def most_were_run(self):
        """Tell whether most of the function's searches were run."""
        run = [own for own in self.signatures if own is not None]
        return 2 * len(run) > len(self.signatures)

    def find_exact(self):
        """Return the mistakes that behave exactly like the submission.

        Mistakes from one file differ by a number, so only the first counts. Skip a mistake
        if the submission does not contain its code, or if its fix changes another kind of
        statement.
        """
        alike = filter(self._is_alike, self.library.candidates(self.function))
        texts = []
        for variant in _first_of_each_file(alike):
            text = _MistakeText(variant, self.function)
            if self._may_be(text) and self._fails_first_alike(variant):
                texts.append(text)
        return tuple(text.variant for text in self._most_evident(texts))

    def _most_evident(self, texts):
        """Return the mistakes with the largest share of wrong code in the submission."""
        shares = [text.share_contained(self.phrases) for text in texts]
        most = max(shares, default=0)
        if most < ENOUGH_CODE:
            return texts
        pairs = zip(texts, shares)
        evident = [text for text, share in pairs if share > CLEARLY_NEARER * most]
        if most < 1:
            return evident
        return [max(evident, key=lambda text: text.likeness(self.phrases))]

    def _may_be(self, text):
        """Tell whether the submission's text and its fix allow the mistake."""
        fixed = self.clues.fixed.get(self.function, ())
        is_move = FUNCTIONS[self.function].answer == NODE
        if is_move and self.reading.has_full_window and text.narrows_window:
            return False
        return not text.is_denied(self.phrases) and text.is_fixed_at(fixed)

    def find_nearest(self):
        """Return the mistake that is clearly nearest, or None.

        It has the symptom of the submission, and the submission contains some of its code.
        """
        candidates = self.library.candidates(self.function)
        shares = {variant: self._share_alike(variant) for variant in candidates}
        if not shares:
            return None
        ranked = sorted(candidates, key=shares.get, reverse=True)
        nearest, *others = _first_of_each_file(ranked)
        share = shares[nearest]
        next_share = max(map(shares.get, others), default=0)
        if share < NEAR_ENOUGH or next_share > CLEARLY_NEARER * share:
            return None
        text = _MistakeText(nearest, self.function)
        if self._may_be(text) and self._has_symptom_of(nearest):
            return nearest
        return None

    def _has_symptom_of(self, variant):
        """Tell whether a variant has the submission's symptom on the quick tasks."""
        quick = [v for v in self.verdicts if _is_quick(v.task)]
        tasks = [verdict.task for verdict in quick]
        others = map(judge, tasks, run_variant(variant, tasks))
        symptom = symptom_of(self.function, quick)
        return symptom == symptom_of(self.function, list(others))

    def _signatures_of(self, variant):
        return self.library.signatures[variant.name][self.function]

    def _is_alike(self, variant):
        """Tell whether a variant matches the submission on all searches that were run."""
        pairs = zip(self.signatures, self._signatures_of(variant))
        return all(own in (None, other) for own, other in pairs)

    def _fails_first_alike(self, variant):
        """Tell whether a variant fails on the same small tree first, in the same way."""
        smallest = self.clues.smallest
        if smallest is None or smallest.verdict.task.function != self.function:
            return True
        if may_keep_state(variant):
            return True
        tasks = islice(self.clues.small.tasks(self.function), smallest.tried)
        place, verdict = find_first_wrong(variant, tasks)
        if place != smallest.tried:
            return False
        return smallest.late or _signature_of(verdict) == _signature_of(smallest.verdict)

    def _share_alike(self, variant):
        """Return the share of searches on which the submission behaves like a variant.

        Searches that both get right are not compared. A search that raised matches no
        variant, since any error can raise, and the error text says more. Large trees are
        skipped, since they match a variant only by chance.
        """
        others = self._signatures_of(variant)
        compared = 0
        alike = 0
        rows = zip(self.tasks, self.signatures, others, self.expected)
        for task, own, other, expected in rows:
            is_wrong = not (own == other == expected)
            if own is not None and is_wrong and _is_quick(task):
                compared += 1
                if own == other and task.key not in self.raised:
                    alike += 1
        return alike / max(1, compared)


def _first_of_each_file(variants):
    first = {}
    for variant in variants:
        first.setdefault(variant.path, variant)
    return first.values()


def _is_quick(task):
    return len(task.expected.events) <= QUICK_QUERIES


class _MistakeText:
    """A comparison of a known mistake's text with the correct text that it changes.

    variant: the mistake.
    phrases: see Program.phrases_of().
    gained: the phrases that only the mistake has.
    lost: the phrases of two words that only the correct text has.
    changed: the lines that only one of the two texts has.
    narrows_window: whether the mistake may pass a window that is not full.
    """

    def __init__(self, variant, function):
        self.variant = variant
        self.phrases, own_lines, is_full = _read(variant.text, function)
        base_phrases, base_lines, _ = _read(variant.base, function)
        self.gained = self.phrases - base_phrases
        lost = base_phrases - self.phrases
        self.lost = {phrase for phrase in lost if phrase.count(" ") == 1}
        self.narrows_window = not is_full
        self.changed = [*(own_lines - base_lines), *(base_lines - own_lines)]

    def is_denied(self, phrases):
        """Tell whether a program has none of the wrong code and all of the correct code.

        Nor may it do what the mistake never does: update a bound or search a child. Its
        bounds may have other names. A single phrase proves nothing, since it may be a
        matter of style.
        """
        if not phrases or len(self.gained) + len(self.lost) < 2:
            return False
        actions = ACTIONS.get(self.variant.never, set())
        if self.lost & actions:
            return self.phrases & actions != phrases & actions
        return self.gained.isdisjoint(phrases) and self.lost <= phrases

    def share_contained(self, phrases):
        """Return the share of the wrong code that a program contains."""
        return len(self.gained & phrases) / max(1, len(self.gained))

    def likeness(self, phrases):
        """Return the share of all phrases that the mistake and a program have in common."""
        return len(self.phrases & phrases) / len(self.phrases | phrases)

    def is_fixed_at(self, statements):
        """Tell whether a fix of the mistake may change these kinds of statements.

        A mistake that only moves statements has no changed lines.
        """
        if not statements or not self.changed:
            return True
        return not _parts_of(statements).isdisjoint(_parts_of(self.changed))


@lru_cache
def _read(source, function):
    """Return a function's phrases, its lines, counted, and has_full_window()."""
    program = Program(source)
    phrases = program.phrases_of(function, FUNCTIONS[function].arguments)
    lines = Counter(program.lines_of(function))
    return phrases, lines, program.has_full_window(function)


STATEMENTS = {  # first word of a statement -> part of a search
    "return": "return",
    "for": "loop",
    "while": "loop",
    "def": "signature",
    **dict.fromkeys(("if", "elif", "else:", "break", "continue", "pass"), "test"),
}
CALL = re.compile(r"(?<![\w.])(?!(?:max|min|float|abs|len|range|sorted|list)\b)\w+\(")


def _parts_of(statements):
    """Return the parts of a search that statements belong to."""
    parts = set()
    for statement in statements:
        first_word = statement.split()[0]
        parts.add(STATEMENTS.get(first_word, "assignment"))
        if CALL.search(statement):
            parts.add("call")
        if ".children" in statement:
            parts.add("loop")
    return parts


def _signature_of(verdict):
    return signature(verdict.task, verdict.trace)


def _joined(diagnoses):
    """Join the diagnoses of functions that have the same mistake."""
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
    """Return the variants of both diagnoses; `minimax_x` and `x` are the same mistake."""
    if not (earlier.exact and later.exact):
        return ()
    names = [variant.name.removeprefix(IN_MINIMAX) for variant in earlier.variants]
    return tuple(variant for variant in later.variants if variant.name in names)
