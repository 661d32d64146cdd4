"""Write gradebook.csv and matches.csv, and find a student's submission in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from autograder.course.entries import Entry
from autograder.course.folder import write_book
from autograder.course.students import Course, Owner, Student
from autograder.ground.tables import read_records, table_text
from autograder.scoring.scores import points_text
from gametree.support.errors import InputError

GRADEBOOK = "gradebook.csv"
MATCHES = "matches.csv"
READ_COLUMNS = (
    "sid",
    "name",
    "email",
    "submission",
    "counts",
    "status",
    "reason",
    "score",
    "graded",
)


def points_cell(cents: int | None) -> str:
    """Return points as the text of a cell, "" for None."""
    return "" if cents is None else points_text(cents)


def write_gradebook(
    folder: Path, entries: Sequence[Entry], parts: Iterable[str], term: str = ""
) -> list[str]:
    """Write gradebook.csv, with a column for each of these parts of an Outcome.

    term: the term of the course, which gets a column too, or "".
    Returns lines about a gradebook that was edited by hand; see write_book().
    """
    rows = [_row_of(entry, parts) for entry in entries]
    if term:
        rows = [{**row, "term": term} for row in rows]
    return write_book(folder / GRADEBOOK, table_text(list(rows[0]), rows))


def _row_of(entry, parts):
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
        "counts": "yes" if entry.counts else "no",
        **cells_of_parts,
        "diagnosis": "; ".join(outcome.diagnoses),
        "status": outcome.status.value,
        "reason": entry.reason,
        "graded": points_cell(outcome.cents),
        "note": entry.override.note,
        "handed in": submission.handed_in.isoformat() if submission.handed_in else "",
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
                "counts": "yes" if entry.counts else "no",
                "reason": entry.reason or entry.submission.refusal,
                "files": ", ".join(entry.submission.files),
            }
            rows.append(row)
    return write_book(folder / MATCHES, table_text(list(rows[0]), rows))


# ---- reading a gradebook


class BookRow(NamedTuple):
    """A row of a gradebook.

    owner: the student and the submission's id.
    counts: whether the submission counts.
    status, reason: the cells with these headings.
    by_hand: the score if it is not the kit's, else "".
    """

    owner: Owner
    counts: bool
    status: str
    reason: str
    by_hand: str


def read_gradebook(path: Path) -> list[BookRow]:
    """Return the rows of a gradebook.csv.

    Submissions that do not count come first. Raises InputError if the file is not a
    gradebook.
    """
    columns, rows = read_records(path)
    for column in READ_COLUMNS:
        if column not in columns:
            raise InputError(f"{path}: not a gradebook: no column {column}")
    found = []
    for row in rows:
        cells = [row.get(column, "") for column in READ_COLUMNS]
        sid, name, email, id, counts, status, reason, score, graded = cells
        owner = Owner(Student(name, sid, email), id)
        by_hand = score if score != graded else ""
        found.append(BookRow(owner, counts != "no", status, reason, by_hand))
    return sorted(found, key=attrgetter("counts"))


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
    _, rows = read_records(out / MATCHES)
    earlier = [row for row in rows if row.get("submission")]
    common = sum(
        not known.isdisjoint((row["submission"], row.get("sid"))) for row in earlier
    )
    if 2 * common < min(len(earlier), len(course.submissions)):
        raise InputError(
            f"{out} belongs to another class: {common} of {len(earlier)} submissions in "
            f"its {MATCHES} are in this class; give another OUT"
        )
    return len(earlier) - common
