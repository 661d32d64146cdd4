"""Write the books of a course: its gradebook, its matches, and what a platform imports."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from operator import itemgetter
from pathlib import Path

from autograder.course.entries import OVERRIDES, Entry
from autograder.course.matching import PEOPLE
from autograder.course.outcome import FINAL
from autograder.course.roster import CANVAS, GRADE, Roster
from autograder.course.students import Course
from autograder.ground.command import counted
from autograder.ground.files import replace_file
from autograder.ground.plaintext import make_folder_names
from autograder.ground.tables import exact_text, read_records, table_text
from autograder.scoring.scores import points_text
from autograder.showing.report import with_points_by_hand
from autograder.showing.results import REPORT
from gametree.support.errors import InputError

GRADEBOOK = "gradebook.csv"
MATCHES = "matches.csv"
CANVAS_BOOK = "canvas.csv"
MOODLE_BOOK = "moodle.csv"
FEEDBACK = "feedback.zip"
CANVAS_COLUMNS = ("student", "id", "sis user id", "sis login id", "section")
POINTS_POSSIBLE = "Points Possible"  # in the first cell of a row of Canvas's gradebook
EXCUSED = "EX"  # a grade on Canvas


def write_book(path: Path, text: str) -> list[str]:
    """Write a CSV file that a TA may edit; return lines about a copy of the old file.

    A hidden file beside it has the version that the kit wrote. If the old file differs from
    it, the old file is copied first.
    """
    content = text.encode("utf-8", "backslashreplace")
    written = path.with_name(f".{path.name}")
    lines = []
    if path.exists():
        old = path.read_bytes()
        if not written.exists() or written.read_bytes() != old:
            copy = _unused_path(path)
            replace_file(copy, old)
            lines.append(
                f"{path} is not as the kit wrote it and is saved as {copy.name}; every run "
                f"applies {OVERRIDES} (id, points, note) and {PEOPLE}"
            )
    replace_file(path, content)
    replace_file(written, content)
    return lines


def _unused_path(path):
    """Return an unused path for a copy of a book."""
    number = 1
    while (copy := path.with_name(f"{path.stem}-edited-{number}.csv")).exists():
        number += 1
    return copy


def points_cell(cents: int | None) -> str:
    """Return points as the text of a cell, "" for None."""
    return "" if cents is None else points_text(cents)


def write_gradebook(
    folder: Path, entries: Sequence[Entry], parts: Iterable[str], term: str = ""
) -> list[str]:
    """Write gradebook.csv, with a column for each of these parts of an Outcome.

    term: the term of the course, or "".
    Returns lines about a gradebook that was edited by hand; see write_book().
    """
    rows = [_row_of(entry, parts, term) for entry in entries]
    return write_book(folder / GRADEBOOK, table_text(rows))


def _row_of(entry, parts, term):
    """Return column -> cell of a student's row."""
    outcome = entry.outcome
    submission = entry.submission
    student = entry.student
    cells_of_parts = {part: points_cell(outcome.parts.get(part)) for part in parts}
    return {
        "sid": student.sid,
        "name": student.name,
        "email": student.email,
        "submission": submission.id,
        "section": student.section,
        "score": points_cell(entry.cents),
        **cells_of_parts,
        "diagnosis": "; ".join(outcome.diagnoses),
        "status": outcome.status.value,
        "reason": entry.reason,
        "graded": points_cell(outcome.cents),
        "note": entry.override.note,
        "term": term,
    }


def write_matches(folder: Path, entries: Iterable[Entry]) -> list[str]:
    """Write matches.csv: the student of each submission, the evidence and the files.

    Returns lines about a file that was edited by hand; see write_book().
    """
    rows = []
    for entry in entries:
        if entry.submission.id:
            row = {
                "submission": entry.submission.id,
                "sid": entry.student.sid,
                "name": entry.student.name,
                "match": entry.match.kind,
                "evidence": entry.match.evidence,
                "reason": entry.reason or entry.submission.refusal,
                "files": ", ".join(entry.submission.files),
            }
            rows.append(row)
    return write_book(folder / MATCHES, table_text(rows))


