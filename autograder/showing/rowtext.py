"""Render a row as plain text for Gradescope and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from autograder.ground.plaintext import sanitize_lines
from autograder.scoring.concepts import ABOUT, AT_THE_LIMITS
from autograder.scoring.scores import Row, all_right, is_stub, score_text
from autograder.showing import wording
from autograder.showing.messages import Advice
from gametree.support.drawing import draw
from gametree.support.judging import Verdict
from gametree.support.marks import marks_beside
from gametree.support.sentences import write_call
from gametree.support.texts import sentence
from gametree.support.trace import Trace

WIDTH = 80
MAX_PRINTED = 1000  # characters
MAX_DRAWN = 2  # wrong public trees of a row


def row_text(row: Row, advice: Advice | None = None) -> str:
    """Return the text of a row for students; `advice` is about its function.

    The first line says why points were lost. It is the only line if the function is
    missing. For a hidden tree, the text has only its lesson and one result.
    """
    lines = [head(row, advice)]
    if is_stub(row.function, row.verdicts):
        return lines[0]
    if row.concept == AT_THE_LIMITS and not row.is_right:
        lines.append(sentence("row.limits"))
    if row.is_public:
        lines += _public_trees(row)
    else:
        lines += [f"- {line}" for _, line in row_results(row)]
    return "\n".join(lines)


def head(row: Row, advice: Advice | None = None) -> str:
    """Return "9 of 12 trees correct" with the reason for the failures, if any."""
    results = [all_right(verdicts) for _, verdicts in _tests_of(row)]
    key = "row.kinds" if row.concept == AT_THE_LIMITS else "row.trees"
    count = sentence(key, right=sum(results), count=len(results))
    return count if row.is_right else f"{count}: {why(row, advice)}"


def row_results(row: Row) -> list[tuple[bool, str]]:
    """Return (whether it is correct, its line) for each test of a row."""
    lines = []
    for name, verdicts in _tests_of(row):
        lines.append((all_right(verdicts), f"{name}: {result_of(verdicts)}"))
    return lines


def _tests_of(row):
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


def result_of(verdicts: Sequence[Verdict]) -> str:
    """Return the result of searches: why one ended, the first wrong aspect, or correct."""
    for verdict in verdicts:
        if not verdict.has_returned:
            return wording.ending(verdict.findings[0].got)
    for aspect in verdicts[0].task.aspects:
        if not all(verdict.aspects[aspect] for verdict in verdicts):
            return sentence(f"held.{aspect}")
    return sentence("held.correct")


def row_in_short(row: Row) -> str:
    """Return a row's points, the purpose of its trees, and its head."""
    about = sentence(
        "row.about",
        number=row.number,
        name=row.name,
        score=score_text(row),
        about=sentence(ABOUT[row.concept]),
    )
    return f"{about}\n{wording.as_sentence(head(row))}"


def why(row: Row, advice: Advice | None) -> str:
    """Return the reason why a row lost points: its function's diagnosis, if there is one.

    Otherwise the reason lists the results other than correct, and how often they occur.
    """
    if advice:
        return advice.lead
    wrong = [verdicts for _, verdicts in _tests_of(row) if not all_right(verdicts)]
    results = Counter(map(result_of, wrong))
    if len(results) == 1:
        return next(iter(results))
    return ", ".join(f"{result} ({count})" for result, count in results.items())


def _public_trees(row) -> Iterator[str]:
    """Yield the lines on the wrong public trees of a row.

    The first trees are drawn, each with its first wrong search. So the text stays short.
    """
    wrong = [test for test in _tests_of(row) if not all_right(test[1])]
    for _, verdicts in wrong[:MAX_DRAWN]:
        yield f"\n{verdicts[0].task.tree.title}:"
        yield from _wrong_search(next(v for v in verdicts if not v.is_right))
    not_drawn = wrong[MAX_DRAWN:]
    if not_drawn:
        yield "\n" + sentence("row.also wrong")
        for lesson, verdicts in not_drawn:
            yield f"- {lesson}: {result_of(verdicts)}"


def _wrong_search(verdict):
    yield f"\n{write_call(verdict.task)}"
    for problem in wording.findings(verdict):
        yield f"- {problem}"
    if verdict.has_returned:
        yield f"\n{drawing(verdict)}"
    yield from printed_lines(verdict.trace)


def printed_lines(trace: Trace) -> list[str]:
    """Return the title and the lines of a program's printed text, [] if there is none."""
    printed = printed_text(trace)
    if not printed:
        return []
    indented = [f"  {line}".rstrip() for line in printed.split("\n")]
    return ["", sentence("row.printed"), *indented]


def printed_text(trace: Trace) -> str:
    """Return the sanitized text that a program printed, "" if there is none."""
    return "\n".join(sanitize_lines(trace.text.printed, MAX_PRINTED))


def drawing(verdict: Verdict) -> str:
    """Return the terminal drawing of a verdict, marked against the reference."""
    task = verdict.task
    return draw(task.tree, task.search, marks_beside(task, verdict.trace), width=WIDTH)
