"""One sentence for each function that lost points: what is wrong with it, and where."""

from __future__ import annotations

from dataclasses import replace

from autograder.grading import Grading
from autograder.judging.edges import edge_of
from autograder.judging.scores import wrong_parts
from autograder.mistakes.diagnosis import symptom_of
from autograder.showing import sentences
from autograder.showing.advice import about
from gametree import judging as v
from gametree.functions import FUNCTIONS
from gametree.saying import say
from gametree.words import in_words

MOST_ROWS = 2  # that a sentence names


def told_of(grading: Grading, drawn: str = "") -> list[str]:
    """Return the sentences, in the order of points lost; what is alike is said once.

    Of the function that is `drawn`, known mistakes are listed below what they share.
    """
    functions, told = {}, []
    for part in wrong_parts(grading.rows):
        who, sentence = _told(part, grading, drawn)
        if sentence:
            functions.setdefault(sentence, []).append(part.function)
            told.append((who, sentence))
    return [
        f"{_named(functions.pop(sentence))}: {sentence}" if who else sentence
        for who, sentence in told
        if not who or sentence in functions
    ]


def _named(functions):
    return ", ".join(sorted(functions, key=[*FUNCTIONS].index))


def _told(part, grading, drawn):
    """Return whether a function's name is to stand before its sentence, and that."""
    verdicts = [one for row in part.rows for one in row.verdicts]
    wrong = [one for one in verdicts if not (one.right or one.trace.ending.undecided)]
    advice = about(part.function, grading.diagnoses)
    if advice and advice.sure:
        several = advice.causes and part.function != drawn
        said = several and _telling(part.function, wrong) or advice.lead
        return False, " ".join([said, *_unread(part.function, grading, advice)])
    if not wrong:
        return False, ""
    if not any(one.judged for one in verdicts):
        return True, sentences.ended(sentences.ending(verdicts[0].findings[0].got))
    stopped = [one for one in wrong if not one.judged]
    if stopped:
        return True, _stopped(part, stopped, wrong, grading)
    said = advice.lead if advice else _seen(part.function, wrong, verdicts)
    unread = _unread(part.function, grading, advice)
    more = *unread, *_where(part), *_edge(verdicts)
    return False, " ".join([said, *more])


def _unread(function, grading, advice):
    """Yield what the text alone says of a function's arguments, unless the advice does."""
    reading = grading.reading
    if reading and function in reading.ignores:
        yield say("told.ignores", names=in_words(reading.ignores[function]))
    if (
        reading
        and function in reading.keeps
        and not (advice and advice.sure and not advice.causes)
    ):
        yield say("told.keeps", names=in_words(reading.keeps[function]))


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
    said = say("told.stopped", how=how, trees=len(trees), count=count)
    verdicts = [one for row in part.rows for one in row.verdicts]
    return " ".join([sentences.ended(said), *_where(part), *_edge(verdicts)])


def _seen(function, wrong, verdicts):
    """Say what is wrong with a function that always returns, as far as it shows."""
    symptom = say(f"symptom.{symptom_of(function, verdicts)}")
    plain = _telling(function, wrong)
    return plain or say("advice.symptom", function=function, symptom=symptom)


def _telling(function, wrong):
    """Return what is plainly wrong on a public tree: an answer's type, or a place."""
    for one in wrong:
        telling = tuple(f for f in one.findings if f.kind in (v.WRONG_TYPE, v.NOT_A_LEAF))
        if telling and not one.task.hidden:
            found = sentences.findings(replace(one, findings=telling))[0]
            return f"{function}: {sentences.ended(found)}"
    return ""


def _where(part):
    """Yield in which rows a function is wrong, if it is right on every public tree."""
    wrong = [row for row in part.rows if not row.right]
    if any(row.public for row in wrong) or not any(row.public for row in part.rows):
        return
    rows = [
        say("told.row", row=row.concept, wrong=len(row.trees) - row.right_trees,
            count=len(row.trees))
        for row in wrong[:MOST_ROWS]
    ]  # fmt: skip
    if len(wrong) > MOST_ROWS:
        rows.append(say("told.more rows", count=len(wrong) - MOST_ROWS))
    yield say("told.hidden only", rows=in_words(rows))


def _edge(verdicts):
    """Yield from which size on a function goes wrong, if that says where it does."""
    edge = edge_of(verdicts)
    if edge:
        yield say(f"edge.{edge.kind}", size=edge.size)
