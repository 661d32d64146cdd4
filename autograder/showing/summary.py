"""Summarize a grading as the first screen that a student reads."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from typing import NamedTuple

from autograder.explaining.explanation import SmallestTree
from autograder.grading import Grading
from autograder.scoring.scores import (
    function_scores,
    is_stub,
    score_text,
    wrong_functions,
)
from autograder.showing import wording
from autograder.showing.messages import (
    Message,
    Pointer,
    advice_for,
    find_pointer,
    messages_of,
)
from autograder.showing.rowtext import drawing
from autograder.smalltrees.build import describe_search, flow, lists_of
from gametree.functions import FUNCTIONS, NODE, NODE_COUNT
from gametree.support.texts import in_words, sentence
from gametree.support.tree import Search

LINES, WIDTH = 28, 90  # of the first screen
INDENT = "  "
MAX_DRAWN = 12  # lines of a public tree


class Room(NamedTuple):
    """Limits for laying out a Summary.

    around: the number of lines of code on each side of a marked line. None omits the code,
        but the sentence above it has the line's number.
    message_lines: the maximum number of lines of each message.
    """

    around: int | None
    message_lines: int


ROOMS = (  # the first Room in which everything fits is used
    Room(around=1, message_lines=5),
    Room(around=0, message_lines=3),
    Room(around=None, message_lines=1),
)


@dataclass(frozen=True)
class Summary:
    """The first screen, before it is laid out.

    score: the total score, such as "73.5/100", or "" to omit the line.
    points: the points of each function, such as "minimax 25/25".
    problems: reasons why judging was impossible, and remarks on the grading.
    messages: the messages about functions that lost points, the greatest loss first.
    function: the function of the example and the advice.
    pointer: the lines of the function that may need a change.
    smallest: the smallest tree on which the function fails.
    deciding: the key sentence about the failure on that tree.
    check: the advice for the function.
    next: the next step if everything is correct.
    term: the term of the course, or "".
    """

    score: str
    points: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    function: str = ""
    pointer: Pointer | None = None
    smallest: SmallestTree | None = None
    deciding: str = ""
    check: str = ""
    next: str = ""
    term: str = ""


def summarize(grading: Grading) -> Summary:
    """Return the Summary of a grading."""
    score = score_text(grading)
    problems = tuple(_problems(grading))
    if grading.refusal or grading.load_failure is not None:
        return Summary(score, problems=problems)
    if not grading.rows:
        return Summary(sentence("summary.no score"), problems=problems)
    points = _points_by_function(grading)
    wrong = wrong_functions(grading.rows)
    if not wrong:
        problems = (_all_right(grading), *problems)
        return Summary(score, points, problems, next=sentence("summary.next"))
    explanation = grading.explanation
    smallest = _find_example(explanation, wrong)
    function = smallest.function if smallest else wrong[0].function
    pointer = None
    if smallest is explanation.smallest:
        pointer = find_pointer(explanation)
    return Summary(
        score,
        points,
        problems=problems,
        messages=tuple(messages_of(grading)),
        function=function,
        pointer=pointer,
        smallest=smallest,
        deciding=_deciding(smallest) if smallest else "",
        check=_check(explanation, function, wrong),
    )


def _problems(grading):
    """Yield the reason why judging was impossible, or remarks on the grading."""
    if grading.refusal:
        yield str(grading.refusal)
        return
    if grading.load_failure is not None:
        yield wording.not_loaded(grading.load_failure)
    yield from _remarks(grading)


def _points_by_function(grading):
    scores = function_scores(grading.rows)
    return tuple(f"{score.function} {score_text(score)}" for score in scores)


def _check(explanation, function, wrong):
    """Return the advice for a function, or the stub to begin with."""
    advice = advice_for(function, explanation)
    if advice:
        return advice.check
    stubs = [s.function for s in wrong if is_stub(s.function, s.verdicts)]
    if not stubs or len(stubs) < len(wrong):
        return ""
    first = next(name for name in FUNCTIONS if name in stubs)
    return sentence("summary.begin", function=first)


def _remarks(grading):
    """Yield remarks on the grading itself."""
    if grading.unseen_rows:
        yield sentence("summary.unseen", count=grading.unseen_rows)
    if grading.note:
        yield f"{grading.note}."
    if grading.undecided:
        yield wording.undecided(grading.undecided)
    if grading.explanation.cut_short:
        yield sentence("summary.cut short")
    if grading.faults:
        yield sentence("summary.fault")


def _deciding(smallest):
    """Return the key sentence; for a late example, the purpose of the tree."""
    verdict = smallest.verdict
    if not smallest.late:
        return wording.deciding(verdict)
    wrong = [aspect for aspect, holds in verdict.aspects.items() if not holds]
    lesson = wording.explain_correct(verdict.task, wrong)
    is_move = verdict.task.expected.answer.kind == NODE
    key = "summary.late move" if is_move else "summary.late"
    return sentence(key, lesson=lesson, aspects=in_words(wrong))


def _all_right(grading):
    """Return the line for a grading in which every visible row is correct."""
    if grading.unseen_rows:
        return sentence("summary.seen right")
    counted = any(NODE_COUNT in row.tasks[0].aspects for row in grading.rows)
    return sentence("summary.all right" if counted else "summary.answers right")


def _find_example(explanation, wrong):
    """Return the SmallestTree of the first of these functions that has one, or None.

    If no small tree shows a function's failure, the example is a public tree with
    `tried=0`. A failure that depends on another function or on an earlier search has no
    example.
    """
    smallest = explanation.smallest
    skipped = {leak.function for leak in explanation.state_leaks}
    for diagnosis in explanation.diagnoses:
        if diagnosis.others:
            skipped.update(diagnosis.functions)
    for score in wrong:
        if score.function in skipped or is_stub(score.function, score.verdicts):
            continue
        if smallest and smallest.function == score.function:
            return smallest
        verdict = _smallest_public(score)
        if verdict is not None:
            return SmallestTree(verdict, tried=0)
    return None


def _smallest_public(score):
    """Return the wrong verdict on the smallest public tree that can be drawn, or None."""
    public = [verdict for row in score.rows if row.is_public for verdict in row.verdicts]
    public.sort(key=lambda verdict: len(verdict.task.expected.visited))
    for verdict in public:
        if verdict.was_run and not verdict.is_right and _fits_screen(verdict):
            return verdict
    return None


def _fits_screen(verdict):
    return drawing(verdict).count("\n") < MAX_DRAWN


def as_file(task) -> str:
    """Return a task's tree and search as a tree file of one line."""
    tree = task.tree
    player = "max" if tree.maximizing else "min"
    line = f"root: {player}, tree: {flow(lists_of(tree.root))}"
    if task.search != Search(tree.root.height, tree.maximizing):
        line += f", searches: [{describe_search(task.search)}]"
    return f"{{{line}}}"


