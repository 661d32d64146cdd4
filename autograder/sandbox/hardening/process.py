"""The worker's place among the other processes: session, parent, memory, privileges.

`session` stops: reading or typing at the grader's terminal, signals to the grader's
process group; and it gives the sweeper one name for what the worker starts.
`parent death` stops: a worker that lives on because the grader or zygote was killed.
`dumpable` stops: other processes of the same user from reading this one's memory or
environment by /proc and ptrace, and core files; `shield` does it for the zygote.
`no new privileges` stops: gaining rights by a setuid program; Landlock and seccomp
need it. `first to go` makes the kernel end the worker, and not the grader, when the
machine runs out of memory.
Where they are missing (macOS, except for the session): the sweeper ends what is left.
"""

from __future__ import annotations

import os
import signal

from . import libc
from .layer import Layer, Missing, need_linux


class Session(Layer):
    """A session of its own, without a terminal."""

    name = "session"

    def __init__(self, settings):
        super().__init__(settings)
        if not hasattr(os, "setsid"):
            raise Missing("this system has no sessions")

    def apply(self, keep):
        """Lead a new session."""
        os.setsid()

    def check(self):
        """See who leads the session."""
        if os.getsid(0) != os.getpid():
            raise Missing("setsid has no effect")


class FirstToGo(Layer):
    """The first choice of the kernel when memory runs out, by the zygote's heritage."""

    name = "first to go"

    def __init__(self, settings):
        super().__init__(settings)
        need_linux()
        with open("/proc/self/oom_score_adj", "r+") as score:
            score.write("1000")
            score.seek(0)
            if score.read().strip() != "1000":
                raise Missing("the kernel ignores oom_score_adj")


class ParentDeath(Layer):
    """Killed when the zygote ends. A change of uid clears it: apply it after that."""

    name = "parent death"

    def __init__(self, settings):
        super().__init__(settings)
        libc.need_libc()
        self._zygote = os.getpid()

    def apply(self, keep):
        """Ask for the signal, then see whether the zygote ended before we asked."""
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._zygote:
            os._exit(71)

    def check(self):
        """Read the signal back."""
        number = libc.ctypes.c_int(0)
        libc.prctl(libc.PR_GET_PDEATHSIG, libc.ctypes.addressof(number))
        if number.value != signal.SIGKILL:
            raise Missing("the kernel forgot it")


class _Flag(Layer):
    """A flag of this process, with the prctl options that set it and read it back."""

    setting = getting = value = 0

    def __init__(self, settings):
        super().__init__(settings)
        libc.need_libc()

    def apply(self, keep):
        """Set it."""
        libc.prctl(self.setting, self.value)

    def check(self):
        """Read it back."""
        if libc.prctl(self.getting) != self.value:
            raise Missing("the kernel ignores it")


class Dumpable(_Flag):
    """Closed to the other processes of the same user.

    A change of uid may open the process again: apply it after that.
    """

    name = "dumpable"
    setting, getting, value = libc.PR_SET_DUMPABLE, libc.PR_GET_DUMPABLE, 0


class NoNewPrivileges(_Flag):
    """No setuid program, for this process and whatever it starts, for good."""

    name = "no new privileges"
    setting, getting, value = libc.PR_SET_NO_NEW_PRIVS, libc.PR_GET_NO_NEW_PRIVS, 1


class Shield(Layer):
    """The zygote closed in the same way."""

    name = "shield"

    def __init__(self, settings):
        super().__init__(settings)
        libc.need_libc()
        if not shield():
            raise Missing("the kernel ignores it")


def shield():
    """Close this process's memory and /proc entries to others of the same user.

    For the grader and the zygote: without Landlock, a worker of the same user could
    otherwise read them. Return whether it holds. Programs started later are open
    again, as exec resets it.
    """
    try:
        libc.need_libc()
        libc.prctl(libc.PR_SET_DUMPABLE, 0)
    except (Missing, OSError):
        return False
    return libc.prctl(libc.PR_GET_DUMPABLE) == 0
