"""The page of a class: who needs a person, concepts, mistakes, everybody."""

from __future__ import annotations

import math
from collections import Counter
from urllib.parse import quote

from autograder.course.outcome import (
    CRASHED,
    GRADED,
    HOW,
    NO_SUBMISSION,
    NOT_YET,
    OUT_OF_DATE,
    UNGRADED,
    in_words,
)
from autograder.course.similarity import CLOSE, FOLDER
from autograder.course.suspicion import suspicions_of
from autograder.judging.scores import points_text
from autograder.showing.page import asset, page
from autograder.showing.svg import text
from gametree.trace import OUT_OF_QUERIES, TIMED_OUT, Ending

TITLE = "Minimax and alpha-beta: the class"
MOST_LESSONS = 12  # that stand open, the dearest; the others are folded away
MOST_LINKS = 6  # that stand open below a misconception; more are folded away
WIDTH, HEIGHT, BELOW = 660, 230, 30  # of the histogram; BELOW is kept for labels
BINS = 11  # ten of ten per cent each, and one of full marks
OUT_OF_TIME = {HOW[TIMED_OUT], HOW[OUT_OF_QUERIES]}
NOT_THERE = {
    in_words(Ending(error=error)) for error in ("function missing", "NotImplementedError")
}
RESEMBLE = (
    "Right minimax programs resemble each other by nature, so pairs are ranked by text "
    "that few others have. Read both programs before you say anything to anybody."
)


def class_page(entries, rows, file, alike=()):
    """Return the page as one HTML text that needs no other file.

    entries: an Entry for each student. rows: the kit's, for what each concept is worth.
    file: the name of the file in each submission's folder to link to.
    alike: the Alike submissions.
    """
    students = [(_linked(entry, file), entry) for entry in entries]
    worth = Counter()
    for row in rows:
        worth[row.name] += row.most_cents
    most_cents = sum(worth.values())
    sections = (
        _head(entries, most_cents),
        _needs_a_person(students),
        _alike(students, alike),
        _concepts(students, worth),
        _misconceptions(students),
        _scores(entries, most_cents),
        _everybody(students, file),
    )
    body, script = "\n".join(filter(None, sections)), asset("class.js")
    return page(TITLE, body, styles=("class.css",), script=script)


def _linked(entry, file):
    student, id = entry.student, entry.outcome.id
    name = text(" ".join(filter(None, (student.name, student.sid))) or id)
    if not id or entry.outcome.status == NOT_YET:
        return name
    return f'<a href="{text(f"{quote(id)}/{file}")}">{name}</a>'


def _counts(entry):
    """Tell whether a score is one of this kit and file, or a TA's own."""
    return entry.cents is not None and (
        entry.overridden or entry.outcome.status != OUT_OF_DATE
    )


def _head(entries, most_cents):
    scores = sorted(entry.cents for entry in entries if _counts(entry))
    lead = f"{len(entries)} students, {len(scores)} with a score"
    if scores:
        middle = len(scores) // 2
        median = (scores[middle] + scores[~middle]) / 2
        lead += (
            f". Mean {points_text(sum(scores) / len(scores))}, "
            f"median {points_text(median)} of {points_text(most_cents)}"
        )
    of = Counter(entry.outcome.status for entry in entries)
    old = sum(e.cents is not None and not _counts(e) for e in entries)
    if old:
        lead += f". {old} are out of date, and the mean leaves them out"
    if of[NOT_YET]:
        lead += f". {of[NOT_YET]} are not graded yet"
    if of[NO_SUBMISSION]:
        lead += f". {of[NO_SUBMISSION]} handed nothing in"
    return f'<h1>{TITLE}</h1>\n<p class="lead">{lead}.</p>'


# ---- who needs a person


def _needs_a_person(students):
    """Return what no machine decides, the most pressing first."""
    groups = [*_ungraded(students), *_troubles(students)]
    groups += [*_suspects(students), *_unexplained(students)]
    body = "\n".join(_group(*group) for group in groups if group[2])
    body = body or "<p>Nobody: every submission could be graded and explained.</p>"
    return f'<h2 id="person">Needs a person</h2>\n{body}'


