"""Read what a person decided: people.csv names students, overrides.csv gives points.

A decision holds for exactly what the person saw. Where a spreadsheet may have changed an
identifier, or a row contradicts itself, a line asks again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from autograder.course.entries import ByHand, Entry, Finder
from autograder.course.students import read_id
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


# ---- people.csv


class Row(NamedTuple):
    """A row of people.csv, whose fields are its columns.

    submission: the submission's id when the row was written.
    student: the student, and a seal for this row; or a name of the student by hand.
    evidence: the evidence for the proposal.
    author: the author as seal() describes it; "" in a row by hand.
    """

    submission: str
    student: str
    evidence: str = ""
    author: str = ""


def read_people(folder: Path) -> list[tuple[str, Row]]:
    """Return the place of each confirmed row of people.csv, and the Row."""
    rows = []
    for where, cells in read_records(folder / PEOPLE, Row._fields):
        row = Row(*cells)
        if row.student and not row.student.startswith(PROPOSED):
            rows.append((where, row))
    return rows


def write_people(folder: Path, rows: Sequence[Row]) -> int:
    """Write people.csv. Return the number of proposals."""
    if rows:
        replace_file(folder / PEOPLE, table_text([row._asdict() for row in rows]))
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
    decided = {}  # entry -> its ByHand
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
            student = entry.student
            if entry in decided:
                label = student.label or id
                raise InputError(f"{where}: {label} has a row above too; delete one")
            decided[entry] = by_hand
            if read_id(id) not in (read_id(student.sid), read_id(student.email)):
                remarks.append(f"{where}: {id} is {entry.label}")
    with_decisions = [
        replace(entry, by_hand=decided.get(entry, entry.by_hand)) for entry in entries
    ]
    return with_decisions, remarks


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
