"""Run the worker as a user that owns nothing: only root can do it (Gradescope).

Stops: reading the trees, the reference, the metadata and earlier results by their
paths, writing results.json, signals to the grader, its memory and its /proc entries.
Where it is missing (a TA who is not root): Landlock closes the files, seccomp and
`dumpable` the rest; without these two the worker may do what its user may.

The standard library stays importable after the drop. A Python under a home directory
(pyenv, uv, conda) is closed to the worker's uid, and `import statistics` in a right
submission would fail. The zygote therefore opens the library's folders before the drop
and puts /proc/self/fd/N in their place on the path: the kernel lets a process walk on
from a folder that it holds. What such a folder opens to the worker is what everybody
may read beneath it, and its parents up to the closed one; Landlock narrows it to the
library.
"""

from __future__ import annotations

import os
import socket
import sys
from importlib.machinery import PathFinder

from .landlock import DESCRIPTORS, library_folders
from .layer import Layer, Missing, in_fork, refuses

FIRST = 60706  # 60706..61183 is given out by no distribution, see systemd's UIDS-GIDS
WORKERS = 239  # the upper half of that range are the sweepers' uids


class Uid(Layer):
    """Gives up root for an unused uid and gid, and every further group."""

    name = "uid"

    def __init__(self, settings):
        super().__init__(settings)
        if settings.uid is None:
            raise Missing("only root can give the worker a user of its own")
        if not hasattr(os, "setresuid"):
            raise Missing("this system has no setresuid")
        if settings.uid == 0:
            raise Missing("0 is root's own number")
        self._uid = settings.uid
        self._folders = reach_library(self._drop)
        self.fds = tuple(self._folders)

    def _drop(self):
        os.setgroups([])
        os.setresgid(self._uid, self._uid, self._uid)
        os.setresuid(self._uid, self._uid, self._uid)

    def apply(self, keep):
        """Open the library's folders afresh, then drop, for good."""
        for descriptor, folder in self._folders.items():
            fresh = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            os.dup2(fresh, descriptor)
            os.close(fresh)
        self._drop()

    def check(self):
        """Try to come back, by each of the three ways."""
        if not os.getresuid() == os.getresgid() == (self._uid,) * 3:
            raise Missing("the drop has no effect")
        if os.getgroups():
            raise Missing("root's groups stay")
        if not (refuses(os.setuid, 0) and refuses(os.setgid, 0)):
            raise Missing("root can be had back")
        if not refuses(os.setgroups, [0]):
            raise Missing("root's groups can be had back")


def reach_library(drop):
    """Make imports work after `drop()`; return descriptor -> folder of what stays open.

    Raises Missing where they cannot be made to work.
    """
    if _importable_after(drop):
        return {}
    descriptors = dict(_walk_from_descriptors())
    if not _importable_after(drop):
        raise Missing(
            f"the dropped user cannot read Python's library in {sys.base_prefix}; "
            "install Python outside of home directories"
        )
    return descriptors


def _walk_from_descriptors():
    for folder in library_folders():
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        yield descriptor, folder
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

    def try_reading(report, pipe):
        drop()
        for folder in folders:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries if entry.is_file()]
            for name in names[:1]:
                open(os.path.join(folder, name), "rb").close()
        report("readable")

    return in_fork(try_reading) == ["readable"]


def guard_of(uid):
    """Return the uid that only the sweeper of the worker's `uid` has, or None.

    None says that `uid` is not from our range: others may have processes under it.
    """
    return uid + WORKERS if FIRST <= uid < FIRST + WORKERS else None


class ClaimedUid:
    """A uid that no other grader on this machine has while this one holds it.

    Its `number` is claimed by the name of a socket, which the kernel frees when the
    process ends, however it ends. Where there are no such names, or all are taken,
    the number depends on the process id alone.
    """

    def __init__(self):
        self._claim = None
        for number in range(os.getpid(), os.getpid() + WORKERS):
            self.number = FIRST + number % WORKERS
            if self._claimed():
                return
        self.number = FIRST + os.getpid() % WORKERS

    def _claimed(self):
        try:
            claim = socket.socket(socket.AF_UNIX)
            claim.bind(f"\0alphabeta-kit-uid-{self.number}")
        except (AttributeError, OSError):
            return False
        self._claim = claim
        return True

    def release(self):
        """Give the number back."""
        if self._claim is not None:
            self._claim.close()
            self._claim = None
