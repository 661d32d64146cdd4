"""Read a class list, and say in one line what is wrong with each row that is not used."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.course.entries import Entry, drop_shared
from autograder.course.platforms import PLATFORMS, Platform
from autograder.course.students import (
    KINDS,
    Student,
    clean_line,
    first_name_first,
    words_of,
)
from autograder.ground.files import load_data
from autograder.ground.tables import plain_cells, read_table
from gametree.support.errors import InputError

MAX_LINES_ABOVE = 20  # above the headings, such as a title
NUMBER = "number"  # the field of a platform's numbers
GRADE = "grade"  # the field of a platform's grades
NAMES = ("name", "first", "last")
STUDENT_ROLES = ("", "student", "s")
TEST_STUDENT = "test student"  # of Canvas
FORMULA = re.compile(r'="?(.*?)"?')  # ="0042", by which Excel preserves the zeros
DECIMAL = re.compile(r"([0-9]+)[.,]0")  # 3031234567.0
NOT_A_SID = re.compile(r"(?i)[0-9]([.,][0-9]+)?e\+[0-9]+|n/?a|none|null|nan|tbd|#.*|\W*")


class Roster(NamedTuple):
    """A class list; without students there is none.

    students: the students, in list order. No two have an identifier in common.
    remarks: lines about rows that are refused or changed.
    platform: the platform if the list is the platform's own, else None.
    columns: field -> the index of its column.
    rows: the rows from the headings on, with exactly their cells; all are equally long.
    """

    students: Sequence[Student] = ()
    remarks: Sequence[str] = ()
    platform: Platform | None = None
    columns: Mapping[str, int] = {}
    rows: Sequence[Sequence[str]] = ()


def read_roster(path: Path, title: str = "") -> Roster:
    """Return the class list in a file. Raises InputError if it has no students.

    title: the name of the assignment. Canvas may add its number, as in "Title (88002)".
    """
    rows = read_table(path)
    for index, (_, headings) in enumerate(rows[:MAX_LINES_ABOVE]):
        platform, columns = _parse_headings(headings, title)
        if not _is_sufficient(columns):
            continue
        remarks = []
        if "name" in columns and {"first", "last"} <= columns.keys():
            heading = headings[columns.pop("name")]
            remarks.append(f"{path}: the first and last names count, not {heading}")
        exact = [row.cells for row in rows[index:]]
        width = max(map(len, exact))
        for cells in exact:  # some may be cut off
            cells.extend([""] * (width - len(cells)))
        students, problems = _read_rows(rows[index + 1 :], platform, columns, path)
        if not students:
            raise InputError(f"ROSTER={path}: no students below the headings")
        return Roster(students, problems + remarks, platform, columns, exact)
    raise InputError(
        f"ROSTER={path}, line 1: not the headings of a class list; write name and at least "
        "one of sid, email and login above the columns"
    )


def _parse_headings(cells, title):
    """Return the platform of a row of headings, and field -> index of its column.

    If the platform's column of grades is not exactly one, the columns lack GRADE.
    """
    plain = [cell.casefold() for cell in plain_cells(cells)]
    headings = [re.sub("[_-]", " ", heading) for heading in plain]
    columns = {}
    for field, names in load_data("roster.yaml", __file__).items():
        for name in names:
            if name in headings:
                columns.setdefault(field, headings.index(name))
    for platform in PLATFORMS:
        for needed in platform.headings:
            if set(needed) <= set(headings):
                at = headings.index(needed[0])
                columns = {field: index for field, index in columns.items() if index != at}
                columns[NUMBER] = at
                grade = needed[-1] if platform.has_grades else title.casefold()
                columns |= _column_of_grades(grade, plain)
                return platform, columns
    return None, columns


def _column_of_grades(name, headings):
    """Return GRADE -> the index of the only heading with this name, or nothing."""
    pattern = re.compile(re.escape(name) + r"( \([0-9]+\))?")
    found = [at for at, heading in enumerate(headings) if pattern.fullmatch(heading)]
    return {GRADE: found[0]} if len(found) == 1 else {}


def _is_sufficient(columns):
    """Tell whether these columns name and identify students."""
    return columns.keys() & {*KINDS} and columns.keys() & {*NAMES, NUMBER}


def _read_rows(rows, platform, columns, path):
    """Return the students in these rows, and remarks."""
    first_rows = defaultdict(list)  # words of a name -> students and their first rows
    students = []
    remarks = []
    for row in rows:
        cells = plain_cells(row.cells)
        fields = {field: clean_line(cells[at]) for field, at in columns.items()}
        student, problem = _student_of(fields, platform)
        if student:
            namesakes = first_rows[tuple(sorted(words_of(student.name)))]
            same = [first for other, first in namesakes if _is_repeated(student, other)]
            if same:
                problem = f"{student.label} is ignored: line {same[0]} is the same"
            else:
                namesakes.append((student, row.number))
                students.append(student)
        if problem:
            remarks.append(f"{path}, line {row.number}: {problem}")
    entries = list(map(Entry, students))
    remarks += [f"{path}: {line}" for line in drop_shared(entries)]
    return [entry.student for entry in entries], remarks


def _is_repeated(student, namesake):
    """Tell whether an earlier row of a namesake has all identifiers of a student.

    Two rows that differ are two students, or one of them is damaged.
    """
    own = student.identifiers
    return bool(own) and own.items() <= namesake.identifiers.items()


def _student_of(fields, platform):
    """Return the Student of a row or None, and a line about a problem or ""."""
    cell = defaultdict(str, fields)
    name = cell["name"] or f"{cell['first']} {cell['last']}".strip()
    number = platform.number_in(cell[NUMBER]) if platform else ""
    if platform and not number:
        return None, ""  # such as Points Possible
    email = cell["email"]
    if "@" in cell["login"]:
        email = email or cell.pop("login")
    sid, problem = _repair_sid(cell["sid"], name)
    student = Student(name, sid, email, cell["section"], cell["login"], number)
    role = cell["role"]
    if first_name_first(name).casefold() == TEST_STUDENT:
        role = TEST_STUDENT
    if role.casefold() not in STUDENT_ROLES:
        return None, f"{student.label} is ignored: the role is {role}, not student"
    if name and not student.identifiers and not problem:
        problem = f"{name} has no sid, e-mail address or login"
    return student if student.label else None, problem


def _repair_sid(sid, name):
    """Return a sid as it was before a spreadsheet changed it, and a line about it or ""."""
    found = FORMULA.fullmatch(sid) or DECIMAL.fullmatch(sid)
    if found:
        return found[1], f"{name}: {sid} is read as the sid {found[1]}"
    if sid and NOT_A_SID.fullmatch(sid):
        return "", f"{name}: {sid} is not a sid, so it is ignored"
    return sid, ""
