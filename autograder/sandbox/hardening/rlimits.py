"""Bounds that the kernel keeps on one process: setrlimit(2).

`limits` stops: endless loops in C that outlive the grader's clock (CPU seconds),
filling the disk (files stay empty), opening descriptors without end, core files
with the grader's inherited pages, locked memory, message queues.
`memory` stops: taking the machine's memory, which on Gradescope would end the grader.
`processes` stops: fork bombs, daemons and late threads. Root is exempt from it, so
that it holds only after the uid drop; for an ordinary user, whose other processes
count too, zero is still right: it refuses this process alone.
Where they are missing (Windows; memory on macOS): the grader's own clock ends the
search, and what a worker took goes when it is killed.
"""

from __future__ import annotations

import mmap
import os

from .descriptors import MOST
from .layer import Layer, Missing, refuses

try:
    import resource
except ImportError:
    resource = None

STACK = 64 * 2**20  # for deep recursion in Python 3.10, which uses the C stack


def _need(name, what):
    """Raise Missing where this machine does not know a limit."""
    if not hasattr(resource, name):
        raise Missing(f"this system has no limit on {what}")


def _set(name, most):
    """Lower a limit, hard and soft, where this machine knows it."""
    number = getattr(resource, name, None)
    if number is None:
        return
    hard = resource.getrlimit(number)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(number, (most, most))


class ResourceLimits(Layer):
    """CPU seconds, file size, descriptors, core files, locked memory, stack."""

    name = "limits"

    def __init__(self, settings):
        super().__init__(settings)
        if resource is None:
            raise Missing("this system has no setrlimit")
        self._bounds = {
            "RLIMIT_CPU": settings.cpu_seconds,
            "RLIMIT_FSIZE": 0,
            "RLIMIT_NOFILE": MOST,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_MSGQUEUE": 0,
        }

    def apply(self, keep):
        """Set them all; the stack may still be raised by the student's own code."""
        for name, most in self._bounds.items():
            _set(name, most)
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        soft = STACK if hard == resource.RLIM_INFINITY else min(STACK, hard)
        resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))

    def check(self):
        """Open descriptors until that is refused."""
        opened = []
        try:
            while len(opened) <= MOST:
                opened.append(os.dup(0))
        except OSError:
            return
        finally:
            for descriptor in opened:
                os.close(descriptor)
        raise Missing("the limit on descriptors is not kept")


class Memory(Layer):
    """The size of the address space."""

    name = "memory"

    def __init__(self, settings):
        super().__init__(settings)
        _need("RLIMIT_AS", "the address space")

    def apply(self, keep):
        """Set the limit."""
        _set("RLIMIT_AS", self.settings.memory_bytes)

    def check(self):
        """Map one more than the limit."""
        if not refuses(_map_and_drop, self.settings.memory_bytes):
            raise Missing("the kernel does not keep the limit on the address space")


def _map_and_drop(size):
    mmap.mmap(-1, size).close()


class Processes(Layer):
    """No further process and no further thread."""

    name = "processes"

    def __init__(self, settings):
        super().__init__(settings)
        _need("RLIMIT_NPROC", "processes")

    def apply(self, keep):
        """Set the limit to none."""
        _set("RLIMIT_NPROC", 0)

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
