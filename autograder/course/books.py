"""Write the books of a course: its gradebook, its matches, and what a platform imports."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.course.entries import Entry
from autograder.course.outcome import FINAL
from autograder.course.platforms import PLATFORMS
from autograder.course.roster import GRADE, NUMBER, Roster
from autograder.ground.command import counted
from autograder.ground.files import OWNER_ONLY, replace_file
from autograder.ground.plaintext import guard_formula, make_folder_names
from autograder.ground.tables import exact_text, read_records, table_text
from autograder.scoring.rubric import Rubric
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


def write_book(path: Path, text: str) -> None:
    """Write a CSV file. An earlier version stays beside it, because a TA may edit it."""
    content = text.encode("utf-8", "backslashreplace")
    if path.exists() and path.read_bytes() != content:
        retire_book(path)
    replace_file(path, content)


def retire_book(path: Path) -> None:
    """Rename a book to NAME-before.csv."""
    path.chmod(OWNER_ONLY)  # a TA may have saved it
    path.replace(path.with_name(f"{path.stem}-before{path.suffix}"))


def write_books(
    folder: Path, entries: Sequence[Entry], roster: Roster, rubric: Rubric
) -> list[str]:
    """Write all books of a graded course; return lines about them."""
    write_gradebook(folder, entries, rubric)
    write_matches(folder, entries)
    write_feedback(folder, entries)
    return write_platform_book(folder, roster, entries)


def write_gradebook(folder: Path, entries: Iterable[Entry], rubric: Rubric) -> None:
    """Write gradebook.csv, with a column for each function of the rubric."""
    rows = []
    for entry in entries:
        outcome = entry.outcome
        student = entry.student
        parts = {}
        for function in rubric.cents:
            parts[function] = points_text(outcome.parts.get(function))
        row = {
            "sid": student.sid,
            "name": student.name,
            "email": student.email,
            "submission": entry.submission.id,
            "section": student.section,
            "score": points_text(entry.cents),
            **parts,
            "diagnosis": "; ".join(outcome.diagnoses),
            "status": outcome.status.value,
            "reason": entry.remark,
            "graded": points_text(outcome.cents),
            "note": entry.by_hand.note,
            "term": rubric.term,
        }
        rows.append(row)
    write_book(folder / GRADEBOOK, table_text(rows))


def write_matches(folder: Path, entries: Iterable[Entry]) -> None:
    """Write matches.csv: the student of each submission, and the evidence."""
    rows = []
    for entry in entries:
        submission = entry.submission
        student = entry.student
        if submission.id:
            row = {
                "submission": submission.id,
                "sid": student.sid,
                "name": student.name,
                "match": entry.match,
                "evidence": entry.evidence,
                "reason": entry.remark,
            }
            rows.append(row)
    write_book(folder / MATCHES, table_text(rows))


def find_gone(entries: Sequence[Entry], out: Path) -> list[str]:
    """Return a line about the rows of the earlier matches.csv that this class lacks.

    Raises InputError if the folder belongs to another class. This is assumed if the classes
    share less than half of the smaller class's submissions. The class list does not count,
    because it may be a stored list of the other class.
    """
    ids = {entry.submission.id for entry in entries} - {""}
    sids = {entry.student.sid for entry in entries if entry.submission.id} - {""}
    earlier = [cells for _, cells in read_records(out / MATCHES, ("submission", "sid"))]
    gone = sum(id not in ids and sid not in sids for id, sid in earlier)
    common = len(earlier) - gone
    if 2 * common < min(len(earlier), len(ids)):
        raise InputError(
            f"{out} belongs to another class: {common} of {len(earlier)} submissions in "
            f"its {MATCHES} are in this class; give another OUT"
        )
    if not gone:
        return []
    return [f"{counted(gone, 'earlier submission')} missing in this download"]


# ---- for a platform


def find_problems(
    roster: Roster, entries: Iterable[Entry], title: str, max_cents: int
) -> list[str]:
    """Return lines about what does not fit in a platform's own class list.

    title: the name of the assignment. Canvas may add its number, as in "Title (88002)".
    max_cents: the kit's total, in hundredths of a point.
    """
    if roster.platform is None:
        return []
    book = roster.platform.book
    column = roster.columns.get(GRADE)
    if column is None:
        return [
            f"{book} is not written: the class list has not exactly one column called "
            f"{title}; write the correct heading after title: in rubric.yaml"
        ]
    problems = []
    missing = 0
    numbers = {entry.student.number for entry in entries if entry.submission.id}
    for row in roster.rows:
        maximum = row[column].strip()
        is_maximum = row[0].strip() == POINTS_POSSIBLE
        if is_maximum and not _is_number(maximum, max_cents / 100):
            here = points_text(max_cents)
            problems.append(f"{book}: the maximum is {maximum} there, and {here} here")
        status = row[roster.columns.get(STATUS, column)].strip().casefold()
        is_missing = status.startswith(roster.platform.missing)
        missing += is_missing and _number_in(roster, row) in numbers
    if missing:
        problems.append(
            f"the class list says that {counted(missing, 'student')} with a submission did "
            "not submit; is it the list of this assignment?"
        )
    return problems


def write_platform_book(
    folder: Path, roster: Roster, entries: Iterable[Entry]
) -> list[str]:
    """Write the book for a platform's own class list, and retire earlier ones.

    The book has exactly the cells of the class list, except that final scores are filled
    in, and that names which could be formulas are escaped. Excused students and students
    without a final score keep their cell. Grades of other assignments are not in the book.

    Returns lines about the books.
    """
    lines = []
    for platform in PLATFORMS:
        path = folder / platform.book
        if platform == roster.platform and GRADE in roster.columns:
            rows, new = _fill_in(roster, entries)
            write_book(path, exact_text(rows))
            grades = counted(new, "new grade")
            lines.append(f"{path.name}: {grades}; all other cells are as in the class list")
        elif path.exists():
            retire_book(path)
            lines.append(f"{path.name} of an earlier run is now {path.stem}-before.csv")
    return lines


def _is_number(text, number):
    """Tell whether a cell has this number, with a decimal point or a decimal comma."""
    try:
        return float(text.replace(",", ".")) == number
    except ValueError:
        return False


def _number_in(roster, row):
    return roster.platform.number_in(row[roster.columns[NUMBER]])


def _fill_in(roster, entries):
    """Return the rows of the book, and the number of new grades."""
    points_of = {}  # the platform's number of a student -> points
    for entry in entries:
        if entry.student.number and entry.is_certain and entry.cents is not None:
            points_of[entry.student.number] = points_text(entry.cents)
    known = sorted(set(roster.columns.values()))
    kept = known
    if roster.platform.has_grades:  # of this assignment only
        kept = list(range(len(roster.rows[0])))
    column = roster.columns[GRADE]
    filled = []
    new = 0
    for row in roster.rows:
        cells = list(row)
        for at in known:
            cells[at] = guard_formula(cells[at])
        number = _number_in(roster, row)
        if number in points_of and row[column].strip() != EXCUSED:
            new += row[column] != points_of[number]
            cells[column] = points_of[number]
        filled.append([cells[at] for at in kept])
    return filled, new


def write_feedback(folder: Path, entries: Iterable[Entry]) -> None:
    """Write feedback.zip: a report for each student whose grade is final.

    Canvas imports it with *Upload submissions* in the gradebook, and finds students by the
    numbers in the names. Moodle imports it with *Upload multiple feedback files in a zip*,
    and finds students by the participant's number. For other platforms, each report has
    the name of its student.
    """
    names = []
    reports = []
    for entry in entries:
        path = folder / entry.submission.id / REPORT
        if entry.candidates or entry.outcome.status not in FINAL or not path.is_file():
            continue
        report = path.read_text(encoding="utf-8")
        if entry.by_hand.unit and entry.cents is not None:
            report = with_points_by_hand(report, entry.cents)
        id = entry.submission.id
        names.append(entry.submission.report or entry.student.label or id)
        reports.append(report)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, report in zip(make_folder_names(names), reports):
            archive.writestr(f"{name}.html", report)
    replace_file(folder / FEEDBACK, content.getvalue())
