"""Find the files that a worker may open, and erase the traces of their earlier use.

They are the standard library, the time zones for zoneinfo, and the shared libraries that
the modules need. A worker could encode information in access times or in the kernel's page
cache, and a later submission could read it. So before it forks, the zygote lists each
folder and reads a byte of each file. The access times then stay the same for a day. The
zygote also makes the kernel cache each whole file.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import struct
import sys
from collections.abc import Iterable

DESCRIPTORS = "/proc/self/fd/"
LINKER_CACHE = "/etc/ld.so.cache"  # the paths of the shared libraries, 0 after each
LOCALE = "/usr/lib/locale/C.utf8"  # the worker's locale, for locale.setlocale()
TIME_ZONES = "/usr/share/zoneinfo"
USUAL_FOLDERS = ("/lib", "/usr/lib", os.path.join(sys.base_prefix, "lib"))
# Other contents of these folders: packages, tests, demos, copies of all time zones.
NOT_LIBRARY = re.compile(
    "(site|dist)-packages|test|idlelib|turtledemo|config-.*|posix|right"
)
# From elf.h: the start of a 64-bit file, kinds of segments, tags of dynamic entries.
ELF = b"\x7fELF\x02"
DYNAMIC_SEGMENT = 2
NEEDED_LIBRARY = 1
STRING_TABLE = 5
LIBRARY_FOLDERS = (15, 29)


def library_folders() -> list[str]:
    """Return the folders on the path that contain standard modules."""
    library = os.path.dirname(os.__file__) + os.sep
    folders = []
    for path in dict.fromkeys(sys.path):
        is_of_library = (path + os.sep).startswith((library, DESCRIPTORS))
        if is_of_library and os.path.isdir(path):
            folders.append(path)
    return folders


def readable_places() -> tuple[list[str], list[str], list[str]]:
    """Return the files and folders that a worker may read, and the folders' files."""
    files = [LINKER_CACHE]
    folders = []
    for top in (os.path.dirname(os.__file__), LOCALE, TIME_ZONES):
        with contextlib.suppress(OSError):
            for entry in os.scandir(top):
                if not entry.is_dir():
                    files.append(entry.path)
                elif not NOT_LIBRARY.fullmatch(entry.name):
                    folders.append(entry.path)
    files_below = []
    for folder in folders:
        for path, _, names in os.walk(folder):
            files_below += [f"{path}/{name}" for name in names]
    modules = [file for file in [*files, *files_below] if file.endswith(".so")]
    files += shared_libraries(modules)
    return files, folders, files_below


def read_ahead(files: Iterable[str]) -> None:
    """Read a byte of each file that can be opened; make the kernel cache the file."""
    flags = os.O_RDONLY | os.O_CLOEXEC
    for path in files:
        try:
            descriptor = os.open(path, flags)
        except OSError:
            continue
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_WILLNEED)
        os.read(descriptor, 1)
        os.close(descriptor)


def shared_libraries(files: Iterable[str]) -> list[str]:
    """Return the paths of all shared libraries that these files need."""
    folders = dict.fromkeys(USUAL_FOLDERS)
    with contextlib.suppress(OSError), open(LINKER_CACHE, "rb") as cache:
        for path in re.findall(rb"\0(/[^\0]+)/", cache.read()):
            folders[os.fsdecode(path)] = None
    folders = dict.fromkeys(os.path.realpath(folder) for folder in folders)
    paths = []
    pending = list(files)
    known_names = set()
    while pending:
        names, further_folders = read_links(pending.pop())
        folders.update(dict.fromkeys(further_folders))
        for name in names - known_names:
            found = [f"{folder}/{name}" for folder in folders]
            found = [path for path in found if os.path.exists(path)]
            paths.extend(found)
            pending.extend(found)
        known_names |= names
    return paths


def read_links(path: str) -> tuple[set[str], list[str]]:
    """Return the names of a file's shared libraries, and the folders to search."""
    names = set()
    folders = []
    with contextlib.suppress(OSError, ValueError, struct.error):
        for tag, text in _read_dynamic_entries(path):
            if tag == NEEDED_LIBRARY:
                names.add(text)
            elif tag in LIBRARY_FOLDERS:
                text = text.replace("$ORIGIN", os.path.dirname(path))
                folders += text.split(":")
    return names, folders


def _read_dynamic_entries(path):
    """Return (tag, text) of each dynamic entry with a text in an ELF file."""
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    if data[: len(ELF)] != ELF:
        return []
    start = struct.unpack_from("Q", data, 32)[0]
    size, count = struct.unpack_from("HH", data, 54)
    segments = [
        struct.unpack_from("IIQQQQ", data, start + at * size) for at in range(count)
    ]
    entries = []
    for kind, _, offset, _, _, length in segments:
        if kind == DYNAMIC_SEGMENT:
            entries += struct.iter_unpack("QQ", data[offset : offset + length])
    table = _file_offset(segments, dict(entries)[STRING_TABLE])
    texts = []
    for tag, position in entries:
        if tag == NEEDED_LIBRARY or tag in LIBRARY_FOLDERS:
            end = data.find(b"\0", table + position)
            texts.append((tag, os.fsdecode(data[table + position : end])))
    return texts


def _file_offset(segments, address):
    """Return the offset in the file of an address in memory."""
    for _, _, offset, start, _, length in segments:
        if start <= address < start + length:
            return address - start + offset
    raise ValueError("no segment has this address")
