"""Diagnose the wrong functions of a submission by the known mistakes that behave alike.

A name has one of two voices. It is confirmed by the proven line: IS. Otherwise the mistake
gives the same result on every search, and that is all that is said: BEHAVES_LIKE.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from functools import partial
from itertools import islice

from autograder.explaining.explanation import (
    BEHAVES_LIKE,
    CALLS_A_STUB,
    IS,
    KEEPS_STATE,
    OTHER_ORDER,
    RESTS_ON,
    Diagnosis,
    Explanation,
    FunctionText,
    Localisation,
)
from autograder.explaining.library import (
    Library,
    behaves_alike,
    failures,
    may_keep_state,
    signature,
)
from autograder.explaining.symptoms import blamed_callees
from autograder.explaining.variants import NO_LINE, Variant, copies_for_players
from autograder.scoring.scores import is_right, is_stub, wrong_and_written
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict
from gametree.support.trace import NOT_RUN

MAX_ALIKE = 3  # mistakes of which the first is named; of more, a name is a guess
MIN_SHARED = 0.5  # share of the wrong searches that a mistake of both players fails too
MIN_RUN = 0.15  # share of the searches; many repeated visits end a function early


def diagnose(
    library: Library, ladder: Ladder, verdicts: Sequence[Verdict], found: Explanation
) -> dict[str, Diagnosis]:
    """Return the Diagnoses of a submission: function -> its Diagnosis.

    Correct functions have no Diagnosis, nor do stubs.

    ladder: the small trees.
    verdicts: the verdicts on the library's tasks, or on its public tasks.
    found: what is known about the submission from its text and from small trees.
    """
    diagnoses = {}
    for function in FUNCTIONS:
        diagnosis = _diagnosis_of(function, library, ladder, verdicts, found)
        if diagnosis:
            diagnoses[function] = diagnosis
    return diagnoses


def choose(
    alike: Sequence[Variant], line: Localisation | None, text: FunctionText
) -> tuple[Variant | None, str]:
    """Return the mistake to name, if any, and the kind of its Diagnosis.

    A proven line confirms the first mistake that such a change fixes, and denies all
    others. Without a proven line, a mistake that no change of one line fixes comes first.
    None is named whose sentence denies a statement of the text, or if many come first.

    alike: the mistakes that behave exactly like a function.
    line: the line to change in the function, or None.
    text: what the text of the function shows.
    """
    if line and line.proofs:
        changes = changes_at(line)
        shown = [mistake for mistake in alike if not changes.isdisjoint(mistake.fixes)]
        return next(iter(shown), None), IS
    possible = [one for one in alike if one.denies.isdisjoint(text.statements)]
    without_line = [mistake for mistake in possible if NO_LINE in mistake.fixes]
    first = without_line or possible
    if len(first) > MAX_ALIKE:
        return None, BEHAVES_LIKE
    return next(iter(first), None), BEHAVES_LIKE


def _diagnosis_of(function, library, ladder, verdicts, found):
    """Return the Diagnosis of a function, or None."""
    if is_right(function, verdicts):
        return None
    outside = _cause_outside(function, verdicts, found)
    if outside or not wrong_and_written(function, verdicts):
        return outside
    leak = found.state_leaks.get(function)
    if leak:
        lines = tuple(map(str, found.reading.state_lines))
        return Diagnosis(function, KEEPS_STATE, names=lines, state_leak=leak)
    return _known_mistake(function, library, ladder, verdicts, found)


def _cause_outside(function, verdicts, found):
    """Return the Diagnosis of a function whose body may be correct, or None.

    It takes its parameters in another order, or calls a function that is wrong. If it has
    a line of its own, no other function is to blame.
    """
    text = found.reading.text_of(function)
    if text.other_order:
        return Diagnosis(function, OTHER_ORDER, names=tuple(text.other_order))
    if function in found.lines:
        return None
    blamed = blamed_callees(function, text.calls, verdicts)
    stubs = tuple(name for name in blamed if is_stub(name, verdicts))
    if stubs:
        return Diagnosis(function, CALLS_A_STUB, names=stubs)
    if blamed and wrong_and_written(function, verdicts):
        return Diagnosis(function, RESTS_ON, names=blamed)
    return None


def _known_mistake(function, library, ladder, verdicts, found):
    """Return the Diagnosis of a known mistake, or None."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    run = [verdict for verdict in own if verdict.trace.ending.kind != NOT_RUN]
    of_function = [task for task in library.tasks if task.function == function]
    if len(run) < MIN_RUN * len(of_function):
        return None
    line = found.lines.get(function)
    signatures = _signatures_of(run)
    # A mistake that is only in other functions says nothing of this one.
    alike = [one for one in library.variants_alike(signatures) if function in one.shows]
    fails_first_alike = partial(_fails_first_alike, function, ladder, found)
    possible = list(filter(fails_first_alike, alike))
    mistake, kind = choose(possible, line, found.reading.text_of(function))
    if mistake is None and kind == IS:
        copies = _copies_alike(library, run, signatures, changes_at(line))
        mistake = next(filter(fails_first_alike, copies), None)
    return Diagnosis(function, kind, mistake) if mistake else None


def _signatures_of(verdicts):
    """Return task -> the signature of its search."""
    signatures = {}
    for task, trace, *_ in verdicts:
        is_expected = task.is_met_by(trace)  # the expected trace has cached figures
        signatures[task] = signature(task, task.expected if is_expected else trace)
    return signatures


def _copies_alike(library, verdicts, signatures, changes):
    """Yield the mistakes, made by one player only, that behave exactly like a function.

    changes: the mistakes are fixed by one of them.
    """
    wrong = {verdict.task for verdict in verdicts if not verdict.is_right}
    for mistake in library.variants:
        if changes.isdisjoint(mistake.fixes):
            continue
        fails_too = wrong & library.failures_of(mistake).keys()
        if len(fails_too) >= MIN_SHARED * len(wrong):
            for copy in copies_for_players(mistake):
                if behaves_alike(copy, signatures):
                    yield copy


def _fails_first_alike(function, ladder, found, mistake):
    """Tell whether a mistake fails on the same small tree first, in the same way."""
    smallest = found.smallest_of(function)
    if smallest is None or may_keep_state(mistake):
        return True
    tasks = islice(ladder.tasks(function), smallest.tried)
    first = next(failures(mistake.source, tasks), None)
    if first is None:
        return not smallest.task.is_small  # and its trees were compared
    if first.task.key != smallest.task.key:
        return False
    if smallest.verdict is None:
        return True
    own = signature(smallest.task, smallest.verdict.trace)
    return own == signature(first.task, first.trace)


def changes_at(line: Localisation) -> set[str]:
    """Return what the changes at a line are called in the headers of known mistakes.

    Each is called by its kind, and by its kind and the word for its statement.
    """
    changes = set()
    for proof in line.proofs:
        changes.add(proof.kind)
        for place in proof.places:
            word = _word_for(line.text.get(place.line, ""))
            changes.add(f"{proof.kind} in {word}")
    return changes


def _word_for(statement):
    """Return the keyword that a statement begins with, or "assignment"."""
    first = re.findall(r"\w+|$", statement)[0]
    if first == "elif":
        return "if"
    return first if keyword.iskeyword(first) else "assignment"
