"""Write canvas.csv, moodle.csv and feedback.zip for the platforms, and changes.csv."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from autograder.course.gradebook import (
    MATCHES,
    Entry,
    compare_with_gradescope,
    points_cell,
)
from autograder.course.outcome import EARLIER, Outcome, Status
from autograder.course.people import make_folder_names
from autograder.course.tables import OVERRIDES, ROSTER, read_records, write_book
from autograder.ground.files import replace_file
from autograder.scoring.scores import points_text
from autograder.showing.report import with_points_by_hand
from autograder.showing.results import REPORT

CANVAS = "canvas.csv"
MOODLE = "moodle.csv"
FEEDBACK = "feedback.zip"
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS_POSSIBLE = "Points Possible"  # in the first cell of a row of Canvas's gradebook
IDENTIFIER = "Identifier"  # columns of Moodle's grading worksheet
GRADE = "Grade"
MAXIMUM = "Maximum Grade"
WITH_FEEDBACK = (Status.GRADED, Status.NOT_GRADABLE, Status.NOT_LOADED)


def write_canvas(
    folder: Path, entries: Iterable[Entry], title: str, max_cents: int
) -> list[str]:
    """Write canvas.csv, which Canvas's gradebook imports; return lines for the TA.

    Canvas looks a student up by ID, then by SIS User ID, then by login. A score that is not
    final is an empty cell. Students that Canvas cannot find have no row. Submissions that
    do not count have no row either.

    title: the name of the assignment. If the class list is Canvas's gradebook and has a
        column of this name, such as "Title (88002)", the points go there.
    max_cents: the kit's total, in hundredths of a point.
    """
    rows = []
    lines = []
    _, listed = read_records(folder / ROSTER)
    possible = [row for row in listed if row.get("Student") == POINTS_POSSIBLE]
    if possible:
        title, points, lines = _assignment_in(possible[0], title, max_cents)
        rows.append({"Student": f"    {POINTS_POSSIBLE}", title: points})
    for entry in entries:
        student = entry.student
        if _is_in_canvas(entry):
            row = {
                "Student": student.name,
                "ID": student.number if student.number.isdecimal() else "",
                "SIS User ID": student.sid,
                "SIS Login ID": student.email,
                "Section": student.section,
                title: points_cell(entry.cents),
            }
            rows.append(row)
    return lines + write_book(folder / CANVAS, (*CANVAS_COLUMNS, title), rows)


def _assignment_in(possible, title, max_cents):
    """Return the heading and maximum of the assignment in Canvas, and lines about it.

    possible: heading -> maximum.
    """
    points = points_cell(max_cents)
    pattern = re.compile(re.escape(title) + r"( \([0-9]+\))?", re.IGNORECASE)
    found = [heading for heading in possible if pattern.fullmatch(heading)]
    if len(found) != 1:
        line = (
            f"{CANVAS} makes a new assignment: the class list has {len(found)} columns "
            f"called {title}; write the correct heading after title: in rubric.yaml"
        )
        return title, points, [line]
    [heading] = found
    listed = possible[heading]
    return heading, listed, _on_the_maximum(CANVAS, listed, points)


def _on_the_maximum(book, listed, points):
    """Return a line if the maximum on a platform differs from the kit's."""
    with contextlib.suppress(ValueError):
        if float(listed.replace(",", ".")) == float(points):
            return []
    line = f"{book}: the maximum is {listed or 'missing'} there, and {points} in the rubric"
    return [line]


def write_moodle(folder: Path, entries: Iterable[Entry], max_cents: int) -> list[str]:
    """Write moodle.csv if the class list is Moodle's grading worksheet; return lines.

    The file is a copy of the worksheet with the grades filled in. A score that is not
    final is an empty cell.
    """
    headings, rows = read_records(folder / ROSTER)
    if not {IDENTIFIER, GRADE} <= {*headings}:
        return []
    cents_of = {}
    for entry in entries:
        if entry.counts and not entry.student.unlisted:
            cents_of[entry.student.number] = entry.cents
    lines = []
    for row in rows:
        number = row.get(IDENTIFIER, "").casefold()
        if number in cents_of:
            row[GRADE] = points_cell(cents_of[number])
            if MAXIMUM in row:
                lines = _on_the_maximum(MOODLE, row[MAXIMUM], points_cell(max_cents))
    return lines + write_book(folder / MOODLE, headings, rows)


def write_feedback(folder: Path, entries: Iterable[Entry]) -> None:
    """Write feedback.zip: a report for each student whose grade is final.

    Canvas imports it with *Upload submissions* in the gradebook, and finds students by the
    numbers in the names. Moodle imports it with *Upload multiple feedback files in a zip*,
    and finds students by the participant's number. For other platforms, each report has
    the name of its student.
    """
    reports = {}  # partners share a report if the platform names it
    for entry in entries:
        path = folder / entry.outcome.id / REPORT
        if entry.outcome.status in WITH_FEEDBACK and path.is_file():
            report = path.read_text(encoding="utf-8")
            if entry.override.cents is not None:
                report = with_points_by_hand(report, entry.override.cents)
            reports[entry.submission.report or entry.label, path] = report
    content = io.BytesIO()
    names = make_folder_names(name for name, _ in reports)
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, report in zip(names, reports.values()):
            archive.writestr(f"{name}.html", report)
    replace_file(folder / FEEDBACK, content.getvalue())


