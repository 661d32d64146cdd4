"""Render the page of a class: what needs attention, concepts, mistakes, all students."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import compress
from statistics import mean, median
from urllib.parse import quote

from autograder.course.gradebook import Entry, describe_class, points_cell
from autograder.course.outcome import GROUP_OF, Status
from autograder.course.people import join_lines
from autograder.ground.command import counted
from autograder.ground.files import load_data
from autograder.scoring.scores import Row, points_text
from autograder.showing.messages import lines_in_words
from autograder.showing.page import asset, page
from autograder.showing.results import REPORT
from autograder.showing.svg import text

SEALING_LAYERS = {"landlock", "seccomp"}  # isolate each grading from earlier ones
UNSEALED = (
    "On the same machine, a submission may pass data to a later one, such as hidden trees. "
    "Grade on Linux 5.13 or later, or grade only programs that you trust."
)
# Name of a group -> its title and note, most urgent first.
GROUPS = load_data("attention.yaml", __file__)
Lines = list[tuple[Entry, str]]  # entries and their details


def groups_for_a_person(entries: Sequence[Entry]) -> dict[str, Lines]:
    """Return the groups that need a TA's attention, name -> lines, most urgent first."""
    groups = {name: [] for name in GROUPS}
    for entry in entries:
        for name, details in _reasons_for_attention(entry):
            groups[name].append((entry, details))
    return {name: lines for name, lines in groups.items() if lines}


def _reasons_for_attention(entry):
    """Yield the name of each group that an entry belongs to, and its details."""
    student = entry.student
    outcome = entry.outcome
    if student.unlisted:
        yield "guess" if student.is_guess else "unlisted", student.unlisted
    if not entry.counts:
        yield "not counting", entry.reason
    if outcome.status.value in GROUPS:
        yield outcome.status.value, entry.reason
    diagnoses = "; ".join(outcome.diagnoses)
    trouble = _trouble_of(outcome)
    if trouble:
        yield trouble, entry.reason or diagnoses or "no search is correct"
    if outcome.status == Status.GRADED and outcome.is_unexplained and not outcome.failures:
        yield "unexplained", diagnoses or "no similar known mistake"


def _trouble_of(outcome):
    """Return the most urgent group of a program that ran without success, or ""."""
    if outcome.status != Status.GRADED:
        return ""
    troubles = {GROUP_OF.get(failure, "crashed") for failure in outcome.failures}
    if outcome.cents == 0:
        troubles.add("all wrong")
    return next((name for name in GROUPS if name in troubles), "")


# ---- the page

TITLE = "Minimax and alpha-beta: class report"
MAX_LINKS = 6  # a longer list is folded away


def class_page(entries: Sequence[Entry], rows: Sequence[Row]) -> str:
    """Return the page as an HTML text that does not need any other file.

    entries: an Entry for each student and submission.
    rows: the kit's rows, for the points of each concept.
    """
    max_cents_of = Counter()  # name of a row -> hundredths of a point
    for row in rows:
        max_cents_of[row.name] += row.max_cents
    counting = [entry for entry in entries if entry.counts]
    groups = []
    for name, lines in groups_for_a_person(entries).items():
        groups.append(_group_html(**GROUPS[name], lines=lines))
    body = f"""<h1>{TITLE}</h1>
<p class="lead">{_lead(counting, sum(max_cents_of.values()))}.</p>
{_remark(entries)}
<h2 id="attention">Needs attention</h2>
{"".join(groups) or "<p>Nothing: every submission was graded and explained.</p>"}
<h2 id="concepts">Concepts</h2>
<p>These figures count students whose code ran. The costliest concept comes first.</p>
{_concepts(counting, max_cents_of)}
<h2 id="mistakes">Mistakes</h2>
{_mistakes(counting)}
<h2 id="students">All students</h2>
<p class="filter" hidden><label>Show only rows with
<input type="search" id="filter" autocomplete="off"></label>
<span id="count" role="status"></span> Click a column heading to sort.</p>
{_folded(describe_class(counting), _all_students(entries))}"""
    return page(TITLE, body, asset("class.css"), asset("class.js"))


# ---- HTML


def _folded(summary, body, is_open=True):
    """Return a block of HTML that can be folded away."""
    start = "<details open>" if is_open else "<details>"
    return f"{start}<summary>{text(summary)}</summary>{body}</details>"


