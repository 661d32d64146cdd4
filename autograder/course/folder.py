"""A course's folder: who holds it, what it remembers, and whose submission lies where."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from autograder.course import gradebook
from autograder.course.download import moment
from autograder.course.gradebook import GRADEBOOK, OVERRIDES
from autograder.course.outcome import keep, recalled
from autograder.course.people import CourseError, Finder, whose
from autograder.sandbox.submission import SEARCH_PY
from autograder.utilities import private

LOCK = "run.lock"  # with the pid of the run that holds the folder
MEMORY, ROSTER = "course.json", "roster.csv"


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
    due = moment(text)
    if text and (due is None or due.tzinfo is None):
        raise CourseError(f"DUE={text}: write it with its offset: 2026-12-01T23:59+01:00")
    return due


@dataclass
class Memory:
    """How a course was graded, as its folder remembers it beside roster.csv.

    `due` is the deadline as it was given, `overrides` the path of the one file of points
    by hand, "" for the folder's own. `counts` is the folder of a later grading that
    counts in place of this one, "" if this does. `reports` maps the ids of submissions
    to the names under which Canvas or Moodle take a report back.
    """

    due: str = ""
    overrides: str = ""
    counts: str = ""
    reports: dict[str, str] = field(default_factory=dict)


def recall(folder: Path) -> Memory:
    """Return the Memory of a course's folder, a new one where there is none."""
    return recalled(Memory, folder / MEMORY) or Memory()


def remember(folder: Path, memory: Memory) -> None:
    """Write the Memory of a course's folder."""
    keep(folder / MEMORY, memory)


def counting(books: Path) -> Path:
    """Return the folder whose grades count: that of the last regrade, or `books` itself."""
    seen = {books}
    while (later := Path(recall(books).counts or books)) not in seen and later.is_dir():
        seen.add(books := later)
    return books


def begin(
    out: Path, before: Path | None, roster: Path | None, due: str
) -> tuple[Memory, Path | None, list[str]]:
    """Return what holds for a run and its class list: given, or else remembered.

    `before` is an earlier gradebook.csv. The lines say what the command does not.
    """
    memory, earlier, lines = recall(out), Memory(), []
    lists = [out / ROSTER]
    if before is not None and (before.parent / MEMORY).exists():
        earlier = recall(before.parent)
        own = str((before.parent / OVERRIDES).resolve())
        memory.overrides = earlier.overrides or own
        lists.append(before.parent / ROSTER)
    memory.due = due or memory.due or earlier.due
    found = roster or next((path for path in lists if path.exists()), None)
    if memory.due and not due:
        lines.append(f"the deadline is {memory.due}, as before; DUE= changes it")
    if found and not roster:
        lines.append(f"the class list is {found}, as before; ROSTER= changes it")
    if memory.overrides and (own := out / OVERRIDES).exists():
        lines.append(f"{own} is not read: points by hand are in {memory.overrides}")
    return memory, found, lines


def end(out: Path, before: Path | None) -> list[str]:
    """Note which folder counts after a run; return a line that says so, if it is news."""
    place = before.parent if before else out
    if not (place / MEMORY).exists():
        return []
    memory = recall(place)
    other, memory.counts = memory.counts, str(out.resolve()) if before else ""
    remember(place, memory)
    if before:
        return [
            f"{out} counts from now on, and no longer {place}: "
            "make explain and make feedback read it"
        ]
    return [f"{out} counts again, and no longer {other}"] if other else []


def find_submission(asked: str, books: Path) -> tuple[Path, str]:
    """Return the path of a submission, and whose it is; `asked` may be a path itself.

    Who is no path is looked up in the books of the course that count. Raises CourseError
    in a line where nobody, or more than one, is meant.
    """
    path = Path(asked).expanduser()
    if path.exists():
        place = path.resolve() if path.is_dir() else path.resolve().parent
        own = []
        with contextlib.suppress(CourseError):  # no course, but something of that name
            own = [entry for entry in _people(place.parent) if entry[1] == place.name]
        return path, " and ".join(whose(*entry) for entry in own) or path.name
    books = counting(books)
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
    entries = gradebook.read(book) if book.is_file() else ()
    return [(entry.student, entry.outcome.id) for entry in entries]
