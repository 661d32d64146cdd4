"""Find a submission's search.py and read its bytes, without running it.

A submission is a file, a folder or a zip. Each is read as a flat dictionary, name ->
Reader. Nothing is unpacked, no link is followed, and only requested files are read.
`autograder/course/download.py` reads a course in the same way.
"""

from __future__ import annotations

import contextlib
import errno
import io
import math
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

from autograder.ground.plaintext import MAX_NAME_LENGTH, sanitize
from gametree.support.errors import InputError
from gametree.support.programtext import lacking_names
from gametree.support.texts import sentence

SEARCH_PY = "search.py"
MAX_BYTES = 2**20  # of a search.py
MAX_ZIP_BYTES = 2**26  # of a zip inside a folder or a zip
MAX_LIST_BYTES = 2**22  # of any zip's list of entries, which is read at once
MAX_LISTED = 6  # names of files in a message
MAX_ZIPS_DEEP = 2  # a zip may be inside a zip
STORED = 0
DEFLATED = 8  # other compression methods would unpack without a size limit
# The last two are in virtual environments, which hold no student's work.
IGNORED = {
    "__MACOSX",
    ".DS_Store",
    "__pycache__",
    ".git",
    "site-packages",
    "activate_this.py",
}
NOTHING_READABLE = "."  # the name of an entry that marks a folder without readable files
# Endings of a file's name -> the key of the message that says what to upload instead.
REFUSALS = {
    (".ipynb",): "refusal.notebook",
    (".py.txt",): "refusal.text",
    (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz"): "refusal.archive",
}

# Takes the maximum number of bytes and returns a file's bytes; raises NotGradable.
Reader = Callable[[int], bytes]
Files = Mapping[str, Reader]


class NotGradable(InputError):
    """The submission has no search.py that can run. The text is a one-line reason."""


class Staged(NamedTuple):
    """The file to run.

    source: the bytes of the file.
    note: a line for the student about the file, or "".
    """

    source: bytes
    note: str = ""


def stage(path: str | os.PathLike) -> Staged:
    """Return the search.py of the submission at `path`.

    If `path` is a file, it is the search.py, whatever its name. Raises NotGradable if the
    student must change the submission, and FileNotFoundError if `path` does not exist.
    """
    path = Path(path)
    if not path.exists() and not path.is_symlink():
        todo = "no such file or folder; give SUBMISSION=path"
        raise FileNotFoundError(errno.ENOENT, todo, str(path))
    is_file = path.is_symlink() or not path.is_dir()
    if is_file and path.suffix.lower() != ".zip":
        source = _read_file(path, MAX_BYTES)
        return _staged(source, path.name)
    with files_at(path) as files:
        return stage_files(files)


def stage_files(files: Files, depth: int = MAX_ZIPS_DEEP) -> Staged:
    """Return the search.py among files, or inside the only zip among them.

    The search.py in the fewest folders counts, or else the only .py file. Zips may be
    nested `depth` levels deep. Raises NotGradable.
    """
    names = sorted(files)
    found = _find_programs(names)
    if not found:
        zips = [name for name in names if name.lower().endswith(".zip")]
        if depth and len(zips) == 1:
            content = io.BytesIO(files[zips[0]](MAX_ZIP_BYTES))
            with open_zip(content, zips[0]) as files_inside:
                return stage_files(files_inside, depth - 1)
    if len(found) != 1:
        _refuse_to_choose(names, found)
    name = found[0]
    staged = _staged(files[name](MAX_BYTES), name)
    if _last_part(name) == SEARCH_PY:
        return staged
    taken = sentence("refusal.taken", name=_sanitize_name(_last_part(name)))
    return staged._replace(note="; ".join(filter(None, [taken, staged.note])))


def _staged(source, name):
    """Return a file's bytes with a note on a name that the autograder lacks.

    Raises NotGradable if the file is not a program.
    """
    _check_is_program(source, name)
    lacking = lacking_names(source.decode("utf-8", "replace"))
    return Staged(source, sanitize(next(lacking, "")))


def _find_programs(names):
    """Return the names of all files that may be the student's search.py."""
    same_name = [name for name in names if _last_part(name) == SEARCH_PY]
    if same_name:
        fewest_folders = min(name.count("/") for name in same_name)
        return [name for name in same_name if name.count("/") == fewest_folders]
    python_files = [name for name in names if name.lower().endswith(".py")]
    if len(python_files) == 1:
        return python_files
    return []


def _last_part(name):
    return name.rpartition("/")[2]


def _refuse_to_choose(names: list[str], found: list[str]) -> NoReturn:
    """Raise NotGradable because search.py is missing or ambiguous."""
    shown = []
    for name in found or names:
        if name != NOTHING_READABLE:
            shown.append(_sanitize_name(name.removesuffix(NOTHING_READABLE)))
    listed = ", ".join(shown[:MAX_LISTED])
    if found:
        raise NotGradable(sentence("refusal.several", listed=listed))
    if not shown:
        listed = sentence("refusal.nothing")
    elif len(shown) > MAX_LISTED:
        listed = sentence("refusal.listed", listed=listed, count=len(shown) - MAX_LISTED)
    why = sentence("refusal.missing", found=listed)
    for name in names:
        for suffixes, key in REFUSALS.items():
            if name.lower().endswith(suffixes):
                raise NotGradable(sentence(key, why=why, name=_sanitize_name(name)))
    raise NotGradable(why)


def _check_is_program(source, name):
    """Raise NotGradable if the file is binary, UTF-16 or a notebook, whatever its name."""
    if b"\0" in source:
        raise _refusal("refusal.not text", name=name)
    if source.lstrip().startswith(b"{") and b'"cells"' in source:
        raise _refusal("refusal.notebook inside", name=name)


# ---- files, in a folder or a zip


@contextlib.contextmanager
def files_at(path: Path) -> Iterator[Files]:
    """Open the folder, zip or single file at a path as name -> Reader.

    Raises OSError if the folder cannot be read, and NotGradable if the zip cannot be read
    or is a link.
    """
    if path.is_dir() and not path.is_symlink():
        yield _files_in_folder(path)
    elif path.suffix.lower() == ".zip":
        with _open_regular(path) as file, open_zip(file, path.name) as files:
            yield files
    else:
        yield {path.name: partial(_read_file, path)}


def _files_in_folder(folder):
    """Return name -> Reader of all files below a folder on disk, sorted by name.

    An empty folder has an entry named NOTHING_READABLE, and so does one that this user may
    not read. Raises OSError if that is the folder itself.
    """
    files: dict[str, Reader] = {}
    waiting = [("", folder)]
    while waiting:
        prefix, path = waiting.pop()
        entries = []
        try:
            entries = [entry for entry in os.scandir(path) if not _is_ignored(entry.name)]
        except OSError:
            if path == folder:
                raise
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append((f"{prefix}{entry.name}/", Path(entry.path)))
            else:
                files[prefix + entry.name] = partial(_read_file, Path(entry.path))
        if not entries:
            files[prefix + NOTHING_READABLE] = _read_nothing
    return dict(sorted(files.items()))


def _is_ignored(name):
    """Return whether this name belongs to system metadata or to a cache."""
    return name in IGNORED or name.startswith("._")


def _read_nothing(_):
    return b""


def _read_file(path, max_bytes):
    """Return a regular file's bytes. Raises NotGradable if it exceeds `max_bytes`."""
    with _open_regular(path) as file:
        content = file.read(max_bytes + 1)
        if len(content) > max_bytes:
            size = file.seek(0, os.SEEK_END)
            raise _refusal("refusal.size", name=path.name, size=size, most=max_bytes)
    return content


@contextlib.contextmanager
def _open_regular(path):
    """Open a regular file for reading. Refuse links, and pipes, which would block."""
    try:
        if path.is_symlink():
            raise _refusal("refusal.link", name=path.name)
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise _refusal(
            "refusal.unreadable", name=path.name, reason=error.strerror
        ) from None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise _refusal("refusal.no file", name=path.name)
        yield file


@contextlib.contextmanager
def open_zip(file: BinaryIO, name: str) -> Iterator[Files]:
    """Open the zip in `file` as name -> Reader. Raises NotGradable."""
    import zipfile  # few submissions are zips, and the import takes 8 ms

    source = _ZipSource(file)
    try:
        archive = zipfile.ZipFile(source)
    except Exception as error:  # BadZipFile, struct.error and more
        reason = sanitize(str(error))
        raise _refusal("refusal.no zip", name=name, reason=reason) from None
    source.max_bytes = math.inf
    with archive:
        yield _files_in_zip(archive)


class _ZipSource:
    """A file for zipfile, which reads the whole list of entries at once.

    max_bytes: the maximum of one read.
    """

    def __init__(self, file):
        self._file = file
        self.max_bytes: float = MAX_LIST_BYTES
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size=-1):
        if size > self.max_bytes:
            raise ValueError("it contains too many files")
        return self._file.read(size)


