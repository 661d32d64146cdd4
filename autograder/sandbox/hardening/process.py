"""Set resource limits and process attributes: the small layers, which need no policy.

`descriptors` stops: reading a tree, the results or the control socket through what came
along with the fork; typing into the grader's terminal; signalling to the next worker by
the flags or the offset of a file that both inherit, as /dev/null is opened afresh; taking
the kernel's memory for descriptors without end.
`limits` stops: endless loops in C that outlive the grader's clock (CPU seconds), files
that are filled where Landlock and seccomp are missing, and a crash's core, which a
handler outside all layers would write.
`memory` stops: taking the machine's memory, which on Gradescope would end the grader.
`processes` stops: fork bombs, daemons and late threads. Root is exempt from it, so that
it holds only after the uid drop. An ordinary user's other processes count too, but zero
refuses further ones to this process alone.
`parent death` stops: a worker that sleeps on because the zygote was killed.
`no new privileges` stops: gaining rights by a setuid program; Landlock and seccomp
need it.
Where they are missing (the last two and `memory` on macOS): the grader's own clock ends
the search, and what a worker took goes when it is killed.
"""

from __future__ import annotations

import mmap
import os
import resource
import signal
from itertools import pairwise

from .layer import Layer, Missing, prctl, refuses

MAX_DESCRIPTORS = 64  # of the zygote and of a worker, so that closing all is quick
MAX_CLOSED = 2**20  # descriptors that are closed where the system's limit is higher
STACK_BYTES = 64 * 2**20  # for deep recursion in Python 3.10, which uses the C stack
# Of linux/prctl.h, the same on every processor.
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38


class Descriptors(Layer):
    """Closes what came along with the fork and points 0, 1 and 2 at /dev/null."""

    name = "descriptors"

    def __init__(self, settings):
        super().__init__(settings)
        soft_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        is_usual = 0 < soft_limit < MAX_CLOSED
        os.closerange(MAX_DESCRIPTORS, soft_limit if is_usual else MAX_CLOSED)
        _limit("NOFILE", MAX_DESCRIPTORS)

    def apply(self, descriptors):
        """Close all others."""
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        for below, above in pairwise([2, *sorted(descriptors), MAX_DESCRIPTORS]):
            os.closerange(below + 1, above)

    def check(self):
        """Open descriptors until that is refused."""
        opened = []
        try:
            for _ in range(MAX_DESCRIPTORS):
                opened.append(os.dup(0))
        except OSError:
            return
        finally:
            for descriptor in opened:
                os.close(descriptor)
        raise Missing("the limit on descriptors is not kept")


class Limits(Layer):
    """Limits CPU seconds, allows only empty files, and gives a stack for deep recursion."""

    name = "limits"

    def apply(self, descriptors):
        """Set the limits; the student's code may still raise that of the stack."""
        _limit("CPU", self.settings.cpu_seconds)
        _limit("FSIZE", 0)
        _limit("CORE", 0)
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        soft = _within(hard, STACK_BYTES)
        resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


class Memory(Layer):
    """Limits the size of the address space."""

    name = "memory"

    def apply(self, descriptors):
        """Set the limit."""
        _limit("AS", self.settings.memory_bytes)

    def check(self):
        """Map as many bytes as the whole address space may have."""
        if not refuses(mmap.mmap, -1, self.settings.memory_bytes):
            raise Missing("the kernel does not keep the limit on the address space")


class Processes(Layer):
    """Allows no further process and no further thread."""

    name = "processes"

    def apply(self, descriptors):
        """Set the limit to 0."""
        _limit("NPROC", 0)

    def check(self):
        """Fork."""
        try:
            pid = os.fork()
        except OSError:
            return
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        if os.geteuid() == 0:
            raise Missing("root is exempt")
        raise Missing("the kernel does not keep it")


def _limit(name, value):
    """Lower the resource limit RLIMIT_{name}, hard and soft."""
    number = getattr(resource, f"RLIMIT_{name}", None)
    if number is None:
        raise Missing(f"this system has no limit {name}")
    hard = resource.getrlimit(number)[1]
    value = _within(hard, value)
    resource.setrlimit(number, (value, value))


def _within(hard_limit, value):
    """Return the value, or the hard limit where that is lower."""
    if hard_limit == resource.RLIM_INFINITY:
        return value
    return min(value, hard_limit)


class ParentDeath(Layer):
    """Has the kernel kill the worker when the zygote ends.

    A change of uid clears this, so apply it after that.
    """

    name = "parent death"

    def __init__(self, settings):
        super().__init__(settings)
        self._zygote = os.getpid()

    def apply(self, descriptors):
        """Ask for the signal, then see whether the zygote ended before we asked."""
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._zygote:
            os._exit(71)


class NoNewPrivileges(Layer):
    """Takes the effect from setuid programs, for good, also for what this one starts."""

    name = "no new privileges"

    def apply(self, descriptors):
        """Set the flag."""
        prctl(PR_SET_NO_NEW_PRIVS, 1)
