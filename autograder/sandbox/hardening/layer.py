"""What the layers of hardening have in common, and how this machine is probed."""

from __future__ import annotations

import json
import os
import sys
from typing import NamedTuple

try:
    import ctypes

    LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    if LIBC is not None:
        LIBC.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
        LIBC.syscall.argtypes = [ctypes.c_long] + [ctypes.c_ulong] * 6
        LIBC.syscall.restype = ctypes.c_long
except (ImportError, OSError, AttributeError):
    LIBC = None


class Settings(NamedTuple):
    """What the zygote asks for. Seconds, bytes, a numeric id.

    `uid` is the user and the group that a worker drops to; None keeps the present
    ones (only root can drop).
    """

    uid: int | None = None
    cpu_seconds: int = 61
    memory_bytes: int = 384 * 2**20


class Missing(Exception):
    """A layer that this machine does not give; the text is the reason, a short one."""


class Layer:
    """One kind of protection: made once in the zygote, applied in every worker.

    Each of its methods may raise Missing or OSError where the machine lacks it: the
    zygote tries them before it reports the layer. Where `apply` fails later, the worker
    ends unstarted: it never runs a student's code with less than was reported. The
    descriptors `fds` stay open until then.
    """

    name = ""
    fds: tuple = ()

    def __init__(self, settings):
        self.settings = settings

    def apply(self, keep):
        """Protect this process, a fresh worker; `keep` are its open descriptors."""

    def check(self):
        """Try what the layer forbids; raise Missing if it is not forbidden."""


def prctl(option, *arguments):
    """Call prctl(2); return its result or raise OSError, or Missing off Linux."""
    return _call("prctl", option, *(*arguments, 0, 0, 0, 0)[:4])


def syscall(number, *arguments):
    """Make the system call of this number; return its result or raise as prctl().

    Arguments are integers; a pointer is the address() of something kept alive.
    """
    return _call("syscall", number, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])


def need_libc():
    """Raise Missing where the C library cannot be called, or is not Linux's."""
    if LIBC is None:
        raise Missing("needs Linux, and a Python with ctypes")


def _call(function, *arguments):
    need_libc()
    result = getattr(LIBC, function)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def buffer(data):
    """Return a copy of bytes that has an address()."""
    return ctypes.create_string_buffer(data, len(data))


def address(data):
    """Return where a buffer lies."""
    return ctypes.addressof(data)


def refuses(act, *arguments):
    """Return whether the machine refuses `act(*arguments)` with an OSError."""
    try:
        act(*arguments)
    except OSError:
        return True
    return False


def in_fork(function):
    """Run `function(report, pipe)` in a throw-away fork; return all that it reported.

    Each report must fit JSON and goes through the descriptor `pipe`. A fork that
    dies early just reports less.
    """
    reading, writing = os.pipe()

    def report(content):
        os.write(writing, json.dumps(content).encode() + b"\n")

    pid = os.fork()
    if pid == 0:
        try:
            function(report, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        reports = [json.loads(line) for line in pipe]
    os.waitpid(pid, 0)
    return reports
