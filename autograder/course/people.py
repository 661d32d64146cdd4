"""Represent students and their submissions, read the class list, and find students.

overrides.csv, people.csv, ONLY= and `make explain` share one rule: Owner.names lists the
names of a student, and find_owners() compares them. matching.py has a stricter rule for
names of files.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from autograder.course.tables import read_table
from autograder.ground.files import load_data
from autograder.ground.plaintext import sanitize
from gametree.support.errors import InputError

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
    files: the names of the submission's files or folders in the download.
    """

    student: Student
    id: str
    files: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """A line with the name, the sid and the submission's id."""
        return f"{self.student.label} ({self.id})".strip()

    @cached_property
    def names(self) -> list[set[str]]:
        """A set of folded names for each kind of name, the most reliable kind first.

        The kinds are the sid; the e-mail address and the submission's id; and a last kind:
        Gradescope's number of the submission, the login in the e-mail address, and the
        student's name. Spreadsheets remove leading zeros, so a sid has none here.
        """
        sid = fold(self.student.sid).lstrip("0")
        email = fold(self.student.email)
        submission = fold(self.id)
        likely = rotate_words(self.student.name)
        likely.add(submission.removeprefix("submission_"))
        likely.add(email.partition("@")[0])
        return [{sid}, {email, submission}, likely]


def join_lines(*lines: str) -> str:
    """Join the lines that are not empty into one line."""
    return "; ".join(filter(None, lines))


@dataclass(frozen=True)
class Submission:
    """A submission of one student or of a group.

    id: its unique name, which is safe as a folder's name.
    students: its authors; several for a group.
    source: the bytes of search.py, None if there is no program to run.
    refusal: a line that says why there is no program to run, else "".
    note: a line for the TA.
    handed_in: the submission time, None if unknown. It has an offset from UTC, unless it
        comes from a file name. Times in names are local.
    score: the score from Gradescope, in hundredths of a point; None if unknown.
    marked_late: whether Canvas marked it as late.
    report: the name, without .html, under which the platform accepts a report; "" if the
        download is not a platform's.
    file: the student's own name for the file, "" for a folder.
    attempt: the number of earlier files with the same name by the student.
    origin: a name that identifies it in every download of the same class.
    places: its files or folders in the download, as pairs. A pair has the name, with the
        section, and the reason why the file does not count, or "".
    """

    id: str
    students: tuple[Student, ...] = (Student(),)
    source: bytes | None = None
    refusal: str = ""
    note: str = ""
    handed_in: datetime | None = None
    score: int | None = None
    marked_late: bool = False
    report: str = ""
    file: str = ""
    attempt: int = 0
    origin: str = ""
    places: tuple[tuple[str, str], ...] = ()

    @cached_property
    def hash(self) -> str:
        """The hash of search.py, or of the refusal."""
        content = repr((self.source, self.refusal))
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()

    @property
    def label(self) -> str:
        """A line with the students' labels and the id."""
        labels = [student.label for student in self.students]
        return " \u00b7 ".join(filter(None, [*labels, self.id]))

    @property
    def owners(self) -> list[Owner]:
        """An Owner for each student."""
        files = tuple(name for name, _ in self.places)
        return [Owner(student, self.id, files) for student in self.students]

    def with_note(self, note: str) -> Submission:
        """Return the submission with a further note; an empty note changes nothing."""
        return replace(self, note=join_lines(self.note, note))


@dataclass(frozen=True)
class Course:
    """All submissions of a course.

    submissions: the submissions, in a fixed order.
    remarks: lines about problems with the files.
    absent: the students of the class list without a submission.
    logins: the students of GitHub Classroom's own list, if it is in the download.
    """

    submissions: tuple[Submission, ...]
    remarks: tuple[str, ...] = ()
    absent: tuple[Student, ...] = ()
    logins: tuple[Student, ...] = ()

    @property
    def with_absent(self) -> tuple[Submission, ...]:
        """The submissions, and a submission of the absent students, with the id ""."""
        return (*self.submissions, Submission("", self.absent))

    @property
    def owners(self) -> list[Owner]:
        """All owners, including the absent students."""
        return [owner for found in self.with_absent for owner in found.owners]


# ---- names


def clean_line(text: str) -> str:
    """Return an untrusted name as one printable line with single spaces."""
    return " ".join(sanitize(text.translate(JOINERS)).split())


JOINERS = str.maketrans("", "", "\u200c\u200d")  # invisible; used in Persian
# Names of columns in class lists, and letters that Unicode does not decompose.
COLUMNS, LETTERS = load_data("people.yaml", __file__)
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