def _group(title, about, lines):
    """Return a group of lines (link, reason), folded away where it is long."""
    rows = [f"<tr><td>{link}</td><td>{text(reason)}</td></tr>" for link, reason in lines]
    shut = "" if len(lines) <= MOST_LINKS else f" ({len(lines)} students)"
    about = f"<p>{text(about)}</p>" if about else ""
    table = about + _table(("student", "what"), rows)
    is_open = "" if shut else " open"
    return (
        f"<details{is_open}><summary>{text(title)}: {len(lines)}</summary>{table}</details>"
    )


def _ungraded(students):
    for status in UNGRADED:
        found = [
            (link, entry.outcome.reason)
            for link, entry in students
            if entry.outcome.status == status
        ]
        yield status, "", found


def _troubles(students):
    """Yield the groups of programs that ran and did not end well, each in the first."""
    left = [(link, e) for link, e in students if e.outcome.status == GRADED]
    tests = {
        "crashed": lambda e: any(how.startswith(CRASHED) for how in e.outcome.ends),
        "ran out of time, or never stopped": lambda e: OUT_OF_TIME & {*e.outcome.ends},
        "functions missing or not written": lambda e: NOT_THERE & {*e.outcome.ends},
        "0 points, though it ran": lambda e: e.outcome.cents == 0,
    }
    for title, fits in tests.items():
        found = [(link, entry) for link, entry in left if fits(entry)]
        left = [pair for pair in left if pair not in found]
        yield title, "", [(link, e.outcome.reason or _found(e)) for link, e in found]


def _found(entry):
    return "; ".join(entry.outcome.diagnoses) or "nothing is right"


def _suspects(students):
    by_kind = {}
    for link, entry in students:
        source = entry.submission.source if entry.submission else None
        for kind, seen in suspicions_of(source, entry.outcome).items():
            by_kind.setdefault(kind, []).append((link, seen))
    about = "Not needed for the assignment. The sandbox refuses it; it may be innocent."
    for kind in sorted(by_kind):
        yield f"worth a look: {kind}", about, by_kind[kind]


def _unexplained(students):
    """Yield the wrong programs of which no known mistake explains every search."""
    clusters = {}
    for link, entry in students:
        outcome = entry.outcome
        if outcome.behaviour and not outcome.sure and not outcome.ends:
            clusters.setdefault(outcome.behaviour, []).append((link, entry))
    lines = []
    for number, cluster in enumerate(
        sorted(clusters.values(), key=lambda one: (-len(one), -_lost(one[0][1]))), start=1
    ):
        for link, entry in cluster:
            found = "; ".join(entry.outcome.diagnoses) or "no known mistake is near"
            alone = "alone" if len(cluster) == 1 else f"{len(cluster)} behave alike"
            lines.append((link, f"group {number} ({alone}): {found}"))
    about = "Programs of one group did the same in every search: one answer serves all."
    yield "wrong, and no known mistake explains it", about, lines


def _lost(entry):
    return sum(entry.outcome.lost.values())


def _alike(students, alike):
    """Return the equal files and the pairs that share what is rare."""
    if not alike:
        return ""
    links = {}
    for link, entry in students:
        links.setdefault(entry.outcome.id, []).append(link)

    def who(one):
        return ", ".join(link for id in one.ids for link in links.get(id, [text(id)]))

    lines = [
        f"<tr><td>{text(one.kind)}</td>"
        f'<td class="number">{"" if one.kind != CLOSE else f"{one.distance:.2f}"}</td>'
        f"<td>{who(one)}</td><td>{text('; '.join(one.shared))}</td></tr>"
        for one in alike
    ]
    table = _table(("what", "distance", "students", "shared"), lines)
    return (
        f'<h2 id="alike">Files that are alike</h2>\n<p>{RESEMBLE} A folder for MOSS and '
        f'compare50 is in <a href="{FOLDER}/README.txt">{FOLDER}/</a>.</p>\n'
        f"<details open><summary>{len(alike)} groups and pairs</summary>{table}</details>"
    )


# ---- the class


