"""Name the files of the kit on which a grade depends, and hash their content."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from autograder import VERSION
from autograder.ground.files import ROOT

# The hidden trees of the course, and those that the kit ships. No version of the kit has a
# file in the first folder, so an update changes no tree of a course.
OWN, EXAMPLE = "trees/hidden", "trees/example"
EXAMPLE_NOTE = f"the hidden trees are the published set in {EXAMPLE}: run make trees"
# The files and folders on which each grade depends, besides the hidden trees.
PLACES = (
    "autograder",
    "starter/gametree",
    "trees/public",
    "solution/search.py",
    "solution/correct",
    "solution/mistakes",
)
# No grade depends on these, so an edit here does not require grading again.
APART = (
    "autograder/workbench",
    "autograder/course",
    "autograder/batch.py",
    "autograder/setup.sh",
    "autograder/run_autograder",
)
RUBRIC = "autograder/rubric.yaml"
TITLE = re.compile(rb"(?m)^title:.*\n?")  # a line of the rubric
SKIPPED = {"__pycache__", ".pytest_cache", ".DS_Store", ".ruff_cache", ".venv"}
SCRIPTS = ("setup.sh", "run_autograder")  # Gradescope runs these, at the root of its zip
IDENTITY = "kit.txt"  # in both zips of make dist; see describe_kit()
PROVED = ("autograder", "starter", "solution", "trees")  # the folders that make check reads


def read_file(root: Path, name: str) -> bytes:
    """Return the content of a text file with plain line ends, whatever the checkout has."""
    with open(f"{root}/{name}", "rb", buffering=0) as file:
        return file.read().replace(b"\r\n", b"\n")


def content_hash(root: Path = ROOT) -> str:
    """Return a hash of all files that a grading needs."""
    return _hash(root, grading_files(root))


def grades_hash(root: Path) -> str:
    """Return a hash of what a grade depends on, so not of the assignment's title."""
    return _hash(root, grading_files(root), TITLE)


def proof_hash(root: Path) -> str:
    """Return a hash of all files that make check may read."""
    return _hash(root, files_in(root, PROVED))


def grading_files(root: Path) -> Iterator[str]:
    """Yield the paths of the files that a grading needs, relative to the root.

    These are the trees, the reference, the known mistakes, starter/gametree, and
    autograder/ without the instructors' commands and the course's pages.
    """
    return files_in(root, (*PLACES, hidden_folder(root)), APART)


def hidden_folder(root: Path) -> str:
    """Return the folder of the hidden trees that are graded, relative to the root.

    It is the course's own as soon as it contains a file, even if that is not a tree file.
    """
    own = root / OWN
    names = os.listdir(own) if own.is_dir() else []
    return OWN if any(not name.startswith(".") for name in names) else EXAMPLE


def note_on_trees(root: Path) -> str:
    """Return a line that the hidden trees are those of the kit, "" for a course's own."""
    return EXAMPLE_NOTE if hidden_folder(root) == EXAMPLE else ""


def describe_kit(key: str) -> str:
    """Return a line that identifies a kit, given the hash of its files."""
    return f"kit {VERSION}, {key[:16]}"


def autograder_files(root: Path = ROOT) -> dict[str, bytes]:
    """Return archive name -> content of the files that Gradescope needs."""
    files = {name: read_file(root, name) for name in grading_files(root)}
    files[IDENTITY] = f"{describe_kit(content_hash(root))}\n".encode()
    for script in SCRIPTS:
        files[script] = read_file(root, f"autograder/{script}")
    return files


def files_in(
    root: Path, places: Iterable[str], apart: Collection[str] = ()
) -> Iterator[str]:
    """Yield the paths of the files at or below the places, relative to the root.

    Caches and virtual environments are skipped.

    apart: the paths of files and folders that are skipped too.
    """
    for place in places:
        yield from sorted(_files(root, place, apart))


def _hash(root, names, ignored=None):
    """Return a hash of the names and contents of files.

    ignored: a pattern of a line of rubric.yaml that does not count.
    """
    digest = hashlib.sha256()
    for name in names:
        text = read_file(root, name)
        if ignored and name == RUBRIC:
            text = ignored.sub(b"", text)
        digest.update(name.encode() + b"\0" + hashlib.sha256(text).digest())
    return digest.hexdigest()


def _files(root, place, apart):
    try:
        entries = list(os.scandir(f"{root}/{place}"))
    except NotADirectoryError:
        yield place
        return
    except FileNotFoundError:
        return
    for entry in entries:
        name = f"{place}/{entry.name}"
        if name in apart or entry.name in SKIPPED:
            continue
        if entry.is_dir():
            yield from _files(root, name, apart)
        else:
            yield name
