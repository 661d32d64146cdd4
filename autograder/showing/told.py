"""What is said of a wrong submission: a sentence for each function, and where to look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.grading import Grading
from autograder.judging.boundaries import boundary_of
from autograder.judging.rubric import CHANGE
from autograder.judging.scores import wrong_parts
from autograder.mistakes import diagnosis as d
from autograder.mistakes.reading import Reading
from autograder.mistakes.symptoms import (
    AGAIN,
    CUTOFFS,
    NEVER_PRUNES,
    OTHER_ORDER,
    STOPS,
    TOO_LITTLE,
    cutoffs_not_made,
    symptom_of,
)
from autograder.plaintext import printable
from autograder.showing import sentences
from gametree.functions import FUNCTIONS
from gametree.support import judging as v
from gametree.support.saying import in_words, say

MAX_ROWS = 2  # that a sentence names
MAX_CAUSES = 3
MAX_WIDE, PART = 82, 74  # characters of a line, and of one that is longer


@dataclass(frozen=True)
class Advice:
    """What a diagnosis says: `lead` is a sentence that says what is wrong.

    `sure` tells whether it explains every search, or is only the nearest mistake that is
    known. `check` is what to do. `causes` are the
    known mistakes that it may be, where there are several; where there is one, it is
    `named`.
    """

    lead: str
    check: str = ""
    causes: tuple[str, ...] = ()
    sure: bool = True
    named: bool = False


def advice_of(diagnosis: d.Diagnosis) -> Advice:
    """Return the Advice of one diagnosis."""
    who, others = in_words(diagnosis.functions), in_words(diagnosis.others)
    headlines = [one.headline for one in diagnosis.variants]
    if diagnosis.symptom == d.RESTS_ON:
        return Advice(say("advice.rests on", function=who, others=others))
    if diagnosis.symptom == d.CALLS_A_STUB:
        key = "write first" if who == "best_move" else "call itself"
        check = say(f"advice.{key}", function=who, others=others)
        return Advice(say("advice.calls a stub", function=who, others=others), check)
    if diagnosis.symptom == d.KEEPS_STATE:
        leak, before = diagnosis.state_leak, say("advice.kept nothing before")
        if leak.before:
            earlier = leak.before.tree.title
            before = say("advice.kept before", function=leak.before.function, tree=earlier)
        tree = leak.task.tree.title
        lead = say("advice.kept", function=who, tree=tree, before=before)
        return Advice(lead, say("advice.keep nothing"), tuple(headlines[:MAX_CAUSES]))
    if diagnosis.symptom == d.AT_RANDOM:
        return Advice(say("advice.at random", function=who), say("advice.in order"))
    if not diagnosis.exact:
        return Advice(headlines[0], sure=False)
    if len(headlines) > 1:
        seen = seen_of(who, diagnosis.symptom)
        return Advice(seen, causes=tuple(headlines[:MAX_CAUSES]))
    lead = headlines[0] if who in headlines[0] else f"{who}: {headlines[0]}"
    return Advice(lead, diagnosis.variants[0].next_step, named=True)


def seen_of(function: str, symptom: str) -> str:
    """Return the sentence that says what is seen of a function, by its symptom."""
    return say("advice.symptom", function=function, symptom=say(f"symptom.{symptom}"))


def headline(diagnosis: d.Diagnosis) -> str:
    """Return a diagnosis in one line, for books and tables of a class."""
    advice, known = advice_of(diagnosis), diagnosis.variants
    said = known[0].headline if len(known) == 1 else advice.lead
    return ("" if advice.sure else "Closest to: ") + said.removesuffix(".")


def about(function: str, diagnoses: Iterable[d.Diagnosis]) -> Advice | None:
    """Return the Advice about a function, None where there is none."""
    concerned = (one for one in diagnoses if function in one.functions)
    return next(map(advice_of, concerned), None)


def told_of(grading: Grading, drawn: str = "") -> list[tuple[str, tuple[str, ...], list]]:
    """Return (sentence, causes, functions) of those that lost points, most points first.

    What is alike is said once. Of the function that is `drawn`, the causes are the known
    mistakes that it may hold, unless its text says enough.
    """
    told = {}
    for part in wrong_parts(grading.rows):
        named, sentence, causes = _told(part, grading, drawn)
        functions, _ = told.setdefault((named, sentence), ([], causes))
        functions.append(part.function)
    return [
        (f"{', '.join(filter(who.count, FUNCTIONS))}: " * named + said, causes, who)
        for (named, said), (who, causes) in told.items()
        if said
    ]


def _told(part, grading, drawn):
    """Return whether a function's name stands before its sentence, that, and causes."""
    function, verdicts = part.function, [one for one in part.verdicts if one.was_run]
    wrong = [one for one in verdicts if not one.right]
    advice, symptom = about(function, grading.diagnoses), symptom_of(function, verdicts)
    text = _of_text(function, grading, symptom)
    if advice and advice.sure:
        said, causes = advice.lead, () if text else advice.causes
        if causes and function != drawn:
            said, causes = _telling(function, wrong) or said, ()
        elif causes:
            text = [say("advice.causes")]
        return False, " ".join([said, *([] if advice.named else text)]), causes
    if not wrong:
        return False, "", ()
    if not any(one.judged for one in verdicts):
        end = verdicts[0].findings[0].got
        return True, sentences.ended(sentences.ending(end)), ()
    stopped = [one for one in wrong if not one.judged]
    more = [*_where(part), *_boundary(verdicts)]
    few = 2 * len(stopped) < len(wrong) and symptom != STOPS  # that searched too much
    if stopped and not few:
        return True, " ".join([_stopped(part, stopped, wrong, grading), *more]), ()
    said, line = _telling(function, wrong), grading.localisation
    said = said or seen_of(function, symptom)
    if line and line.function == function:
        pass  # it says more than what is near, or what is also seen
    elif advice:
        said = say("advice.closest", seen=said, mistake=advice.lead)
    elif FUNCTIONS[function].has_window:  # it may hold two mistakes
        also = cutoffs_not_made(verdicts)
        text += [seen_of(function, also)] * (also in CUTOFFS and also != symptom)
    return False, " ".join([said, *text, *more]), ()


