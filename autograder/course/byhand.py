"""Read what a person decided: people.csv names students, overrides.csv gives points.

A decision holds for exactly what the person saw. Where a spreadsheet may have changed an
identifier, or a row contradicts itself, a line asks again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.course.entries import ByHand, Entry, Finder
from autograder.course.students import Student, Submission, read_id, words_of
from autograder.ground.files import replace_file
from autograder.ground.plaintext import sanitize
from autograder.ground.tables import read_records, table_text
from autograder.scoring.scores import points_text
from gametree.support.errors import InputError

PEOPLE = "people.csv"  # proposed by the kit, confirmed by hand
PROPOSED = "?"  # starts a student's cell that is not confirmed
OVERRIDES = "overrides.csv"  # written by hand
OVERRIDE_COLUMNS = ("id", "points", "note")
POINTS = re.compile(r"([+-]?)([0-9]{1,6}(?:[.,][0-9]{1,2})?)( ?%?)")
DIGEST = 12  # letters of a hash that identifies a file


# ---- people.csv


@dataclass(frozen=True)
class Confirmation:
    """A row of people.csv.

    where: the place of the row, for messages.
    submission: the submission's id when the row was written.
    student: the sid, e-mail address, login or name of the student.
    name: the labels of the proposed students.
    evidence: the evidence for the proposal.
    file: Submission.origin.
    mark: what the row holds for, as seal() returns it.
    """

    where: str
    submission: str
    student: str
    name: str = ""
    evidence: str = ""
    file: str = ""
    mark: str = ""


COLUMNS = ("submission", "student", "name", "evidence", "file", "mark")


def mark_of(submission: Submission, author: Student) -> str:
    """Return what a confirmation of an author holds for.

    It is what the platform says about the author, or else the content of the file.
    """
    known = {**author.identifiers, "name": author.name}
    if author == Student():
        known = {"content": submission.key("")[:DIGEST]}
    return "".join(f"{kind} {text} " for kind, text in known.items())


def seal(mark: str, names: str) -> str:
    """Return the mark of an author with a digest of the proposed labels.

    It joins the two halves of a row, so that no column can be sorted alone unnoticed.
    """
    digest = hashlib.sha256(" ".join(plain_words(names)).encode()).hexdigest()
    return f"{mark}seal-{digest[:DIGEST]}"


def plain_words(label: str) -> list[str]:
    """Return the words of a label in any order; a spreadsheet only changes lone numbers."""
    words = words_of(label)
    if all(map(str.isdecimal, words)):
        words = [word.lstrip("0") for word in words]
    return sorted(words)


def read_people(folder: Path) -> list[Confirmation]:
    """Return the confirmed rows of people.csv."""
    rows = []
    for where, cells in read_records(folder / PEOPLE, COLUMNS):
        row = Confirmation(where, *cells)
        if row.student and not row.student.startswith(PROPOSED):
            rows.append(row)
    return rows


def write_people(folder: Path, rows: Sequence[Confirmation]) -> int:
    """Write people.csv. Return the number of proposals."""
    tables = []
    for row in rows:
        tables.append({column: getattr(row, column) for column in COLUMNS})
    if tables:
        replace_file(folder / PEOPLE, table_text(tables))
    return sum(row.student.startswith(PROPOSED) for row in rows)


# ---- overrides.csv


def read_overrides(
    folder: Path, entries: Sequence[Entry], max_cents: int
) -> tuple[list[Entry], list[str]]:
    """Return the entries with the decisions of overrides.csv, and remarks.

    The file has the columns id, points and note. An id is a name as Finder finds it.

    Raises InputError for more points than `max_cents` or a change without a note, for a
    second row of the same student, and for an ambiguous name.
    """
    finder = Finder(entries)
    decided = list(entries)
    remarks = []
    for where, (id, points, note) in read_records(folder / OVERRIDES, OVERRIDE_COLUMNS):
        by_hand = _parse_points(id, points, note, where)
        if by_hand.unit == "=" and by_hand.hundredths > max_cents and not note:
            most = points_text(max_cents)
            raise InputError(
                f"{where}: {points} of {most} points; write {most} or fewer, or add a note"
            )
        found = finder.find(id, f"{where}: ")
        if not found:
            remarks.append(
                f"{where}: {id} is not a sid, e-mail address, file, login or name in this "
                f"class{finder.suggest(id)}"
            )
        for entry in found:
            at = entries.index(entry)
            if decided[at] is not entry:
                label = entry.student.label or id
                raise InputError(f"{where}: {label} has a row above too; delete one")
            decided[at] = replace(entry, by_hand=by_hand)
            if read_id(id) not in (
                read_id(entry.student.sid),
                read_id(entry.student.email),
            ):
                remarks.append(f"{where}: {id} is {entry.label}")
    return decided, remarks


def _parse_points(id, points, note, where):
    """Return the ByHand of a row. Raises InputError."""
    found = POINTS.fullmatch(points or "0")
    if not id or not found or not (found[1] or not found[3].strip()):
        raise InputError(
            f"{where}: write an id (sid, e-mail address, file), points such as 87.5, +5, "
            "-10% or nothing, and a note"
        )
    if not points:
        return ByHand(note=sanitize(note))
    sign, number, unit = found.groups()
    if sign and not note:
        raise InputError(f"{where}: {points} changes the kit's score; add a note")
    hundredths = round(float(f"{sign}{number}".replace(",", ".")) * 100)
    kind = unit.strip() or ("+" if sign else "=")
    return ByHand(kind, hundredths, sanitize(note))
