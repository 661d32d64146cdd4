"""The page of a class: scores, misconceptions, lessons that cost points, everybody."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from urllib.parse import quote

from autograder.course.outcome import GRADED, NOT_YET, UNGRADED
from autograder.judging.scores import points_text
from autograder.showing.page import page
from autograder.showing.svg import text

TITLE = "Minimax and alpha-beta: the class"
MOST_LESSONS = 12  # that stand open, the dearest; the others are folded away
MOST_LINKS = 6  # that stand open below a misconception; more are folded away
WIDTH, HEIGHT, BELOW = 660, 230, 30  # of the histogram; BELOW is kept for labels
BINS = 11  # ten of ten per cent each, and one of full marks


def class_page(students, rows, file):
    """Return the page as one HTML text that needs no other file.

    students: an Entry for each. rows: the kit's, for what each lesson is worth.
    file: the name of the file in each submission's folder to link to.
    """
    entries = []  # (a student's name as HTML, the outcome as it is shown)
    for one in students:
        outcome = replace(one.outcome, cents=one.cents)
        entries.append((_linked(one.student, outcome, file), outcome))
    worth = Counter()
    for row in rows:
        worth[row.name] += row.most_cents
    most_cents = sum(worth.values())
    sections = (
        _head(entries, most_cents),
        _ungraded(entries),
        _scores(entries, most_cents),
        _misconceptions(entries),
        _lessons(entries, worth),
        _everybody(entries, file),
    )
    return page(TITLE, "\n".join(sections), styles=("class.css",))


def _linked(student, outcome, file):
    name = text(" ".join(filter(None, (student.name, student.sid))) or outcome.id)
    if outcome.cents is None or not outcome.id:
        return name
    return f'<a href="{text(f"{quote(outcome.id)}/{file}")}">{name}</a>'


def _head(entries, most_cents):
    scores = sorted(outcome.cents for _, outcome in entries if outcome.cents is not None)
    lead = f"{len(entries)} students, {len(scores)} with a score"
    if scores:
        middle = len(scores) // 2
        median = (scores[middle] + scores[~middle]) / 2
        lead += (
            f". Mean {points_text(sum(scores) / len(scores))}, "
            f"median {points_text(median)} of {points_text(most_cents)}"
        )
    waiting = sum(outcome.status == NOT_YET for _, outcome in entries)
    if waiting:
        lead += f". {waiting} are not graded yet"
    return f'<h1>{TITLE}</h1>\n<p class="lead">{lead}.</p>'


def _ungraded(entries):
    body = ""
    for status in UNGRADED:
        lines = [
            f"<tr><td>{linked}</td><td>{text(outcome.reason)}</td></tr>"
            for linked, outcome in entries
            if outcome.status == status
        ]
        if lines:
            body += _table(("student", "reason"), lines, f"{status}: {len(lines)}")
    body = body or "<p>Every submission that was looked at could be graded.</p>"
    return f"<h2>Could not be graded</h2>\n{body}"


def _scores(entries, most_cents):
    percents = [
        100 * outcome.cents / max(most_cents, 1)
        for _, outcome in entries
        if outcome.cents is not None
    ]
    return f"<h2>Scores</h2>\n{histogram(percents)}" if percents else ""


def _misconceptions(entries):
    links = {}
    for linked, outcome in entries:
        for diagnosis in outcome.diagnoses:
            links.setdefault(diagnosis, []).append(linked)
    if not links:
        return "<h2>Misconceptions</h2>\n<p>None was recognised.</p>"
    ordered = sorted(links, key=lambda diagnosis: (-len(links[diagnosis]), diagnosis))
    items = "\n".join(_misconception(diagnosis, links[diagnosis]) for diagnosis in ordered)
    return f'<h2>Misconceptions</h2>\n<ol class="mistakes">{items}</ol>'


def _misconception(diagnosis, links):
    count = f"{len(links)} student{'s' * (len(links) > 1)}"
    listed = f"<p>{', '.join(links)}</p>"
    if len(links) > MOST_LINKS:
        listed = f"<details><summary>all {len(links)}</summary>{listed}</details>"
    return f"<li><p><strong>{count}</strong> {text(diagnosis)}</p>{listed}</li>"


def _lessons(entries, worth):
    """Say what each lesson cost, as the mean over the students whose code ran."""
    losses = [outcome.lost for _, outcome in entries if outcome.status == GRADED]
    lessons = []
    for name, most in worth.items():
        lost = [cents[name] for cents in losses if cents.get(name, 0) > 0]
        if lost:
            lessons.append((sum(lost) / len(losses), len(lost), most, name))
    if not lessons:
        return "<h2>Points lost per lesson</h2>\n<p>No points were lost.</p>"
    lines = [_lesson(*lesson) for lesson in sorted(lessons, key=lambda lesson: -lesson[0])]
    heads = ("lesson", "students", "points lost", "share")
    intro = "<p>The mean over the students whose code ran; the dearest lesson first.</p>"
    body = _table(heads, lines[:MOST_LESSONS], kind="lessons")
    if len(lines) > MOST_LESSONS:
        rest = f"<summary>{len(lines) - MOST_LESSONS} more</summary>"
        more = _table(heads, lines[MOST_LESSONS:], kind="lessons")
        body += f"<details>{rest}{more}</details>"
    return f"<h2>Points lost per lesson</h2>\n{intro}\n{body}"


def _lesson(mean, students, most, name):
    return (
        f'<tr><th scope="row">{text(name)}</th><td class="number">{students}</td>'
        f'<td class="number">{mean / 100:.2f} of {points_text(most)}</td>'
        f"<td>{bar(mean / max(most, 1))}</td></tr>"
    )


def _everybody(entries, file):
    lines = [
        f'<tr><th scope="row">{linked}</th><td class="number">'
        f"{'' if outcome.cents is None else points_text(outcome.cents)}</td>"
        f"<td>{text(outcome.status)}</td>"
        f"<td>{text('; '.join(outcome.diagnoses) or outcome.reason)}"
        f"{_line(outcome, file)}</td></tr>"
        for linked, outcome in entries
    ]
    table = _table(("student", "score", "status", "what was found"), lines)
    summary = f"<summary>{len(entries)} students</summary>"
    return f"<h2>Everybody</h2>\n<details>{summary}{table}</details>"


def _line(outcome, file):
    """Return a link to the line to look at, "" where none is known."""
    if not outcome.line:
        return ""
    where = text(f"{quote(outcome.id)}/{file}#line")
    return f' <a href="{where}">{text(outcome.line)}</a>'


def _table(heads, lines, caption="", kind=""):
    """Return a table that scrolls sideways by itself where the screen is narrow."""
    caption = f"<caption>{text(caption)}</caption>" if caption else ""
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f'<div class="scroll table {kind}" tabindex="0" role="group"'
        f' aria-label="by {heads[0]}"><table>{caption}<thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def histogram(percents):
    """Return the histogram of scores in per cent, with its counts for a screen reader."""
    counts = binned(percents)
    tallest = max(counts)
    step = WIDTH / BINS
    bars, words = "", []
    for index, count in enumerate(counts):
        height = (HEIGHT - BELOW - 30) * count / tallest
        left, top = index * step + 4, HEIGHT - BELOW - height
        middle = left + (step - 8) / 2
        full = index == BINS - 1
        bars += (
            f'<rect class="bar{" full" * full}" x="{left:.1f}" y="{top:.1f}"'
            f' width="{step - 8:.1f}" height="{height:.1f}" rx="3"/>'
            f'<text class="count" x="{middle:.1f}" y="{top - 6:.1f}">{count or ""}</text>'
            f'<text x="{middle:.1f}" y="{HEIGHT - 8}">{10 * index}</text>'
        )
        if count:
            label = "100" if full else f"{10 * index}–{10 * index + 9}"
            words.append(f"{label} per cent: {count}")
    return (
        "<p>Students by score: from 0 per cent, from 10, and so on; 100 stands alone.</p>"
        '<div class="figure"><svg class="histogram" role="img" aria-labelledby="ht hd"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}"><title id="ht">Students by score in per cent'
        f'</title><desc id="hd">{", ".join(words)}</desc>'
        f'<path class="axis" d="M0 {HEIGHT - BELOW}H{WIDTH}"/>{bars}</svg></div>'
    )


def binned(percents):
    """Count percents in bins: 0 to below 10, ..., 90 to below 100, and 100."""
    counts = [0] * BINS
    for percent in percents:
        counts[max(0, min(int(percent // 10), BINS - 1))] += 1
    return counts


def bar(share):
    """Return a small bar for a share between 0 and 1; the number stands beside it."""
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        '<svg class="share" aria-hidden="true" width="100" height="10">'
        '<rect class="whole" width="100" height="10" rx="3"/>'
        f'<rect class="part" width="{width:.1f}" height="10" rx="3"/></svg>'
    )
