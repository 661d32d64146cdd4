"""Render the page of a class: what needs attention, concepts, mistakes, all students."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import mean, median
from typing import NamedTuple
from urllib.parse import quote

from autograder.course.gradebook import Entry, compare_with_gradescope, count_students
from autograder.course.outcome import WORDS, Status, join_reasons
from autograder.course.programs import Alike, find_unneeded
from autograder.judging.scores import NOT_WRITTEN, Row, points_text
from autograder.progress import counted
from autograder.results import REPORT
from autograder.showing.page import asset, page
from autograder.showing.pointer import lines_in_words
from autograder.showing.svg import text
from gametree.support.trace import (
    BROKE_PROTOCOL,
    DIED,
    OUT_OF_QUERIES,
    RAISED,
    TIMED_OUT,
)

# From the most to the least urgent.
UNGRADED = (
    Status.COULD_NOT_TELL,
    Status.PROVISIONAL,
    Status.NOT_GRADABLE,
    Status.NOT_LOADED,
)
SUSPICIOUS = (DIED, BROKE_PROTOCOL)  # endings that an honest mistake does not cause
UNLISTED = "Add these students to the roster, or write file and sid into people.csv."
GUESSES = (
    "A guess gives points to no student. To settle it, write the file and the sid into "
    "people.csv. The evidence is in matches.csv."
)
INNOCENT = "The sandbox blocks this code, which may be harmless."
RESEMBLE = (
    "Correct minimax programs resemble each other. Read both before you judge. The folder "
    '<a href="similarity/README.txt">similarity/</a> is ready for MOSS and compare50.'
)
SEALING_LAYERS = ("landlock", "seccomp")  # isolate each grading from earlier ones
UNSEALED = (
    "On the same machine, a submission may pass data to a later one, such as hidden trees. "
    "Grade on Linux 5.13 or later, or grade only programs that you trust."
)
ALIKE = "All programs of a group behave identically, so one answer serves the group."


class Group(NamedTuple):
    """Entries that need a TA's attention for the same reason.

    title: the reason.
    lines: pairs of an Entry and its details.
    about: HTML that concerns all entries, or "".
    """

    title: str
    lines: list[tuple[Entry, str]]
    about: str = ""


def groups_for_a_person(entries: Sequence[Entry], alike: Sequence[Alike]) -> list[Group]:
    """Return the groups that need a TA's attention, the most urgent first."""
    unlisted = []
    guesses = []
    for entry in entries:
        why = entry.student.unlisted
        if entry.student.is_guess:
            guesses.append((entry, why))
        elif why:
            unlisted.append((entry, why))
    not_counting = [entry for entry in entries if not entry.counts]
    groups = [
        Group("guesses: no certain evidence of the student", guesses, GUESSES),
        Group("not in the roster", unlisted, UNLISTED),
        Group("another submission of the same student counts", _reasons(not_counting)),
    ]
    for status in UNGRADED:
        groups.append(Group(status.value, _reasons(_with_status(entries, status))))
    groups += _groups_in_trouble(_with_status(entries, Status.GRADED))
    title = "code that the assignment does not need"
    groups.append(Group(title, _unneeded_lines(entries), INNOCENT))
    groups.append(Group("similar files", _alike_lines(entries, alike), RESEMBLE))
    title = "wrong, but not explained by a known mistake"
    groups.append(Group(title, _unexplained_lines(entries), ALIKE))
    return [group for group in groups if group.lines]


def _reasons(entries):
    return [(entry, entry.reason) for entry in entries]


def _with_status(entries, status):
    return [entry for entry in entries if entry.outcome.status == status]


# ---- programs that ran without success


def _crashed(outcome):
    stops = outcome.stops
    return any(s.kind == RAISED and s.error not in NOT_WRITTEN for s in stops)


def _ran_out(outcome):
    return any(stop.kind in (TIMED_OUT, OUT_OF_QUERIES) for stop in outcome.stops)


def _is_incomplete(outcome):
    return any(stop.error in NOT_WRITTEN for stop in outcome.stops)


def _earned_nothing(outcome):
    return outcome.cents == 0


TROUBLES = {
    "crashed": _crashed,
    "timed out or never stopped": _ran_out,
    "functions missing or not written": _is_incomplete,
    "0 points, although the code ran": _earned_nothing,
}


def _groups_in_trouble(entries):
    """Yield a group for each kind of trouble; an entry is in the first that fits."""
    remaining = entries
    for title, fits in TROUBLES.items():
        fitting = [entry for entry in remaining if fits(entry.outcome)]
        remaining = [entry for entry in remaining if not fits(entry.outcome)]
        yield Group(title, [(entry, _what_happened(entry)) for entry in fitting])


