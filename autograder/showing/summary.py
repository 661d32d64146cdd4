"""Summarize a grading as the first screen that a student reads."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from autograder.explaining.explanation import SmallestTree
from autograder.grading import Grading, Guard
from autograder.scoring.rubric import HIDDEN
from autograder.scoring.scores import (
    function_scores,
    points_text,
    score_text,
    wrong_functions,
)
from autograder.scoring.tasks import Task
from autograder.showing import wording
from autograder.showing.messages import (
    Pointer,
    advice_for,
    find_pointer,
    messages_of,
)
from autograder.smalltrees.build import flow, lists_of, write_search
from gametree.functions import NODE
from gametree.support.sentences import describe_correct, write_answer
from gametree.support.texts import in_words, sentence
from gametree.support.tree import Search

LINES, WIDTH = 28, 90  # of the first screen
INDENT = "  "
# The maximum number of lines of each message; the first with which everything fits is used.
MESSAGE_LINES = (5, 4, 3, 2)


class Summary(NamedTuple):
    """The first screen, before it is laid out.

    score: the total score, such as "73.5/100".
    points: the points of each function, such as "minimax 25/25".
    problems: reasons why judging was impossible, and remarks on the grading.
    messages: function -> the sentences about it, the greatest loss of points first.
    function: the function of the example and the advice.
    pointer: the lines of the function that may need a change.
    smallest: the smallest tree on which the function fails.
    deciding: the key sentence about the failure on that tree.
    check: the advice for the function.
    next: the next step if everything is correct.
    """

    score: str
    points: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    messages: Mapping[str, Sequence[str]] = {}
    function: str = ""
    pointer: Pointer | None = None
    smallest: SmallestTree | None = None
    deciding: str = ""
    check: str = ""
    next: str = ""


def summarize(grading: Grading) -> Summary:
    """Return the Summary of a grading."""
    score = score_text(grading.score)
    problems = tuple(_problems(grading))
    if grading.refusal or grading.load_failure is not None:
        return Summary(score, problems=problems)
    points = _points_by_function(grading)
    wrong = wrong_functions(grading.rows)
    if not wrong:
        problems = (sentence("summary.all right"), *problems)
        return Summary(score, points, problems, next=sentence("summary.next"))
    explanation = grading.explanation
    smallest = explanation.smallest
    function = smallest.function if smallest else wrong[0].function
    advice = advice_for(function, explanation)
    return Summary(
        score,
        points,
        problems=problems,
        messages=messages_of(grading),
        function=function,
        pointer=find_pointer(explanation),
        smallest=smallest,
        deciding=_deciding(smallest, advice) if smallest else "",
        check=_check(grading, advice),
    )


def _describe_unseen_rows(grading):
    """Return a sentence on the rows that students do not see."""
    rubric = grading.rubric
    return sentence(
        "summary.never shown" if rubric.visibility == HIDDEN else "summary.unseen",
        count=grading.unseen_rows,
        points=points_text(rubric.max_cents - grading.score.max_cents),
    )


def _problems(grading):
    """Yield the term, the reason why judging was impossible, and remarks on the grading."""
    term = grading.rubric.term
    if term:
        yield sentence("summary.term", term=term)
    if grading.refusal:
        yield str(grading.refusal)
        return
    failure = grading.load_failure
    if failure is not None:
        why = wording.ending(failure.ending, failure.text)
        yield sentence("ending.not loaded", why=why)
    if grading.unseen_rows:
        yield _describe_unseen_rows(grading)
    if grading.note:
        yield f"{grading.note}."
    not_run = {"summary.undecided": grading.undecided, "summary.given up": grading.given_up}
    for key, results in not_run.items():
        if results:
            why = results[0].ending.reason
            yield sentence(key, count=len(results), why=why)
    if grading.explanation.cut_short:
        yield sentence("summary.cut short")
    if grading.faults:
        yield sentence("summary.fault")


def _points_by_function(grading):
    scores = function_scores(grading.rows)
    return tuple(f"{score.function} {score_text(score)}" for score in scores)


def _check(grading, advice):
    """Return what to check, or the advice to run the tests if no tree is drawn."""
    if advice.lead:
        return advice.check
    fails_at_home = any(row.is_public and not row.is_right for row in grading.rows)
    if grading.explanation.smallest or not fails_at_home:
        return ""
    return sentence("summary.at home in public")


def _deciding(smallest, advice):
    """Return the key sentence; for a late example, what the correct search does.

    Without a diagnosis, the message says how the search ended, if it did not return.
    """
    verdict = smallest.verdict
    if verdict is not None:
        is_said = not verdict.has_returned and not advice.lead
        return wording.where_it_raised(verdict) if is_said else wording.deciding(verdict)
    task = smallest.task
    is_move = task.expected.answer.kind == NODE
    late = sentence(
        "summary.late move" if is_move else "summary.late",
        answer=write_answer(task.tree.root, task.expected),
        aspects=in_words(smallest.wrong_aspects),
    )
    return f"{late} {describe_correct(task, smallest.wrong_aspects)}".rstrip()


def as_file(task: Task) -> str:
    """Return a task's tree and search as a tree file of one line.

    The line may be broken at each space.
    """
    tree = task.tree
    player = "max" if tree.maximizing else "min"
    line = f"root: {player}, tree: {flow(lists_of(tree.root))}"
    plain = Search(tree.root.height, tree.maximizing, opponent=task.search.opponent)
    if task.search != plain:
        line += f", searches: [{write_search(task.search)}]"
    return f"{{{line}}}"


def command(task: Task) -> str:
    """Return the command that draws a student's search of the tree in my.yaml."""
    function = "" if task.function == "alphabeta" else f" --function {task.function}"
    return f"python -m gametree my.yaml{function}"


