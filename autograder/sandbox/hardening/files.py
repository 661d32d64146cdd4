"""Restrict access to files by an unused uid (if root) and by Landlock.

`uid` prevents reading the trees, the reference, the metadata and earlier results by path.
It also prevents writing results.json, signaling the grader, and reading the grader's
memory and /proc entries. Only root can apply it, as on Gradescope. A Python below a home
directory (pyenv, uv, conda) is closed to the worker's uid, so `import statistics` in a
correct submission would fail. So the zygote opens the library's folders and replaces them
on the path by /proc/self/fd/N. A process can open files relative to such a folder. The
worker can then read all world-readable files below that folder, and below its parents up
to the closed one. Landlock limits this to the library.

`landlock` prevents opening all files except those of readable_places(), changing files,
listing folders, and reading /proc. From ABI 4 on it also prevents TCP, and from ABI 6 on
signals and abstract sockets. It does not need root, so it also closes the trees to the
worker of an ordinary user. It is missing on Linux before 5.13 and in some containers. Then
the uid drop closes the files of root. Without both layers, the worker can read all files
that its user can read.

The files that a worker may open are the standard library, the time zones for zoneinfo, and
the shared libraries that the modules need. A worker could encode information in access
times or in the kernel's page cache, and a later submission could read it. So before it
forks, the zygote lists each folder and reads a byte of each file. The access times then
stay the same for a day. The zygote also makes the kernel cache each whole file.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import struct
import sys
from collections.abc import Iterable
from functools import cache

from .layers import Layer, Missing, address, buffer, in_fork, refuses, syscall

# No distribution assigns the user IDs 60706 to 61183.
FIRST_UNUSED_UID = 60706
UNUSED_UIDS = 478
# The numbers of Landlock's system calls, which are the same on x86-64 and aarch64.
CREATE_RULESET = 444
ADD_RULE = 445
RESTRICT_SELF = 446
# From linux/landlock.h.
VERSION_FLAG = 1
RULE_PATH_BENEATH = 1
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
TRUNCATE = 1 << 14
BIND_AND_CONNECT_TCP = 0b11
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
# The number of file rights in each ABI, from the lowest bit. The last number also applies
# to all later ABIs.
RIGHTS_OF_ABI = (13, 14, 15, 15, 16)
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


def unused_uid():
    """Return the ID of a user that owns nothing, or None if this user is not root.

    While this process runs, no other sandbox gets the same ID, so their workers cannot
    signal each other. The ID is claimed by a socket of its name, which stays open.
    """
    if os.geteuid() != 0:
        return None
    claim = socket.socket(socket.AF_UNIX)
    for number in range(os.getpid(), os.getpid() + UNUSED_UIDS):
        uid = FIRST_UNUSED_UID + number % UNUSED_UIDS
        with contextlib.suppress(OSError):
            claim.bind(f"\0alphabeta-{uid}")
            claim.detach()
            break
    return uid


class Uid(Layer):
    """Switches from root to an unused uid and gid, without any other groups."""

    name = "uid"

    def __init__(self, settings):
        super().__init__(settings)
        if settings.uid is None:
            raise Missing("only root can run the worker as another user")
        self._folders = {}  # descriptor -> the library's folder that it holds open
        if os.path.isdir(DESCRIPTORS):
            for folder in library_folders():
                self._folders[_open_folder(folder)] = folder
        if in_fork(self._try) != ["dropped"]:
            raise Missing("the kernel refuses it, or the user cannot read Python's library")
        self.fds = tuple(self._folders)
        for descriptor, folder in self._folders.items():
            _import_from(f"{DESCRIPTORS}{descriptor}", folder)

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
        """Open the library's folders again, then drop root permanently."""
        for descriptor, folder in self._folders.items():
            fresh = _open_folder(folder)
            os.dup2(fresh, descriptor)
            os.close(fresh)
        self._drop()

    def check(self):
        """Try to regain root's user ID, group ID and other groups."""
        if not (refuses(os.setuid, 0) and refuses(os.setgid, 0)):
            raise Missing("root can be regained")
        if os.getgroups() or not refuses(os.setgroups, [0]):
            raise Missing("root's groups can be regained")


def _open_folder(folder):
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)


def _import_from(new_path, folder):
    """Import the modules of a folder through another path to it."""
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
    """Create Landlock's rules for readable_places(); return their descriptor.

    The first call takes 20 ms, so make it early. Raises Missing or OSError.
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
    """Allow these rights at a path and below it, if the path can be opened."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        rule = buffer(struct.pack("=Qi", rights, descriptor))
        syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, address(rule), 0)
        os.close(descriptor)


class Landlock(Layer):
    """Allows reading only the standard library and the libraries that it needs."""

    name = "landlock"

    def __init__(self, settings):
        super().__init__(settings)
        self._ruleset = create_rules()
        self.fds = (self._ruleset,)

    def apply(self, descriptors):
        """Apply the rules to this process permanently."""
        syscall(RESTRICT_SELF, self._ruleset, 0)
        os.close(self._ruleset)

    def check(self):
        """Check that the root folder is closed and the library is open."""
        if not refuses(os.listdir, "/"):
            raise Missing("the rules have no effect")
        module = os.path.join(library_folders()[0], os.path.basename(os.__file__))
        if refuses(os.open, module, os.O_RDONLY):
            raise Missing("the rules would close Python's own library")
