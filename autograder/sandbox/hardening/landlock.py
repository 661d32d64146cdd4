"""Keep the standard library importable after the uid drop.

A Python under a home directory (pyenv, uv, conda) is closed to the worker's uid, and
`import statistics` in a right submission would fail. The zygote therefore opens the
library's folders before the drop and puts /proc/self/fd/N in their place on the path:
the kernel lets a process walk on from a folder that it holds. What such a folder
opens to the worker is what everybody may read beneath it, and its parents up to the
closed one; Landlock narrows it to the library.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
from importlib.machinery import PathFinder

from . import libc
from .layer import Layer, Missing, in_fork, refuses

DESCRIPTORS = "/proc/self/fd/"


def library_folders():
    """Return the folders of standard modules; nothing else that is on the path."""
    home = os.path.dirname(os.__file__)
    places = (home + os.sep, DESCRIPTORS)
    return [
        path
        for path in dict.fromkeys(sys.path)
        if (path + os.sep).startswith(places) and os.path.isdir(path)
    ]


def reach_library(drop):
    """Make imports work after `drop()`; return the descriptors that must stay open.

    Raises Missing where they cannot be made to work.
    """
    if _importable_after(drop):
        return ()
    descriptors = tuple(_walk_from_descriptors())
    if not _importable_after(drop):
        raise Missing(
            f"the dropped user cannot read Python's library in {sys.base_prefix}; "
            "install Python outside of home directories"
        )
    return descriptors


def _walk_from_descriptors():
    for folder in library_folders():
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        yield descriptor
        place = f"{DESCRIPTORS}{descriptor}"
        sys.path[sys.path.index(folder)] = place
        for module in list(sys.modules.values()):
            path = getattr(module, "__path__", None)
            if isinstance(path, list):
                path[:] = [_moved(entry, folder, place) for entry in path]
    sys.path_importer_cache.clear()
    PathFinder.find_spec("a name that lists every folder once")


def _moved(entry, folder, place):
    inside = entry == folder or entry.startswith(folder + os.sep)
    return place + entry[len(folder) :] if inside else entry


def _importable_after(drop):
    """Return whether each folder's modules can be read after `drop()`."""
    folders = library_folders()

    def try_reading(tell, pipe):
        drop()
        for folder in folders:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries if entry.is_file()]
            for name in names[:1]:
                open(os.path.join(folder, name), "rb").close()
        tell("readable")

    return in_fork(try_reading) == ["readable"]


# The same numbers on x86-64 and aarch64.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG = 1
RULE_PATH_BENEATH = 1

READ_FILE, READ_DIR = 1 << 2, 1 << 3
WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
NET_BIND_TCP, NET_CONNECT_TCP = 1, 2
SCOPE_ABSTRACT_SOCKET, SCOPE_SIGNAL = 1, 2

# ABI -> how many of the file rights it knows, starting from the lowest bit.
RIGHTS_OF_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo")
FILES = ("/etc/ld.so.cache", "/etc/localtime", "/dev/zero", "/dev/random", "/dev/urandom")


class Landlock(Layer):
    """Reading beneath the standard library and the C libraries; nothing else."""

    name = "landlock"

    def __init__(self, settings):
        super().__init__(settings)
        libc.need_libc()
        self.abi = _abi()
        self._rights = (1 << RIGHTS_OF_ABI[min(self.abi, 5)]) - 1
        self._ruleset = self._create()
        self.fds = (self._ruleset,)
        prefix = os.path.join(sys.base_prefix, "lib")
        for path in (*library_folders(), prefix, *FOLDERS, *FILES):
            self._allow(path, READ_FILE | READ_DIR)
        self._allow(os.devnull, READ_FILE | WRITE_FILE | TRUNCATE)

    def _create(self):
        """Make a ruleset that handles, so forbids, all that this ABI knows."""
        attributes = struct.pack("=Q", self._rights)
        if self.abi >= 4:
            attributes += struct.pack("=Q", NET_BIND_TCP | NET_CONNECT_TCP)
        if self.abi >= 6:
            attributes += struct.pack("=Q", SCOPE_ABSTRACT_SOCKET | SCOPE_SIGNAL)
        buffer = libc.ctypes.create_string_buffer(attributes, len(attributes))
        address = libc.ctypes.addressof(buffer)
        return libc.syscall(CREATE_RULESET, address, len(attributes), 0)

    def _allow(self, path, rights):
        """Allow these rights beneath a path, if it is there."""
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        try:
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                rights &= READ_FILE | WRITE_FILE | TRUNCATE
            rule = struct.pack("=Qi", rights & self._rights, descriptor)
            buffer = libc.ctypes.create_string_buffer(rule, len(rule))
            address = libc.ctypes.addressof(buffer)
            libc.syscall(ADD_RULE, self._ruleset, RULE_PATH_BENEATH, address, 0)
        finally:
            os.close(descriptor)

    def apply(self, keep):
        """Bind this process to the rules, for good."""
        libc.syscall(RESTRICT_SELF, self._ruleset, 0)
        os.close(self._ruleset)

    def check(self):
        """See that the root folder is closed and the library is open."""
        if not refuses(os.listdir, "/"):
            raise Missing("the rules have no effect")
        for folder in library_folders():
            if refuses(os.listdir, folder):
                raise Missing("the rules would close Python's own library")


def _abi():
    try:
        return libc.syscall(CREATE_RULESET, 0, 0, VERSION_FLAG)
    except OSError as error:
        raise Missing(f"not in this kernel or container ({error.strerror})") from None
