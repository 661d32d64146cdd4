"""Find a submission by what a mail says: a sid, an address, a number, a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from autograder.command import Refused
from autograder.course.export import Student
from autograder.course.gradebook import GRADEBOOK, read_grades
from autograder.sandbox.submission import SEARCH_PY

MOST_LISTED = 6
NUMBERED = re.compile(r"submission_(\d+)")  # as Gradescope names folders

Entry = tuple[Student, str]  # and the submission's id


def named(asked: str, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that `asked` names, by the first of these that finds any.

    A sid, an e-mail address or a submission's id; Gradescope's number of it; a name; a
    part of a name.
    """
    entries, asked = list(entries), asked.strip().casefold()

    def is_exact(student, id):
        return asked in (student.sid.casefold(), student.email.casefold(), id.casefold())

    def is_numbered(_, id):
        number = NUMBERED.fullmatch(id)
        return number is not None and number[1] == asked

    def is_named(student, _):
        return asked == student.name.casefold()

    def is_partly_named(student, _):
        words = asked.split()
        return bool(words) and set(words) <= set(student.name.casefold().split())

    for fits in (is_exact, is_numbered, is_named, is_partly_named):
        found = [entry for entry in entries if asked and fits(*entry)]
        if found:
            return found
    return []


def who_of(student: Student, id: str) -> str:
    """Return whose submission it is, in a line: name, sid and id."""
    return " ".join(filter(None, (student.name, student.sid))) + f" ({id})"


def find_submission(asked: str, books: Path) -> tuple[Path, str]:
    """Return the path of a submission, and whose it is; `asked` may be a path itself.

    Who is no path is looked up in the books of the last course. Raises Refused in a
    line where nobody, or more than one, is meant.
    """
    path = Path(asked).expanduser()
    if path.exists():
        return path, path.name
    book = books / GRADEBOOK
    if not book.is_file():
        raise Refused(
            f"{asked}: no such file or folder, and no course in {books} to look it up in; "
            "give a path, or run make grade-all first"
        )
    entries = [(line.student, line.submission) for line in read_grades(book).lines]
    found = named(asked, entries)
    ids = list(dict.fromkeys(id for _, id in found))
    if not ids:
        raise Refused(
            f"{asked}: no such file or folder, and nobody in {book} has this sid, e-mail "
            "address, submission number or name"
        )
    if len(ids) > 1:
        listed = ", ".join(who_of(*entry) for entry in found[:MOST_LISTED])
        raise Refused(f"{asked}: {len(ids)} submissions are of that name: {listed}")
    [id] = ids
    path = books / id / SEARCH_PY
    if not path.is_file():
        raise Refused(f"{asked}: {id} holds nothing that could be run; see {book}")
    people = " and ".join(who_of(student, id) for student, _ in found)
    return path, people
