"""Keep the folder of a course: the ids of submissions, and books that a TA may edit."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from autograder.course.students import Course
from autograder.ground.files import replace_file
from gametree.support.errors import InputError

WRITTEN = "written.txt"  # the hash of each version of each book
OVERRIDES = "overrides.csv"  # written by hand: id, points, note
PEOPLE = "people.csv"  # proposed by the kit, confirmed by hand: submission, student
ROSTER = "roster.csv"  # the class list
IDS = "ids.json"  # origin -> id of all submissions so far


def read_ids(out: Path) -> dict[str, str]:
    """Return origin -> id of earlier runs. Raises InputError if the file is damaged."""
    path = out / IDS
    if not path.exists():
        return {}
    try:
        ids = json.loads(path.read_bytes())
        dict.fromkeys(ids.values())
    except (ValueError, TypeError, AttributeError):
        raise InputError(f"{path} is damaged: delete it") from None
    return ids


def store_course(out: Path, roster: Path | None, course: Course) -> None:
    """Store the class list and the submissions' ids for later runs."""
    if roster and roster != out / ROSTER:
        replace_file(out / ROSTER, roster.read_bytes())
    ids = read_ids(out)
    for submission in course.submissions:
        ids[submission.origin] = submission.id
    replace_file(out / IDS, json.dumps(ids, indent=1))


# ---- books


def write_book(path: Path, text: str) -> list[str]:
    """Write a CSV file that a TA may edit; return lines about a copy of the old file.

    An old file that has another content than the kit wrote is copied first.
    """
    content = text.encode("utf-8", "backslashreplace")
    record = path.with_name(WRITTEN)
    written = []
    if record.exists():
        written = record.read_text(encoding="ascii", errors="replace").split()
    lines = []
    if path.exists():
        old = path.read_bytes()
        if _hash(old) not in written:
            copy = _unused_path(path)
            replace_file(copy, old)
            lines.append(
                f"{path} is not as the kit wrote it and is saved as {copy.name}; every run "
                f"applies {OVERRIDES} (id, points, note) and {PEOPLE}"
            )
    # Write the record first: a run that is killed in between has recorded both versions.
    replace_file(record, "\n".join(dict.fromkeys([*written, _hash(content)])))
    replace_file(path, content)
    return lines


def _unused_path(path):
    """Return an unused path for a copy of a book."""
    number = 1
    while (copy := path.with_name(f"{path.stem}-edited-{number}.csv")).exists():
        number += 1
    return copy


def _hash(content):
    return hashlib.sha256(content).hexdigest()
