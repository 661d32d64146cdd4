"""Close the files: to root's worker by another user, to everybody's by Landlock.

`uid` stops: reading the trees, the reference, the metadata and earlier results by their
paths, writing results.json, signals to the grader, its memory and its /proc entries.
Only root can do it (Gradescope). The standard library stays importable: a Python under
a home directory (pyenv, uv, conda) is closed to the worker's uid, and `import statistics`
in a right submission would fail. So the zygote opens the library's folders and puts
/proc/self/fd/N in their place on the path: the kernel lets a process walk on from a
folder that it holds. What such a folder opens to the worker is what everybody may read
beneath it, and its parents up to the closed one; Landlock narrows it to the library.

`landlock` stops: opening anything but the standard library and the C libraries, every
change to a file, listing folders, /proc; from ABI 4 on TCP, from ABI 6 on signals and
abstract sockets. It needs no root, so that it closes the trees to an ordinary user's
worker. Where it is missing (Linux before 5.13, some containers): the uid drop closes
what root owns; without both, the worker may read what its user may.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
from importlib.machinery import PathFinder

from .layer import Layer, Missing, address, buffer, in_fork, refuses, syscall

DESCRIPTORS = "/proc/self/fd/"
# The same numbers on x86-64 and aarch64.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG = RULE_PATH_BENEATH = 1
WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14
FIRST, COUNT = 60706, 478  # users 60706..61183 are given out by no distribution
OF_FILES = WRITE_FILE | READ_FILE | TRUNCATE
RIGHTS_OF_ABI = (13, 14, 15, 15, 16)  # how many file rights it knows, from the lowest bit
BIND_AND_CONNECT_TCP, ABSTRACT_SOCKETS_AND_SIGNALS = 0b11, 0b11
READABLE = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/dev/zero"),
    *("/etc/ld.so.cache", "/etc/localtime", "/dev/random", "/dev/urandom"),
    os.path.join(sys.base_prefix, "lib"),
)


def library_folders():
    """Return the folders of standard modules; nothing else that is on the path."""
    places = (os.path.dirname(os.__file__) + os.sep, DESCRIPTORS)
    return [
        path
        for path in dict.fromkeys(sys.path)
        if (path + os.sep).startswith(places) and os.path.isdir(path)
    ]


def unused_uid():
    """Return the number of a user that owns nothing, None for whom cannot become it."""
    return FIRST + os.getpid() % COUNT if os.geteuid() == 0 else None


class Uid(Layer):
    """Gives up root for an unused uid and gid, and every further group."""

    name = "uid"

    def __init__(self, settings):
        super().__init__(settings)
        if settings.uid is None:
            raise Missing("only root can give the worker a user of its own")
        if settings.uid == 0:
            raise Missing("0 is root's own number")
        self._ids = (settings.uid,) * 3
        self._folders = {}
        if os.path.isdir(DESCRIPTORS):
            self._folders = {_opened(folder): folder for folder in library_folders()}
        if in_fork(self._try) != ["dropped"]:
            raise Missing("the kernel refuses it, or the user cannot read Python's library")
        self.fds = tuple(self._folders)
        for descriptor, folder in self._folders.items():
            _move(folder, f"{DESCRIPTORS}{descriptor}")
        sys.path_importer_cache.clear()
        PathFinder.find_spec("a name that lists every folder once")

    def _drop(self):
        os.setgroups([])
        os.setresgid(*self._ids)
        os.setresuid(*self._ids)

    def _try(self, report, pipe):
        self._drop()
        for folder in self._folders or library_folders():
            os.listdir(folder)
        report("dropped")

    def apply(self, keep):
        """Open the library's folders afresh, then drop, for good."""
        for descriptor, folder in self._folders.items():
            fresh = _opened(folder)
            os.dup2(fresh, descriptor)
            os.close(fresh)
        self._drop()

    def check(self):
        """Try to come back, by each of the three ways."""
        if not (refuses(os.setuid, 0) and refuses(os.setgid, 0)):
            raise Missing("root can be had back")
        if os.getgroups() or not refuses(os.setgroups, [0]):
            raise Missing("root's groups can be had back")


def _opened(folder):
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)


def _move(folder, place):
    """Have modules of a folder imported by another path of it."""
    sys.path[sys.path.index(folder)] = place
    for module in list(sys.modules.values()):
        path = getattr(module, "__path__", None)
        if isinstance(path, list):
            path[:] = [_moved(entry, folder, place) for entry in path]


def _moved(entry, folder, place):
    inside = entry == folder or entry.startswith(folder + os.sep)
    return place + entry[len(folder) :] if inside else entry


class Landlock(Layer):
    """Reading beneath the standard library and the C libraries; nothing else."""

    name = "landlock"

    def __init__(self, settings):
        super().__init__(settings)
        abi = syscall(CREATE_RULESET, 0, 0, VERSION_FLAG)
        self._rights = (1 << RIGHTS_OF_ABI[min(abi, len(RIGHTS_OF_ABI)) - 1]) - 1
        forbidden = [self._rights]
        if abi >= 4:
            forbidden.append(BIND_AND_CONNECT_TCP)
        if abi >= 6:
            forbidden.append(ABSTRACT_SOCKETS_AND_SIGNALS)
        attributes = buffer(struct.pack(f"={len(forbidden)}Q", *forbidden))
        self._ruleset = syscall(CREATE_RULESET, address(attributes), 8 * len(forbidden), 0)
        self.fds = (self._ruleset,)
        for path in (*library_folders(), *READABLE):
            self._allow(path, READ_FILE | READ_DIR)
        self._allow(os.devnull, READ_FILE | WRITE_FILE | TRUNCATE)

    def _allow(self, path, rights):
        """Allow these rights beneath a path, if it is there."""
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= OF_FILES
        rule = buffer(struct.pack("=Qi", rights & self._rights, descriptor))
        syscall(ADD_RULE, self._ruleset, RULE_PATH_BENEATH, address(rule), 0)
        os.close(descriptor)

    def apply(self, keep):
        """Bind this process to the rules, for good."""
        syscall(RESTRICT_SELF, self._ruleset, 0)
        os.close(self._ruleset)

    def check(self):
        """See that the root folder is closed and the library is open."""
        if not refuses(os.listdir, "/"):
            raise Missing("the rules have no effect")
        if any(refuses(os.listdir, folder) for folder in library_folders()):
            raise Missing("the rules would close Python's own library")
