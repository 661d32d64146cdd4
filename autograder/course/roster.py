"""Read a class list, and say in one line what is wrong with each row that is not used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course.students import (
    IDENTIFIERS,
    Owner,
    Student,
    clean_line,
    drop_shared,
    words_of,
)
from autograder.ground.files import load_data
from autograder.ground.tables import Line, plain_cells, read_table
from gametree.support.errors import InputError

CANVAS = "Canvas"
MOODLE = "Moodle"
MAX_LINES_ABOVE = 20  # above the headings, such as a title
GRADE = "grade"  # in Moodle's grading worksheet
# The headings of a platform's own list: its numbers of students, and another one.
PLATFORM_HEADINGS = {CANVAS: ("id", "sis login id"), MOODLE: ("identifier", GRADE)}
NAMES = ("name", "first", "last")
STUDENT_ROLES = ("", "student", "s")
TEST_STUDENT = "student, test"  # of Canvas
FORMULA = re.compile(r'="?(.*?)"?')  # ="0042", by which Excel preserves the zeros
DECIMAL = re.compile(r"([0-9]+)[.,]0")  # 3031234567.0
NOT_A_SID = re.compile(r"(?i)[0-9]([.,][0-9]+)?e\+[0-9]+|n/?a|none|null|nan|tbd|#.*|\W*")


@dataclass(frozen=True)
class Roster:
    """A class list.

    students: the students, in list order. No two have an identifier in common.
    remarks: lines about rows that are refused or changed.
    platform: CANVAS or MOODLE if the list is the platform's own, else "".
    columns: field -> the index of its column.
    rows: the rows from the headings on, with exactly their cells; all are equally long.
    """

    students: Sequence[Student]
    remarks: Sequence[str]
    platform: str
    columns: dict[str, int]
    rows: Sequence[Sequence[str]]


def read_roster(path: Path) -> Roster:
    """Return the class list in a file. Raises InputError if it is not a class list."""
    rows = read_table(path)
    for index, row in enumerate(rows[:MAX_LINES_ABOVE]):
        platform, columns = _parse_headings(row.cells)
        if _is_sufficient(columns):
            students, remarks = _read_rows(rows[index + 1 :], platform, columns, path)
            width = max(len(row.cells) for row in rows[index:])
            exact = [row.cells + [""] * (width - len(row.cells)) for row in rows[index:]]
            return Roster(students, remarks, platform, columns, exact)
    accepted = [heading for headings in _accepted().values() for heading in headings]
    raise InputError(
        f"ROSTER={path}, line 1: not the headings of a class list: it needs a column of "
        "names and a column of sids, e-mail addresses or logins; accepted headings are "
        + ", ".join(accepted)
    )


def _accepted():
    """Return field -> the headings that are accepted for its column."""
    return load_data("roster.yaml", __file__)


def _parse_headings(cells):
    """Return the platform of a row of headings, and field -> index of its column."""
    headings = [re.sub("[_-]", " ", cell.casefold()) for cell in plain_cells(cells)]
    columns = {}
    for field, names in _accepted().items():
        found = [headings.index(name) for name in names if name in headings]
        if found:
            columns[field] = found[0]
    for platform, (number, other) in PLATFORM_HEADINGS.items():
        if {number, other} <= {*headings}:
            at = headings.index(number)
            columns = {field: index for field, index in columns.items() if index != at}
            return platform, {**columns, platform.casefold(): at}
    return "", columns


def _is_sufficient(columns):
    """Tell whether these columns name and identify students."""
    is_named = not columns.keys().isdisjoint(NAMES)
    is_identified = not columns.keys().isdisjoint(IDENTIFIERS)
    return is_identified and (is_named or "moodle" in columns)


def _read_rows(rows: Sequence[Line], platform, columns, path):
    """Return the students in these rows, and remarks."""
    line_of = {}  # best identifier and words of the name -> line
    students = []
    remarks = []
    for row in rows:
        cells = dict(enumerate(plain_cells(row.cells)))
        fields = {field: clean_line(cells.get(at, "")) for field, at in columns.items()}
        student, problem = _student_of(fields, platform)
        if student and student.identifiers:
            words = tuple(sorted(words_of(student.name)))
            first = line_of.setdefault((student.identifiers[0], words), row.number)
            if first != row.number:
                problem = f"{student.label} is ignored: line {first} is the same"
                student = None
        if problem:
            remarks.append(f"{path}, line {row.number}: {problem}")
        if student:
            students.append(student)
    separated, shared = drop_shared([Owner(student, "") for student in students])
    remarks += [f"{path}: {line}" for line in shared]
    return separated, remarks


def _student_of(fields, platform):
    """Return the Student of a row or None, and a line about a problem or ""."""
    known = {"name": "", "sid": "", **fields}
    both = f"{known.pop('first', '')} {known.pop('last', '')}".strip()
    known["name"] = known["name"] or both
    role = known.pop("role", "")
    if "@" in known.get("login", ""):
        known["email"] = known.get("email") or known.pop("login")
    if platform == MOODLE:
        known["moodle"] = known["moodle"].rpartition(" ")[2]  # of Participant 12
    if platform == CANVAS and not known["canvas"]:
        return None, ""  # such as Points Possible
    if known["name"].casefold() == TEST_STUDENT:
        role = "test student"
    known["sid"], problem = _repair_sid(known["sid"], known["name"])
    student = Student(**known)
    if role.casefold() not in STUDENT_ROLES:
        return None, f"{student.label} is ignored: the role is {role}, not student"
    if not student.identifiers and not problem and student.name:
        problem = f"{student.name} has no sid, e-mail address or login"
    return student if student.label else None, problem


def _repair_sid(sid, name):
    """Return a sid as it was before a spreadsheet changed it, and a line about it or ""."""
    if not sid:
        return "", ""
    found = FORMULA.fullmatch(sid) or DECIMAL.fullmatch(sid)
    if found:
        return found[1], f"{name}: {sid} is read as the sid {found[1]}"
    if NOT_A_SID.fullmatch(sid):
        return "", f"{name}: {sid} is not a sid, so it is ignored"
    return sid, ""
