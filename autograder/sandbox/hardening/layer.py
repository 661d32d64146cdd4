"""Provide the base class of all layers, and functions to test this machine."""

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
    """The settings for confining workers.

    uid: the ID of the user and group to which root's workers drop, or None.
    cpu_seconds: the maximum CPU time of a worker.
    memory_bytes: the maximum address space of a worker.
    """

    uid: int | None = None
    cpu_seconds: int = 61
    memory_bytes: int = 384 * 2**20


class Missing(Exception):
    """This machine lacks a layer. The text is a short reason."""


class Layer:
    """One kind of protection, created once in the zygote and applied in every worker.

    Each method may raise Missing or OSError if the machine lacks the layer. The zygote
    calls all methods before it reports the layer. If `apply` fails later, the worker ends.
    It never runs a student's code with fewer layers than reported.

    name: the name of the layer in reports.
    fds: descriptors that must remain open until `apply` is called.
    """

    name = ""
    fds: tuple = ()

    def __init__(self, settings):
        self.settings = settings

    def apply(self, descriptors):
        """Protect this process, a fresh worker, but leave these descriptors open."""

    def check(self):
        """Try an action that the layer forbids, and raise Missing if it succeeds."""


def prctl(option, *arguments):
    """Call prctl(2) and return its result. Raises OSError, or Missing without Linux."""
    return _call("prctl", option, *_padded(arguments, 4))


def syscall(number, *arguments):
    """Make the system call with this number and return its result.

    Arguments are integers. A pointer is the address() of a buffer that must stay alive.
    Raises the same errors as prctl().
    """
    return _call("syscall", number, *_padded(arguments, 6))


def _padded(arguments, length):
    """Return the arguments, padded with zeros to this length."""
    zeros = [0] * (length - len(arguments))
    return [*arguments, *zeros]


def need_libc():
    """Raise Missing if Linux's C library cannot be called."""
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
    """Return the address of a buffer in memory."""
    return ctypes.addressof(data)


def refuses(act, *arguments):
    """Return whether the machine refuses `act(*arguments)` with an OSError."""
    try:
        act(*arguments)
    except OSError:
        return True
    return False


def in_fork(function):
    """Run `function(report, pipe)` in a temporary fork and return its reports.

    Each report must be valid JSON data, and is sent through the descriptor `pipe`. A fork
    that dies early sends fewer reports.
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
