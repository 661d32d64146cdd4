"""Diagnose the wrong functions of a submission by the known mistakes that behave alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from autograder.explaining.explanation import (
    AT_RANDOM,
    BEHAVES_LIKE,
    CALLS_A_STUB,
    IS,
    KEEPS_STATE,
    KNOWN,
    RESTS_ON,
    Diagnosis,
    Explanation,
)
from autograder.explaining.library import (
    Library,
    find_first_wrong,
    may_keep_state,
    signature,
)
from autograder.explaining.reading import Program
from autograder.explaining.symptoms import symptom_of
from autograder.explaining.variants import IN_MINIMAX
from autograder.scoring.scores import is_right, is_stub, wrong_and_written
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS, NODE
from gametree.support.judging import (
    LOOKED_BEYOND,
    UNNECESSARY,
    WRONG_COUNT,
    Verdict,
)

EXTRA = {LOOKED_BEYOND, UNNECESSARY, WRONG_COUNT}  # visits that change no answer
ENOUGH_CODE = 0.5  # minimum share of a mistake's code in the text, to prefer it
NEARLY_AS_MUCH = 0.8  # of the largest share
# A mistake's `never` -> the phrases of what it never does: update a bound, or search.
ACTIONS = {"updates": {"alpha =", "beta ="}, "searches": {"F ("}}


def diagnose(
    library: Library, ladder: Ladder, verdicts: Sequence[Verdict], found: Explanation
) -> tuple[Diagnosis, ...]:
    """Return the Diagnoses of a submission, in the order of the functions.

    Correct functions and stubs have no Diagnosis. Nor does best_move while another function
    is wrong, unless the functions that it calls are known.

    ladder: the small trees.
    verdicts: the verdicts on the library's tasks, or on its public tasks.
    found: what is known about the submission from its text and from small trees.
    """
    diagnoses = []
    for function in FUNCTIONS:
        diagnosis = _diagnosis_of(function, library, ladder, verdicts, found)
        if diagnosis is not None:
            diagnoses.append(diagnosis)
    return tuple(_joined(diagnoses))


def _diagnosis_of(function, library, ladder, verdicts, found):
    """Return the Diagnosis of a function, or None."""
    if is_right(function, verdicts):
        return None
    others = [name for name in FUNCTIONS if name != function]
    wrong = [name for name in others if not is_right(name, verdicts)]
    calls = found.reading.text_of(function).calls
    called = [name for name in wrong if name in calls]
    stubs = tuple(name for name in called if is_stub(name, verdicts))
    if stubs:
        return Diagnosis((function,), CALLS_A_STUB, others=stubs)
    if not wrong_and_written(function, verdicts):
        return None
    if FUNCTIONS[function].answer == NODE:  # it may call the other functions
        misleading = tuple(name for name in called if _misleads(name, verdicts))
        if misleading:
            return Diagnosis((function,), RESTS_ON, others=misleading)
        if wrong and function not in found.reading.functions:
            return None
    alike = _mistakes_alike(function, library, ladder, verdicts, found)
    leak = found.leak_of(function)
    kind = KNOWN
    if leak:
        is_random = found.reading.at_random or leak.at_random
        kind = AT_RANDOM if is_random else KEEPS_STATE
    elif not alike:
        return None
    return Diagnosis(
        (function,),
        kind,
        mistakes=tuple(text.mistake for text in alike),
        symptom=symptom_of(function, verdicts),
        voice=_voice(alike, function, found),
        state_leak=leak,
    )


def _misleads(function, verdicts):
    """Tell whether a function's errors, beyond extra visits, can break its caller."""
    for verdict in verdicts:
        if verdict.task.function == function:
            kinds = {finding.kind for finding in verdict.findings}
            if not kinds <= EXTRA:
                return True
    return False


