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
import stat
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn

from autograder.plaintext import MOST_OF_A_NAME, printable
from gametree.saying import say

if TYPE_CHECKING:  # few submissions are zips, and it takes 8 ms to import
    import zipfile

SEARCH_PY, BYHAND_YAML = "search.py", "byhand.yaml"
MOST_BYTES = 2**20
MOST_OF = {SEARCH_PY: MOST_BYTES, BYHAND_YAML: 2**16}
MOST_ZIP_BYTES = 2**27  # of a zip that lies in a folder or in a zip
MOST_LIST_BYTES = 2**22  # of what a zip says that it holds, which is read at once
MOST_LISTED = 6
PACKED = (0, 8)  # not at all, and by deflate; others unpack without a bound
IGNORED = {"__MACOSX", ".DS_Store", "__pycache__", ".git", ".venv"}
HERE = "."  # below a folder's name, where there is nothing in it that could be read
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how a file in it begins

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
    if path.is_dir() and not path.is_symlink():
        return stage_files(files_in(path), wanted)
    if path.suffix.lower() == ".zip":
        with regular(path) as file, open_zip(file, path.name) as files:
            return stage_files(files, wanted)
    if wanted != SEARCH_PY:
        return stage_files({path.name: partial(read_file, path)}, wanted)
    return Staged(_text(read_file(path, MOST_BYTES), path.name), path.name)


def stage_files(files: Files, wanted: str = SEARCH_PY, depth: int = 2) -> Staged:
    """Return the search.py among files, or in the only zip among them, `depth` deep.

    Raises NotGradable.
    """
    try:
        name = choose(files, wanted)
    except NotGradable:
        zips = [name for name in files if name.lower().endswith(".zip")]
        if len(zips) != 1 or not depth or any(_is_called(wanted, name) for name in files):
            raise
        content = io.BytesIO(files[zips[0]](MOST_ZIP_BYTES))
        with open_zip(content, zips[0]) as inside:
            return stage_files(inside, wanted, depth - 1)
    source, own = files[name](MOST_OF[wanted]), name.rpartition("/")[2]
    if wanted != SEARCH_PY:
        return Staged(source, name)
    note = say("refusal.taken", name=_shown(own)) if own != SEARCH_PY else ""
    return Staged(_text(source, name), name, note)


def _is_called(wanted, name):
    return name.rpartition("/")[2] == wanted


def choose(files: Files, wanted: str = SEARCH_PY) -> str:
    """Return the name of the file to grade.

    It is the `wanted` one that lies least deep, else the only .py file. Raises
    NotGradable.
    """
    names = sorted(files)
    own = [name for name in names if _is_called(wanted, name)]
    highest = min((name.count("/") for name in own), default=0)
    own = [name for name in own if name.count("/") == highest]
    if not own and wanted == SEARCH_PY:
        own = [name for name in names if name.lower().endswith(".py")]
        own = own if len(own) == 1 else []
    if len(own) == 1:
        return own[0]
    listed = [_shown(name.removesuffix(HERE)) for name in own or names if name != HERE]
    found = ", ".join(listed[:MOST_LISTED]) or say("refusal.nothing")
    if own:
        raise NotGradable(say("refusal.several", wanted=wanted, listed=found))
    if len(listed) > MOST_LISTED:
        more = len(listed) - MOST_LISTED
        found = say("refusal.listed", listed=found, count=more)
    why = say("refusal.missing", wanted=wanted, found=found)
    for name in names:
        if name.rpartition("/")[2] == HERE:
            files[name](0)  # which says why a folder could not be read
        for endings, instead in INSTEAD.items() if wanted == SEARCH_PY else ():
            if name.lower().endswith(endings):
                raise NotGradable(say(instead, why=why, name=_shown(name)))
    raise NotGradable(why)


# How a file's name ends -> the key of what to do with one that cannot be graded.
INSTEAD = {
    (".ipynb",): "refusal.notebook",
    (".py.txt",): "refusal.text",
    (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz"): "refusal.archive",
}


def _text(source, name):
    """Return the source; raise NotGradable where it is no text, whatever its name."""
    if source.startswith(UTF_16):
        raise NotGradable(say("refusal.utf-16", name=_shown(name)))
    if source.lstrip().startswith(b"{") and b'"cells"' in source:
        raise NotGradable(say("refusal.notebook inside", name=_shown(name)))
    return source


def files_in(folder: Path) -> Files:
    """Return name -> Read of what lies in a folder on disk, however deep, by name.

    A folder in which there is nothing to read has the name HERE below it. Raises
    NotGradable where the folder itself cannot be read.
    """
    files, waiting = {}, [("", folder)]
    while waiting:
        above, place = waiting.pop()
        try:
            entries = list(os.scandir(place))
        except OSError as error:
            why = f"{_shown(place.name)}: {error.strerror}"
            if not above:
                raise NotGradable(why) from None
            files[above + HERE] = partial(_refuse, why)
            continue
        entries = [e for e in entries if not is_litter(e.name)]
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append((f"{above}{entry.name}/", Path(entry.path)))
            else:
                files[above + entry.name] = partial(read_file, Path(entry.path))
        if not entries:
            files[above + HERE] = _nothing
    return dict(sorted(files.items()))


def is_litter(name: str) -> bool:
    """Tell whether a file or folder of this name is a system's own, and nobody's work."""
    return name in IGNORED or name.startswith("._")


def _nothing(_):
    return b""


def _refuse(why, _):
    raise NotGradable(why)


def read_file(path: Path, most: int) -> bytes:
    """Return what a regular file holds, at most `most` bytes. Raises NotGradable."""
    with regular(path) as file:
        content = file.read(most + 1)
        if len(content) > most:
            _refuse_size(path.name, file.seek(0, os.SEEK_END), most)
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
) -> Iterator[Files]:
    """Open the zip that is in `file`, as name -> Read. Raises NotGradable."""
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
        yield _files_of(archive)


def _files_of(archive):
    """Return name -> Read of a zip's entries, the names with / between folders.

    Where no name has a /, the zip was made by a program that writes \\ for it; elsewhere
    a \\ is a letter in the name of somebody's file. macOS packs UTF-8 names without saying
    so; Python then reads them as code page 437.
    """
    entries, files = archive.infolist(), {}
    between = "/" if any("/" in entry.filename for entry in entries) else "\\"
    for entry in entries:
        name = entry.filename
        if not entry.flag_bits & UTF_8 << 8:
            with contextlib.suppress(UnicodeError):
                name = name.encode("cp437").decode("utf-8")
        parts = [part for part in name.split(between) if part not in ("", ".")]
        if not parts or any(map(is_litter, parts)):
            continue
        if name.endswith(between):
            files["/".join([*parts, HERE])] = _nothing
        else:
            files["/".join(parts)] = partial(_read_entry, archive, entry)
    return dict(sorted(files.items()))


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
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
        _refuse_size(entry.filename, max(entry.file_size, len(content)), most)
    return content


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


def _refuse_size(name, size, most) -> NoReturn:
    raise NotGradable(say("refusal.size", name=_shown(name), size=size, most=most))


def _shown(name):
    return printable(name, MOST_OF_A_NAME)