def find_owners(name: str, owners: Iterable[Owner], where: str = "") -> list[Owner]:
    """Return the owners of a name, by the most reliable kind of name that matches.

    They share a student or a submission.

    where: the beginning of the error message.

    Raises InputError if several students match.
    """
    text = fold(name)
    asked_of_kind = [{text.lstrip("0")}, {text}, {text, *rotate_words(name)}]
    found = []
    for kind, asked in enumerate(asked_of_kind):
        asked.discard("")
        found = found or [owner for owner in owners if owner.names[kind] & asked]
    students = {owner.student.key or owner.id for owner in found}
    submissions = {owner.id or owner.student for owner in found}
    if len(students) > 1 and len(submissions) > 1:
        listed = ", ".join(owner.label for owner in found[:MAX_LISTED])
        raise InputError(
            f"{where}{name}: {len(students)} have this name; write the sid: {listed}"
        )
    return found


# ---- the class list that a platform exports

FIRST_NAME = "first name"
LAST_NAME = "last name"
ROLE = "role"
STUDENT_ROLES = ("", "student", "s")
TEST_STUDENT = "student, test"  # of Canvas
IDENTIFIERS = ("number", "sid", "email", "login")  # the most reliable first
GITHUB = "github"  # precedes a login, so that it never equals a university login
UNIVERSITY = "login"
GITHUB_COLUMN = "github username"


def read_roster(path: Path) -> list[Student]:
    """Return the Students in a file. Raises InputError if it is not a class list."""
    return parse_roster(read_table(path), f"ROSTER={path}")


def parse_roster(rows: Sequence[Sequence[str]], where: str) -> list[Student]:
    """Return the Students in the rows of a class list.

    where: the beginning of the error message.

    Raises InputError if the rows are not a class list.
    """
    headings = rows[0] if rows else ()
    columns = [heading.casefold().replace("_", " ") for heading in headings]
    rows_of_students = (_student_of(dict(zip(columns, cells))) for cells in rows[1:])
    students = list(filter(None, rows_of_students))
    if not any(s.login or (s.name and (s.sid or s.email)) for s in students):
        raise InputError(
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
    is_test = known["name"].casefold() == TEST_STUDENT
    is_identified = any(known[field] for field in IDENTIFIERS)
    if is_staff or is_test or not is_identified:
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


# ---- ids, which are valid folder names on every system

OUR_SUFFIXES = (".csv", ".html", ".json", ".lock", ".txt", ".zip")  # of files beside them
FORBIDDEN = re.compile(r'[/\\:*?"<>|]')  # characters that Windows forbids in names
MAX_BYTES = 200  # of a folder's name
DIGITS = re.compile("0*([0-9]+)")


def natural_sort_key(text: str) -> tuple[str, str]:
    """Return a key that sorts submission_9 before submission_10."""

    def put_length_first(digits):
        return f"{len(digits[1]):05}{digits[1]}"

    return DIGITS.sub(put_length_first, text), text


def make_folder_name(name: str) -> str:
    """Return a printable name that is a valid folder name on every system."""
    printable = sanitize(unicodedata.normalize("NFC", name), MAX_BYTES)
    safe = FORBIDDEN.sub("_", printable)
    safe = os.fsencode(safe)[:MAX_BYTES].decode("utf-8", "ignore").strip()
    if not safe or safe.startswith("."):
        return "_" + safe
    if _as_file_systems_compare(safe).endswith(OUR_SUFFIXES):
        return safe + "_"
    return safe


def make_folder_names(names: Iterable[str], reserved: Iterable[str] = ()) -> list[str]:
    """Return a folder name for each name, different on every file system.

    reserved: the names of existing folders.
    """
    taken = set(map(_as_file_systems_compare, reserved))
    folders = []
    for name in names:
        first_choice = make_folder_name(name)
        folder = first_choice
        count = 1
        while _as_file_systems_compare(folder) in taken:
            count += 1
            folder = f"{first_choice}-{count}"
        taken.add(_as_file_systems_compare(folder))
        folders.append(folder)
    return folders


def _as_file_systems_compare(name):
    return unicodedata.normalize("NFKD", name.casefold()).casefold()


def assign_ids(
    submissions: Iterable[Submission], assigned: Mapping[str, str]
) -> tuple[Submission, ...]:
    """Return the submissions in order, each with an id that is a valid folder name.

    assigned: origin -> id of earlier runs. An id belongs to its origin permanently, even if
        the submission has disappeared.
    """
    in_order = sorted(submissions, key=lambda found: natural_sort_key(found.id))
    new = [submission for submission in in_order if submission.origin not in assigned]
    ids = make_folder_names([submission.id for submission in new], assigned.values())
    id_of = dict(assigned)
    for submission, id in zip(new, ids):
        id_of[submission.origin] = id
    return tuple(replace(found, id=id_of[found.origin]) for found in in_order)
