"""Represent students, read the class list, and find students by a name from a TA.

overrides.csv, people.csv, ONLY= and `make explain` share one rule: Owner.names lists the
names of a student, and find_owners() compares them. matching.py has a stricter rule for
names of files.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.command import Refused
from autograder.course.tables import load_data, read_table
from autograder.plaintext import sanitize

MAX_LISTED = 6  # students that an error lists


@dataclass(frozen=True)
class Student:
    """A student; unknown fields are "".

    name: the name, as written by the platform or the class list.
    sid: the student id at the university.
    email: the e-mail address.
    section: the section of the course.
    number: the user's number on Canvas. On other platforms it is a word and a number, such
        as "participant 12" on Moodle.
    login: "github" or, for a university login, "login", followed by the login itself.
    evidence: a description of the evidence that identified the student.
    unlisted: the reason why no student of the class list is a certain match.
    is_guess: whether students of the class list are possible matches.
    """

    name: str = ""
    sid: str = ""
    email: str = ""
    section: str = ""
    number: str = ""
    login: str = ""
    evidence: str = ""
    unlisted: str = ""
    is_guess: bool = False

    @property
    def key(self) -> str:
        """The most reliable identifier of this student, "" if none is known."""
        return self.sid or self.email or self.number or self.login

    @property
    def accounts(self) -> tuple[str, ...]:
        """The login and the number, without the words that name their kinds."""
        return self.login.rpartition(" ")[2], self.number.rpartition(" ")[2]

    @property
    def label(self) -> str:
        """The name and sid in a line, or the e-mail address if both are unknown."""
        known = [part for part in (self.name, self.sid) if part]
        return " ".join(known) or self.email


@dataclass(frozen=True)
class Owner:
    """A student with one submission or none.

    student: the student.
    id: the submission's id, or "".
    others: other names, such as files and logins. Only people.csv may use them, because
        `make explain` finds owners in the gradebook, which does not have these names.
    """

    student: Student
    id: str
    others: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """A line with the name, the sid and the submission's id."""
        return f"{self.student.label} ({self.id})".strip()

    @cached_property
    def names(self) -> list[set[str]]:
        """A set of folded names for each kind of name, the most reliable kind first.

        The kinds are the sid; the e-mail address and the submission's id; the other names;
        and a last kind: Gradescope's number of the submission, the sid without leading
        zeros, the login in the e-mail address, and the student's name.
        """
        student = self.student
        email = fold(student.email)
        submission = fold(self.id)
        others = set(map(fold, self.others))
        likely = rotate_words(student.name)
        likely.add(submission.removeprefix("submission_"))
        likely.add(_without_zeros(student.sid))
        likely.add(email.partition("@")[0])
        return [{fold(student.sid)}, {email, submission}, others, likely]


# ---- names


def clean_line(text: str) -> str:
    """Return an untrusted name as one printable line with single spaces."""
    return " ".join(sanitize(text.translate(JOINERS)).split())


JOINERS = str.maketrans("", "", "\u200c\u200d")  # invisible; used in Persian
# Names of columns in class lists, and letters that Unicode does not decompose.
COLUMNS, LETTERS = load_data("people.yaml")
PLAIN_LETTERS = str.maketrans(LETTERS)


def fold(text: str) -> str:
    """Remove accents, case and outer blanks from a text, for comparing names."""
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    letters = [c for c in decomposed if not unicodedata.combining(c)]
    return "".join(letters).translate(PLAIN_LETTERS)


def words_of(name: str) -> list[str]:
    """Return the folded words of a name."""
    return re.findall(r"[^\W_]+", fold(name))


def rotate_words(name: str, between: str = "") -> set[str]:
    """Return all rotations of a name's words: Jane Doe gives janedoe and doejane."""
    words = words_of(name)
    return {between.join(words[at:] + words[:at]) for at in range(len(words))}


def _without_zeros(text):
    """Return a number without leading zeros, "" for any other text."""
    digits = text.strip()
    return digits.lstrip("0") if digits.isdecimal() else ""