def count_gone(course: Course, out: Path) -> int:
    """Return the number of rows in the earlier matches.csv that this course does not have.

    Raises InputError if the folder belongs to another class. This is assumed if the classes
    share less than half of the smaller class's submissions. The class list does not count,
    because it may be a stored list of the other class.
    """
    known = set()
    for submission in course.submissions:
        known.add(submission.id)
        known.update(match.student.sid for match in submission.matches)
    known.discard("")
    earlier = []  # submissions, as their id and sid
    for _, id_and_sid in read_records(out / f".{MATCHES}", ("submission", "sid")):
        earlier.append(id_and_sid)
    common = sum(not known.isdisjoint(submission) for submission in earlier)
    if 2 * common < min(len(earlier), len(course.submissions)):
        raise InputError(
            f"{out} belongs to another class: {common} of {len(earlier)} submissions in "
            f"its {MATCHES} are in this class; give another OUT"
        )
    return len(earlier) - common


# ---- for a platform


def write_platform_book(
    folder: Path, roster: Roster, entries: Iterable[Entry], title: str, max_cents: int
) -> list[str]:
    """Write canvas.csv or moodle.csv, for a class list of the platform; return lines.

    The book has exactly the cells of the class list, except that final scores are filled
    in. Excused students and students without a final score keep their cell.

    title: the name of the assignment. Canvas may add its number, as in "Title (88002)".
    max_cents: the kit's total, in hundredths of a point.
    """
    headings, *rows = roster.rows
    plain = [heading.strip().casefold() for heading in headings]
    columns = list(range(len(headings)))
    if roster.platform == CANVAS:
        book = CANVAS_BOOK
        pattern = re.compile(re.escape(title) + r"( \([0-9]+\))?", re.IGNORECASE)
        grades = [at for at in columns if pattern.fullmatch(plain[at])]
        columns = [at for at in columns if plain[at] in CANVAS_COLUMNS or at in grades]
    else:
        book = MOODLE_BOOK
        grades = [plain.index(GRADE)]
    if len(grades) != 1:
        return [
            f"{book} is not written: the class list has {len(grades)} columns called "
            f"{title}; write the correct heading after title: in rubric.yaml"
        ]
    [column] = grades
    filled = _fill_in(roster, rows, entries, column)
    new = counted(sum(new != old for new, old in zip(filled, rows)), "new grade")
    lines = [f"{book}: {new}; all other cells are as in the class list"]
    points = points_cell(max_cents)
    for row in rows:
        is_maximum = row[0].strip() == POINTS_POSSIBLE
        if is_maximum and not re.fullmatch(rf"{points}(\.0+)?", row[column]):
            lines.append(f"{book}: the maximum is {row[column]} there, and {points} here")
    cells = map(itemgetter(*columns), [headings, *filled])
    return lines + write_book(folder / book, exact_text(cells))


def _fill_in(roster, rows, entries, column):
    """Return copies of rows with the final scores in the column of this index."""
    field = roster.platform.casefold()
    points_of = {}  # the platform's number of a student -> points
    for entry in entries:
        number = getattr(entry.student, field)
        if number and entry.match.is_certain and entry.cents is not None:
            points_of[number] = points_cell(entry.cents)
    filled = []
    for row in rows:
        cells = list(row)
        number = row[roster.columns[field]].strip().rpartition(" ")[2]
        if number in points_of and row[column].strip() != EXCUSED:
            cells[column] = points_of[number]
        filled.append(cells)
    return filled


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
        if entry.match.is_proposal:
            continue
        if entry.outcome.status in FINAL and path.is_file():
            report = path.read_text(encoding="utf-8")
            if entry.override.unit and entry.cents is not None:
                report = with_points_by_hand(report, entry.cents)
            reports[entry.submission.report or entry.label, path] = report
    content = io.BytesIO()
    names = make_folder_names(name for name, _ in reports)
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, report in zip(names, reports.values()):
            archive.writestr(f"{name}.html", report)
    replace_file(folder / FEEDBACK, content.getvalue())
