"""Stage a submission: find its one search.py, read its bytes, run nothing.

A submission is a file, a folder or a zip of one. Either is read as one flat dictionary,
name -> Read: nothing is unpacked, no link is followed, and a file that nobody asks for is
not read. A course is read the same way; see `autograder/course/download.py`.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

from autograder.plaintext import MAX_NAME_LENGTH, sanitize
from gametree.support.saying import say

SEARCH_PY, BYHAND_YAML = "search.py", "byhand.yaml"
MAX_BYTES = 2**20
MAX_OF = {SEARCH_PY: MAX_BYTES, BYHAND_YAML: 2**16}
MAX_ZIP_BYTES = 2**27  # of a zip that lies in a folder or in a zip
MAX_LIST_BYTES = 2**22  # of what a zip says that it holds, which is read at once
MAX_LISTED = 6
PACKED = (0, 8)  # not at all, and by deflate; others unpack without a bound
IGNORED = {"__MACOSX", ".DS_Store", "__pycache__", ".git", ".venv"}
HERE = "."  # below a folder's name, where there is nothing in it that could be read
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how a file in it begins
# How a file's name ends -> the key of what to do with one that cannot be graded.
INSTEAD = {
    (".ipynb",): "refusal.notebook",
    (".py.txt",): "refusal.text",
    (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz"): "refusal.archive",
}

Read = Callable[[int], bytes]  # the most bytes -> the file's; raises NotGradable
Files = Mapping[str, Read]


class NotGradable(Exception):
    """The submission holds no search.py that could be run; str says why in a line."""


class Staged(NamedTuple):
    """The bytes to run, the name of their file, and a line on them, if any."""

    source: bytes
    name: str
    note: str = ""


def stage(path: str | os.PathLike, wanted: str = SEARCH_PY) -> Staged:
    """Return the search.py of the submission at `path`, or its other file `wanted`.

    A file is taken whatever its name. Raises NotGradable where the student is to change
    something, and FileNotFoundError where there is nothing at `path` at all.
    """
    path = Path(path)
    if not path.exists() and not path.is_symlink():
        todo = "no such file or folder; give SUBMISSION=path"
        raise FileNotFoundError(errno.ENOENT, todo, str(path))
    one_file = path.is_symlink() or not path.is_dir()
    if wanted == SEARCH_PY and one_file and path.suffix.lower() != ".zip":
        return Staged(_text(_read_file(path, MAX_BYTES), path.name), path.name)
    with files_at(path) as files:
        return stage_files(files, wanted)


def stage_files(files: Files, wanted: str = SEARCH_PY, depth: int = 2) -> Staged:
    """Return the search.py among files, or in the only zip among them, `depth` deep.

    It is the one that lies least deep, else the only .py file; for another `wanted` file
    no other name will do. Raises NotGradable.
    """
    names = sorted(files)
    called = [name for name in names if name.rpartition("/")[2] == wanted]
    python = [name for name in names if name.lower().endswith(".py")]
    zips = [name for name in names if name.lower().endswith(".zip")]
    highest = min((name.count("/") for name in called), default=0)
    found = [name for name in called if name.count("/") == highest]
    if not found and wanted == SEARCH_PY and len(python) == 1:
        found = python
    if not found and depth and len(zips) == 1:
        content = io.BytesIO(files[zips[0]](MAX_ZIP_BYTES))
        with open_zip(content, zips[0]) as inside:
            return stage_files(inside, wanted, depth - 1)
    if len(found) != 1:
        _refuse_to_choose(files, names, found, wanted)
    source, own = files[found[0]](MAX_OF[wanted]), found[0].rpartition("/")[2]
    if wanted != SEARCH_PY:
        return Staged(source, found[0])
    note = say("refusal.taken", name=_shown(own)) if own != SEARCH_PY else ""
    return Staged(_text(source, found[0]), found[0], note)


def _refuse_to_choose(files, names, found, wanted) -> NoReturn:
    """Raise NotGradable where none was found, or several; say what to do instead."""
    listed = [_shown(name.removesuffix(HERE)) for name in found or names if name != HERE]
    said = ", ".join(listed[:MAX_LISTED]) or say("refusal.nothing")
    if found:
        raise NotGradable(say("refusal.several", wanted=wanted, listed=said))
    if len(listed) > MAX_LISTED:
        said = say("refusal.listed", listed=said, count=len(listed) - MAX_LISTED)
    why = say("refusal.missing", wanted=wanted, found=said)
    for name in names:
        if name.rpartition("/")[2] == HERE:
            files[name](0)  # which says why a folder could not be read
        for endings, instead in INSTEAD.items() if wanted == SEARCH_PY else ():
            if name.lower().endswith(endings):
                raise NotGradable(say(instead, why=why, name=_shown(name)))
    raise NotGradable(why)


def _text(source, name):
    """Return the source; raise NotGradable where it is no text, whatever its name."""
    if source.startswith(UTF_16):
        raise NotGradable(say("refusal.utf-16", name=_shown(name)))
    if source.lstrip().startswith(b"{") and b'"cells"' in source:
        raise NotGradable(say("refusal.notebook inside", name=_shown(name)))
    return source


# ---- files, in a folder or a zip


@contextlib.contextmanager
def files_at(path: Path, most_list_bytes: int = MAX_LIST_BYTES) -> Iterator[Files]:
    """Open the folder, the zip or the one file at a path, as name -> Read.

    A zip may list no more than `most_list_bytes`. Raises NotGradable where a folder or
    zip cannot be read, or a link lies there.
    """
    if path.is_dir() and not path.is_symlink():
        yield _files_in(path)
    elif path.suffix.lower() == ".zip":
        with _regular(path) as file, open_zip(file, path.name, most_list_bytes) as files:
            yield files
    else:
        yield {path.name: partial(_read_file, path)}


def _files_in(folder):
    """Return name -> Read of what lies in a folder on disk, however deep, by name.

    A folder in which there is nothing to read has the name HERE below it.
    """
    files, waiting = {}, [("", folder)]
    while waiting:
        above, place = waiting.pop()
        try:
            entries = [e for e in os.scandir(place) if not _is_litter(e.name)]
        except OSError as error:
            why = f"{_shown(place.name)}: {error.strerror}"
            if not above:
                raise NotGradable(why) from None
            files[above + HERE] = partial(_refuse, why)
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append((f"{above}{entry.name}/", Path(entry.path)))
            else:
                files[above + entry.name] = partial(_read_file, Path(entry.path))
        if not entries:
            files[above + HERE] = _nothing
    return dict(sorted(files.items()))


def _is_litter(name):
    """Tell whether a file or folder of this name is a system's own, and nobody's work."""
    return name in IGNORED or name.startswith("._")


def _nothing(_):
    return b""


def _refuse(why, _):
    raise NotGradable(why)


def _read_file(path, most):
    """Return what a regular file holds, at most `most` bytes. Raises NotGradable."""
    with _regular(path) as file:
        content = file.read(most + 1)
        if len(content) > most:
            _refuse_size(path.name, file.seek(0, os.SEEK_END), most)
    return content


@contextlib.contextmanager
def _regular(path):
    """Open a regular file to be read: no link, and no pipe, which would hang."""
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
    file: BinaryIO, name: str, most_list_bytes: int = MAX_LIST_BYTES
) -> Iterator[Files]:
    """Open the zip that is in `file`, as name -> Read. Raises NotGradable."""
    import zipfile  # few submissions are zips, and it takes 8 ms

    try:
        archive = zipfile.ZipFile(_Bounded(file, most_list_bytes))
    except _TooLong:
        raise NotGradable(say("refusal.too many", name=_shown(name))) from None
    except Exception as error:  # BadZipFile, struct.error and more
        reason = sanitize(str(error))
        why = say("refusal.no zip", name=_shown(name), reason=reason)
        raise NotGradable(why) from None
    with archive:
        yield _files_of(archive)


def _files_of(archive):
    """Return name -> Read of a zip's entries, the names with / between folders.

    Where no name has a /, the zip was made by a program that writes \\ for it; elsewhere
    a \\ is a letter in the name of somebody's file. zipfile reads each name as code page
    437 (see _Bounded); those that are UTF-8 are read as that, also where macOS packed
    them and did not say so.
    """
    entries, files = archive.infolist(), {}
    between = "/" if any("/" in entry.filename for entry in entries) else "\\"
    for entry in entries:
        name = entry.filename
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
        parts = [part for part in name.split(between) if part not in ("", ".")]
        if not parts or any(map(_is_litter, parts)):
            continue
        if name.endswith(between):
            files["/".join([*parts, HERE])] = _nothing
        else:
            path = "/".join(parts)
            files[path] = partial(_read_entry, archive, entry, _shown(path))
    return dict(sorted(files.items()))


def _read_entry(archive, entry, name, most):
    kind = stat.S_IFMT(entry.external_attr >> 16)
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
        _refuse_size(name, max(entry.file_size, len(content)), most)
    return content


class _TooLong(Exception):
    """A zip wants more read at once than anything but a flood of entries needs."""


class _Bounded:
    """A file as zipfile reads it: its list of entries in one piece, which is bounded.

    No entry is marked as UTF-8, there or where it begins: one that is marked and is not
    would have zipfile refuse all of them.
    """

    def __init__(self, file, most):
        self._file, self._most = file, most
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size=-1):
        if size > self._most:
            raise _TooLong
        content = self._file.read(size)
        marked = content.startswith(LISTED) or size == HEAD_BYTES
        return MARK.sub(_unmarked, content) if marked else content


LISTED = b"PK\1\2"  # begins each entry of the list
HEAD_BYTES = 30  # of an entry itself, before its name
# The byte of the flags that says UTF-8, in either.
MARK = re.compile(rb"(?s)(?:(?<=PK\x01\x02.{5})|(?<=\APK\x03\x04.{3})).")


def _unmarked(flags):
    return bytes([flags[0][0] & ~0x08])


def _refuse_size(name, size, most) -> NoReturn:
    raise NotGradable(say("refusal.size", name=_shown(name), size=size, most=most))


def _shown(name):
    return sanitize(name, MAX_NAME_LENGTH)
