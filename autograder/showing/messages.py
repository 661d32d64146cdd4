"""Say why each function lost points: a diagnosis, messages, and the lines to look at."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from autograder.explaining import explanation as e
from autograder.explaining.symptoms import (
    AGAIN,
    NEVER_PRUNES,
    STOPS,
    TOO_LITTLE,
    TOO_LITTLE_AT,
    WRONG_TYPE,
    kinds_of,
)
from autograder.grading import Grading
from autograder.ground.plaintext import sanitize
from autograder.scoring.scores import FUNCTION_MISSING, all_right, wrong_functions
from autograder.showing import wording
from gametree.functions import FUNCTIONS
from gametree.support import judging
from gametree.support.texts import in_words, load_sentences, sentence

MAX_WIDTH = 78  # characters that are shown of a line
CUT = "... "  # stands for the beginning of a long line
VISITS_TOO_MUCH = (NEVER_PRUNES, TOO_LITTLE, *TOO_LITTLE_AT.values(), AGAIN)


# ---- a diagnosis in words


class Advice(NamedTuple):
    """A diagnosis in words.

    lead: the sentence that says what is wrong, or "".
    check: a sentence on what to check, or "".
    """

    lead: str = ""
    check: str = ""


def make_advice(diagnosis: e.Diagnosis) -> Advice:
    """Return the Advice for a diagnosis."""
    function = diagnosis.function
    if diagnosis.mistake:
        return _name_mistake(function, diagnosis.mistake, diagnosis.kind)
    if diagnosis.state_leak:
        tree = diagnosis.state_leak.tree.title
        key = "advice.keeps state" if diagnosis.names else "advice.kept"
        lead = sentence(key, function=function, tree=tree)
        return Advice(lead, sentence("advice.keep nothing"))
    if diagnosis.kind == e.OTHER_ORDER:
        own = ", ".join(map(sanitize, diagnosis.names))
        needed = ", ".join(["node", *FUNCTIONS[function].arguments])
        return Advice(sentence("home.arguments", function=function, own=own, needed=needed))
    is_stub = diagnosis.kind == e.CALLS_A_STUB
    key = "advice.calls a stub" if is_stub else "advice.rests on"
    others = in_words(diagnosis.names)
    return Advice(sentence(key, function=function, others=others))


def _name_mistake(function, mistake, voice):
    key = "advice.is" if voice == e.IS else "advice.behaves like"
    lead = sentence(key, function=function, mistake=mistake.headline)
    return Advice(lead, mistake.next_step if voice == e.IS else "")


def describe_symptom(function: str, symptom: str) -> str:
    """Return the sentence that describes a function's symptom."""
    words = sentence(symptom)
    return sentence("advice.symptom", function=function, symptom=words)


def advice_for(function: str, explanation: e.Explanation) -> Advice:
    """Return the Advice for the diagnosis of a function; it is empty if there is none."""
    diagnosis = explanation.diagnoses.get(function)
    return make_advice(diagnosis) if diagnosis else Advice()


# ---- messages


def messages_of(grading: Grading) -> dict[str, tuple[str, ...]]:
    """Return function -> sentences to the student, the greatest loss of points first.

    A function of which nothing is known, because it was not run, has none.
    """
    messages = {}
    for score in wrong_functions(grading.rows):
        sentences = _explain(score, grading)
        if sentences:
            sentences.append(_other_line(score.function, grading.explanation))
            messages[score.function] = tuple(filter(None, sentences))
    return messages


def _other_line(function, explanation):
    """Return the sentence on the line of a function without a drawn tree, or ""."""
    line = explanation.lines.get(function)
    if line is None or explanation.smallest_of(function):
        return ""
    return _words_for(line, lines_in_words({place.line for place in line.places}))


