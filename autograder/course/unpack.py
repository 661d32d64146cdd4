"""Unpack a zip that may hold anything: bounded, and inside its folder only.

What could harm refuses the whole zip: a path outside, too many entries, too many
bytes. What one student can cause leaves out that one entry and says so: a link, a
file that is too large or blown up, encrypted or damaged.
"""

from __future__ import annotations

import contextlib
import stat
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath

from autograder.course.metadata import NAME, CourseError
from autograder.running.submission import IGNORED, printable

MOST_ENTRIES = 200_000
MOST_BYTES = 4 * 2**30
MOST_ENTRY_BYTES = 32 * 2**20
MOST_METADATA_BYTES = 2**30
MOST_RATIO = 200  # of unpacked to packed bytes; deflate reaches 1,000 on zeros
RATIO_FROM = 2**20  # smaller entries may be as repetitive as they like
CHUNK = 2**18
UTF_8 = 0x800  # the flag of an entry whose name is UTF-8


class LeftOut(Exception):
    """One entry is not unpacked; str says why."""


def unpack(path, folder):
    """Unpack the zip at `path` into `folder`; return entry name -> why it was left out.

    Raises CourseError where it is no zip, or one that no honest tool makes; the
    line names the entry.
    """
    path, folder, left_out, total = Path(path), Path(folder), {}, 0
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_ENTRIES:
                count = f"{len(entries):,} entries; at most {MOST_ENTRIES:,} are read"
                raise CourseError(f"{path}: {count}; unpack it and give the folder")
            for entry in entries:
                name = entry_name(entry)
                _refuse_outside(path, name)
                if IGNORED & set(name.split("/")):
                    continue
                try:
                    total += _write(archive, entry, folder / name, MOST_BYTES - total)
                except LeftOut as reason:
                    left_out[name] = str(reason)
                except OverflowError:
                    raise CourseError(
                        f"{path}: more than {MOST_BYTES:,} bytes, reached at "
                        f"{printable(name)}; unpack it yourself and give the folder"
                    ) from None
    except (zipfile.BadZipFile, OSError) as error:
        raise CourseError(f"{path}: no readable zip file: {error}") from None
    return left_out


def entry_name(entry):
    """Return an entry's name with / between folders, in composed Unicode.

    macOS packs UTF-8 names without saying so; Python then reads them as code page 437.
    """
    name = entry.filename
    if not entry.flag_bits & UTF_8:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name.replace("\\", "/")).rstrip("/")


def _refuse_outside(path, name):
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or ":" in parts[0]:
        raise CourseError(
            f"{path}: the entry {printable(name)!r} points outside of the zip; "
            "this is no export, do not open it"
        )


def _write(archive, entry, target, room):
    """Write one entry; return its bytes. Raises LeftOut, or OverflowError over `room`."""
    mode = entry.external_attr >> 16
    target.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISLNK(mode):
        raise LeftOut("is a link; submit the file itself")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise LeftOut("is not a regular file; submit a file")
    try:
        if entry.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            return 0
        with archive.open(entry) as packed, target.open("wb") as file:
            return _copy(entry, packed, file, room)
    except (LeftOut, OverflowError):
        target.unlink(missing_ok=True)
        raise
    except NotImplementedError:
        raise LeftOut("is packed in a way that Python cannot read") from None
    except RuntimeError:
        raise LeftOut("is encrypted") from None
    except OSError as error:
        raise LeftOut(f"cannot be written: {error.strerror or error}") from None
    except Exception:  # zlib.error, BadZipFile, EOFError: the fault of this entry alone
        target.unlink(missing_ok=True)
        raise LeftOut("is damaged") from None


def _copy(entry, packed, file, room):
    """Copy by what really comes out; the sizes in a zip's headers can lie."""
    most = MOST_METADATA_BYTES if Path(entry.filename).name == NAME else MOST_ENTRY_BYTES
    size = 0
    while chunk := packed.read(CHUNK):
        size += len(chunk)
        if size > room:
            raise OverflowError
        if size > most:
            raise LeftOut(f"is larger than {most:,} bytes")
        if size > RATIO_FROM and size > MOST_RATIO * max(entry.compress_size, 1):
            raise LeftOut(f"unpacks to more than {MOST_RATIO} times its size")
        file.write(chunk)
    return size
