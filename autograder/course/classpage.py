"""Render the page of a class: attention, concepts, mistakes, all students."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from autograder.course.entries import Entry, describe_class
from autograder.course.outcome import Status
from autograder.course.students import join_lines
from autograder.ground.files import load_data
from autograder.scoring.scores import Row, points_text
from autograder.showing.page import asset, folded, page, prose, table
from autograder.showing.results import REPORT
from autograder.showing.svg import text

SEALING_LAYERS = {"seccomp", "closed files"}  # isolate each grading from earlier ones
UNSEALED = (
    "On the same machine, a submission may pass data to a later one, such as hidden trees. "
    "Grade on Linux on x86-64 or aarch64, or grade only programs that you trust."
)
MAX_LINKS = 6  # a longer list is folded away


def groups_for_a_person(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return the groups that need a TA's attention, name -> entries, most urgent first."""
    groups = defaultdict(list)
    for entry in entries:
        groups[_group_of(entry)].append(entry)
    return {name: groups[name] for name in _titles_and_notes() if name in groups}


def findings_of(entry: Entry) -> str:
    """Return a line with the known mistakes, the problems, and the note of a TA."""
    by_hand = entry.by_hand.note and f"by hand: {entry.by_hand.note}"
    return join_lines(*entry.outcome.diagnoses, entry.remark, by_hand)


def _titles_and_notes():
    """Return the name of each group -> its title and note, most urgent first."""
    return load_data("attention.yaml", __file__)


def _group_of(entry):
    """Return the name of the group of an entry; some names are not those of a group."""
    outcome = entry.outcome
    if entry.match_remark:
        return entry.match
    if outcome.status != Status.GRADED:
        return outcome.status.value
    if outcome.remark:
        return "stopped"
    return "" if outcome.cents else "all wrong"


def class_page(entries: Sequence[Entry], rows: Sequence[Row], assignment: str) -> str:
    """Return the page as an HTML text that does not need any other file.

    entries: an Entry for each student and submission.
    rows: the kit's rows, for the points of each concept.
    assignment: the title of the assignment.
    """
    known = [entry for entry in entries if not entry.candidates]
    groups = []
    for name, members in groups_for_a_person(entries).items():
        groups.append(_group_html(members, **_titles_and_notes()[name]))
    title = f"{assignment}: class report"
    body = f"""<h1>{text(title)}</h1>
<p class="lead">{text(describe_class(entries))}.</p>
{_remark(entries)}
<h2 id="attention">Needs attention</h2>
{"".join(groups) or "<p>Nothing: every submission was graded.</p>"}
<h2 id="concepts">Concepts</h2>
<p>These figures count students whose code ran. The costliest concept comes first.</p>
{_concepts(known, rows)}
<h2 id="mistakes">Mistakes</h2>
{_mistakes(known)}
<h2 id="students">All students</h2>
<p class="filter" hidden><label>Show only rows with
<input type="search" id="filter" autocomplete="off"></label>
<span id="count" role="status"></span> Click a column heading to sort.</p>
{_all_students(entries)}"""
    return page(title, body, asset("class.css"), asset("class.js"))


# ---- HTML


def _link(entry):
    """Return the student's name, linked to the report if there is one."""
    id = entry.submission.id
    words = text(entry.student.label or id)
    if not id or entry.outcome.status == Status.NOT_YET:
        return words
    return f'<a href="{quote(id)}/{REPORT}">{words}</a>'


# ---- the parts of the page


def _remark(entries):
    """Return a remark on the sealing layers that some gradings lacked, or ""."""
    layers = set()
    for entry in entries:
        layers |= SEALING_LAYERS.intersection(entry.outcome.missing_layers)
    if not layers:
        return ""
    return f"<p>Graded without {' and '.join(sorted(layers))}. {UNSEALED}</p>"


def _group_html(entries, title, note):
    """Return the note and the table of a group, folded away if the table is long."""
    rows = []
    for entry in entries:
        details = findings_of(entry) or "no similar known mistake"
        rows.append((_link(entry), prose(details)))
    body = note + table(("student", "details"), rows)
    return folded(f"{title}: {len(rows)}", body, is_open=len(rows) <= MAX_LINKS)


def _concepts(entries, rows):
    """Return the table of points lost on each concept by students whose code ran."""
    max_cents_of = {row.name: row.max_cents for row in rows}
    graded = [entry for entry in entries if entry.outcome.status == Status.GRADED]
    cents_lost = Counter()  # name of a row -> hundredths of a point
    counts = Counter()  # name of a row -> students who lost points
    for entry in graded:
        cents_lost.update(entry.outcome.lost)
        counts.update(entry.outcome.lost.keys())
    cells = []
    for name, cents in cents_lost.most_common():
        percent = 100 * counts[name] / len(graded)
        students = f"{counts[name]} of {len(graded)} ({percent:.0f} %)"
        mean_loss = cents / len(graded) / 100
        points = f"{mean_loss:.2f} of {points_text(max_cents_of[name])}"
        cells.append((text(name), students, points))
    return table(("concept", "students who lost points", "mean loss"), cells, "figures")


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
            names = folded(f"all {count}", names, is_open=False)
        rows.append((prose(diagnosis), str(count), names))
    return table(("mistake", "students", "names"), rows)


def _all_students(entries):
    """Return the table of all students, with a section if it is known."""
    rows = []
    for entry in entries:
        row = (
            _link(entry),
            text(entry.student.section),
            points_text(entry.cents),
            entry.outcome.status.value,
            prose(findings_of(entry)),
        )
        rows.append(row)
    columns = ("student", "section", "score", "status", "findings")
    return table(columns, rows, "students")
