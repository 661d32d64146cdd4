"""Students, and the rule by which a name of any kind finds them.

There is one rule, for class lists, overrides.csv, ONLY= and `make explain`: names_of() has
what finds a student, and Finder looks it up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.command import Refused

MAX_LISTED = 6  # students that an error lists
MIN_SID = 3  # characters of a sid that is found among other words


class CourseError(Refused):
    """A course that cannot be graded; str says in one line where and what to do."""


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

LETTERS = {
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "æ": "ae",
    "œ": "oe",
    "ı": "i",
    "þ": "th",
}
LETTER_TABLE = str.maketrans(LETTERS)  # of letters that no accent makes from another
# Doe, Jane <jane@example.edu>, or with what a file's name may have in place of < and >.
OUTLOOK = re.compile(r"(.*?)[<(\[_]([^<>()\[\]\s]+@[^<>()\[\]\s_]+)[>)\]_]?\s*")


def fold(text: str) -> str:
    """Return a text as names are compared: without accents, case and outer blanks."""
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    letters = [c for c in decomposed if not unicodedata.combining(c)]
    return "".join(letters).translate(LETTER_TABLE)


def words_of(name: str) -> list[str]:
    """Return the words of a name, folded."""
    return re.findall(r"[^\W_]+", fold(name))


def rotate_words(name: str) -> set[str]:
    """Return a name's letters from each of its words on: Jane Doe is also doejane."""
    words = words_of(name)
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}


def names_of(student: Student, id: str = "") -> list[set[str]]:
    """Return the names that find a student with a submission, the surest kind first.

    The kinds are: a sid; an e-mail address or the submission's id; the user's number;
    Gradescope's number of the submission, a sid without its zeros or a login; the name.
    """
    sid = fold(student.sid)
    email = fold(student.email)
    submission = fold(id)
    login = email.partition("@")[0]
    number_of_submission = submission.removeprefix("submission_")
    return [
        {sid},
        {email, submission},
        {fold(student.number)},
        {number_of_submission, _without_zeros(sid), login},
        rotate_words(student.name),
    ]


def _names_asked(name):
    """Return what a name that people write may be, of each kind of names_of()."""
    folded = fold(name)
    likely = {folded, _without_zeros(name)}
    return [{folded}, {folded}, {folded}, likely, rotate_words(name)]


def _without_zeros(text):
    digits = text.strip()
    if not digits.isdecimal():
        return ""
    return digits.lstrip("0")


class Finder:
    """Finds owners, (student, submission's id), by a name of any kind."""

    def __init__(self, owners: Iterable[Owner]):
        self._owners = list(owners)
        self._by_kind = [{} for _ in names_of(Student())]  # name -> owners, surest first
        for owner in self._owners:
            for owners_of, names in zip(self._by_kind, names_of(*owner)):
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
        words = set(words_of(forms[-1]))
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
        words = set(words_of(text))
        by_sid = []
        by_name = []
        for owner in self._owners:
            sid = fold(owner[0].sid)
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

        where: begins the line of the CourseError that is raised for several students.
        """
        found = self.find(name, partly)
        students = {student for student, _ in found}
        submissions = {id or student for student, id in found}
        if len(students) > 1 and len(submissions) > 1:
            listed = ", ".join(describe_owner(*owner) for owner in found[:MAX_LISTED])
            raise CourseError(
                f"{where}{name}: {len(submissions)} have that name; write the sid: {listed}"
            )
        return found


def _name_words(owner):
    return set(words_of(owner[0].name))
