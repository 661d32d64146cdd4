"""Close the files: to root's worker by another user, to everybody's by Landlock.

`uid` stops: reading the trees, the reference, the metadata and earlier results by their
paths, writing results.json, signals to the grader, its memory and its /proc entries.
Only root can do it (Gradescope). The standard library stays importable: a Python under
a home directory (pyenv, uv, conda) is closed to the worker's uid, and `import statistics`
in a correct submission would fail. So the zygote opens the library's folders and puts
/proc/self/fd/N in their place on the path: a process that holds a folder open may walk
on from it. The worker may then read what is open to everybody beneath that folder, and
beneath its parents up to the closed one. Landlock narrows this to the library.

`landlock` stops: opening anything but the files of library.py, every
change to a file, listing folders, /proc; from ABI 4 on TCP, from ABI 6 on signals and
abstract sockets. It needs no root, so that it closes the trees to an ordinary user's
worker. Where it is missing (Linux before 5.13, some containers): the uid drop closes
what root owns; without both, the worker may read what its user may.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
from functools import cache
from importlib.machinery import PathFinder

from .layer import Layer, Missing, address, buffer, in_fork, refuses, syscall
from .library import DESCRIPTORS, library_folders, read_ahead, readable_places

# No distribution gives out the users 60706 to 61183.
FIRST_UNUSED_UID = 60706
UNUSED_UIDS = 478
# The numbers of Landlock's calls, the same on x86-64 and aarch64.
CREATE_RULESET = 444
ADD_RULE = 445
RESTRICT_SELF = 446
# Of linux/landlock.h.
VERSION_FLAG = 1
RULE_PATH_BENEATH = 1
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
TRUNCATE = 1 << 14
BIND_AND_CONNECT_TCP = 0b11
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
# How many rights on files each ABI knows, from the lowest bit; the last one's hold for
# all later ones.
RIGHTS_OF_ABI = (13, 14, 15, 15, 16)


def unused_uid():
    """Return the number of a user that owns nothing, or None if this is not root."""
    if os.geteuid() != 0:
        return None
    return FIRST_UNUSED_UID + os.getpid() % UNUSED_UIDS


class Uid(Layer):
    """Gives up root for an unused uid and gid, and every further group."""

    name = "uid"

    def __init__(self, settings):
        super().__init__(settings)
        if settings.uid is None:
            raise Missing("only root can give the worker a user of its own")
        if settings.uid == 0:
            raise Missing("0 is root's own number")
        self._folders = {}  # descriptor -> the library's folder that it holds open
        if os.path.isdir(DESCRIPTORS):
            for folder in library_folders():
                self._folders[_open_folder(folder)] = folder
        if in_fork(self._try) != ["dropped"]:
            raise Missing("the kernel refuses it, or the user cannot read Python's library")
        self.fds = tuple(self._folders)
        for descriptor, folder in self._folders.items():
            _import_from(f"{DESCRIPTORS}{descriptor}", folder)
        PathFinder.find_spec("a name that lists every folder once")

    def _drop(self):
        uid = self.settings.uid
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)

    def _try(self, report, pipe):
        self._drop()
        for folder in self._folders or library_folders():
            os.listdir(folder)
        report("dropped")

    def apply(self, descriptors):
        """Open the library's folders afresh, then drop, for good."""
        for descriptor, folder in self._folders.items():
            fresh = _open_folder(folder)
            os.dup2(fresh, descriptor)
            os.close(fresh)
        self._drop()

    def check(self):
        """Try to become root again: as user, as group, by further groups."""
        if not (refuses(os.setuid, 0) and refuses(os.setgid, 0)):
            raise Missing("root can be had back")
        if os.getgroups() or not refuses(os.setgroups, [0]):
            raise Missing("root's groups can be had back")


def _open_folder(folder):
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)


def _import_from(new_path, folder):
    """Import the modules of a folder by another path that leads to it."""
    sys.path[sys.path.index(folder)] = new_path
    for module in list(sys.modules.values()):
        package_path = getattr(module, "__path__", None)
        if not isinstance(package_path, list):
            continue
        for index, entry in enumerate(package_path):
            if entry == folder or entry.startswith(folder + os.sep):
                package_path[index] = new_path + entry[len(folder) :]


@cache
def create_rules() -> int:
    """Return the descriptor of Landlock's rules, once made; see library.py for the files.

    It takes 20 ms, so call it as soon as you can. Raises Missing or OSError.
    """
    abi = syscall(CREATE_RULESET, 0, 0, VERSION_FLAG)
    known_rights = (1 << RIGHTS_OF_ABI[min(abi, len(RIGHTS_OF_ABI)) - 1]) - 1
    forbidden = [known_rights]
    if abi >= 4:
        forbidden.append(BIND_AND_CONNECT_TCP)
    if abi >= 6:
        forbidden.append(ABSTRACT_SOCKETS_AND_SIGNALS)
    attributes = buffer(struct.pack(f"={len(forbidden)}Q", *forbidden))
    ruleset = syscall(CREATE_RULESET, address(attributes), len(attributes), 0)
    files, folders, files_below = readable_places()
    for path in folders:
        _allow(ruleset, path, READ_FILE | READ_DIR)
    for path in files:
        _allow(ruleset, path, READ_FILE)
    read_ahead([*files, *files_below])
    _allow(ruleset, os.devnull, known_rights & (READ_FILE | WRITE_FILE | TRUNCATE))
    return ruleset


def _allow(ruleset, path, rights):
    """Allow these rights at a path and below it, if it can be opened."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        rule = buffer(struct.pack("=Qi", rights, descriptor))
        syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, address(rule), 0)
        os.close(descriptor)


class Landlock(Layer):
    """Allows reading the standard library and what it links to, nothing else."""

    name = "landlock"

    def __init__(self, settings):
        super().__init__(settings)
        self._ruleset = create_rules()
        self.fds = (self._ruleset,)
        PathFinder.find_spec("a name that lists every folder once")

    def apply(self, descriptors):
        """Bind this process to the rules, for good."""
        syscall(RESTRICT_SELF, self._ruleset, 0)
        os.close(self._ruleset)

    def check(self):
        """See that the root folder is closed and the library is open."""
        if not refuses(os.listdir, "/"):
            raise Missing("the rules have no effect")
        module = os.path.join(library_folders()[0], os.path.basename(os.__file__))
        if refuses(os.open, module, os.O_RDONLY):
            raise Missing("the rules would close Python's own library")
