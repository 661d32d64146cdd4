"""A course's folder: who holds it, what it remembers, and whose submission lies where."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from pathlib import Path

from autograder.course import gradebook
from autograder.course.download import parse_timestamp
from autograder.course.gradebook import GRADEBOOK
from autograder.course.people import CourseError, Finder, whose
from autograder.files import private, replace_file
from autograder.sandbox.submission import SEARCH_PY

LOCK = "run.lock"  # with the pid of the run that holds the folder
DUE, ROSTER = "due.txt", "roster.csv"  # the deadline and the class list


@contextlib.contextmanager
def locked(out: Path):
    """Hold a course's folder, so that no two runs write in it. Raises CourseError.

    The lock ends with this process, whatever ends it. What is written in it is for its
    owner alone: there are grades and hidden trees in it.
    """
    import fcntl  # is not there on Windows

    with private():
        out.mkdir(parents=True, exist_ok=True)
        with open(out / LOCK, "a+", encoding="ascii") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):
                file.seek(0)
                pid = "".join(filter(str.isdigit, file.read(20))) or "unknown"
                raise CourseError(
                    f"{out} is in use by process {pid}; wait for it, or give another OUT"
                ) from None
            file.truncate(0)
            file.write(f"{os.getpid()}\n")
            file.flush()
            try:
                yield
            finally:
                file.truncate(0)


def deadline_of(text: str) -> datetime | None:
    """Return the moment that DUE says, None for no text. Raises CourseError."""
    due = parse_timestamp(text)
    if text and (due is None or due.tzinfo is None):
        raise CourseError(f"DUE={text}: write it with its offset: 2026-12-01T23:59+01:00")
    return due


def remembered(
    out: Path, roster: Path | None, due: str
) -> tuple[Path | None, str, list[str]]:
    """Return class list and deadline of a run: given, or else what the folder remembers.

    The lines say what the command does not.
    """
    lines, known = [], out / DUE
    if not due and known.exists():
        due = known.read_text()
        lines.append(f"the deadline is {due}, as before; DUE= changes it")
    if not roster and (out / ROSTER).exists():
        roster = out / ROSTER
        lines.append(f"the class list is {roster}, as before; ROSTER= changes it")
    return roster, due, lines


def remember(out: Path, roster: Path | None, due: str) -> None:
    """Keep class list and deadline for the next run."""
    if roster and roster != out / ROSTER:
        replace_file(out / ROSTER, roster.read_bytes())
    if due:
        replace_file(out / DUE, due)


def find_submission(asked: str, books: Path) -> tuple[Path, str]:
    """Return the path of a submission, and whose it is; `asked` may be a path itself.

    Who is no path is looked up in the books of the course. Raises CourseError in a line
    where nobody, or more than one, is meant.
    """
    path = Path(asked).expanduser()
    if path.exists():
        place = path.resolve() if path.is_dir() else path.resolve().parent
        own = []
        with contextlib.suppress(CourseError):  # no course, but something of that name
            own = [entry for entry in _people(place.parent) if entry[1] == place.name]
        return path, " and ".join(whose(*entry) for entry in own) or path.name
    people = _people(books)
    if not people:
        raise CourseError(
            f"{asked}: no such file or folder, and no course in {books} to look it up in; "
            "give a path, or run make grade-all first"
        )
    found = Finder(people).meant(asked, partly=True)
    if not found:
        raise CourseError(
            f"{asked}: no such file or folder, and nobody in {books / GRADEBOOK} has this "
            "sid, e-mail address, submission number or name"
        )
    last = found[-1][1]  # of a student's submissions
    path = books / last / SEARCH_PY
    if not path.is_file():
        raise CourseError(f"{asked}: nothing that could be run was handed in")
    return path, " and ".join(whose(*entry) for entry in found if entry[1] == last)


def _people(books):
    """Return (student, submission's id) of a folder's gradebook, none where it has none."""
    book = books / GRADEBOOK
    return gradebook.read(book) if book.is_file() else []
