"""The page of a whole class: what could not be graded, scores, lessons, mistakes."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.judging.scores import points_text
from autograder.showing.class_charts import bar, histogram
from autograder.showing.page import page
from autograder.showing.svg import text

TITLE = "Minimax and alpha-beta: the class"
DEAREST = 12  # as many lessons stand open; the others are folded away
FEW = 6  # as many links stand open below a mistake; more are folded away


@dataclass(frozen=True)
class Entry:
    """One student's line: who, where the results are, and what they say.

    `link` is relative to the page, "" where there are no results. `cents` and
    `percent` are None where there is no score.
    """

    name: str
    submission: str
    link: str = ""
    cents: int | None = None
    percent: float | None = None
    status: str = ""
    reason: str = ""
    diagnoses: tuple = ()


@dataclass(frozen=True)
class Lesson:
    """One lesson of the grading: what it cost the class, in hundredths of a point.

    `mean_cents` is over the students whose code ran, `students` of them lost some.
    """

    name: str
    mean_cents: float
    students: int
    most_cents: int


@dataclass(frozen=True)
class ClassReport:
    """All that the page shows. `ungraded` are the statuses that come first, in order."""

    entries: tuple
    lessons: tuple
    most_cents: int
    ungraded: tuple


def class_page(report):
    """Return the page as one HTML text that needs no other file."""
    sections = (_head, _ungraded, _scores, _mistakes, _lessons, _everybody)
    return page(TITLE, "\n".join(s(report) for s in sections), styles=("class.css",))


def _head(report):
    scored = [entry for entry in report.entries if entry.cents is not None]
    waiting = sum(not entry.status for entry in report.entries)
    told = f"{len(report.entries)} students, {len(scored)} with a score"
    if scored:
        cents = sorted(entry.cents for entry in scored)
        middle = len(cents) // 2
        median = (cents[middle] + cents[~middle]) / 2
        told += (
            f". Mean {points_text(sum(cents) / len(cents))}, median {points_text(median)} "
            f"of {points_text(report.most_cents)}"
        )
    if waiting:
        told += f". {waiting} are not graded yet"
    return f'<h1>{TITLE}</h1>\n<p class="lead">{told}.</p>'


def _ungraded(report):
    body = ""
    for status in report.ungraded:
        found = [entry for entry in report.entries if entry.status == status]
        if found:
            lines = "".join(
                f"<tr><td>{_linked(entry)}</td><td>{text(entry.reason)}</td></tr>"
                for entry in found
            )
            body += _table(f"{status}: {len(found)}", ("student", "reason"), lines)
    if not body:
        body = "<p>Every submission that was looked at could be graded.</p>"
    return f"<h2>Could not be graded</h2>\n{body}"


def _scores(report):
    percents = [entry.percent for entry in report.entries if entry.percent is not None]
    return f"<h2>Scores</h2>\n{histogram(percents)}" if percents else ""


def _lessons(report):
    costly = [lesson for lesson in report.lessons if lesson.mean_cents > 0]
    if not costly:
        return "<h2>Points lost per lesson</h2>\n<p>No points were lost.</p>"
    intro = "<p>The mean over the students whose code ran; the dearest lesson first.</p>"
    body = _lesson_table(costly[:DEAREST])
    if len(costly) > DEAREST:
        rest = f"<summary>{len(costly) - DEAREST} more</summary>"
        body += f"<details>{rest}{_lesson_table(costly[DEAREST:])}</details>"
    return f"<h2>Points lost per lesson</h2>\n{intro}\n{body}"


def _lesson_table(lessons):
    lines = "".join(
        f'<tr><th scope="row">{text(lesson.name)}</th>'
        f'<td class="number">{lesson.students}</td>'
        f'<td class="number">{lesson.mean_cents / 100:.2f}'
        f" of {points_text(lesson.most_cents)}</td>"
        f"<td>{bar(lesson.mean_cents / max(lesson.most_cents, 1))}</td></tr>"
        for lesson in lessons
    )
    return _table("", ("lesson", "students", "points lost", "share"), lines, "lessons")


def _mistakes(report):
    groups = {}
    for entry in report.entries:
        for diagnosis in entry.diagnoses:
            groups.setdefault(diagnosis, []).append(entry)
    if not groups:
        return "<h2>Misconceptions</h2>\n<p>None was recognised.</p>"
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    items = "\n".join(_mistake(headline, entries) for headline, entries in ordered)
    return f'<h2>Misconceptions</h2>\n<ol class="mistakes">{items}</ol>'


def _mistake(headline, entries):
    links = ", ".join(map(_linked, entries))
    count = f"{len(entries)} student{'s' * (len(entries) > 1)}"
    if len(entries) > FEW:
        links = f"<details><summary>all {len(entries)}</summary><p>{links}</p></details>"
    else:
        links = f"<p>{links}</p>"
    return f"<li><p><strong>{count}</strong> {text(headline)}</p>{links}</li>"


def _everybody(report):
    lines = "".join(
        f'<tr><th scope="row">{_linked(entry)}</th><td class="number">'
        f"{'' if entry.cents is None else points_text(entry.cents)}</td>"
        f"<td>{text(entry.status or 'not graded yet')}</td>"
        f"<td>{text('; '.join(entry.diagnoses) or entry.reason)}</td></tr>"
        for entry in report.entries
    )
    table = _table("", ("student", "score", "status", "what was found"), lines)
    summary = f"<summary>{len(report.entries)} students</summary>"
    return f"<h2>Everybody</h2>\n<details>{summary}{table}</details>"


def _linked(entry):
    if not entry.link:
        return text(entry.name)
    return f'<a href="{text(entry.link)}">{text(entry.name)}</a>'


def _table(caption, heads, lines, kind=""):
    """Return a table that scrolls sideways by itself where the screen is narrow."""
    caption = f"<caption>{text(caption)}</caption>" if caption else ""
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f'<div class="scroll table {kind}" tabindex="0" role="group"'
        f' aria-label="by {heads[0]}">'
        f"<table>{caption}<thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"
        "</div>"
    )
