"""Say why each function lost points: a diagnosis, messages, and the lines to look at."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from autograder.explaining import Explanation
from autograder.explaining import explanation as e
from autograder.explaining.line import Localisation
from autograder.explaining.symptoms import (
    NEVER_PRUNES,
    STOPS,
    TOO_LITTLE,
    TOO_MUCH,
    symptom_of,
)
from autograder.grading import Grading
from autograder.ground.plaintext import sanitize
from autograder.scoring.concepts import AT_THE_LIMITS
from autograder.scoring.scores import Row, wrong_functions
from autograder.showing import wording
from gametree.functions import FUNCTIONS, NODE
from gametree.support.judging import WRONG_TYPE, Verdict
from gametree.support.texts import in_words, sentence

MAX_ROWS = 2  # named in a sentence
MAX_WIDTH = 78  # characters that are shown of a line
ADDITIONS = {
    "here": "line.add here",
    "twice": "line.add here",
    "all": "line.add all",
    "one": "line.add one",
}
CHANGES = {
    "here": "line.change here",
    "twice": "line.change twice",
    "all": "line.change all",
    "one": "line.change one",
}


# ---- a diagnosis in words


@dataclass(frozen=True)
class Advice:
    """A diagnosis in words.

    lead: the sentence that says what is wrong.
    check: a sentence on what to check, or "".
    """

    lead: str
    check: str = ""


def make_advice(diagnosis: e.Diagnosis) -> Advice:
    """Return the Advice for a diagnosis."""
    functions = in_words(diagnosis.functions)
    others = in_words(diagnosis.others)
    if diagnosis.kind == e.RESTS_ON:
        return Advice(sentence("advice.rests on", function=functions, others=others))
    if diagnosis.kind == e.CALLS_A_STUB:
        return _calls_a_stub(functions, others)
    if diagnosis.kind == e.KEEPS_STATE:
        return _keeps_state(functions, diagnosis.state_leak)
    if diagnosis.kind == e.OTHER_ORDER:
        return _other_order(functions, diagnosis.parameters)
    return _name_mistake(diagnosis, functions)


def _name_mistake(diagnosis, functions):
    count = len(diagnosis.functions)
    mistake = diagnosis.mistake.headline
    if diagnosis.voice == e.IS:
        lead = sentence("advice.is", function=functions, count=count, mistake=mistake)
        return Advice(lead, diagnosis.mistake.next_step)
    lead = sentence("advice.behaves like", function=functions, count=count, mistake=mistake)
    return Advice(lead)


def _calls_a_stub(functions, others):
    lead = sentence("advice.calls a stub", function=functions, others=others)
    if functions == "best_move":
        return Advice(lead, sentence("advice.write first", others=others))
    check = sentence("advice.call itself", function=functions, others=others)
    return Advice(lead, check)


def _other_order(function, parameters):
    expected = ["node", *FUNCTIONS[function].arguments]
    own = ", ".join(map(sanitize, parameters))
    needed = ", ".join(expected)
    return Advice(sentence("home.arguments", function=function, own=own, needed=needed))


def _keeps_state(functions, leak):
    before = sentence("advice.kept nothing before")
    if leak.before and leak.before.tree.name == leak.task.tree.name:
        before = sentence("advice.kept on this tree")
    elif leak.before:
        earlier_tree = leak.before.tree.title
        before = sentence(
            "advice.kept before", function=leak.before.function, tree=earlier_tree
        )
    lead = sentence(
        "advice.kept", function=functions, tree=leak.task.tree.title, before=before
    )
    return Advice(lead, sentence("advice.keep nothing"))


def describe_symptom(function: str, symptom: str) -> str:
    """Return the sentence that describes a function's symptom."""
    words = sentence(f"symptom.{symptom}")
    return sentence("advice.symptom", function=function, symptom=words)


def headline(diagnosis: e.Diagnosis) -> str:
    """Return a diagnosis in one line, for gradebooks and tables of a class."""
    return make_advice(diagnosis).lead.removesuffix(".")


def advice_for(function: str, explanation: Explanation) -> Advice | None:
    """Return the Advice for the diagnosis of a function, or None."""
    diagnosis = explanation.diagnosis_of(function)
    return make_advice(diagnosis) if diagnosis else None


# ---- messages


class Message(NamedTuple):
    """A message to the student about functions that lost points for the same reason.

    text: one or more sentences, or "" without an explanation.
    functions: the names of the functions; messages_of() adds them.
    needs_name: whether the text does not name the functions; messages_of() inserts them.
    """

    text: str
    functions: tuple[str, ...] = ()
    needs_name: bool = False


def messages_of(grading: Grading) -> list[Message]:
    """Return messages about the functions that lost points, the greatest loss first.

    Functions with the same explanation share a message.
    """
    functions_by_message = {}
    for score in wrong_functions(grading.rows):
        message = _explain(score, grading)
        functions_by_message.setdefault(message, []).append(score.function)
    messages = []
    for message, functions in functions_by_message.items():
        text = message.text
        if not text:
            continue
        other = _other_line(functions, grading.explanation)
        if other:
            text = f"{text} {pointer_to(other).sentence}"
        if message.needs_name:
            names = [name for name in FUNCTIONS if name in functions]
            text = f"{', '.join(names)}: {text}"
        messages.append(message._replace(text=text, functions=tuple(functions)))
    return messages


