"""Keep the folder of a course: its settings, and books that a TA may edit."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from autograder.course.students import Course
from autograder.ground.files import replace_file
from gametree.support.errors import InputError

WRITTEN = "written.txt"  # the hash of each version of each book
OVERRIDES = "overrides.csv"  # written by hand: id, points, note
PEOPLE = "people.csv"  # proposed by the kit, confirmed by hand: submission, student
ROSTER = "roster.csv"  # the class list
SETTINGS = "settings.json"  # the deadline, and the ids of all submissions so far


class Settings(NamedTuple):
    """The stored settings of a course: the deadline, and origin -> id of submissions."""

    due: str
    ids: dict[str, str]


def read_settings(out: Path) -> Settings:
    """Return the stored settings. Raises InputError if the file is damaged."""
    path = out / SETTINGS
    if not path.exists():
        return Settings("", {})
    try:
        settings = Settings(**json.loads(path.read_bytes()))
        settings.due.strip()
        dict.fromkeys(settings.ids.values())
    except (ValueError, TypeError, AttributeError):
        raise InputError(f"{path} is damaged: delete it, and give DUE again") from None
    return settings


def store_settings(out: Path, roster: Path | None, due: str, course: Course) -> None:
    """Store the class list, the deadline and the submissions' ids for later runs."""
    if roster and roster != out / ROSTER:
        replace_file(out / ROSTER, roster.read_bytes())
    ids = read_settings(out).ids
    for submission in course.submissions:
        ids[submission.origin] = submission.id
    replace_file(out / SETTINGS, json.dumps({"due": due, "ids": ids}, indent=1))


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
