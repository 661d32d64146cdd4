"""Name the files of the kit on which a grade depends, and hash their content."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The files and folders on which each grade depends.
PLACES = (
    "autograder",
    "starter/gametree",
    "trees/public",
    "trees/hidden",
    "solution/search.py",
    "solution/correct",
    "solution/mistakes",
)
# No grade depends on these, so an edit here does not require grading again.
APART = ("autograder/workbench", "autograder/course", "autograder/batch.py")
SKIPPED = {"__pycache__", ".pytest_cache", ".DS_Store", ".ruff_cache"}
HASHED = (".py", ".yaml", ".txt")  # the other files are scripts and styles of pages


def content_hash(root: Path = ROOT) -> str:
    """Return a hash of all programs, trees and texts on which a grade depends."""
    digest = hashlib.sha256()
    for name in grading_files(root):
        if name.endswith(HASHED):
            with open(f"{root}/{name}", "rb") as file:
                content = hashlib.sha256(file.read()).digest()
            digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()


def grading_files(root: Path = ROOT) -> Iterator[str]:
    """Yield the paths of the files that a grading needs, relative to the root.

    These are the trees, the reference, the known mistakes, starter/gametree, and
    autograder/ without the instructors' commands and the course's pages.
    """
    for place in PLACES:
        yield from sorted(_files(root, place))


def _files(root, place):
    """Yield the paths of the files at or below a place, relative to the root."""
    try:
        entries = list(os.scandir(f"{root}/{place}"))
    except NotADirectoryError:
        yield place
        return
    except FileNotFoundError:
        return
    for entry in entries:
        name = f"{place}/{entry.name}"
        if name in APART or entry.name in SKIPPED:
            continue
        if entry.is_dir():
            yield from _files(root, name)
        else:
            yield name
