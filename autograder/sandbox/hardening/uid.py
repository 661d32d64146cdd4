"""Run the worker as a user that owns nothing: only root can do it (Gradescope).

Stops: reading the trees, the reference, the metadata and earlier results by their
paths, writing results.json, signals to the grader, its memory and its /proc entries.
Where it is missing (a TA who is not root): Landlock closes the files, seccomp and
`dumpable` the rest; without these two the worker may do what its user may.
"""

from __future__ import annotations

import os
import socket

from .landlock import reach_library
from .layer import Layer, Missing, refuses

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
        self._uid = settings.uid
        self._gid = settings.uid if settings.gid is None else settings.gid
        if not self._uid or not self._gid:
            raise Missing("0 is root's own number")
        self.fds = reach_library(self._drop)

    def _drop(self):
        os.setgroups([])
        os.setresgid(self._gid, self._gid, self._gid)
        os.setresuid(self._uid, self._uid, self._uid)

    def apply(self, keep):
        """Drop to them, for good."""
        self._drop()

    def check(self):
        """Try to come back, by each of the three ways."""
        if os.getresuid() != (self._uid,) * 3 or os.getresgid() != (self._gid,) * 3:
            raise Missing("the drop has no effect")
        if os.getgroups():
            raise Missing("root's groups stay")
        if not (refuses(os.setuid, 0) and refuses(os.setgid, 0)):
            raise Missing("root can be had back")
        if not refuses(os.setgroups, [0]):
            raise Missing("root's groups can be had back")


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
        for turn in range(WORKERS):
            self.number = FIRST + (os.getpid() + turn) % WORKERS
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
