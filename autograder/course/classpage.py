"""The charts of the class page: a histogram and small bars, as inline SVG."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from urllib.parse import quote

from autograder.course.outcome import GRADED, UNGRADED
from autograder.judging.scores import points_text
from autograder.showing.page import page
from autograder.showing.svg import text

WIDTH, HEIGHT, ROOM = 660, 230, 30  # of the histogram; ROOM is kept below for labels
BINS = 11  # ten of ten per cent each, and one of full marks


def binned(percents):
    """Count percents in bins: 0 to below 10, ..., 90 to below 100, and 100."""
    counts = [0] * BINS
    for percent in percents:
        counts[max(0, min(int(percent // 10), BINS - 1))] += 1
    return counts


def labels():
    """Return the label of each bin."""
    return [f"{10 * i}–{10 * i + 9}" for i in range(BINS - 1)] + ["100"]


def histogram(percents):
    """Return the histogram of scores in per cent, with its counts for a screen reader."""
    counts = binned(percents)
    tallest = max(counts)
    step = WIDTH / BINS
    parts = []
    for index, count in enumerate(counts):
        height = (HEIGHT - ROOM - 30) * count / tallest
        left, top = index * step + 4, HEIGHT - ROOM - height
        middle = left + (step - 8) / 2
        kind = "bar full" if index == BINS - 1 else "bar"
        parts.append(
            f'<rect class="{kind}" x="{left:.1f}" y="{top:.1f}" width="{step - 8:.1f}"'
            f' height="{height:.1f}" rx="3"/>'
            f'<text class="count" x="{middle:.1f}" y="{top - 6:.1f}">{count or ""}</text>'
            f'<text class="bin" x="{middle:.1f}" y="{HEIGHT - 8}">{10 * index}</text>'
        )
    told = ", ".join(f"{label} per cent: {n}" for label, n in zip(labels(), counts) if n)
    return (
        "<p>Students by score: from 0 per cent, from 10, and so on; 100 stands alone.</p>"
        '<div class="figure"><svg class="histogram" role="img" aria-labelledby="ht hd"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<title id="ht">Students by score in per cent</title><desc id="hd">{told}</desc>'
        f'<path class="axis" d="M0 {HEIGHT - ROOM}H{WIDTH}"/>'
        + "".join(parts)
        + "</svg></div>"
    )


def bar(share):
    """Return a small bar for a share between 0 and 1; the number stands beside it."""
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        '<svg class="share" aria-hidden="true" width="100" height="10">'
        '<rect class="whole" width="100" height="10" rx="3"/>'
        f'<rect class="part" width="{width:.1f}" height="10" rx="3"/></svg>'
    )


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


def class_report_of(submissions, outcomes, rows, links):
    """Return the ClassReport of a course.

    `outcomes` maps the ids of submissions to Outcomes; `rows` are the rows of any
    grading; `links` is the name of the file in each submission's folder to link to.
    """
    most = sum(row.most_cents for row in rows)
    entries = []
    for submission in submissions:
        outcome = outcomes.get(submission.id)
        for student in submission.students:
            entries.append(_entry(submission, student, outcome, most, links))
    return ClassReport(
        entries=tuple(entries),
        lessons=_lesson_costs(submissions, outcomes, rows),
        most_cents=most,
        ungraded=UNGRADED,
    )


def _entry(submission, student, outcome, most, links):
    name = " ".join(filter(None, (student.name, student.sid))) or submission.id
    if outcome is None:
        return Entry(name, submission.id)
    percent = None if outcome.cents is None else 100 * outcome.cents / max(most, 1)
    return Entry(
        name=name,
        submission=submission.id,
        link=f"{quote(submission.id)}/{links}" if outcome.cents is not None else "",
        cents=outcome.cents,
        percent=percent,
        status=outcome.status,
        reason="; ".join(filter(None, (outcome.reason, submission.note))),
        diagnoses=outcome.diagnoses,
    )


def _lesson_costs(submissions, outcomes, rows):
    """Add up, over the students whose code ran, what each lesson cost them."""
    most = Counter()
    for row in rows:
        most[row.name] += row.most_cents
    ran = [
        outcomes[one.id].lost
        for one in submissions
        if one.id in outcomes and outcomes[one.id].status == GRADED
        for _ in one.students
    ]
    found = []
    for name, cents in most.items():
        lost = [each.get(name, 0) for each in ran]
        mean = sum(lost) / len(lost) if lost else 0.0
        found.append(Lesson(name, mean, sum(c > 0 for c in lost), cents))
    return tuple(sorted(found, key=lambda lesson: -lesson.mean_cents))
