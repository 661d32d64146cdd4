"""Represent students, their submissions and matches, and find students by name.

overrides.csv, people.csv, ONLY= and `make explain` share one rule: Owner.names lists the
names of a student, and find_owners() compares them. matching.py has a stricter rule for the
names in a download.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from autograder.ground.files import load_data
from autograder.ground.plaintext import sanitize
from gametree.support.errors import InputError

MAX_LISTED = 6  # students that an error lists
IDENTIFIERS = ("sid", "email", "canvas", "moodle", "login")  # the most reliable first


@dataclass(frozen=True)
class Student:
    """A student; unknown fields are "".

    name: the name, as written by the platform or the class list.
    sid: the student id at the university.
    email: the e-mail address.
    section: the section of the course.
    login: the login at the university.
    canvas: the user's number on Canvas.
    moodle: the participant's number on Moodle.
    """

    name: str = ""
    sid: str = ""
    email: str = ""
    section: str = ""
    login: str = ""
    canvas: str = ""
    moodle: str = ""

    @property
    def identifiers(self) -> list[tuple[str, str]]:
        """The kind and the folded text of each known identifier, in that order."""
        folded = {kind: fold(getattr(self, kind)) for kind in IDENTIFIERS}
        folded["sid"] = fold_sid(self.sid)
        return [(kind, text) for kind, text in folded.items() if text]

    @property
    def handle(self) -> str:
        """The identifier or name by which people.csv names this student."""
        return self.sid or self.email or self.login or self.name

    @property
    def label(self) -> str:
        """The name and sid in a line, or another identifier if both are unknown."""
        known = " ".join(filter(None, (self.name, self.sid)))
        return known or self.email or self.login or self.canvas or self.moodle


@dataclass(frozen=True)
class Match:
    """An author of a submission, and the evidence of which student this is.

    student: all that is known about the author. Fields of the class list are added only if
        the match is certain.
    is_certain: whether the points may be given to the student.
    evidence: the kinds of evidence, in words; "" without evidence.
    candidates: the students of the class list that the evidence names.
    why: the reason why a match with a class list is not certain, else "".
    """

    student: Student = Student()
    is_certain: bool = False
    evidence: str = ""
    candidates: tuple[Student, ...] = ()
    why: str = ""

    @property
    def is_proposal(self) -> bool:
        """Whether a TA has to decide between students of the class list."""
        return bool(self.candidates) and not self.is_certain

    @property
    def kind(self) -> str:
        """The kind of match in one word, for matches.csv."""
        if self.is_certain:
            return "certain"
        return "proposal" if self.candidates else "none"


@dataclass(frozen=True)
class Submission:
    """A submission of one student or of a group.

    id: its unique name, which is safe as a folder's name.
    matches: a Match for each author; several for a group.
    source: the bytes of search.py, None if there is no program to run.
    refusal: a line that says why there is no program to run, else "".
    note: a line for the TA.
    upload_note: a line for the student about the file, as in Staged.
    report: the name, without .html, under which the platform accepts a report; "" if the
        download is not a platform's.
    files: the names of its files or folders in the download.
    """

    id: str
    matches: tuple[Match, ...] = (Match(),)
    source: bytes | None = None
    refusal: str = ""
    note: str = ""
    upload_note: str = ""
    report: str = ""
    files: tuple[str, ...] = ()

    def key(self, kit: str) -> str:
        """Return a hash of the kit's key, and of search.py or the refusal."""
        content = repr((kit, self.source, self.refusal))
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()

    @property
    def label(self) -> str:
        """A line with the students' labels and the id."""
        labels = [match.student.label for match in self.matches]
        return " \u00b7 ".join(filter(None, [*labels, self.id]))


@dataclass(frozen=True)
class Course:
    """All submissions of a course.

    submissions: the submissions, in a fixed order.
    remarks: lines about problems with the download.
    absent: the students of the class list without a certain submission.
    """

    submissions: tuple[Submission, ...]
    remarks: tuple[str, ...] = ()
    absent: tuple[Student, ...] = ()

    @property
    def owners(self) -> list[Owner]:
        """An Owner for each author of each submission, and then for each absent student."""
        owners = []
        for submission in self.submissions:
            owners += [Owner(match.student, submission.id) for match in submission.matches]
        return owners + [Owner(student, "") for student in self.absent]