def _table(columns, rows, css_class=""):
    """Return a table that scrolls sideways on a narrow screen.

    rows: tuples with the HTML of a cell for each column. Empty columns are omitted.
    """
    if not rows:
        return "<p>None.</p>"
    has_content = [any(cells) for cells in zip(*rows)]
    heads = [f'<th scope="col">{name}</th>' for name in compress(columns, has_content)]
    lines = []
    for row in rows:
        head, *cells = compress(row, has_content)
        html = "".join(f"<td>{cell}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{head}</th>{html}</tr>')
    return (
        f'<div class="scroll table {css_class}" tabindex="0" role="group"'
        f' aria-label="by {columns[0]}"><table><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _link(entry, fragment="", words=""):
    """Return the student's name, or other words, linked to the report if there is one."""
    id = entry.outcome.id
    words = text(words or entry.label)
    if not id or entry.outcome.status == Status.NOT_YET:
        return words
    return f'<a href="{text(f"{quote(id)}/{REPORT}{fragment}")}">{words}</a>'


def _prose(words):
    """Return words as HTML; text between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", text(words))


# ---- the parts of the page


def _lead(entries, max_cents):
    """Return the number of students, and the mean and median of their scores."""
    lead = describe_class(entries)
    scores = [entry.cents for entry in entries if entry.cents is not None]
    if scores:
        lead += (
            f". Mean {points_text(mean(scores))}, median {points_text(median(scores))} "
            f"of {points_text(max_cents)} ({len(scores)} with a score)"
        )
    return lead


def _remark(entries):
    """Return a remark on the sealing layers that some gradings lacked, or ""."""
    layers = set()
    for entry in entries:
        layers |= SEALING_LAYERS.intersection(entry.outcome.missing_layers)
    if not layers:
        return ""
    return f"<p>Graded without {' and '.join(sorted(layers))}. {UNSEALED}</p>"


def _group_html(title, note, lines):
    """Return the note and the table of a group, folded away if the table is long."""
    rows = [(_link(entry), _prose(details)) for entry, details in lines]
    body = note + _table(("student", "details"), rows)
    return _folded(f"{title}: {len(rows)}", body, is_open=len(rows) <= MAX_LINKS)


def _concepts(entries, max_cents_of):
    """Return the table of points lost on each concept by students whose code ran."""
    cents_lost = Counter()  # name of a row -> hundredths of a point
    counts = Counter()  # name of a row -> students who lost points
    graded = [entry for entry in entries if entry.outcome.status == Status.GRADED]
    for entry in graded:
        cents_lost.update(entry.outcome.lost)
        counts.update(entry.outcome.lost.keys())
    rows = []
    for name, cents in cents_lost.most_common():
        percent = 100 * counts[name] / len(graded)
        students = f"{counts[name]} of {len(graded)} ({percent:.0f} %)"
        mean_loss = cents / len(graded) / 100
        points = f"{mean_loss:.2f} of {points_text(max_cents_of[name])}"
        rows.append((text(name), students, points))
    return _table(("concept", "students who lost points", "mean loss"), rows, "figures")


def _mistakes(entries):
    """Return the table of recognized mistakes, the most common first."""
    links_of = defaultdict(list)
    for entry in entries:
        for diagnosis in entry.outcome.diagnoses:
            links_of[diagnosis].append(_link(entry))
    rows = []
    for diagnosis in sorted(links_of, key=lambda found: (-len(links_of[found]), found)):
        count = len(links_of[diagnosis])
        names = ", ".join(links_of[diagnosis])
        if count > MAX_LINKS:
            names = _folded(f"all {count}", names, is_open=False)
        rows.append((_prose(diagnosis), counted(count, "student"), names))
    return _table(("mistake", "students", "names"), rows)


def _all_students(entries):
    """Return the table of all students, with a section and lateness if known."""
    rows = []
    for entry in entries:
        row = (
            _link(entry),
            text(entry.student.section),
            points_cell(entry.cents),
            _sortable(entry.lateness, entry.minutes_late),
            entry.outcome.status.value,
            _findings(entry),
        )
        rows.append(row)
    columns = ("student", "section", "score", "late", "status", "findings")
    return _table(columns, rows, "students")


def _sortable(words, number):
    """Return words with the number by which a click on the column's heading sorts them."""
    return words and f'<data value="{number or 0}">{words}</data>'


def _findings(entry):
    """Return the diagnoses, the reason, a TA's note and a link to the line."""
    by_hand = ""
    if entry.is_overridden or entry.override.note:
        by_hand = f"by hand: {entry.override.note}"
    found = _prose(join_lines(*entry.outcome.diagnoses, entry.reason, by_hand))
    if entry.outcome.lines:
        words = lines_in_words(entry.outcome.lines)
        found += f" {_link(entry, '#line', words)}"
    return found
