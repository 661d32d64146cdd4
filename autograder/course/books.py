"""Write the books of a course: its gradebook, its matches, and what a platform imports."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from autograder.course.byhand import OVERRIDES, PEOPLE
from autograder.course.entries import Entry
from autograder.course.outcome import FINAL
from autograder.course.platforms import PLATFORMS
from autograder.course.roster import GRADE, NUMBER, Roster
from autograder.ground.command import counted
from autograder.ground.files import replace_file
from autograder.ground.plaintext import guard_formula, make_folder_names
from autograder.ground.tables import exact_text, read_records, table_text
from autograder.scoring.scores import points_text
from autograder.showing.report import with_points_by_hand
from autograder.showing.results import REPORT
from gametree.support.errors import InputError

GRADEBOOK = "gradebook.csv"
MATCHES = "matches.csv"
FEEDBACK = "feedback.zip"
POINTS_POSSIBLE = "Points Possible"  # in the first cell of a row of Canvas's gradebook
EXCUSED = "EX"  # a grade on Canvas
STATUS = "status"  # the field of a class list that says whether a student submitted


def write_book(path: Path, text: str) -> list[str]:
    """Write a CSV file that a TA may edit; return lines about a copy of the old file.

    A hidden file beside it has the version that the kit wrote. If the old file differs from
    it, the old file is copied first.
    """
    content = text.encode("utf-8", "backslashreplace")
    lines = _save_edited(path)
    replace_file(path, content)
    replace_file(_hidden(path), content)
    return lines


def _hidden(path):
    """Return the path of the version that the kit wrote."""
    return path.with_name(f".{path.name}")


def _save_edited(path):
    """Save a book that was edited by hand under an unused name; return lines about it."""
    written = _hidden(path)
    if not path.exists():
        return []
    old = path.read_bytes()
    if written.exists() and written.read_bytes() == old:
        return []
    number = 1
    while (copy := path.with_name(f"{path.stem}-edited-{number}.csv")).exists():
        number += 1
    replace_file(copy, old)
    return [
        f"{path} is not as the kit wrote it and is saved as {copy.name}; every run "
        f"applies {OVERRIDES} (id, points, note) and {PEOPLE}"
    ]


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
    student = entry.student
    cells_of_parts = {part: points_cell(outcome.parts.get(part)) for part in parts}
    return {
        "sid": student.sid,
        "name": student.name,
        "email": student.email,
        "submission": entry.submission.id,
        "section": student.section,
        "score": points_cell(entry.cents),
        **cells_of_parts,
        "diagnosis": "; ".join(outcome.diagnoses),
        "status": outcome.status.value,
        "reason": entry.remark,
        "graded": points_cell(outcome.cents),
        "note": entry.by_hand.note,
        "term": term,
    }


def write_matches(folder: Path, entries: Iterable[Entry]) -> list[str]:
    """Write matches.csv: the student of each submission, the evidence and the files.

    Returns lines about a file that was edited by hand; see write_book().
    """
    rows = []
    for entry in entries:
        submission = entry.submission
        if submission.id:
            row = {
                "submission": submission.id,
                "sid": entry.student.sid,
                "name": entry.student.name,
                "match": entry.match,
                "evidence": entry.evidence,
                "reason": entry.remark,
                "files": ", ".join(submission.files),
            }
            rows.append(row)
    return write_book(folder / MATCHES, table_text(rows))


def count_gone(entries: Iterable[Entry], out: Path) -> int:
    """Return the number of rows in the earlier matches.csv that this class does not have.

    Raises InputError if the folder belongs to another class. This is assumed if the classes
    share less than half of the smaller class's submissions. The class list does not count,
    because it may be a stored list of the other class.
    """
    ids = {entry.submission.id for entry in entries if entry.submission.id}
    sids = {entry.student.sid for entry in entries if entry.submission.id}
    known = (ids | sids) - {""}
    earlier = []  # submissions, as their id and sid
    for _, id_and_sid in read_records(out / f".{MATCHES}", ("submission", "sid")):
        earlier.append(id_and_sid)
    common = sum(not known.isdisjoint(submission) for submission in earlier)
    if 2 * common < min(len(earlier), len(ids)):
        raise InputError(
            f"{out} belongs to another class: {common} of {len(earlier)} submissions in "
            f"its {MATCHES} are in this class; give another OUT"
        )
    return len(earlier) - common


# ---- for a platform


@dataclass(frozen=True)
class PlatformBook:
    """The book that a platform imports.

    name: the name of its file.
    rows: the cells of its rows; () if it cannot be written.
    new: the number of new grades.
    problems: lines for the TA.
    """

    name: str
    rows: Sequence[Sequence[str]] = ()
    new: int = 0
    problems: Sequence[str] = ()


def platform_book(
    roster: Roster | None, entries: Iterable[Entry], title: str, max_cents: int
) -> PlatformBook | None:
    """Return the book for a platform's own class list, None for any other class list.

    The book has exactly the cells of the class list, except that final scores are filled
    in, and that names which could be formulas are escaped. Excused students and students
    without a final score keep their cell.

    title: the name of the assignment. Canvas may add its number, as in "Title (88002)".
    max_cents: the kit's total, in hundredths of a point.
    """
    if roster is None or roster.platform is None:
        return None
    book = roster.platform.book
    headings, *rows = roster.rows
    plain = [heading.strip().casefold() for heading in headings]
    columns = list(range(len(headings)))
    if roster.platform.has_grades:
        grades = [roster.columns[GRADE]]
    else:
        pattern = re.compile(re.escape(title) + r"( \([0-9]+\))?", re.IGNORECASE)
        grades = [at for at in columns if pattern.fullmatch(plain[at])]
    if len(grades) != 1:
        line = (
            f"{book} is not written: the class list has {len(grades)} columns called "
            f"{title}; write the correct heading after title: in rubric.yaml"
        )
        return PlatformBook(book, problems=[line])
    [column] = grades
    if roster.platform.kept:
        columns = [
            at for at in columns if plain[at] in roster.platform.kept or at == column
        ]
    filled = _fill_in(roster, roster.platform, rows, entries, column)
    new = sum(cells[column] != row[column] for cells, row in zip(filled, rows))
    problems = []
    for row in rows:
        maximum = row[column].strip()
        if row[0].strip() == POINTS_POSSIBLE and not _is_number(maximum, max_cents / 100):
            here = points_cell(max_cents)
            problems.append(f"{book}: the maximum is {maximum} there, and {here} here")
    cells = map(itemgetter(*columns), [headings, *filled])
    return PlatformBook(book, list(cells), new, problems)


def _is_number(text, number):
    """Tell whether a cell has this number, with a decimal point or a decimal comma."""
    try:
        return float(text.replace(",", ".")) == number
    except ValueError:
        return False


def write_platform_book(folder: Path, book: PlatformBook | None) -> list[str]:
    """Write the book of a platform, and remove those of earlier runs. Return lines."""
    lines = []
    for platform in PLATFORMS:
        path = folder / platform.book
        if book and book.rows and book.name == platform.book:
            new = counted(book.new, "new grade")
            lines.append(f"{book.name}: {new}; all other cells are as in the class list")
            lines += write_book(path, exact_text(book.rows))
        elif path.exists():
            lines += _save_edited(path)
            lines.append(f"{path.name} of an earlier run is removed")
            path.unlink()
            _hidden(path).unlink(missing_ok=True)
    return lines


def _fill_in(roster, platform, rows, entries, column):
    """Return copies of rows with the final scores in the column of this index."""
    points_of = {}  # the platform's number of a student -> points
    for entry in entries:
        number = entry.student.number
        if number and entry.is_certain and entry.cents is not None:
            points_of[number] = points_cell(entry.cents)
    named = [at for field, at in roster.columns.items() if field not in (NUMBER, GRADE)]
    filled = []
    for row in rows:
        cells = list(row)
        for at in named:
            cells[at] = guard_formula(cells[at])
        number = platform.number_in(row[roster.columns[NUMBER]])
        if number in points_of and row[column].strip() != EXCUSED:
            cells[column] = points_of[number]
        filled.append(cells)
    return filled


def find_other_assignment(roster: Roster, entries: Iterable[Entry]) -> list[str]:
    """Return a line if the class list says that students who submitted did not."""
    if not roster.platform or STATUS not in roster.columns:
        return []
    numbers = {entry.student.number for entry in entries if entry.submission.id}
    wrong = 0
    for row in roster.rows[1:]:
        status = row[roster.columns[STATUS]].strip().casefold()
        number = roster.platform.number_in(row[roster.columns[NUMBER]])
        wrong += number in numbers and status.startswith(roster.platform.missing)
    if not wrong:
        return []
    students = counted(wrong, "student")
    return [
        f"the class list says that {students} with a submission did not submit; is it the "
        "list of this assignment?"
    ]


def write_feedback(folder: Path, entries: Iterable[Entry]) -> None:
    """Write feedback.zip: a report for each student whose grade is final.

    Canvas imports it with *Upload submissions* in the gradebook, and finds students by the
    numbers in the names. Moodle imports it with *Upload multiple feedback files in a zip*,
    and finds students by the participant's number. For other platforms, each report has
    the name of its student.
    """
    reports = {}  # partners share a report if the platform names it
    for entry in entries:
        path = folder / entry.submission.id / REPORT
        if entry.candidates or entry.outcome.status not in FINAL or not path.is_file():
            continue
        report = path.read_text(encoding="utf-8")
        if entry.by_hand.unit and entry.cents is not None:
            report = with_points_by_hand(report, entry.cents)
        name = entry.submission.report or entry.student.label or entry.submission.id
        reports[name, path] = report
    content = io.BytesIO()
    names = make_folder_names(name for name, _ in reports)
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, report in zip(names, reports.values()):
            archive.writestr(f"{name}.html", report)
    replace_file(folder / FEEDBACK, content.getvalue())
