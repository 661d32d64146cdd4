"""gradebook.csv, a row for each student; and overrides.csv, points given by hand."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.course.entries import Entry, Override
from autograder.course.people import CourseError, Finder, Owner, Student
from autograder.course.submissions import Submission
from autograder.course.tables import read_table, table_text
from autograder.files import replace_file
from autograder.judging.scores import points_text
from autograder.plaintext import sanitize

GRADEBOOK = "gradebook.csv"
OVERRIDES = "overrides.csv"  # written by hand: id, points, note
WRITTEN = "written.txt"  # hashes of the gradebooks that the kit wrote last
OWNER_COLUMNS = ("sid", "name", "email", "submission")  # which say whose a row is
POINTS = re.compile(r"[0-9]{1,6}([.,][0-9]{1,2})?")


def write_gradebook(
    folder: Path, entries: Sequence[Entry], functions: Iterable[str]
) -> list[str]:
    """Write gradebook.csv, with a column for each of these functions.

    One that was edited by hand since the kit wrote it is kept beside it; the lines that
    are returned say so. Whatever stops this, the kit knows its own file again.
    """
    path = folder / GRADEBOOK
    hashes = folder / WRITTEN
    parts = dict.fromkeys(functions)
    for entry in entries:
        parts.update(dict.fromkeys(entry.outcome.parts))
    rows = [_row_of(entry, parts) for entry in entries]
    text = table_text(rows[0], [row.values() for row in rows])
    content = text.encode("utf-8", "backslashreplace")
    known_hashes = hashes.read_text().split() if hashes.exists() else []
    old = path.read_bytes() if path.exists() else b""
    lines = []
    if old and _hash(old) not in known_hashes:
        copy = _unused_path(folder)
        replace_file(copy, old)
        lines.append(
            f"{path} was edited by hand: kept as {copy.name}; what {OVERRIDES} says "
            "(id, points, note) survives every run"
        )
    replace_file(hashes, "\n".join([_hash(old), _hash(content)]))
    replace_file(path, content)
    return lines


def _unused_path(folder):
    """Return a path for one more gradebook that was edited by hand."""
    number = 1
    while (folder / f"gradebook-edited-{number}.csv").exists():
        number += 1
    return folder / f"gradebook-edited-{number}.csv"


def _hash(content):
    return hashlib.sha256(content).hexdigest()


def _row_of(entry, parts):
    """Return column -> cell of a student's row."""
    student = entry.student
    outcome = entry.outcome
    submission = entry.submission or Submission("")
    cells_of_parts = {part: points_cell(outcome.parts.get(part)) for part in parts}
    return {
        "sid": student.sid,
        "name": student.name,
        "email": student.email,
        "submission": outcome.id,
        "section": student.section,
        "score": points_cell(entry.cents),
        **cells_of_parts,
        "diagnosis": "; ".join(outcome.diagnoses),
        "status": outcome.status.value,
        "reason": entry.reason,
        "graded": points_cell(outcome.cents),
        "note": entry.override.note if entry.override else "",
        "handed in": submission.handed_in.isoformat() if submission.handed_in else "",
        "minutes late": "" if entry.minutes_late is None else str(entry.minutes_late),
        "late": entry.lateness,
        "Gradescope": points_cell(submission.score),
    }


def points_cell(cents: int | None) -> str:
    """Return points as a cell, which is empty where there are none."""
    if cents is None:
        return ""
    return points_text(cents)


def read_gradebook(path: Path) -> list[Owner]:
    """Return whose rows a gradebook.csv has: (student, submission's id).

    Raises CourseError where the file is not a gradebook.
    """
    rows = read_table(path) or [[]]
    columns = rows[0]
    for column in OWNER_COLUMNS:
        if column not in columns:
            raise CourseError(f"{path}: not a gradebook: no column {column}")
    owners = []
    for cells in filter(None, rows[1:]):
        row = dict(zip(columns, cells))
        sid, name, email, id = [row.get(column, "") for column in OWNER_COLUMNS]
        owners.append((Student(name, sid, email), id))
    return owners


# ---- overrides.csv


def read_overrides(
    path: Path, finder: Finder, max_cents: int
) -> tuple[dict[Owner, Override], list[str]]:
    """Return owner -> Override of a file, and lines on ids that match no student.

    The file has the columns id, points and note. An id is a name of any kind that the
    finder knows. Raises CourseError for a row that cannot be applied: more points than
    `max_cents`, a second one for the same student, a name that two have.
    """
    overrides = {}
    row_of = {}  # owner -> number of the row, from 1
    unknown = []
    rows = read_table(path) if path.exists() else []
    for number, cells in enumerate(rows, start=1):
        id, points, note = [*cells, "", "", ""][:3]
        is_heading = number == 1 and id.casefold() == "id"
        is_empty = not (id or points or note)
        if is_heading or is_empty:
            continue
        where = f"{path}, line {number}: "
        override = Override(_read_points(id, points, where, max_cents), sanitize(note))
        found = finder.find_unambiguous(id, where)
        if not found:
            unknown.append(f"{where}{id}: nobody's sid, e-mail address, submission or name")
        for owner in found:
            if owner in row_of:
                label = owner[0].label or id
                raise CourseError(
                    f"{where}line {row_of[owner]} is for {label} too; keep one"
                )
            row_of[owner] = number
            overrides[owner] = override
    return overrides, unknown


def _read_points(id, points, where, max_cents):
    """Return the points of a row in cents, None for a note alone; or raise CourseError."""
    if not id or (points and not POINTS.fullmatch(points)):
        raise CourseError(
            f"{where}write an id (sid, e-mail address, submission), "
            "points such as 87.5 or nothing, and a note"
        )
    if not points:
        return None
    cents = round(float(points.replace(",", ".")) * 100)
    if cents > max_cents:
        most = points_text(max_cents)
        raise CourseError(f"{where}{points} points of {most}; write {most} or fewer")
    return cents
