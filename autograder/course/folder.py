"""A course's folder: its lock, its settings, and where a student's submission is."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from pathlib import Path

from autograder.course.gradebook import GRADEBOOK, read_gradebook
from autograder.course.people import CourseError, Finder, describe_owner
from autograder.course.platforms import parse_timestamp
from autograder.files import private, replace_file
from autograder.sandbox.submission import SEARCH_PY

LOCK = "run.lock"  # with the pid of the run that uses the folder
DUE = "due.txt"  # the deadline
ROSTER = "roster.csv"  # the class list
MAX_PID = 20  # characters


@contextlib.contextmanager
def lock_folder(out: Path):
    """Lock a course's folder, so that no two runs write in it. Raises CourseError.

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
                pid = "".join(filter(str.isdigit, file.read(MAX_PID))) or "unknown"
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


def parse_deadline(text: str) -> datetime | None:
    """Return the point in time that DUE says, None for no text. Raises CourseError."""
    if not text:
        return None
    deadline = parse_timestamp(text)
    if deadline is None or deadline.tzinfo is None:
        raise CourseError(f"DUE={text}: write it with its offset: 2026-12-01T23:59+01:00")
    return deadline


def load_settings(
    out: Path, roster: Path | None, due: str
) -> tuple[Path | None, str, list[str]]:
    """Return class list and deadline of a run: as given, or else as the folder stores them.

    The lines name what comes from the folder.
    """
    lines = []
    stored_due = out / DUE
    if not due and stored_due.exists():
        due = stored_due.read_text()
        lines.append(f"the deadline is {due}, as before; DUE= changes it")
    if not roster and (out / ROSTER).exists():
        roster = out / ROSTER
        lines.append(f"the class list is {roster}, as before; ROSTER= changes it")
    return roster, due, lines


def store_settings(out: Path, roster: Path | None, due: str) -> None:
    """Store class list and deadline for the next run."""
    if roster and roster != out / ROSTER:
        replace_file(out / ROSTER, roster.read_bytes())
    if due:
        replace_file(out / DUE, due)


def find_submission(name: str, books: Path) -> tuple[Path, str]:
    """Return the path of a submission, and whose it is.

    name: a path, or a name of any kind that is looked up in the gradebook of a course.
    books: the folder of the course.
    Raises CourseError in a line where no student, or more than one, matches.
    """
    path = Path(name).expanduser()
    if path.exists():
        return path, _owners_of_path(path) or path.name
    owners = _read_owners(books)
    if not owners:
        raise CourseError(
            f"{name}: no such file or folder, and no course in {books} to look it up in; "
            "give a path, or run make grade-all first"
        )
    found = Finder(owners).find_unambiguous(name, partly=True)
    if not found:
        raise CourseError(
            f"{name}: no such file or folder, and nobody in {books / GRADEBOOK} has this "
            "sid, e-mail address, submission number or name"
        )
    _, last = found[-1]  # of a student's submissions
    path = books / last / SEARCH_PY
    if not path.is_file():
        raise CourseError(f"{name}: nothing that could be run was handed in")
    return path, _describe_owners(found, last)


def _owners_of_path(path):
    """Return whose a path is, "" where it is not in the folder of a course."""
    folder = path.resolve()
    if not path.is_dir():
        folder = folder.parent
    try:
        owners = _read_owners(folder.parent)
    except CourseError:  # no course, but something of that name
        return ""
    return _describe_owners(owners, folder.name)


def _describe_owners(owners, id):
    """Return in a line whose the submission of this id is, "" where nobody has it."""
    return " and ".join(describe_owner(*owner) for owner in owners if owner[1] == id)


def _read_owners(books):
    """Return the owners in a folder's gradebook, none where it has no gradebook."""
    path = books / GRADEBOOK
    if not path.is_file():
        return []
    return read_gradebook(path)