def _explain(score, grading):
    """Return the sentences about one function; some are empty."""
    function = score.function
    run = [result for result in score.results if result.was_run]
    hint = _hint(function, grading)
    advice = advice_for(function, grading.explanation)
    if advice.lead:
        return [advice.lead, hint]
    symptom = grading.explanation.symptoms.get(function)
    if symptom is None or all_right(run):
        return []
    unfinished = [result for result in run if not result.has_returned]
    if len(unfinished) == len(run):
        how = wording.as_sentence(_how_it_ended(function, run, grading))
        return [f"{function}: {how}", hint]
    told = _describe_failures(function, unfinished, len(run), grading)
    told.append(hint)
    if all(row.is_right for row in score.rows if row.is_public):
        told.append(sentence("told.hidden only"))
    return told


def _describe_failures(function, unfinished, count, grading):
    """Return the sentences on the symptom and on the gravest failures; some are empty.

    The symptom is about the drawn tree. The gravest failures are mentioned in any case.
    """
    symptom = grading.explanation.symptoms[function]
    stopped = _stopped(function, unfinished, count, grading)
    failures = [stopped, _wrong_type(function, grading)]
    if symptom not in (STOPS, WRONG_TYPE) or not any(failures):
        failures.insert(0, describe_symptom(function, symptom))
    return failures


def _wrong_type(function, grading):
    """Return a sentence on a public search that returned a wrong type, or ""."""
    for verdict in grading.public_verdicts(function):
        if judging.WRONG_TYPE not in kinds_of([verdict]):
            continue
        tree = verdict.task.tree.title
        what = wording.findings(verdict)[0]
        return sentence("told.type", function=function, tree=tree, what=what)
    return ""


def _hint(function, grading):
    """Return what the text of a function adds to its diagnosis or symptom, or ""."""
    explanation = grading.explanation
    reading = explanation.reading
    diagnosis = explanation.diagnoses.get(function)
    if diagnosis and diagnosis.state_leak and reading.state_lines:
        return sentence("told.holds", lines=lines_in_words(reading.state_lines))
    if diagnosis and diagnosis.kind != e.BEHAVES_LIKE:
        return ""
    symptom = explanation.symptoms.get(function)
    text = reading.text_of(function)
    wrong = [score.function for score in wrong_functions(grading.rows)]
    if symptom in VISITS_TOO_MUCH and "minimax" in text.calls and "minimax" not in wrong:
        return sentence("told.calls")
    return ""


def _stopped(function, unfinished, count, grading):
    """Return the sentence on those of `count` searches that did not return, or ""."""
    if not unfinished:
        return ""
    how = _how_it_ended(function, unfinished, grading)
    stopped = len(unfinished)
    told = sentence(
        "told.stopped", function=function, stopped=stopped, count=count, how=how
    )
    return wording.as_sentence(told)


def _how_it_ended(function, unfinished, grading):
    """Return how a search of a function failed to return.

    The search is that of the drawn tree, or of a public tree. Of a hidden tree, only the
    name of the exception is known.

    unfinished: the Results of searches that did not return.
    """
    reading = grading.explanation.reading
    if unfinished[0].ending.error == FUNCTION_MISSING:
        if reading.is_empty:
            return sentence("ending.empty")
        if function in reading.enclosing:
            outer = sanitize(reading.enclosing[function])
            return sentence("ending.inside", outer=outer)
    shown = grading.public_verdicts(function)
    smallest = grading.explanation.smallest_of(function)
    if smallest and smallest.verdict:
        shown.insert(0, smallest.verdict)
    for verdict in shown:
        if verdict.was_run and not verdict.has_returned:
            return wording.ending(verdict.trace.ending, verdict.trace.text)
    return wording.ending(unfinished[0].ending)


# ---- lines


class CodeLine(NamedTuple):
    """A line of a submission, sanitized, cut, and without the common indentation.

    parts: the first character of each part that is marked, from 0, and the one after it.
    """

    text: str
    parts: Sequence[tuple[int, int]] = ()

    @property
    def carets(self) -> str:
        """A line for a terminal with carets below the marked parts, or ""."""
        below = ""
        for first, end in self.parts:
            below = below.ljust(first) + "^" * (end - first)
        return below