def _mistakes_alike(function, library, ladder, verdicts, found):
    """Return the texts of the mistakes that behave exactly like a function.

    Mistakes from one file differ by a number, so only the first counts. Skip a mistake if
    the submission does not contain its code, or if its fix changes another kind of
    statement. The list is empty if less than half of the searches were run.
    """
    own = {}
    for verdict in verdicts:
        own[verdict.task.key] = signature(verdict.task, verdict.trace)
    signatures = [own.get(task.key) for task in library.tasks_of(function)]
    if 2 * signatures.count(None) >= len(signatures):
        return []
    first_of_file = {}
    for mistake in library.candidates(function):
        expected = library.signatures[mistake.name][function]
        if all(own in (None, other) for own, other in zip(signatures, expected)):
            first_of_file.setdefault(mistake.path, mistake)
    text = found.reading.text_of(function)
    texts = []
    for mistake in first_of_file.values():
        changed = _MistakeText(mistake, function)
        if not _may_be(changed, text, function, found):
            continue
        if _fails_first_alike(mistake, function, ladder, found):
            texts.append(changed)
    return _most_evident(texts, set(text.phrases))


def _may_be(changed, text, function, found):
    """Tell whether a submission's text and its proven fix allow a mistake."""
    is_move = FUNCTIONS[function].answer == NODE
    if is_move and text.has_full_window and changed.narrows_window:
        return False
    fixed = _fixed_statements(function, found)
    return not changed.is_denied(set(text.phrases)) and changed.is_fixed_at(fixed)


def _fixed_statements(function, found):
    """Return the statements of a function that a proven change fixes."""
    line = found.line_of(function)
    return line.fixed if line else ()


def _fails_first_alike(mistake, function, ladder, found):
    """Tell whether a mistake fails on the same small tree first, in the same way."""
    smallest = found.smallest
    if smallest is None or smallest.function != function or may_keep_state(mistake):
        return True
    tasks = islice(ladder.tasks(function), smallest.tried)
    place, verdict = find_first_wrong(mistake, tasks)
    if place != smallest.tried:
        return False
    own = smallest.verdict
    is_alike = signature(own.task, own.trace) == signature(verdict.task, verdict.trace)
    return smallest.late or is_alike


def _most_evident(texts, phrases):
    """Return the mistakes with the largest share of wrong code in a submission."""
    shares = [text.share_contained(phrases) for text in texts]
    most = max(shares, default=0)
    if most < ENOUGH_CODE:
        return texts
    pairs = zip(texts, shares)
    evident = [text for text, share in pairs if share > NEARLY_AS_MUCH * most]
    if most < 1:
        return evident
    return [max(evident, key=lambda text: text.likeness(phrases))]


def _voice(alike, function, found):
    """Return IS if the text or the proven fix of a function confirms the only mistake."""
    if len(alike) != 1:
        return BEHAVES_LIKE
    (text,) = alike
    fixed = _fixed_statements(function, found)
    phrases = set(found.reading.text_of(function).phrases)
    is_read = text.share_contained(phrases) == 1
    is_fixed = bool(fixed) and text.is_fixed_at(fixed)
    return IS if is_read or is_fixed else BEHAVES_LIKE


class _MistakeText:
    """A comparison of a known mistake's text with the correct text that it changes.

    mistake: the mistake.
    phrases: see Program.phrases_of().
    gained: the phrases that only the mistake has.
    lost: the phrases of two words that only the correct text has.
    changed: the lines that only one of the two texts has.
    narrows_window: whether the mistake may pass a window that is not full.
    """

    def __init__(self, mistake, function):
        self.mistake = mistake
        self.phrases, own_lines, is_full = _read(mistake.text, function)
        base_phrases, base_lines, _ = _read(mistake.base, function)
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
        actions = ACTIONS.get(self.mistake.never, set())
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


def _joined(diagnoses):
    """Join the diagnoses of functions that have the same mistake."""
    joined = []
    for diagnosis in diagnoses:
        for index, earlier in enumerate(joined):
            shared = _shared_mistakes(earlier, diagnosis)
            if shared:
                functions = earlier.functions + diagnosis.functions
                is_same_voice = earlier.voice == diagnosis.voice
                voice = earlier.voice if is_same_voice else BEHAVES_LIKE
                joined[index] = replace(
                    earlier, functions=functions, mistakes=shared, voice=voice
                )
                break
        else:
            joined.append(diagnosis)
    return joined


def _shared_mistakes(earlier, later):
    """Return the mistakes of both diagnoses; `minimax_x` and `x` are the same mistake."""
    names = [mistake.name.removeprefix(IN_MINIMAX) for mistake in earlier.mistakes]
    return tuple(mistake for mistake in later.mistakes if mistake.name in names)
