"""Stage a submission: find its one search.py, read its bytes, run nothing.

A submission is a file, a folder (search.py at its top or one folder down, as zips
from a laptop have it) or a zip of such a folder. Links are not followed.
"""

from __future__ import annotations

import errno
import os
import stat
import zipfile
from pathlib import Path

SEARCH_PY = "search.py"
MOST_BYTES = 2**20
MOST_LISTED = 6
MOST_ZIP_ENTRIES = 10_000
IGNORED = {"__MACOSX", ".DS_Store", "__pycache__", ".git", ".venv"}


class NotGradable(Exception):
    """The submission holds no search.py that could be run; str says why in a line."""


def stage(path: str | os.PathLike) -> bytes:
    """Return the bytes of the submission's search.py.

    Raises NotGradable where the student is to change something, and
    FileNotFoundError where there is nothing at `path` at all.
    """
    path = Path(path)
    if path.is_dir():
        return _from_folder(path)
    if not path.exists():
        todo = "no such file or folder; give SUBMISSION=path"
        raise FileNotFoundError(errno.ENOENT, todo, str(path))
    if path.suffix.lower() == ".zip":
        return _from_zip(path)
    return _read(path)


def _read(path):
    name = printable(path.name)
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if path.is_symlink():
            raise NotGradable(f"{name} is a link; submit the file itself")
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise NotGradable(f"{name} is not a regular file; submit a file")
            if status.st_size > MOST_BYTES:
                raise NotGradable(_too_large(name, status.st_size))
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise NotGradable(f"{name} cannot be read: {error.strerror}") from None


def _too_large(name, size):
    return f"{name} has {size:,} bytes; at most {MOST_BYTES:,} are graded"


def _choose(names):
    """Return the name of the search.py to grade among a submission's file names."""
    names = sorted(n for n in names if not IGNORED & set(n.split("/")))
    if SEARCH_PY in names:
        return SEARCH_PY
    below = [n for n in names if n.count("/") == 1 and n.endswith("/" + SEARCH_PY)]
    if len(below) == 1:
        return below[0]
    listed = ", ".join(map(printable, (below or names)[:MOST_LISTED]))
    if below:
        raise NotGradable(f"more than one {SEARCH_PY} in the submission: {listed}")
    if len(names) > MOST_LISTED:
        listed += f" and {len(names) - MOST_LISTED} more"
    raise NotGradable(f"no {SEARCH_PY} in the submission; found: {listed or 'nothing'}")


def printable(name: str) -> str:
    """Return a file name that is safe to print: one line, no control characters."""
    return "".join(c if c.isprintable() else "?" for c in name[:60])


def _from_folder(folder):
    names = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name in IGNORED:
            continue
        if entry.name == SEARCH_PY and entry.is_dir(follow_symlinks=False):
            raise NotGradable(f"{SEARCH_PY} is a folder; submit a file of that name")
        if entry.is_dir(follow_symlinks=False):
            names += [f"{entry.name}/{inner.name}" for inner in os.scandir(entry.path)]
        else:
            names.append(entry.name)
    return _read(folder / _choose(names))


def _from_zip(path):
    try:
        with zipfile.ZipFile(path) as archive:
            entries = {e.filename: e for e in archive.infolist() if not e.is_dir()}
            if len(entries) > MOST_ZIP_ENTRIES:
                raise NotGradable(f"{path.name} holds {len(entries):,} files; submit one")
            entry = entries[_choose(entries)]
            if stat.S_ISLNK(entry.external_attr >> 16):
                raise NotGradable(
                    f"{printable(entry.filename)} is a link; submit the file itself"
                )
            with archive.open(entry) as file:
                source = file.read(MOST_BYTES + 1)
    except NotGradable:
        raise
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError,
            EOFError) as error:  # fmt: skip
        raise NotGradable(f"{path.name} is no readable zip file: {error}") from None
    except Exception as error:  # zlib.error and friends: a damaged member
        raise NotGradable(f"{path.name} is damaged: {error}") from None
    if len(source) > MOST_BYTES:
        raise NotGradable(_too_large(SEARCH_PY, entry.file_size))
    return source
