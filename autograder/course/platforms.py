"""The platforms whose downloads and class lists have numbers: a Platform for each.

A new platform is one more record, and its lines in the tables of tests/downloads.yaml.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Platform(NamedTuple):
    """How a platform names files and columns; headings are in lower case.

    name: its name.
    pattern: the whole name of a file or folder in a download. Its groups are the student's
        `name` and `number`, the student's own `file`, and others that `report` needs.
    report: the name, without .html, of the report for a student, with groups in braces.
    can_be_imitated: whether students could choose such names for their own files.
    headings: the headings that identify a class list of the platform, in each language.
        The first is that of the column of numbers. A cell may have words before the
        number, such as "Participant 12".
    has_grades: whether the last of these headings is that of the column of grades;
        otherwise the title of the assignment is.
    book: the name of the file that the platform imports.
    missing: the beginnings of cells that say that a student has not submitted.
    """

    name: str
    pattern: re.Pattern[str]
    report: str
    can_be_imitated: bool
    headings: tuple[tuple[str, ...], ...]
    has_grades: bool
    book: str
    missing: tuple[str, ...] = ()

    def number_in(self, cell: str) -> str:
        """Return a cell of the column of numbers as Student.number has it, or ""."""
        number = cell.strip().rpartition(" ")[2]
        return f"{self.name} {number}" if number else ""


# A folder Jane Doe_12345_assignsubmission_file_, or files with this prefix.
MOODLE_NAME = (
    r"""(?P<name>.+?) _ (?P<number>[0-9]+) _assignsubmission_[a-z]+_? (?P<file>.*)"""
)
MOODLE = Platform(
    name="Moodle",
    pattern=re.compile(MOODLE_NAME, re.VERBOSE | re.DOTALL),
    report="{name}_{number}_assignsubmission_file_report",
    can_be_imitated=False,
    headings=(
        ("identifier", "grade"),
        ("id", "status", "bewertung"),
        ("identifiant", "statut", "note"),
        ("identificador", "estado", "calificación"),
    ),
    has_grades=True,
    book="moodle.csv",
    missing=("no submission", "keine abgabe", "aucune remise", "sin entrega"),
)
# doejane_LATE_12345_678910_search-1.py: the end of a name is the file's number and name, or
# an online text without a number. LATE_ marks a late file. A file that replaces another
# ends in -1, -2 and so on.
CANVAS_NAME = r"""
    (?P<before> (?P<name>[^_]+) _ (?:LATE_)? (?P<number>[1-9][0-9]*) _
    (?: [0-9]+_ | (?=(?:text|link)\.html\Z) ) ) (?P<file>.+?)
    (?: -[0-9]{1,4} (?=\.[^.]*\Z) )? (?P<suffix>\.[^.]*)?"""
CANVAS = Platform(
    name="Canvas",
    pattern=re.compile(CANVAS_NAME, re.VERBOSE | re.DOTALL),
    report="{before}report",
    can_be_imitated=True,
    headings=(("id", "sis login id"),),
    has_grades=False,
    book="canvas.csv",
)
PLATFORMS = (
    MOODLE,
    CANVAS,
)  # in this order: the first whose names and headings fit decides