def _is_wrong(on_tree):
    """Tell whether a search of a tree was run and is wrong."""
    return any(one.was_run and not one.right for one in on_tree.verdicts)


def _of_text(function, grading, symptom):
    """Return what the text alone says of a function with such a symptom."""
    text = grading.reading or Reading()
    if any(one.function == function for one in grading.state_leaks):
        kept = (
            [say("told.holds", lines=_lines(text.state_lines))] if text.state_lines else []
        )
        return kept + ([seen_of(function, symptom)] if symptom == OTHER_ORDER else [])
    named = {
        "ignores": text.unused.get(function),
        "keeps": text.not_passed_on.get(function),
    }
    if symptom in (NEVER_PRUNES, TOO_LITTLE, *CUTOFFS):
        named["calls"] = {"minimax"} & {*text.calls.get(function, ())}
    said = [say(f"told.{key}", names=in_words([*own])) for key, own in named.items() if own]
    if function in text.repeated_calls and symptom == AGAIN:
        said.append(say("told.twice", lines=_lines(text.repeated_calls[function])))
    return said


def _stopped(part, stopped, wrong, grading):
    """Say how a function ends that does not always return.

    An exception has a name only where it is raised on a tree that students see.
    """
    small = grading.counterexample
    if small and not small.late and small.verdict.task.function == part.function:
        stopped = [*stopped, *([] if small.verdict.judged else [small.verdict])]
    first = next((one for one in stopped if not one.task.hidden), stopped[0])
    text = None if first.task.hidden else first.trace.text
    how = sentences.ending(first.findings[0].got, text)
    ends = [one.task.key for one in stopped]
    trees = {one.task.tree.name for one in wrong if one.task.key in ends}
    count = len({tree.tree.name for row in part.rows for tree in row.trees})
    return sentences.ended(say("told.stopped", how=how, trees=len(trees), count=count))