def _what_happened(entry):
    return entry.reason or _diagnoses_of(entry, "no search is correct")


def _diagnoses_of(entry, otherwise):
    return "; ".join(entry.outcome.diagnoses) or otherwise


# ---- programs that a TA should read


def _unneeded_lines(entries):
    lines = []
    for entry in entries:
        found = []
        if entry.submission and entry.submission.source:
            found += find_unneeded(entry.submission.source)
        found += _suspicious_endings(entry.outcome)
        if found:
            lines.append((entry, ", ".join(found)))
    return lines


def _suspicious_endings(outcome):
    """Return descriptions of the suspicious endings among an outcome's searches."""
    kinds = {stop.kind for stop in outcome.stops}
    return [WORDS[kind] for kind in SUSPICIOUS if kind in kinds]


def _alike_lines(entries, alike):
    entries_of = defaultdict(list)  # submission's id -> entries
    for entry in entries:
        entries_of[entry.outcome.id].append(entry)
    lines = []
    for number, group in enumerate(alike, start=1):
        for id in group.ids:
            for entry in entries_of[id]:
                lines.append((entry, f"group {number}: {group.kind}"))
    return lines


def _unexplained_lines(entries):
    """Return lines on programs without a known mistake, grouped by equal behaviour."""
    clusters = defaultdict(list)  # behaviour -> entries
    for entry in entries:
        if _is_unexplained(entry.outcome):
            clusters[entry.outcome.behaviour].append(entry)
    in_order = sorted(clusters.values(), key=_count_programs, reverse=True)
    lines = []
    for number, cluster in enumerate(in_order, start=1):
        programs = _count_programs(cluster)
        size = counted(programs, "program")
        for entry in cluster:
            diagnoses = _diagnoses_of(entry, "no similar known mistake")
            lines.append((entry, f"group {number} ({size}): {diagnoses}"))
    return lines


def _is_unexplained(outcome):
    return bool(outcome.behaviour) and not outcome.is_explained and not outcome.stops


def _count_programs(entries):
    """Return the number of programs; partners share a program."""
    return len({entry.outcome.id for entry in entries})


# ---- the page

TITLE = "Minimax and alpha-beta: class report"
MAX_LINKS = 6  # a longer list is folded away


def class_page(
    entries: Sequence[Entry], rows: Sequence[Row], alike: Sequence[Alike] = ()
) -> str:
    """Return the page as an HTML text that does not need any other file.

    entries: an Entry for each student and submission.
    rows: the kit's rows, for the points of each concept.
    alike: groups of similar programs, as find_alike() returns them.
    """
    max_cents_of = Counter()  # name of a row -> hundredths of a point
    for row in rows:
        max_cents_of[row.name] += row.max_cents
    counting = [entry for entry in entries if entry.counts]
    groups = [_group_html(group) for group in groups_for_a_person(entries, alike)]
    body = f"""<h1>{TITLE}</h1>
<p class="lead">{_lead(counting, sum(max_cents_of.values()))}.</p>
{_remarks(entries)}
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
{_folded(count_students(counting), _all_students(entries))}"""
    return page(TITLE, body, styles=("class.css",), script=asset("class.js"))


# ---- HTML


def _folded(summary, body, is_open=True):
    """Return a block of HTML that can be folded away."""
    start = "<details open>" if is_open else "<details>"
    return f"{start}<summary>{text(summary)}</summary>{body}</details>"


class Cell(NamedTuple):
    """A cell of a table.

    html: its content.
    number: its sort key, None to sort by the text.
    """

    html: str
    number: float | None = None


def _table(columns, rows, css_class=""):
    """Return a table that scrolls sideways on a narrow screen.

    rows: tuples with a Cell for each column. Empty columns are omitted.
    """
    if not rows:
        return "<p>None.</p>"
    shown = []  # the places of columns with content
    for place in range(len(columns)):
        if any(row[place].html for row in rows):
            shown.append(place)
    heads = [f'<th scope="col">{columns[place]}</th>' for place in shown]
    lines = []
    for row in rows:
        cells = [_cell_html(place, row[place]) for place in shown]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll table {css_class}" tabindex="0" role="group"'
        f' aria-label="by {columns[0]}"><table><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _cell_html(place, cell):
    if place == 0:
        return f'<th scope="row">{cell.html}</th>'
    if cell.number is None:
        return f"<td>{cell.html}</td>"
    return f'<td class="number" data-value="{cell.number}">{cell.html}</td>'


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


