"""Represent the submissions of a course, and give each a folder for its results."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from autograder.course.people import Owner, Student
from autograder.plaintext import sanitize


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
    sheet: the bytes of byhand.yaml, or a line that says why it cannot be read.
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
    sheet: bytes | str = ""
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
        """The hash of search.py, or of the refusal, and of byhand.yaml."""
        content = repr((self.source, self.refusal, self.sheet))
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()

    @property
    def ids(self) -> tuple[str, ...] | None:
        """The sids and e-mail addresses of its students, None if all are unknown."""
        known = []
        for student in self.students:
            known += [student.sid, student.email]
        return tuple(filter(None, known)) or None

    @property
    def label(self) -> str:
        """A line with the students' labels and the id."""
        labels = [student.label for student in self.students]
        return " \u00b7 ".join(filter(None, [*labels, self.id]))

    @property
    def owners(self) -> list[Owner]:
        """An Owner for each student."""
        return [Owner(student, self.id) for student in self.students]

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