def _telling(function, wrong):
    """Return what is plainly wrong on a public tree: an answer's type, or a place."""
    for one in wrong:
        telling = tuple(f for f in one.findings if f.kind in (v.WRONG_TYPE, v.NOT_A_LEAF))
        if telling and not one.task.hidden:
            found = sentences.findings(one._replace(findings=telling))[0]
            return f"{function}: {sentences.ended(found)}"
    return ""


def _where(part):
    """Yield in which rows a function is wrong, if it is right on every public tree."""
    counts = [(row, sum(map(_is_wrong, row.trees))) for row in part.rows]
    wrong = [(row, count) for row, count in counts if count]
    if any(row.public for row, _ in wrong) or not any(row.public for row in part.rows):
        return
    rows = [
        say("told.row", row=row.concept, wrong=count, count=len(row.trees))
        for row, count in wrong[:MAX_ROWS]
    ]
    if len(wrong) > MAX_ROWS:
        rows.append(say("told.more rows", count=len(wrong) - MAX_ROWS))
    yield say("told.hidden only", rows=in_words(rows))


def _boundary(verdicts):
    """Yield from which size on a function goes wrong, if that says where it does."""
    boundary = boundary_of(verdicts)
    if boundary:
        yield say(f"boundary.{boundary.kind}", size=boundary.size)


@dataclass(frozen=True)
class Pointer:
    """Where to look: `sentence` says it.

    `lines` maps the numbers of the lines `marked`, and of those around, to their texts.
    """

    sentence: str
    lines: Mapping[int, str]
    marked: tuple[int, ...]

    def near(self, around: int) -> list[tuple[int, str, bool]]:
        """Return (number, text, whether marked): at most so many above and below each."""
        return [
            (number, text, number in self.marked)
            for number, text in self.lines.items()
            if number in self.marked
            or (text.strip() and any(abs(number - m) <= around for m in self.marked))
        ]

    def shown(self, around: int) -> list[str]:
        """Return the lines near as a terminal shows them."""
        near = self.near(around)
        wide = len(str(near[-1][0]))
        return [f" {'>' if own else ' '} {n:{wide}} {text}" for n, text, own in near]

    @property
    def short(self) -> str:
        """Return "line 36" or "lines 33 and 40"."""
        return _lines(self.marked)


def pointer_of(grading: Grading) -> Pointer | None:
    """Return where a grading says to look, None where it does not know."""
    found = grading.localisation
    if found is None:
        return None
    columns = {place.line: place.column for place in sorted(found.places)}
    what = "add" if all(place.after for place in found.places) else "change"
    where = "here" if len(columns) == 1 else "all" if found.together else "one"
    key = f"line.{what} {where}" if found.proofs else "line.raised"
    sentence = say(key, lines=_lines(columns))
    if found.proofs and grading.hints == CHANGE:
        sentence += " " + say("line.change", change=printable(found.proofs[0].what))
    return pointer_to(found.text, columns, sentence)


def _lines(numbers):
    return say("line.lines", lines=in_words([*map(str, numbers)]), count=len(numbers))


def pointer_to(
    lines: Mapping[int, str], columns: Mapping[int, int], sentence: str = ""
) -> Pointer:
    """Return the Pointer at the lines whose numbers `columns` maps to where to look there.

    What all lines leave blank on the left is left out. Of a line that is too long, the
    part around its column is shown.
    """
    texts = {number: text.expandtabs().rstrip() for number, text in lines.items()}
    margin = min((len(t) - len(t.lstrip()) for t in texts.values() if t), default=0)
    for number, text in texts.items():
        before = lines[number].encode()[: columns.get(number, 0)].decode(errors="ignore")
        own, at = text[margin:], len(before.expandtabs()) - margin
        begin, end = 0, MAX_WIDE
        if len(own) > MAX_WIDE:
            begin = max(0, min(at, len(own)) - PART // 2)
            end = begin + PART
        left, right = "... " * (begin > 0), " ..." * (len(own) > end)
        texts[number] = printable(left + own[begin:end] + right)
    return Pointer(sentence, texts, tuple(columns))
