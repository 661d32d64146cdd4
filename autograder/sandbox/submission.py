"""Stage a submission: find its one search.py, read its bytes, run nothing.

A submission is a file, a folder (search.py at its top or one folder down, as zips
from a laptop have it) or a zip of such a folder. Links are not followed. Nothing is
unpacked: of a zip, search.py is read and the other names are looked at.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from autograder.plaintext import MOST_OF_A_NAME, printable
from gametree.saying import say

if TYPE_CHECKING:  # few submissions are zips
    import zipfile

SEARCH_PY, BYHAND_YAML = "search.py", "byhand.yaml"
MOST_BYTES = 2**20
MOST_OF = {SEARCH_PY: MOST_BYTES, BYHAND_YAML: 2**16}
MOST_LISTED = 6
MOST_LIST_BYTES = 2**22  # of what a zip says that it holds, which is read at once
PACKED = (0, 8)  # not at all, and by deflate; others unpack without a bound
IGNORED = {"__MACOSX", ".DS_Store", "__pycache__", ".git", ".venv"}


class NotGradable(Exception):
    """The submission holds no search.py that could be run; str says why in a line."""


class Staged(NamedTuple):
    """The bytes to run, and what the file that they come from is called."""

    source: bytes
    name: str


# What people and their systems make of the name: Search.py, search (1).py, search.py.txt
NEAR = re.compile(
    r"search(?:[ _-]*(?:\(\d+\)|\d+|copy|kopie|final|updated))*\.py(?:\.txt)?",
    re.IGNORECASE,
)


def stage(path: str | os.PathLike, wanted: str = SEARCH_PY, near: bool = False) -> bytes:
    """Return the bytes of the submission's search.py, or of its other file `wanted`.

    Where `near`, a file whose name is NEAR does where it is the only one. Raises
    NotGradable where the student is to change something, and FileNotFoundError where
    there is nothing at `path` at all.
    """
    return stage_named(Path(path), wanted, near).source


def stage_named(path: Path, wanted: str = SEARCH_PY, near: bool = False) -> Staged:
    """Return what stage() returns, with the file's name."""
    if path.is_dir():
        return _from_folder(path, wanted, near)
    if not path.exists() and not path.is_symlink():
        todo = "no such file or folder; give SUBMISSION=path"
        raise FileNotFoundError(errno.ENOENT, todo, str(path))
    with regular(path) as file:
        return stage_file(file, path.name, wanted, near)


def stage_file(
    file: BinaryIO, name: str, wanted: str = SEARCH_PY, near: bool = False
) -> Staged:
    """Return the search.py of an open file: of a zip by its name, else itself.

    What is `wanted` instead is never a file of another name.
    """
    if name.lower().endswith(".zip"):
        with open_zip(file, name) as archive:
            entries = {entry.filename: entry for entry in archive.infolist()}
            return stage_entries(archive, entries, wanted, near)
    if wanted != SEARCH_PY:
        choose([name], wanted)
    return Staged(_content(file, name, MOST_OF[wanted]), name)


def _content(file, name, most):
    content = file.read(most + 1)
    if len(content) > most:
        raise _too_large(name, file.seek(0, os.SEEK_END), most)
    return content


def stage_entries(
    archive: zipfile.ZipFile,
    entries: Mapping[str, zipfile.ZipInfo],
    wanted: str = SEARCH_PY,
    near: bool = False,
) -> Staged:
    """Return the search.py among entries, by their names in the submission."""
    entries = {name: entry for name, entry in entries.items() if not entry.is_dir()}
    name = choose(entries, wanted, near)
    return Staged(read_entry(archive, entries[name], MOST_OF[wanted]), name)


def read_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int = MOST_BYTES
) -> bytes:
    """Return what a zip's entry holds, at most `most` bytes. Raises NotGradable."""
    name, kind = _shown(entry.filename), stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise NotGradable(say("refusal.link", name=name))
    if kind not in (0, stat.S_IFREG):
        raise NotGradable(say("refusal.no file", name=name))
    if entry.compress_type not in PACKED:
        raise NotGradable(say("refusal.packing", name=name))
    try:
        with archive.open(entry) as file:
            content = file.read(most + 1)
    except RuntimeError:
        raise NotGradable(say("refusal.encrypted", name=name)) from None
    except Exception:  # BadZipFile, zlib.error, EOFError and more
        raise NotGradable(say("refusal.damaged", name=name)) from None
    if len(content) > most:
        raise _too_large(entry.filename, max(entry.file_size, len(content)), most)
    return content