def _files_in_zip(archive):
    """Return name -> Reader of a zip's entries, with / between folders, sorted by name.

    If no name has a /, the program that created the zip separates folders by \\. Otherwise
    a \\ is part of a file's name.
    """
    entries = archive.infolist()
    has_slash = any("/" in entry.filename for entry in entries)
    separator = "/" if has_slash else "\\"
    files = {}
    for entry in entries:
        name = _decode_name(entry.filename)
        parts = [part for part in name.split(separator) if part not in ("", ".")]
        if not parts or any(map(_is_ignored, parts)):
            continue
        path = "/".join(parts)
        if name.endswith(separator):
            files[f"{path}/{NOTHING_READABLE}"] = _read_nothing
        else:
            files[path] = partial(_read_entry, archive, entry, path)
    return dict(sorted(files.items()))


def _decode_name(name):
    """Return the name of an entry, as UTF-8 if its bytes are valid UTF-8.

    macOS does not mark such names, so zipfile decodes them as code page 437.
    """
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _read_entry(archive, entry, name, max_bytes):
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise _refusal("refusal.link", name=name)
    if entry.compress_type not in (STORED, DEFLATED):
        raise _refusal("refusal.packing", name=name)
    if entry.file_size > max_bytes:
        raise _refusal("refusal.size", name=name, size=entry.file_size, most=max_bytes)
    try:
        with archive.open(entry) as file:
            return file.read(max_bytes + 1)
    except RuntimeError:
        raise _refusal("refusal.encrypted", name=name) from None
    except Exception:  # BadZipFile, zlib.error, EOFError and more
        raise _refusal("refusal.damaged", name=name) from None


def _refusal(key: str, name: str, **values: object) -> NotGradable:
    """Return the refusal of a file; `key` names its sentence."""
    return NotGradable(sentence(key, name=_sanitize_name(name), **values))


def _sanitize_name(name):
    return sanitize(name, MAX_NAME_LENGTH)