def _concepts(students, worth):
    """Say how many lost points on each concept, of the students whose code ran."""
    losses = [e.outcome.lost for _, e in students if e.outcome.status == GRADED]
    concepts = []
    for name, most in worth.items():
        lost = [cents[name] for cents in losses if cents.get(name, 0) > 0]
        if lost:
            concepts.append((len(lost), sum(lost) / len(losses), most, name))
    if not concepts:
        return "<h2>Concepts</h2>\n<p>No points were lost.</p>"
    ordered = sorted(concepts, key=lambda one: (-one[1], one[3]))
    lines = [_concept(*concept, of=len(losses)) for concept in ordered]
    heads = ("concept", "lost points on it", "mean loss", "share of the class")
    intro = "<p>Of the students whose code ran; what cost the class most comes first.</p>"
    body = _table(heads, lines[:MOST_LESSONS], kind="lessons")
    if len(lines) > MOST_LESSONS:
        rest = f"<summary>{len(lines) - MOST_LESSONS} more</summary>"
        more = _table(heads, lines[MOST_LESSONS:], kind="lessons")
        body += f"<details>{rest}{more}</details>"
    return f'<h2 id="concepts">Concepts</h2>\n{intro}\n{body}'


def _concept(failed, mean, most, name, of):
    percent = math.floor(100 * failed / of + 0.5)
    return (
        f'<tr><th scope="row">{text(name)}</th>'
        f'<td class="number">{failed} of {of} ({percent} %)</td>'
        f'<td class="number">{mean / 100:.2f} of {points_text(most)}</td>'
        f"<td>{bar(failed / of)}</td></tr>"
    )


def _misconceptions(students):
    links = {}
    for link, entry in students:
        for diagnosis in entry.outcome.diagnoses:
            links.setdefault(diagnosis, []).append(link)
    if not links:
        return "<h2>Mistakes</h2>\n<p>None was recognised.</p>"
    ordered = sorted(links, key=lambda diagnosis: (-len(links[diagnosis]), diagnosis))
    items = "\n".join(_misconception(diagnosis, links[diagnosis]) for diagnosis in ordered)
    return f'<h2 id="mistakes">Mistakes</h2>\n<ol class="mistakes">{items}</ol>'


def _misconception(diagnosis, links):
    count = f"{len(links)} student{'s' * (len(links) > 1)}"
    listed = f"<p>{', '.join(links)}</p>"
    if len(links) > MOST_LINKS:
        listed = f"<details><summary>all {len(links)}</summary>{listed}</details>"
    return f"<li><p><strong>{count}</strong> {text(diagnosis)}</p>{listed}</li>"


def _scores(entries, most_cents):
    percents = [100 * e.cents / max(most_cents, 1) for e in entries if _counts(e)]
    return f"<h2>Scores</h2>\n{histogram(percents)}" if percents else ""


def _everybody(students, file):
    """Return the table of all, with sections and lateness where anybody has any."""
    entries = [entry for _, entry in students]
    sections = any(entry.student.section for entry in entries)
    lateness = any(entry.late for entry in entries)
    heads = ["student", *["section"] * sections, "score", *["late"] * lateness]
    heads += ["status", "what was found"]
    lines = [_person(link, entry, sections, lateness, file) for link, entry in students]
    table = _table(heads, lines, kind="everybody")
    return (
        '<h2 id="everybody">Everybody</h2>\n<p class="filter" hidden>'
        '<label>Show only lines with <input type="search" id="filter" autocomplete="off">'
        '</label> <span id="count" role="status"></span> A click on a head sorts by it.</p>'
        f"\n<details open><summary>{len(students)} students</summary>{table}</details>"
    )


def _person(link, entry, sections, lateness, file):
    outcome, cents = entry.outcome, entry.cents
    said = [*outcome.diagnoses, outcome.reason]
    if entry.override:
        said.append(f"by hand: {entry.override.note}")
    found = text("; ".join(filter(None, said))) + _line(outcome, file)
    score = "" if cents is None else points_text(cents)
    section = f"<td>{text(entry.student.section)}</td>" if sections else ""
    late = f"{entry.late} min" if entry.late else ""
    late = f'<td class="number" data-value="{entry.late or 0}">{late}</td>'
    return (
        f'<tr><th scope="row">{link}</th>{section}'
        f'<td class="number" data-value="{-1 if cents is None else cents}">{score}</td>'
        f"{late if lateness else ''}"
        f'<td class="status">{text(outcome.status)}</td><td>{found}</td></tr>'
    )


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
