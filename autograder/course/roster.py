"""A class list: who is in the course, and so who handed nothing in."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from autograder.course.export import Course, CourseError, Student
from autograder.plaintext import printable

# Field of a Student -> columns of Gradescope's, Canvas's and Moodle's lists that hold it.
COLUMNS = {
    "name": ("name", "full name", "student", "student name"),
    "sid": ("sid", "sis user id", "student id", "id number"),
    "email": ("email", "email address", "sis login id"),
    "section": ("section", "sections", "group"),
    "number": ("id", "identifier"),
}
FIRST, LAST, ROLE = "first name", "last name", "role"
STUDENTS = ("", "student", "s")
NO_STUDENT = ("points possible", "student, test")


def read_roster(path: Path) -> list[Student]:
    """Return the Students of a class list, as Gradescope, Canvas or Moodle exports it.

    Raises CourseError with one line where it is none.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise CourseError(f"ROSTER={path}: cannot be read: {reason}") from None
    heads = [head.strip().casefold() for head in rows[0]] if rows else []
    has_name = {FIRST, LAST} <= {*heads} or {*heads} & {*COLUMNS["name"]}
    if not has_name or not {*heads} & {*COLUMNS["sid"], *COLUMNS["email"]}:
        raise CourseError(
            f"ROSTER={path}: no class list: it needs a column of names and one of sids or "
            "e-mail addresses, as Gradescope's and Canvas's have them"
        )
    students = [_student(dict(zip(heads, row))) for row in rows[1:]]
    return [student for student in students if student is not None]


def _student(row):
    """Return the Student of a row, None where it is of no student."""
    row = {head: " ".join(printable(cell).split()) for head, cell in row.items()}
    given = {
        field: next((row[head] for head in heads if row.get(head)), "")
        for field, heads in COLUMNS.items()
    }
    given["name"] = given["name"] or f"{row.get(FIRST, '')} {row.get(LAST, '')}".strip()
    given["number"] = given["number"].casefold()
    known = given["sid"] or given["email"] or given["number"]
    staff = row.get(ROLE, "").casefold() not in STUDENTS
    if staff or not known or given["name"].casefold() in NO_STUDENT:
        return None
    return Student(**given)


def with_roster(course: Course, roster: Iterable[Student]) -> Course:
    """Return the course with what a class list knows of its students, and who is absent.

    Who handed in is found by number, sid, e-mail address, or else by a name that only one
    in the list has. Who is not in it keeps a row, and the row says so.
    """
    roster = list(roster)
    finder = _Finder(roster)
    seen, submissions = set(), []
    for submission in course.submissions:
        found = [finder.find(student) for student in submission.students]
        seen.update(id(one) for one in found if one is not None)
        students = tuple(map(_merged, submission.students, found))
        notes = [submission.note, "not in the roster" if None in found else ""]
        note = "; ".join(filter(None, notes))
        submissions.append(replace(submission, students=students, note=note))
    absent = tuple(student for student in roster if id(student) not in seen)
    return replace(course, submissions=tuple(submissions), absent=absent)


def _merged(student, listed):
    if listed is None:
        return student
    fields = ("name", "sid", "email", "section", "number")
    known = {f: getattr(listed, f) or getattr(student, f) for f in fields}
    return replace(student, **known)


class _Finder:
    """Finds a student in a class list."""

    def __init__(self, roster):
        self._by = {
            field: {getattr(one, field).casefold(): one for one in roster}
            for field in ("number", "sid", "email")
        }
        names = [(name, one) for one in roster for name in _turned(one.name)]
        times = Counter(name for name, _ in names)
        self._by_name = {name: one for name, one in names if times[name] == 1}

    def find(self, student):
        """Return the Student of the list, or None."""
        for field, known in self._by.items():
            value = getattr(student, field).casefold()
            if value and value in known:
                return known[value]
        found = (self._by_name.get(name) for name in sorted(_turned(student.name)))
        return next(filter(None, found), None)


def _turned(name):
    """Return a name's letters, from each of its words on: Jane Doe is also doejane."""
    words = re.findall(r"\w+", name.casefold())
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}
