"""Close every file but those that Python itself needs, by the kernel's Landlock.

Stops: opening anything but the standard library and the C libraries, every change to a
file, listing folders, /proc; from ABI 4 on TCP, from ABI 6 on signals and abstract
sockets. It needs no root, so that it closes the trees to an ordinary user's worker.
Where it is missing (Linux before 5.13, some containers): the uid drop closes what root
owns; without both, the worker may read what its user may.
"""

from __future__ import annotations

import os
import stat
import struct
import sys

from . import libc
from .layer import Layer, Missing, refuses

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
DESCRIPTORS = "/proc/self/fd/"  # see uid.py: a folder that is reached by a descriptor
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


def library_folders():
    """Return the folders of standard modules; nothing else that is on the path."""
    home = os.path.dirname(os.__file__)
    places = (home + os.sep, DESCRIPTORS)
    return [
        path
        for path in dict.fromkeys(sys.path)
        if (path + os.sep).startswith(places) and os.path.isdir(path)
    ]
