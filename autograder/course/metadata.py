"""Read who submitted what from Gradescope's submission_metadata.yml.

The file holds every result that every student ever got, which is why loading it
takes a minute. Only the submitters are wanted, so only their lines are parsed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

NAME = "submission_metadata.yml"
WANTED = ":submitters"
EMPTY = ("", "~", "null")  # how YAML writes that there is no sid
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays a string


class CourseError(Exception):
    """A course that cannot be read; str says in one line where and what to do."""


@dataclass(frozen=True)
class Student:
    """Who handed in: name, sid and email, each a string and each perhaps empty."""

    name: str = ""
    sid: str = ""
    email: str = ""

    @property
    def key(self):
        """What tells this student from all others: sid, else email, else nothing."""
        return self.sid or self.email


def read_metadata(path):
    """Return folder name -> tuple of its Students, in the file's order.

    Raises CourseError with file and line where it is not what Gradescope writes.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: cannot be read: {error}") from None
    kept = list(only_submitters(lines))
    try:
        data = yaml.load("\n".join(text for _, text in kept), Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = kept[min(mark.line, len(kept) - 1)][0] if mark and kept else 1
        reason = getattr(error, "problem", None) or "not YAML"
        raise CourseError(f"{path}:{line}: {reason}; export it again") from None
    if not isinstance(data, dict):
        raise CourseError(f"{path}: lists no submission; export it again")
    return {str(folder): _students(entry) for folder, entry in data.items()}


def only_submitters(lines):
    """Yield (line number, line) of the folder names and their submitters' blocks.

    Works on the text. The keys of a submission stand as deep as its first one; what
    looks like a key further in is somebody's text. A block goes on while lines are
    deeper than its key, or are items of a list at the key's own depth.
    """
    key_depth = None  # of the keys of the present submission
    inside = False
    for number, line in enumerate(lines, start=1):
        bare = line.lstrip(" ")
        depth = len(line) - len(bare)
        if not bare:
            continue
        if depth == 0 and not bare.startswith(("---", "...", "#", "- ")):
            key_depth, inside = None, False
            yield number, line
            continue
        key_depth = depth if key_depth is None else key_depth
        if depth == key_depth and not bare.startswith("- "):
            inside = bare.startswith(WANTED + ":")
        if inside:
            yield number, line


def _students(entry):
    found = entry.get(WANTED) if isinstance(entry, dict) else None
    if not isinstance(found, list):
        return ()
    return tuple(_student(one) for one in found if isinstance(one, dict))


def _student(fields):
    return Student(*(_text(fields.get(key)) for key in (":name", ":sid", ":email")))


def _text(value):
    if not isinstance(value, str) or value in EMPTY:
        return ""
    return re.sub(r"\s+", " ", value).strip()