class Pointer(NamedTuple):
    """The lines of a submission that may need a change.

    sentence: names the lines and gives the reason.
    lines: number -> the marked lines and the lines around them; empty lines are absent.
    marked: the numbers of the lines that may need a change.
    """

    sentence: str
    lines: Mapping[int, CodeLine]
    marked: Collection[int]

    def shown(self) -> list[str]:
        """Return the lines as text for a terminal; of several, only the marked lines."""
        width = len(str(max(self.lines)))
        shown = []
        for number, line in self.lines.items():
            mark = ">" if number in self.marked else " "
            if mark == ">" or len(self.marked) == 1:
                shown.append(f" {mark} {number:{width}} {line.text}")
            if line.carets:
                shown.append(f"   {'':{width}} {line.carets}")
        return shown


def find_pointer(explanation: e.Explanation) -> Pointer | None:
    """Return the Pointer to the line of the drawn function, or None if none was found.

    It names the function if the screen shows a line of another function too.
    """
    function = explanation.smallest.function if explanation.smallest else ""
    line = explanation.lines.get(function)
    if line is None:
        return None
    pointer = pointer_to(line)
    if len(explanation.lines) > 1:
        return pointer._replace(sentence=f"{function}: {pointer.sentence}")
    return pointer


def pointer_to(found: e.Localisation) -> Pointer:
    """Return the Pointer to the lines of a Localisation."""
    lines = sorted({place.line for place in found.places})
    number = sum(place.columns is not None for place in found.places)
    where = lines_in_words(lines)
    if number:
        where = sentence("line.marked", lines=where, count=number)
    return Pointer(_words_for(found, where), _code_lines(found), lines)


def _code_lines(found):
    """Return number -> CodeLine of the lines at the places and around them."""
    code = {number: line.expandtabs().rstrip() for number, line in found.text.items()}
    lines = [line for line in code.values() if line]
    indent = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    shown = {}
    for number, line in code.items():
        parts = []
        for place in found.places:
            if place.line == number and place.columns:
                before = [found.text[number][:column] for column in place.columns]
                parts.append([len(text.expandtabs()) - indent for text in before])
        if line:
            shown[number] = _fit(line[indent:], sorted(parts))
    return shown


def _fit(text, parts):
    """Return a CodeLine of at most MAX_WIDTH characters that shows its first part."""
    first, end = parts[0] if parts else (0, 0)
    shift = max(0, min(first - len(CUT), end - MAX_WIDTH))
    if shift:
        text = CUT + text[shift + len(CUT) :]
    visible = []
    shown = 0
    for first, end in parts:
        start = max(first - shift, shown)
        shown = min(end - shift, MAX_WIDTH, len(text))
        if start < shown:
            visible.append((start, shown))
    return CodeLine(sanitize(text, MAX_WIDTH), visible)


def _words_for(found, where):
    """Return the sentence on the change that a Localisation has, and on its effect."""
    has_sentence = f"small change.{found.kind}" in load_sentences()
    kind = found.kind if has_sentence else "any"
    names = " or ".join(_names_added(found))
    change = sentence(f"small change.{kind}", names=names)
    effect = sentence("line.proven" if found.proofs else "line.repair")
    key = _choose_sentence(found)
    count = len(found.places)
    return sentence(key, lines=where, count=count, change=change, effect=effect)


def _choose_sentence(found):
    """Return the key of the sentence on the change that a Localisation has."""
    if not found.changes:
        return "line.raised"
    is_missing = all(place.after for place in found.places)
    is_in_one_line = len({place.line for place in found.places}) == 1
    if not is_in_one_line and not found.together:
        return "line.add one" if is_missing else "line.change one"
    if is_missing:
        is_block = is_in_one_line and found.places[0].block
        return "line.add to block" if is_block else "line.add"
    is_twice = is_in_one_line and found.together
    return "line.change twice" if is_twice else "line.change"


def _names_added(found):
    """Return the names that missing assignments store, sanitized."""
    names = [name for change in found.changes for name in change.names_added]
    return [sanitize(name) for name in dict.fromkeys(names)]


def lines_in_words(numbers: Collection[int]) -> str:
    """Return the numbers of lines in words: "line 36" or "lines 33 and 40"."""
    listed = in_words([*map(str, sorted(numbers))])
    return sentence("line.lines", lines=listed, count=len(numbers))