def command(task, file: str = "my.yaml") -> str:
    """Return the command that draws a student's search of the tree in a file."""
    function = "" if task.function == "alphabeta" else f" --function {task.function}"
    return f"python -m gametree {file}{function}"


def fails_on(smallest: SmallestTree) -> str:
    """Return a title such as "alphabeta fails on this tree; it passes all 6 trees ..."."""
    task = smallest.verdict.task
    if not smallest.tried:
        return sentence(
            "summary.fails in public", function=task.function, tree=task.tree.title
        )
    return sentence("summary.fails", function=task.function, count=smallest.tried - 1)


def feedback_text(grading: Grading) -> str:
    """Return the first screen of a grading as text."""
    summary = replace(summarize(grading), term=grading.term)
    return lay_out_summary(summary)


def summarize_function(grading: Grading, function: str) -> Summary:
    """Return the Summary of one function, without the score."""
    explanation = grading.explanation
    smallest = explanation.smallest
    if smallest and smallest.function != function:
        explanation = replace(explanation, smallest=None)
    rows = tuple(row for row in grading.rows if row.function == function)
    summary = summarize(replace(grading, rows=rows, explanation=explanation))
    return replace(summary, score="", points=(), problems=(), next="")


def lay_out_summary(summary: Summary) -> str:
    """Lay out a Summary in at most LINES lines of at most WIDTH columns.

    Blocks are separated by blank lines. If the text is too long, lines around the marked
    code and the ends of messages are dropped, then the code. Blank lines
    are dropped last, from the bottom.
    """
    for room in ROOMS:
        groups = [group for group in _groups(summary, room) if group]
        spare = LINES - sum(map(len, groups))
        if spare >= len(groups) - 1:
            break
    lines = []
    for place, group in enumerate(groups):
        if 0 < place <= spare:
            lines.append("")
        lines += group
    return "\n".join(lines[:LINES])


def _groups(summary, room):
    """Yield the groups of lines of the first screen; some are empty."""
    yield _head(summary)
    yield _messages(summary, room)
    if summary.pointer:
        yield _code(summary.pointer, room)
    if summary.smallest:
        yield _example(summary)
    if summary.check:
        yield _wrap(f"- {summary.check}")
    if summary.smallest:
        yield _at_home(summary.smallest)
    yield _wrap(summary.next, indent="")


def _head(summary):
    lines = []
    if summary.score:
        score = sentence("summary.score", score=summary.score)
        if summary.points:
            score += f" ({', '.join(summary.points)})"
        lines += _wrap(score)
    if summary.term:
        lines += _wrap(sentence("summary.term", term=summary.term))
    for problem in summary.problems:
        lines += _wrap(problem)
    return lines


def _messages(summary, room):
    lines = []
    for message in summary.messages:
        lines += _wrap(message.text, max_lines=room.message_lines)
    return lines


def _code(pointer, room):
    """Return the sentence of a pointer, and the lines of code if there is room."""
    lines = _wrap(pointer.sentence, indent="")
    if room.around is None:
        return lines
    around = 0 if len(pointer.marked) > 1 else room.around
    return lines + pointer.shown(around)


def _wrap(text, indent=INDENT, max_lines=None):
    """Wrap a text and indent later lines, so that they cannot imitate a first line."""
    options = {"max_lines": max_lines, "placeholder": " ..."}
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, **options)


def _at_home(smallest):
    """Return the lines that say how to reproduce the failure."""
    task = smallest.verdict.task
    if not smallest.tried:
        file = f"trees/{task.tree.name}.yaml"
        number = task.tree.searches.index(task.search) + 1
        if number > 1:
            file += f" --search {number}"
        return [sentence("summary.at home in public", command=command(task, file))]
    lines = [sentence("summary.at home", command=command(task))]
    tree = INDENT + as_file(task)
    if len(tree) <= WIDTH:
        lines.append(tree)
    return lines


def _example(summary):
    """Return the lines of the smallest tree: a title, the drawing and the key sentence."""
    verdict = summary.smallest.verdict
    lines = _wrap(f"{fails_on(summary.smallest)}:")
    lines += filter(str.strip, drawing(verdict).splitlines())
    return lines + _wrap(summary.deciding)