def _points_cell(cents):
    if cents is None:
        return Cell("", -1)
    return Cell(points_text(cents), cents)


# ---- the parts of the page


def _lead(entries, max_cents):
    """Return the number of students, and the mean and median of their scores."""
    scores = [entry.cents for entry in entries if entry.cents is not None]
    lead = f"{count_students(entries)}, {len(scores)} with a score"
    if scores:
        lead += (
            f". Mean {points_text(mean(scores))}, "
            f"median {points_text(median(scores))} of {points_text(max_cents)}"
        )
    counts = Counter(entry.outcome.status for entry in entries)
    others = []
    for status, count in counts.items():
        if status != Status.GRADED:
            others.append(f"{count} {status.value}")
    if others:
        lead += f". {', '.join(others)}"
    return lead


def _remarks(entries):
    """Return remarks on the whole class: Gradescope's scores and missing layers."""
    remarks = []
    compared = compare_with_gradescope(entries)
    if compared:
        remarks.append(f"{compared}.")
    unsealed = {}  # id of a submission -> the sealing layers that its grading lacked
    for entry in entries:
        missing = [name for name in SEALING_LAYERS if name in entry.outcome.missing_layers]
        if missing:
            unsealed[entry.outcome.id] = missing
    if unsealed:
        names = sorted(set().union(*unsealed.values()))
        count = counted(len(unsealed), "submission")
        remarks.append(f"Graded without {' and '.join(names)}: {count}. {UNSEALED}")
    return "".join(f"<p>{text(remark)}</p>" for remark in remarks)


def _group_html(group):
    """Return the table of a group, folded away if it is long."""
    rows = [(Cell(_link(entry)), Cell(_prose(words))) for entry, words in group.lines]
    body = _table(("student", "details"), rows)
    if group.about:
        body = f"<p>{group.about}</p>{body}"
    count = len(rows)
    return _folded(f"{group.title}: {count}", body, is_open=count <= MAX_LINKS)


def _concepts(entries, max_cents_of):
    """Return the table of points lost on each concept by students whose code ran."""
    losses = [e.outcome.lost for e in entries if e.outcome.status == Status.GRADED]
    rows = []
    for name, max_cents in max_cents_of.items():
        lost = [cents_of[name] for cents_of in losses if name in cents_of]
        if lost:
            percent = 100 * len(lost) / len(losses)
            students = f"{len(lost)} of {len(losses)} ({percent:.0f} %)"
            loss = sum(lost) / len(losses)
            points = f"{loss / 100:.2f} of {points_text(max_cents)}"
            rows.append((Cell(text(name)), Cell(students, len(lost)), Cell(points, loss)))
    rows.sort(key=_dearest_first)
    return _table(("concept", "students who lost points", "mean loss"), rows)


def _dearest_first(row):
    name, _, loss = row
    return -loss.number, name


def _mistakes(entries):
    """Return the table of recognized mistakes, the most common first."""
    entries_of = defaultdict(list)
    for entry in entries:
        for diagnosis in entry.outcome.diagnoses:
            entries_of[diagnosis].append(entry)
    rows = []
    for diagnosis in sorted(entries_of, key=lambda name: (-len(entries_of[name]), name)):
        students = entries_of[diagnosis]
        count = len(students)
        links = ", ".join(_link(entry) for entry in students)
        if count > MAX_LINKS:
            links = _folded(f"all {count}", links, is_open=False)
        how_many = Cell(counted(count, "student"), count)
        rows.append((Cell(_prose(diagnosis)), how_many, Cell(links)))
    return _table(("mistake", "students", "names"), rows)


def _all_students(entries):
    """Return the table of all students, with a section and lateness if known."""
    rows = []
    for entry in entries:
        cells = (
            Cell(_link(entry)),
            Cell(text(entry.student.section)),
            _points_cell(entry.cents),
            Cell(entry.lateness, entry.minutes_late or 0),
            Cell(text(entry.outcome.status.value)),
            Cell(_findings(entry)),
        )
        rows.append(cells)
    columns = ("student", "section", "score", "late", "status", "findings")
    return _table(columns, rows, "students")


def _findings(entry):
    """Return the diagnoses, the reason, a TA's note and a link to the line."""
    by_hand = ""
    if entry.override:
        by_hand = f"by hand: {entry.override.note}"
    found = _prose(join_reasons(*entry.outcome.diagnoses, entry.reason, by_hand))
    if entry.outcome.lines:
        words = lines_in_words(entry.outcome.lines)
        found += f" {_link(entry, '#line', words)}"
    return found
