"""Fill in the class list of Canvas or Moodle, and write feedback.zip."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path

from autograder.course.entries import Entry
from autograder.course.folder import write_book
from autograder.course.gradebook import points_cell
from autograder.course.outcome import Status
from autograder.course.roster import CANVAS, GRADE, Roster
from autograder.ground.command import counted
from autograder.ground.files import replace_file
from autograder.ground.foldernames import make_folder_names
from autograder.ground.tables import exact_text
from autograder.showing.report import with_points_by_hand
from autograder.showing.results import REPORT

CANVAS_BOOK = "canvas.csv"
MOODLE_BOOK = "moodle.csv"
FEEDBACK = "feedback.zip"
CANVAS_COLUMNS = ("student", "id", "sis user id", "sis login id", "section")
POINTS_POSSIBLE = "Points Possible"  # in the first cell of a row of Canvas's gradebook
EXCUSED = "EX"  # a grade on Canvas
WITH_FEEDBACK = (Status.GRADED, Status.NOT_GRADABLE, Status.NOT_LOADED)


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
    book = MOODLE_BOOK
    kept = list(range(len(headings)))
    grades = [at for at in kept if plain[at] == GRADE]
    if roster.platform == CANVAS:
        book = CANVAS_BOOK
        pattern = re.compile(re.escape(title) + r"( \([0-9]+\))?", re.IGNORECASE)
        grades = [at for at in kept if pattern.fullmatch(plain[at])]
        kept = [at for at in kept if plain[at] in CANVAS_COLUMNS or at in grades]
    if len(grades) != 1:
        return [
            f"{book} is not written: the class list has {len(grades)} columns called "
            f"{title}; write the correct heading after title: in rubric.yaml"
        ]
    [grade] = grades
    filled = _fill_in(roster, rows, entries, grade)
    new = counted(sum(new != old for new, old in zip(filled, rows)), "new grade")
    lines = [f"{book}: {new}; all other cells are as in the class list"]
    points = points_cell(max_cents)
    for row in rows:
        is_maximum = row[0].strip() == POINTS_POSSIBLE
        if is_maximum and not re.fullmatch(rf"{points}(\.0+)?", row[grade]):
            lines.append(f"{book}: the maximum is {row[grade]} there, and {points} here")
    cells = map(itemgetter(*kept), [headings, *filled])
    return lines + write_book(folder / book, exact_text(cells))


def _fill_in(roster, rows, entries, grade):
    """Return copies of rows with the final scores in the column of grades."""
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
        if number in points_of and row[grade].strip() != EXCUSED:
            cells[grade] = points_of[number]
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
        if entry.outcome.status in WITH_FEEDBACK and path.is_file():
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