@contextlib.contextmanager
def regular(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file to be read: no link, and no pipe, which would hang.

    Raises NotGradable for all else.
    """
    name = _shown(path.name)
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if path.is_symlink():
            raise NotGradable(say("refusal.link", name=name))
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError as error:
        why = say("refusal.unreadable", name=name, reason=error.strerror)
        raise NotGradable(why) from None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotGradable(say("refusal.no file", name=name))
        yield file


@contextlib.contextmanager
def open_zip(
    file: BinaryIO, name: str, most_list_bytes: int = MOST_LIST_BYTES
) -> Iterator[zipfile.ZipFile]:
    """Open a zip that is in `file`. Raises NotGradable where it is none."""
    import zipfile

    try:
        archive = zipfile.ZipFile(_Bounded(file, most_list_bytes))
    except _TooLong:
        raise NotGradable(say("refusal.too many", name=_shown(name))) from None
    except Exception as error:  # BadZipFile, struct.error and more
        reason = printable(str(error))
        why = say("refusal.no zip", name=_shown(name), reason=reason)
        raise NotGradable(why) from None
    with archive:
        yield archive


class _TooLong(Exception):
    """A zip wants more read at once than anything but a flood of entries needs."""


class _Bounded:
    """A file as zipfile reads it: its list of entries in one piece, which is bounded.

    A name in that list which is marked as UTF-8 and is not would have zipfile refuse
    all of them; it loses the mark here, and is read as code page 437.
    """

    def __init__(self, file, most):
        self._file, self._most = file, most
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size=-1):
        if size > self._most:
            raise _TooLong
        content = self._file.read(size)
        return _unmarked(content) if content.startswith(LISTED) else content


LISTED = b"PK\1\2"  # begins each entry of the list
UTF_8 = 0x08  # in the second byte of its flags


def _unmarked(content):
    at, changed = 0, bytearray(content)
    while content.startswith(LISTED, at):
        name, extra, comment = (
            int.from_bytes(content[at + n : at + n + 2], "little") for n in (28, 30, 32)
        )
        try:
            content[at + 46 : at + 46 + name].decode("utf-8")
        except UnicodeDecodeError:
            changed[at + 9 : at + 10] = bytes([content[at + 9] & ~UTF_8])
        at += 46 + name + extra + comment
    return bytes(changed)


def _too_large(name, size, most=MOST_BYTES):
    return NotGradable(say("refusal.size", name=_shown(name), size=size, most=most))


def _shown(name):
    return printable(name, MOST_OF_A_NAME)


def is_near(name: str) -> bool:
    """Tell whether a file's name is close to search.py, and not that."""
    own = name.rsplit("/", 1)[-1]
    return own != SEARCH_PY and NEAR.fullmatch(own) is not None


def choose(names: Iterable[str], wanted: str = SEARCH_PY, near: bool = False) -> str:
    """Return the name of the file to grade among a submission's file names.

    Where `near`, the only one that is_near() does for search.py. Raises NotGradable.
    """
    names = sorted(n for n in names if not IGNORED & set(n.split("/")))
    if wanted in names:
        return wanted
    below = [n for n in names if n.count("/") == 1 and n.endswith("/" + wanted)]
    if len(below) == 1:
        return below[0]
    close = [n for n in names if n.count("/") <= 1 and is_near(n)]
    if near and not below and len(close) == 1 and wanted == SEARCH_PY:
        return close[0]
    listed = ", ".join(map(_shown, (below or names)[:MOST_LISTED]))
    if below:
        raise NotGradable(say("refusal.several", wanted=wanted, listed=listed))
    if len(names) > MOST_LISTED:
        more = len(names) - MOST_LISTED
        listed = say("refusal.listed", listed=listed, count=more)
    found = listed or say("refusal.nothing")
    why = say("refusal.missing", wanted=wanted, found=found)
    raise NotGradable(_what_to_do(why, names, close) if wanted == SEARCH_PY else why)


# How a file's name ends -> the key of what to do with one that cannot be graded.
INSTEAD = {
    (".ipynb",): "refusal.notebook",
    (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz"): "refusal.archive",
}


def _what_to_do(why, names, close):
    """Return why there is no search.py, with what to do about files of other names."""
    if len(close) == 1:
        return say("refusal.rename", why=why, name=_shown(close[0]))
    for name in names:
        for endings, instead in INSTEAD.items():
            if name.lower().endswith(endings):
                return say(instead, why=why, name=_shown(name))
    return why


def _from_folder(folder, wanted, near):
    names = []
    try:
        for entry in os.scandir(folder):
            if entry.name in IGNORED:
                continue
            if not entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
            elif entry.name == SEARCH_PY:
                raise NotGradable(say("refusal.folder", name=SEARCH_PY))
            else:
                names += [f"{entry.name}/{inner.name}" for inner in os.scandir(entry.path)]
    except OSError as error:
        name, reason = _shown(folder.name), error.strerror
        raise NotGradable(say("refusal.error", name=name, reason=reason)) from None
    name = choose(names, wanted, near)
    with regular(folder / name) as file:
        return Staged(_content(file, name, MOST_OF[wanted]), name)
