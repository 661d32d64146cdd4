"""A course's folder: who holds it, what it remembers, and whose submission lies where."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from pathlib import Path

from autograder.course.changes import read_grades
from autograder.course.gradebook import GRADEBOOK, OVERRIDES
from autograder.course.outcome import LEDGER
from autograder.course.people import CourseError, Finder, whose
from autograder.sandbox.submission import SEARCH_PY
from autograder.utilities import replace_file

LOCK = "run.lock"  # with the pid of the run that holds the folder
MEMORY, ROSTER = "course.json", "roster.csv"


@contextlib.contextmanager
def locked(out: Path):
    """Hold a course's folder, so that no two runs write in it. Raises CourseError.

    The lock ends with this process, whatever ends it. What is written in it is for its
    owner alone: there are grades and hidden trees in it.
    """
    import fcntl  # is not there on Windows

    mask = os.umask(0o077)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with open(out / LOCK, "a+", encoding="ascii") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):
                file.seek(0)
                pid = "".join(filter(str.isdigit, file.read(20)))
                raise CourseError(
                    f"{out} is in use by process {pid or 'unknown'}; wait for it, or give "
                    "another OUT"
                ) from None
            file.truncate(0)
            file.write(f"{os.getpid()}\n")
            file.flush()
            try:
                yield
            finally:
                file.truncate(0)
    finally:
        os.umask(mask)


def moment(text):
    """Return a moment with its offset from UTC, None for no text. Raises CourseError."""
    if not text:
        return None
    with contextlib.suppress(ValueError):
        due = datetime.fromisoformat(text.replace("Z", "+00:00"))
        if due.tzinfo is not None:
            return due
    raise CourseError(f"DUE={text}: write it with its offset: 2026-12-01T23:59+01:00")


@dataclass
class Memory:
    """How a course was graded, as its folder remembers it beside roster.csv.

    `due` is the deadline as it was given, `overrides` the path of the one file of points
    by hand, "" for the folder's own. `counts` is the folder of a later grading that
    counts in place of this one, "" if this does. `downloads` maps the ids of submissions
    to the names that Canvas or Moodle gave them.
    """

    due: str = ""
    overrides: str = ""
    counts: str = ""
    downloads: dict[str, str] = field(default_factory=dict)


def recall(folder: Path) -> Memory:
    """Return the Memory of a course's folder, a new one where there is none."""
    try:
        data = json.loads((folder / MEMORY).read_bytes())
        known = {each.name for each in fields(Memory)}
        return Memory(**{name: data[name] for name in known & data.keys()})
    except (OSError, ValueError, AttributeError, TypeError):
        return Memory()


def remember(folder: Path, memory: Memory) -> None:
    """Write the Memory of a course's folder."""
    replace_file(folder / MEMORY, json.dumps(asdict(memory), indent=1) + "\n")


def counting(books: Path) -> Path:
    """Return the folder whose grades count: that of the last regrade, or `books` itself."""
    seen = {books}
    while (later := Path(recall(books).counts or books)) not in seen and later.is_dir():
        seen.add(books := later)
    return books


def begin(
    out: Path, before: Path | None, roster: Path | None, due: str
) -> tuple[Memory, Path | None]:
    """Return what holds for this run, and its class list: given, or else remembered.

    `before` is an earlier gradebook.csv.
    """
    memory, earlier = recall(out), None
    if before is not None and (before.parent / LEDGER).exists():
        earlier = recall(before.parent)
        own = str((before.parent / OVERRIDES).resolve())
        memory.overrides = earlier.overrides or own
    memory.due = due or memory.due or (earlier.due if earlier else "")
    lists = [roster, out / ROSTER, before.parent / ROSTER if earlier else None]
    given = (path for path in lists if path and (path == roster or path.exists()))
    return memory, next(given, None)


def end(out: Path, before: Path | None) -> list[str]:
    """Note which folder counts after a run; return a line that says so, if it is news."""
    if before is None:
        memory = recall(out)
        other, memory.counts = memory.counts, ""
        remember(out, memory)
        return [f"{out} counts again, and no longer {other}"] if other else []
    if not (before.parent / LEDGER).exists():
        return []
    memory = recall(before.parent)
    memory.counts = str(out.resolve())
    remember(before.parent, memory)
    return [
        f"{out} counts from now on, and no longer {before.parent}: "
        "make explain and make feedback read it"
    ]


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
            own = [entry for entry in _entries(place.parent) if entry[1] == place.name]
        return path, " and ".join(whose(*entry) for entry in own) or path.name
    books = counting(books)
    entries = _entries(books)
    if not entries:
        raise CourseError(
            f"{asked}: no such file or folder, and no course in {books} to look it up in; "
            "give a path, or run make grade-all first"
        )
    found = Finder(entries).meant(asked, partly=True)
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


def _entries(books):
    """Return (student, submission's id) of a folder's gradebook, none where it has none."""
    book = books / GRADEBOOK
    lines = read_grades(book).lines if book.is_file() else ()
    return [(line.student, line.submission) for line in lines]
