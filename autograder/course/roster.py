"""A class list, as Gradescope, Canvas or Moodle exports it, and which students match it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from autograder.course.people import CourseError, Finder, Student, fold
from autograder.course.tables import read_table
from autograder.plaintext import sanitize

# Field of a Student -> columns of Gradescope's, Canvas's and Moodle's lists that hold it.
COLUMNS = {
    "name": ("name", "full name", "student", "student name"),
    "sid": ("sid", "sis user id", "student id", "id number"),
    "email": ("email", "email address", "sis login id"),
    "section": ("section", "sections", "group"),
    "number": ("id", "identifier"),
}
FIRST_NAME = "first name"
LAST_NAME = "last name"
ROLE = "role"
STUDENT_ROLES = ("", "student", "s")
NAMES_OF_NO_STUDENT = ("points possible", "student, test")
IDENTIFIERS = ("number", "sid", "email")  # fields that identify a student, in any list


def read_roster(path: Path) -> list[Student]:
    """Return the Students of a class list.

    Raises CourseError with one line if the file is not a class list.
    """
    rows = read_table(path, f"ROSTER={path}")
    columns = [column.casefold() for column in rows[0]] if rows else []
    present = set(columns)
    has_name = {FIRST_NAME, LAST_NAME} <= present or present.intersection(COLUMNS["name"])
    has_id = present.intersection(COLUMNS["sid"] + COLUMNS["email"])
    if not (has_name and has_id):
        raise CourseError(
            f"ROSTER={path}: no class list: it needs a column of names and one of sids or "
            "e-mail addresses, as Gradescope's and Canvas's have them"
        )
    students = (_student_of(dict(zip(columns, cells))) for cells in rows[1:])
    return [student for student in students if student is not None]


def _student_of(cells):
    """Return the Student of a row, column -> cell; None if it is not of a student."""
    cells = {column: " ".join(sanitize(cell).split()) for column, cell in cells.items()}
    known = {field: _first_cell(cells, columns) for field, columns in COLUMNS.items()}
    known["number"] = known["number"].casefold()
    if not known["name"]:
        both = f"{cells.get(FIRST_NAME, '')} {cells.get(LAST_NAME, '')}"
        known["name"] = both.strip()
    if cells.get(ROLE, "").casefold() not in STUDENT_ROLES:
        return None
    if known["name"].casefold() in NAMES_OF_NO_STUDENT:
        return None
    if not any(known[field] for field in IDENTIFIERS):
        return None
    return Student(**known)


def _first_cell(cells, columns):
    """Return the first cell in these columns that is not empty, "" if all are."""
    for column in columns:
        if cells.get(column):
            return cells[column]
    return ""


class Roster:
    """A class list.

    absent: the students that no submission has matched so far, in the list's order, as the
        keys of a dictionary.
    """

    def __init__(self, students: Iterable[Student]):
        self.absent = dict.fromkeys(students)
        self._finder = Finder((student, "") for student in self.absent)
        self._by_identifier = {}  # (field, folded value) -> student
        for student in self.absent:
            for field in IDENTIFIERS:
                value = fold(getattr(student, field))
                self._by_identifier[field, value] = student

    def match(self, student: Student, id: str) -> Student:
        """Return a student with what the list knows, or with why no student matches.

        The name of a student without one is looked for in the submission's id, which is
        the name of a file or folder.
        """
        known = _known_fields(student)
        name = student.name
        if not name and not student.key:
            name = id
        matches = self._with_identifiers_of(known) or self._named(name, known)
        if not matches:
            return replace(student, unlisted="not in the roster")
        if len(matches) > 1:
            why = f"{len(matches)} in the roster are called {name}: which sid?"
            return replace(student, unlisted=why)
        [listed] = matches
        self.absent.pop(listed, None)
        return replace(student, **_known_fields(listed))

    def _with_identifiers_of(self, known):
        """Return the students who share a number, sid or e-mail address."""
        matches = set()
        for field in IDENTIFIERS:
            if field in known:
                matches.add(self._by_identifier.get((field, fold(known[field]))))
        return matches - {None}

    def _named(self, name, known):
        """Return the students of this name, or whose name stands in it."""
        owners = self._finder.find(name)
        if not owners and not known:
            owners = self._finder.find_within(name)
        return {student for student, _ in owners}


def _known_fields(student):
    """Return field -> value of what is known of a student."""
    return {field: value for field, value in vars(student).items() if value}