def fails_on(smallest: SmallestTree) -> str:
    """Return a title such as "alphabeta fails on this tree; it passes all 6 trees ..."."""
    return sentence("summary.fails", function=smallest.function, count=smallest.tried - 1)


def feedback_text(grading: Grading) -> str:
    """Return the first screen of a grading as text."""
    return lay_out_summary(summarize(grading))


def text_of_screen(grading: Grading, guard: Guard) -> str:
    """Return the first screen, or a sentence about the internal error if it fails."""
    return guard.run(feedback_text, grading) or sentence("summary.fault")


def texts_of_rows(grading: Grading, guard: Guard) -> list[str]:
    """Return the text of each row, or a sentence about the internal error if it fails."""

    def text_of(row):
        public = grading.public_verdicts(row.function)
        return wording.row_text(row, grading.rows, public)

    return [guard.run(text_of, row) or sentence("summary.fault") for row in grading.rows]


def terminal_lines(grading: Grading) -> list[str]:
    """Return the first screen, and a line for each row that lost points."""
    lines = text_of_screen(grading, Guard()).splitlines()
    if grading.refusal or grading.load_failure is not None:
        return lines
    rows = grading.rows
    return lines + [wording.row_line(row, rows) for row in rows if not row.is_right]


def lay_out_summary(summary: Summary) -> str:
    """Lay out a Summary in at most LINES lines of at most WIDTH columns.

    Blocks are separated by blank lines. If the text is too long, the ends of messages are
    dropped. Blank lines are dropped last, from the bottom.
    """
    for message_lines in MESSAGE_LINES:
        groups = [group for group in _groups(summary, message_lines) if group]
        spare = LINES - sum(map(len, groups))
        if spare >= len(groups) - 1:
            break
    lines = []
    for place, group in enumerate(groups):
        if 0 < place <= spare:
            lines.append("")
        lines += group
    return "\n".join(lines[:LINES])


def _groups(summary, message_lines):
    """Yield the groups of lines of the first screen; some are empty."""
    yield _head(summary)
    yield _messages(summary, message_lines)
    if summary.pointer:
        yield _wrap(summary.pointer.sentence, indent="") + summary.pointer.shown()
    if summary.smallest:
        yield _example(summary)
    if summary.check:
        yield _wrap(f"- {summary.check}")
    if summary.smallest:
        yield _at_home(summary.smallest.task)
    yield _wrap(summary.next, indent="")


def _head(summary):
    score = sentence("summary.score", score=summary.score)
    if summary.points:
        score += f" ({', '.join(summary.points)})"
    lines = _wrap(score)
    for problem in summary.problems:
        lines += _wrap(problem)
    return lines


def _messages(summary, message_lines):
    lines = []
    for sentences in summary.messages.values():
        lines += _shorten(sentences, message_lines)
    return lines


def _shorten(sentences, max_lines):
    """Wrap sentences, and leave out those at the end that have no room."""
    for count in range(len(sentences), 1, -1):
        lines = _wrap(" ".join(sentences[:count]))
        if len(lines) <= max_lines:
            return lines
    return _wrap(sentences[0], max_lines=max_lines)


def _wrap(text, indent=INDENT, max_lines=None):
    """Wrap a text and indent later lines, so that they cannot imitate a first line."""
    options = {"max_lines": max_lines, "placeholder": " ..."}
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, **options)


def _at_home(task):
    """Return the lines that say how to reproduce the failure."""
    tree = _wrap(INDENT + as_file(task))
    return [sentence("summary.at home", count=len(tree), command=command(task)), *tree]


def _example(summary):
    """Return the lines of the smallest tree: a title, the drawing and the key sentence."""
    smallest = summary.smallest
    lines = _wrap(f"{fails_on(smallest)}:")
    drawn = wording.drawing(smallest.task, smallest.shown_trace)
    lines += filter(str.strip, drawn.splitlines())
    return lines + _wrap(summary.deciding)
