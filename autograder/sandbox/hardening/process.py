"""What a worker may take, hold and be: the small layers, which need no policy.

`descriptors` stops: reading a tree, the results or the control socket through what came
along with the fork; typing into the grader's terminal; telling the next worker by the
flags or the offset of a file that both inherit, as /dev/null is opened afresh; taking
the kernel's memory for descriptors without end.
`limits` stops: endless loops in C that outlive the grader's clock (CPU seconds), files
that are filled where Landlock and seccomp are missing, and a crash's core, which a
handler outside all layers would write.
`memory` stops: taking the machine's memory, which on Gradescope would end the grader.
`processes` stops: fork bombs, daemons and late threads. Root is exempt from it, so that
it holds only after the uid drop; for an ordinary user, whose other processes count too,
zero is still right: it refuses this process alone.
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

MOST = 64  # descriptors of the zygote and of a worker, so that closing all is quick
STACK = 64 * 2**20  # for deep recursion in Python 3.10, which uses the C stack
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38  # of linux/prctl.h, on every processor


class Descriptors(Layer):
    """Closes what came along with the fork and points 0, 1 and 2 at /dev/null."""

    name = "descriptors"

    def __init__(self, settings):
        super().__init__(settings)
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        os.closerange(MOST, soft if 0 < soft < 2**20 else 2**20)
        _limit("NOFILE", MOST)

    def apply(self, keep):
        """Close all but `keep`."""
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        for below, above in pairwise([2, *sorted(keep), MOST]):
            os.closerange(below + 1, above)

    def check(self):
        """Open descriptors until that is refused."""
        opened = []
        while len(opened) < MOST and not refuses(lambda: opened.append(os.dup(0))):
            pass
        for descriptor in opened:
            os.close(descriptor)
        if not len(opened) < MOST:
            raise Missing("the limit on descriptors is not kept")


class Limits(Layer):
    """CPU seconds, and no file that holds anything; a stack for deep recursion."""

    name = "limits"

    def apply(self, keep):
        """Set them; the stack may still be raised by the student's own code."""
        _limit("CPU", self.settings.cpu_seconds)
        _limit("FSIZE", 0)
        _limit("CORE", 0)
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        soft = STACK if hard == resource.RLIM_INFINITY else min(STACK, hard)
        resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


class Memory(Layer):
    """The size of the address space."""

    name = "memory"

    def apply(self, keep):
        """Set the limit."""
        _limit("AS", self.settings.memory_bytes)

    def check(self):
        """Map one more than the limit."""
        if not refuses(mmap.mmap, -1, self.settings.memory_bytes):
            raise Missing("the kernel does not keep the limit on the address space")


class Processes(Layer):
    """No further process and no further thread."""

    name = "processes"

    def apply(self, keep):
        """Set the limit to none."""
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
        exempt = os.geteuid() == 0
        raise Missing("root is exempt" if exempt else "the kernel does not keep it")


def _limit(name, most):
    """Lower a limit, hard and soft."""
    number = getattr(resource, f"RLIMIT_{name}", None)
    if number is None:
        raise Missing(f"this system has no limit {name}")
    hard = resource.getrlimit(number)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(number, (most, most))


class ParentDeath(Layer):
    """Killed when the zygote ends. A change of uid clears it: apply it after that."""

    name = "parent death"

    def __init__(self, settings):
        super().__init__(settings)
        self._zygote = os.getpid()

    def apply(self, keep):
        """Ask for the signal, then see whether the zygote ended before we asked."""
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._zygote:
            os._exit(71)


class NoNewPrivileges(Layer):
    """No setuid program, for this process and whatever it starts, for good."""

    name = "no new privileges"

    def apply(self, keep):
        """Set the flag."""
        prctl(PR_SET_NO_NEW_PRIVS, 1)