def _other_line(functions, explanation):
    """Return the line of a function without a drawn tree, or None."""
    smallest = explanation.smallest
    if smallest is None or functions == [smallest.function] or len(functions) > 1:
        return None
    return explanation.line_of(functions[0])


def _explain(score, grading):
    """Return the Message about one function, without its name."""
    function = score.function
    verdicts = [verdict for verdict in score.verdicts if verdict.was_run]
    wrong = [verdict for verdict in verdicts if not verdict.is_right]
    explanation = grading.explanation
    diagnosis = explanation.diagnosis_of(function)
    symptom = symptom_of(function, verdicts)
    slips = _slips(explanation.reading.text_of(function)) if wrong else []
    is_named = diagnosis is not None and diagnosis.kind == e.KNOWN
    if is_named and diagnosis.voice == e.IS:
        return Message(_join(make_advice(diagnosis).lead, *slips))
    hints = slips + _hints_of_text(function, explanation, symptom)
    if is_named and not slips:
        return Message(_join(make_advice(diagnosis).lead, *hints))
    if diagnosis and not is_named:
        hints = _hints_on_state(function, explanation)
        return Message(_join(make_advice(diagnosis).lead, *hints))
    if not wrong:
        return Message("")
    if not any(verdict.has_returned for verdict in verdicts):
        how = wording.ending(verdicts[0].findings[0].got)
        return Message(_join(wording.as_sentence(how), *slips), needs_name=True)
    where = _hidden_rows(score)
    unfinished = [verdict for verdict in wrong if not verdict.has_returned]
    searches_too_much = 2 * len(unfinished) < len(wrong) and symptom != STOPS
    if unfinished and not searches_too_much:
        how = _unfinished(score, unfinished, explanation.smallest)
        return Message(_join(how, *slips, where), needs_name=True)
    text = _plain_fault(function, wrong) or describe_symptom(function, symptom)
    return Message(_join(text, *hints, where))


def _join(*parts):
    """Join the sentences that are not empty."""
    return " ".join(filter(None, parts))


def _slips(text):
    """Return sentences on slips that the text of a wrong function shows."""
    slips = []
    if text.misspelled:
        line, name, similar = text.misspelled
        slips.append(
            sentence(
                "told.misspelled", line=line, name=sanitize(name), similar=sanitize(similar)
            )
        )
    if text.without_effect:
        lines = lines_in_words(text.without_effect)
        slips.append(
            sentence("told.without effect", lines=lines, count=len(text.without_effect))
        )
    return slips


def _hints_on_state(function, explanation):
    """Return hints on a function that keeps state."""
    lines = explanation.reading.state_lines
    if not lines or explanation.diagnosis_of(function).kind != e.KEEPS_STATE:
        return []
    return [sentence("told.holds", lines=lines_in_words(lines))]


def _hints_of_text(function, explanation, symptom):
    """Return hints on a symptom, taken from the text of the program."""
    text = explanation.reading.text_of(function)
    hints = []
    if symptom in (NEVER_PRUNES, TOO_LITTLE) and "minimax" in text.calls:
        hints.append(sentence("told.calls", names="minimax"))
    is_move = FUNCTIONS[function].answer == NODE
    if is_move and symptom == TOO_MUCH and "alphabeta" in text.calls:
        hints.append(sentence("told.window"))
    return hints


def _unfinished(score, unfinished, smallest):
    """Return a sentence on the searches of a function that did not return.

    It names the exception only if the exception was raised on a tree that students see.
    """
    trees = {verdict.task.tree.name for verdict in unfinished}
    all_trees = {verdict.task.tree.name for verdict in score.verdicts}
    shown = [verdict for verdict in unfinished if not verdict.task.is_hidden]
    if smallest and not smallest.late and smallest.function == score.function:
        shown += [smallest.verdict] if not smallest.verdict.has_returned else []
    if shown:
        how = wording.ending(shown[0].findings[0].got, shown[0].trace.text)
    else:
        how = wording.ending(unfinished[0].findings[0].got)
    text = sentence("told.stopped", how=how, trees=len(trees), count=len(all_trees))
    return wording.as_sentence(text)


def _plain_fault(function, wrong):
    """Return a sentence on an answer of the wrong type on a public tree, or ""."""
    for verdict in wrong:
        faults = [f for f in verdict.findings if f.kind == WRONG_TYPE]
        if faults and not verdict.task.is_hidden:
            text = wording.findings(verdict._replace(findings=tuple(faults)))[0]
            return f"{function}: {wording.as_sentence(text)}"
    return ""


