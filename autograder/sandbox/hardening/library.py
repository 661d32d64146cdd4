"""Find the files that a worker may open, and erase the traces of their earlier use.

They are the standard library, the time zones for zoneinfo, and the shared libraries that
the modules need. A worker could encode information in access times or in the kernel's page
cache, and a later submission could read it. So before it forks, the zygote lists each
folder and reads a byte of each file. The access times then stay the same for a day. The
zygote also makes the kernel cache each whole file.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterable
from functools import cache

from .layers import in_fork

DESCRIPTORS = "/proc/self/fd/"
LINKER_CACHE = "/etc/ld.so.cache"
LOCALE = "/usr/lib/locale/C.utf8"  # the worker's locale, for locale.setlocale()
TIME_ZONES = "/usr/share/zoneinfo"
# Other contents of these folders: packages, tests, demos, copies of all time zones.
NOT_LIBRARY = re.compile(
    "(site|dist)-packages|test|idlelib|turtledemo|config-.*|posix|right"
)


def library_folders() -> list[str]:
    """Return the folders on the path that contain standard modules."""
    library = os.path.dirname(os.__file__) + os.sep
    folders = []
    for path in dict.fromkeys(sys.path):
        is_of_library = (path + os.sep).startswith((library, DESCRIPTORS))
        if is_of_library and os.path.isdir(path):
            folders.append(path)
    return folders


@cache
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


def shared_libraries(modules: Iterable[str]) -> list[str]:
    """Return the paths of the shared libraries that these extension modules need.

    A fork loads each module without initializing it, and lists the files in its memory.
    """

    def load_and_list(report, _):
        import ctypes

        for path in modules:
            with contextlib.suppress(OSError):
                ctypes.CDLL(path)
        with open("/proc/self/maps", errors="surrogateescape") as maps:
            paths = {line[line.find("/") :].rstrip("\n") for line in maps}
        report([path for path in paths if ".so" in path])

    (paths,) = in_fork(load_and_list) or [[]]
    return paths
