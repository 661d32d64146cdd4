"""Find the submission that SUBMISSION= names: a path, or a name in a class's gradebook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from autograder.course.books import GRADEBOOK
from autograder.course.entries import Entry, Finder
from autograder.course.students import Student, Submission
from autograder.ground.submission import SEARCH_PY
from autograder.ground.tables import read_records
from autograder.showing.results import RESULTS
from gametree.support.errors import InputError

BOOKS = "build/course"  # where make grade-all writes by default
# of a gradebook
COLUMNS = ("submission", "score", "graded", "name", "sid", "email")


class Upload(NamedTuple):
    """A submission that a command reads.

    path: its file or folder.
    owner: a description of its author in a gradebook, or "".
    refusal: what the student read if the upload has no program, else "".
    by_hand: the points that a TA gave to the author, or "".
    """

    path: Path
    owner: str = ""
    refusal: str = ""
    by_hand: str = ""


def find_upload(name: str, books: Path) -> Upload:
    """Return the submission that has a name.

    name: a path, or any name of a student or a submission in the gradebook of a course.
    books: the folder of the course.

    Raises InputError unless exactly one student or one submission matches.
    """
    path = Path(name).expanduser()
    if path.exists():
        return Upload(path)
    entries = []
    by_hand_of = {}  # student and id -> points by hand or ""
    for _, cells in read_records(books / GRADEBOOK, COLUMNS):
        id, score, graded, *fields = cells
        entry = Entry(Student(*fields), Submission(id, origin=id))
        entries.append(entry)
        by_hand_of[id, entry.student] = score if score != graded else ""
    found = Finder(entries).find(name)
    if not found:
        raise InputError(
            f"{name}: no such file or folder, and {books / GRADEBOOK} has no submission "
            "with such a sid, e-mail address, submission or name"
            f"{Finder(entries).suggest(name)}"
        )
    entry = found[-1]
    id = entry.submission.id
    if not id:
        raise InputError(f"{entry.label} has no submission in {books / GRADEBOOK}")
    folder = books / id
    path = folder / SEARCH_PY
    refusal = ""
    if not path.is_file():
        results = json.loads((folder / RESULTS).read_bytes())
        refusal = results["output"]
    return Upload(path, entry.label, refusal, by_hand_of[id, entry.student])
