"""Students, their class list, and the rule by which a name of any kind finds them.

There is one rule, for class lists, overrides.csv, ONLY= and `make explain`: _names_of() has
what finds a student, and Finder looks it up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.command import Refused
from autograder.course.tables import read_table
from autograder.plaintext import sanitize

MAX_LISTED = 6  # students that an error lists
MIN_SID = 3  # characters of a sid that is found among other words


@dataclass(frozen=True)
class Student:
    """A student; each field is "" where it is not known.

    name: the name, as the platform or the class list writes it.
    sid: the id at the university.
    email: the e-mail address.
    section: the section of the course.
    number: the user's number in Canvas, or "participant" and a number in Moodle.
    unlisted: why no student of the class list matches, where there is a class list.
    """

    name: str = ""
    sid: str = ""
    email: str = ""
    section: str = ""
    number: str = ""
    unlisted: str = ""

    @property
    def key(self) -> str:
        """The surest of what identifies this student, "" if nothing does."""
        return self.sid or self.email or self.number

    @property
    def label(self) -> str:
        """Name and sid in a line, or else the e-mail address."""
        known = [part for part in (self.name, self.sid) if part]
        return " ".join(known) or self.email


Owner = tuple[Student, str]  # and the id of a submission of the student, or ""


def describe_owner(student: Student, id: str) -> str:
    """Return in a line whose submission it is: name, sid and submission's id."""
    return f"{student.label} ({id})".strip()


# ---- names

LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "þ": "th",
    }
)  # letters that no accent makes from another
# Doe, Jane <jane@example.edu>, or with what a file's name may have in place of < and >.
OUTLOOK = re.compile(r"(.*?)[<(\[_]([^<>()\[\]\s]+@[^<>()\[\]\s_]+)[>)\]_]?\s*")


def _fold(text):
    """Return a text as names are compared: without accents, case and outer blanks."""
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    letters = [c for c in decomposed if not unicodedata.combining(c)]
    return "".join(letters).translate(LETTERS)


def _words_of(name):
    """Return the words of a name, folded."""
    return re.findall(r"[^\W_]+", _fold(name))


def _rotate_words(name):
    """Return a name's letters from each of its words on: Jane Doe is also doejane."""
    words = _words_of(name)
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}


def _names_of(student, id):
    """Return the names that find a student with a submission, the surest kind first.

    The kinds are: a sid; an e-mail address or the submission's id; the user's number;
    Gradescope's number of the submission, a sid without its zeros or a login; the name.
    """
    sid = _fold(student.sid)
    email = _fold(student.email)
    submission = _fold(id)
    login = email.partition("@")[0]
    number_of_submission = submission.removeprefix("submission_")
    return [
        {sid},
        {email, submission},
        {_fold(student.number)},
        {number_of_submission, _without_zeros(sid), login},
        _rotate_words(student.name),
    ]


def _names_asked(name):
    """Return what a name that people write may be, of each kind of _names_of()."""
    folded = _fold(name)
    likely = {folded, _without_zeros(name)}
    return [{folded}, {folded}, {folded}, likely, _rotate_words(name)]


def _without_zeros(text):
    digits = text.strip()
    if not digits.isdecimal():
        return ""
    return digits.lstrip("0")


class Finder:
    """Finds owners, (student, submission's id), by a name of any kind."""

    def __init__(self, owners: Iterable[Owner]):
        self._owners = list(owners)
        self._by_kind = [{} for _ in _names_of(Student(), "")]  # name -> owners
        for owner in self._owners:
            for owners_of, names in zip(self._by_kind, _names_of(*owner)):
                for name in names - {""}:
                    owners_of.setdefault(name, []).append(owner)

    def find(self, name: str, partly: bool = False) -> list[Owner]:
        """Return the owners of a name, by the surest kind of name that finds any.

        partly: whether a part of a student's name will do if nothing else is found.
        """
        forms = [name]
        outlook = OUTLOOK.fullmatch(name)
        if outlook:
            forms += [outlook[2], outlook[1]]
        for form in forms:
            found = self._find_form(form)
            if found:
                return found
        words = set(_words_of(forms[-1]))
        if not partly or not words:
            return []
        return [owner for owner in self._owners if words <= _name_words(owner)]

    def _find_form(self, form):
        for owners_of, names in zip(self._by_kind, _names_asked(form)):
            found = []
            for name in sorted(names):
                found += owners_of.get(name, [])
            if found:
                return list(dict.fromkeys(found))
        return []

    def find_within(self, text: str) -> list[Owner]:
        """Return the owners whose sid or whole name stands among other words of a text.

        Short sids and single names are not looked for, since they may mean anything there.
        Owners of whom both are found go before all others.
        """
        words = set(_words_of(text))
        by_sid = []
        by_name = []
        for owner in self._owners:
            sid = _fold(owner[0].sid)
            name = _name_words(owner)
            if len(sid) >= MIN_SID and sid in words:
                by_sid.append(owner)
            if len(name) > 1 and name <= words:
                by_name.append(owner)
        by_both = [owner for owner in by_sid if owner in by_name]
        return by_both or list(dict.fromkeys(by_sid + by_name))

    def find_unambiguous(
        self, name: str, where: str = "", partly: bool = False
    ) -> list[Owner]:
        """Return what find() does: one student's owners, or one submission's.

        where: begins the line of the Refused that is raised for several students.
        """
        found = self.find(name, partly)
        students = {student for student, _ in found}
        submissions = {id or student for student, id in found}
        if len(students) > 1 and len(submissions) > 1:
            listed = ", ".join(describe_owner(*owner) for owner in found[:MAX_LISTED])
            raise Refused(
                f"{where}{name}: {len(submissions)} have that name; write the sid: {listed}"
            )
        return found


def _name_words(owner):
    return set(_words_of(owner[0].name))


# ---- a class list, as Gradescope, Canvas or Moodle exports it

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

    Raises Refused with one line if the file is not a class list.
    """
    rows = read_table(path, f"ROSTER={path}")
    columns = [column.casefold() for column in rows[0]] if rows else []
    present = set(columns)
    has_name = {FIRST_NAME, LAST_NAME} <= present or present.intersection(COLUMNS["name"])
    has_id = present.intersection(COLUMNS["sid"] + COLUMNS["email"])
    if not (has_name and has_id):
        raise Refused(
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
                value = _fold(getattr(student, field))
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
                matches.add(self._by_identifier.get((field, _fold(known[field]))))
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