def _is_known(student):
    """Tell whether the match is certain, and Canvas can find the student."""
    return bool(student.name and student.key and not student.unlisted)


def _is_in_canvas(entry):
    return entry.counts and _is_known(entry.student)


# ---- lines about anomalies in the books


def remarks_on(entries: Sequence[Entry], deadline: datetime | None) -> list[str]:
    """Return lines about missing scores, missing students and other anomalies."""
    lines = []
    out_of_date = 0
    empty = 0
    for entry in entries:
        status = entry.outcome.status
        if status == Status.COULD_NOT_TELL:
            lines.append(f"{entry.outcome.id}: {entry.reason}")
        if status == Status.OUT_OF_DATE:
            out_of_date += 1
        elif entry.cents is None and _is_in_canvas(entry):
            empty += 1
    if out_of_date:
        update = "run grade-all without ONLY to update them"
        lines.append(f"{out_of_date} out of date (another kit or file); {update}")
    if empty:
        advice = f"to give points, use {OVERRIDES} (id, points, note)"
        lines.append(f"{empty} without a final score, so empty in {CANVAS}; {advice}")
    unknown = [entry.student for entry in entries if not _is_known(entry.student)]
    if unknown:
        why = "because the name or sid is unknown; give ROSTER=roster.csv"
        if any(student.unlisted for student in unknown):
            why = f"because they are guesses or not in the roster; see {MATCHES}"
        lines.append(f"{len(unknown)} not in {CANVAS}, {why}")
    lines.append(_on_the_deadline(entries, deadline))
    lines.append(compare_with_gradescope(entries))
    return list(dict.fromkeys(filter(None, lines)))  # partners share a line


def _on_the_deadline(entries, deadline):
    submissions = [entry.submission for entry in entries]
    if not deadline or any(submission.handed_in for submission in submissions):
        return ""
    line = "DUE has no effect: these files have no submission times"
    marked = sum(submission.marked_late for submission in submissions)
    if marked:
        line += f"; Canvas marked {marked} as late"
    return line


# ---- changes.csv: scores that changed with the kit

CHANGES = "changes.csv"


def write_changes(folder: Path, entries: Sequence[Entry], date: str) -> list[str]:
    """Add the changes since the last run to changes.csv; return lines that summarize them.

    Scores are compared if an earlier kit has graded the same file. Each change is reported
    once, because the earlier outcome is then deleted. The latest date comes first. Within
    a date, the greatest loss comes first.

    date: the date and time of this run.
    """
    compared = []  # pairs of an earlier Outcome and an Entry
    for entry in entries:
        earlier = Outcome.load(folder, entry.outcome.id, EARLIER)
        if earlier and _is_comparable(earlier, entry.outcome):
            compared.append((earlier, entry))
    if not compared:
        return []
    changed = [pair for pair in compared if _cents_gained(*pair)]
    changed.sort(key=lambda pair: (_cents_gained(*pair), pair[1].student.sid))
    line = f"{len(changed)} of {len(compared)} scores changed with the kit"
    lines = []
    if changed:
        line += f"; see {folder / CHANGES}"
        rows = [_change(date, earlier, entry) for earlier, entry in changed]
        rows += read_records(folder / CHANGES)[1]
        lines = write_book(folder / CHANGES, list(rows[0]), rows)
    for earlier, _ in compared:
        (folder / earlier.id / EARLIER).unlink(missing_ok=True)
    return [line, *lines]


def _change(date, earlier, entry):
    """Return the row of a student whose score changed."""
    now = entry.outcome
    why = _reason_of_change(earlier, now)
    if entry.is_overridden:
        why += f"; {points_cell(entry.cents)} by hand remains in force"
    return {
        "date": date,
        **entry.owner_cells,
        "before": points_cell(earlier.cents),
        "after": points_cell(now.cents),
        "change": points_cell(_cents_gained(earlier, entry)),
        "why": why,
    }


def _is_comparable(earlier, now):
    """Tell whether two outcomes are scores of the same file."""
    if earlier.cents is None or now.cents is None:  # the grader failed
        return False
    return earlier.source == now.source and now.status != Status.OUT_OF_DATE


def _cents_gained(earlier, entry):
    return entry.outcome.cents - earlier.cents


def _reason_of_change(earlier, now):
    reasons = []
    if earlier.status != now.status:
        reasons.append(f"was {earlier.status.value}, is {now.status.value}")
    gained = Counter(earlier.lost)  # name of a row -> cents
    gained.subtract(now.lost)
    changed = sorted((-abs(cents), name) for name, cents in gained.items() if cents)
    for cents, name in changed:
        direction = "more" if gained[name] > 0 else "less"
        reasons.append(f"{points_text(-cents)} {direction} in {name}")
    return "; ".join(reasons) or "the same rows have different points"