def _hidden_rows(score):
    """Name the wrong rows of a function that passes every public tree, else return ""."""
    if not any(row.is_public for row in score.rows):
        return ""
    parts = []
    for row in score.rows:
        tests = tests_of(row)
        wrong_tests = [name for name, verdicts in tests if _has_wrong(verdicts)]
        if not wrong_tests:
            continue
        if row.is_public:
            return ""
        if row.concept == AT_THE_LIMITS:
            part = sentence("told.limits", row=row.concept, kinds=in_words(wrong_tests))
        else:
            part = sentence(
                "told.row",
                row=row.concept,
                wrong=len(wrong_tests),
                count=len(tests),
                lesson=wrong_tests[0],
            )
        parts.append(part)
    if not parts:
        return ""
    named = parts[:MAX_ROWS]
    if len(parts) > MAX_ROWS:
        named.append(sentence("told.more rows", count=len(parts) - MAX_ROWS))
    return sentence("told.hidden only", rows=in_words(named))


def tests_of(row: Row) -> list[tuple[str, list[Verdict]]]:
    """Return (what it tests, its verdicts) for each tree of a row.

    The row of limits has kinds of limits instead of trees. The worst search of a kind
    decides, so a submission could choose the results of the other trees for free.
    """
    tests = []
    for part, verdicts in row.verdicts_by_part.items():
        name = verdicts[0].task.tree.lesson
        if row.concept == AT_THE_LIMITS:
            name = sentence(f"limit.{part}")
        tests.append((name, verdicts))
    return tests


def _has_wrong(verdicts):
    """Tell whether one of the searches was run and is wrong."""
    return any(verdict.was_run and not verdict.is_right for verdict in verdicts)


# ---- lines


@dataclass(frozen=True)
class Pointer:
    """The lines of a submission that may need a change.

    sentence: names the lines and gives the reason.
    lines: number -> text of the marked lines and of the lines around them, without the
        common indentation.
    marked: the numbers of the lines that may need a change.
    """

    sentence: str
    lines: Mapping[int, str]
    marked: tuple[int, ...]

    def near(self, around: int) -> dict[int, str]:
        """Return the marked lines with at most `around` lines on each side."""
        near = {}
        for number, text in self.lines.items():
            distance = min(abs(number - marked) for marked in self.marked)
            if distance == 0 or text.strip() and distance <= around:
                near[number] = text
        return near

    def shown(self, around: int) -> list[str]:
        """Return the lines of near() as text for a terminal."""
        near = self.near(around)
        width = len(str(max(near)))
        shown = []
        for number, text in near.items():
            mark = ">" if number in self.marked else " "
            shown.append(f" {mark} {number:{width}} {text}")
        return shown


def find_pointer(explanation: Explanation) -> Pointer | None:
    """Return the Pointer to the line of the drawn function, or None if none was found.

    It names the function if the screen shows a line of another function too.
    """
    if explanation.smallest is None:
        return None
    line = explanation.line_of(explanation.smallest.function)
    if line is None:
        return None
    pointer = pointer_to(line)
    if len(explanation.lines) > 1:
        return replace(pointer, sentence=f"{line.function}: {pointer.sentence}")
    return pointer


def pointer_to(found: Localisation) -> Pointer:
    """Return the Pointer to the lines of a Localisation."""
    lines = sorted({place.line for place in found.places})
    is_missing = all(place.after for place in found.places)
    key = "line.nothing" if found.gives_nothing else "line.raised"
    if found.proofs:
        keys = ADDITIONS if is_missing else CHANGES
        key = keys[_which(found, lines)]
    several_kinds = "missing statement" if is_missing else "any"
    change = sentence(
        f"small change.{found.kind or several_kinds}",
        names=" or ".join(_names_added(found)),
    )
    text = sentence(key, lines=lines_in_words(lines), change=change)
    return point_at(found.text, lines, text)


def _names_added(found):
    """Return the names that missing assignments store, sanitized."""
    added = [statement for proof in found.proofs for statement in proof.added]
    names = [statement.partition(" = ")[0] for statement in added]
    return [sanitize(name) for name in dict.fromkeys(names)]


def _which(found, lines):
    """Return "here" for one line, "twice" if two of its parts must change.

    For several lines it returns "all" if every line must change, otherwise "one".
    """
    if len(lines) == 1:
        return "twice" if found.together else "here"
    return "all" if found.together else "one"


def lines_in_words(numbers: Collection[int]) -> str:
    """Return the numbers of lines in words: "line 36" or "lines 33 and 40"."""
    return sentence("line.lines", lines=in_words([*map(str, numbers)]), count=len(numbers))


def point_at(
    lines: Mapping[int, str], marked: Collection[int], sentence: str = ""
) -> Pointer:
    """Return the Pointer to the marked lines.

    The common indentation of the lines is removed, and long lines are cut.

    lines: number -> text of the marked lines and of the lines around them.
    """
    expanded = {number: text.expandtabs().rstrip() for number, text in lines.items()}
    indents = [len(text) - len(text.lstrip()) for text in expanded.values() if text]
    margin = min(indents, default=0)
    shown = {}
    for number, text in expanded.items():
        shown[number] = sanitize(text[margin:], MAX_WIDTH)
    return Pointer(sentence, shown, tuple(marked))