def join_lines(*lines: str) -> str:
    """Join the lines that are not empty into one line."""
    return "; ".join(filter(None, lines))


# ---- names

JOINERS = str.maketrans("", "", "\u200c\u200d")  # invisible; used in Persian


def clean_line(text: str) -> str:
    """Return an untrusted name as one printable line with single spaces."""
    return " ".join(sanitize(text.translate(JOINERS)).split())


@cache
def _plain_letters():
    """Return the code of each letter that accents do not explain -> plain letters."""
    return str.maketrans(load_data("letters.yaml", __file__))


@lru_cache(maxsize=2**16)
def fold(text: str) -> str:
    """Remove accents, case and outer blanks from a text, for comparing names."""
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    letters = [c for c in decomposed if not unicodedata.combining(c)]
    return "".join(letters).translate(_plain_letters())


def fold_sid(text: str) -> str:
    """Fold a sid, without leading zeros, because spreadsheets remove them."""
    return fold(text).lstrip("0")


def words_of(name: str) -> list[str]:
    """Return the folded words of a name."""
    return re.findall(r"[^\W_]+", fold(name))


def rotate_words(name: str) -> set[str]:
    """Return all rotations of a name's words, joined: Jane Doe gives janedoe, doejane."""
    words = words_of(name)
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}


def drop_shared(owners: Sequence[Owner]) -> tuple[list[Student], list[str]]:
    """Return the students without identifiers that several owners have, and remarks."""
    sharing = defaultdict(list)
    for owner in owners:
        for identifier in owner.student.identifiers:
            sharing[identifier].append(owner.label)
    lines = []
    for (kind, text), labels in sharing.items():
        if len(labels) > 1:
            who = " and ".join(labels)
            lines.append(f"{who} have the same {kind} ({text}), so it identifies neither")
    separated = []
    for owner in owners:
        shared = {}
        for kind, text in owner.student.identifiers:
            if len(sharing[kind, text]) > 1:
                shared[kind] = ""
        separated.append(replace(owner.student, **shared))
    return separated, lines


@dataclass(frozen=True)
class Owner:
    """A student with one submission or none.

    student: the student.
    id: the submission's id, or "".
    """

    student: Student
    id: str

    @property
    def label(self) -> str:
        """A line with the name, the sid and the submission's id."""
        id = f"({self.id})" if self.id else ""
        return f"{self.student.label} {id}".strip()

    @cached_property
    def names(self) -> list[set[str]]:
        """A set of folded names for each kind of name, the most reliable kind first.

        The kinds are the sid; the e-mail address and the submission's id; and a last kind:
        Gradescope's number of the submission, the login and the student's name.
        """
        email = fold(self.student.email)
        submission = fold(self.id)
        likely = rotate_words(self.student.name)
        likely.add(submission.removeprefix("submission_"))
        likely |= {fold(self.student.login), email.partition("@")[0]}
        return [{fold_sid(self.student.sid)}, {email, submission}, likely]


def find_owners(name: str, owners: Iterable[Owner], where: str = "") -> list[Owner]:
    """Return the owners of a name, by the most reliable kind of name that matches.

    They share a submission.

    where: the beginning of the error message.

    Raises InputError if several students match.
    """
    text = fold(name)
    asked_of_kind = [{fold_sid(name)}, {text}, {text, *rotate_words(name)}]
    found = []
    for kind, asked in enumerate(asked_of_kind):
        asked.discard("")
        found = found or [owner for owner in owners if owner.names[kind] & asked]
    submissions = {owner.id or owner.student for owner in found}
    if len(submissions) > 1:
        listed = ", ".join(owner.label for owner in found[:MAX_LISTED])
        raise InputError(
            f"{where}{name}: {len(submissions)} have this name; write the sid: {listed}"
        )
    return found