def find_owners(name: str, owners: Iterable[Owner], where: str = "") -> list[Owner]:
    """Return the owners of a name, by the most reliable kind of name that matches.

    They share a student or a submission.

    where: the beginning of the error message.

    Raises Refused if several students match.
    """
    exact = {fold(name)} - {""}
    likely = exact | rotate_words(name) | {_without_zeros(name)} - {""}
    found = []
    for kind, asked in enumerate((exact, exact, exact, likely)):
        found = found or [owner for owner in owners if owner.names[kind] & asked]
    students = {owner.student.key or owner.id for owner in found}
    submissions = {owner.id or owner.student for owner in found}
    if len(students) > 1 and len(submissions) > 1:
        listed = ", ".join(owner.label for owner in found[:MAX_LISTED])
        raise Refused(
            f"{where}{name}: {len(students)} have this name; write the sid: {listed}"
        )
    return found


# ---- the class list that a platform exports

FIRST_NAME = "first name"
LAST_NAME = "last name"
ROLE = "role"
STUDENT_ROLES = ("", "student", "s")
NAMES_OF_OTHER_ROWS = ("points possible", "student, test")
IDENTIFIERS = ("number", "sid", "email", "login")  # the most reliable first
GITHUB = "github"  # precedes a login, so that it never equals a university login
UNIVERSITY = "login"
GITHUB_COLUMN = "github username"


def read_roster(path: Path) -> list[Student]:
    """Return the Students in a file. Raises Refused if it is not a class list."""
    return parse_roster(read_table(path), f"ROSTER={path}")


def parse_roster(rows: Sequence[Sequence[str]], where: str) -> list[Student]:
    """Return the Students in the rows of a class list.

    where: the beginning of the error message.

    Raises Refused if the rows are not a class list.
    """
    headings = rows[0] if rows else ()
    columns = [heading.casefold().replace("_", " ") for heading in headings]
    rows_of_students = (_student_of(dict(zip(columns, cells))) for cells in rows[1:])
    students = list(filter(None, rows_of_students))
    if not any(s.login or (s.name and (s.sid or s.email)) for s in students):
        raise Refused(
            f"{where}: not a class list: it needs a column of names and a column of sids, "
            "e-mail addresses or logins, as in the exports of Gradescope and Canvas"
        )
    return students


def _student_of(cells):
    """Return the Student of a row, column -> cell, or None for another kind of row."""
    cells = {column: clean_line(cell) for column, cell in cells.items()}
    known = {field: _first_cell(cells, columns) for field, columns in COLUMNS.items()}
    known["number"] = known["number"].casefold()
    known["login"] = known["login"] and f"{UNIVERSITY} {known['login']}"
    both = f"{cells.get(FIRST_NAME, '')} {cells.get(LAST_NAME, '')}"
    known["name"] = known["name"] or both.strip()
    if GITHUB_COLUMN in cells:
        _read_github(cells, known)
    is_staff = cells.get(ROLE, "").casefold() not in STUDENT_ROLES
    is_other_row = known["name"].casefold() in NAMES_OF_OTHER_ROWS
    is_identified = any(known[field] for field in IDENTIFIERS)
    if is_staff or is_other_row or not is_identified:
        return None
    return Student(**known)


def _read_github(cells, known):
    """Add the cells of GitHub Classroom's list to the known fields.

    The instructor chooses the identifier: a sid, an e-mail address or a name.
    """
    if cells[GITHUB_COLUMN]:
        known["login"] = f"{GITHUB} {cells[GITHUB_COLUMN]}"
    identifier = cells.get("identifier", "")
    known["number"] = ""  # not the identifier
    if "@" in identifier:
        known["email"] = known["email"] or identifier
    elif " " in identifier:
        known["name"] = identifier
    else:
        known["sid"] = known["sid"] or identifier


def _first_cell(cells, columns):
    """Return the first cell in these columns that is not empty, or ""."""
    for column in columns:
        if cells.get(column):
            return cells[column].removeprefix("#")  # precedes the ids of Brightspace
    return ""
