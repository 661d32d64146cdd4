"""Provide the base class of all layers, and ways to try what this machine allows."""

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
    """How workers are to be confined.

    uid: the number of the user and the group that a worker drops to. Only root can drop;
        None stays the present user.
    cpu_seconds: the CPU time of a worker.
    memory_bytes: the address space of a worker.
    """

    uid: int | None = None
    cpu_seconds: int = 61
    memory_bytes: int = 384 * 2**20


class Missing(Exception):
    """This machine lacks a layer; the text is a short reason."""


class Layer:
    """One kind of protection: made once in the zygote, applied in every worker.

    Each method may raise Missing or OSError where the machine lacks the layer: the
    zygote tries all of them before it reports the layer. Where `apply` fails later, the
    worker ends unstarted: it never runs a student's code with less than was reported.

    name: what reports call it.
    fds: descriptors that stay open until `apply` has been called.
    """

    name = ""
    fds: tuple = ()

    def __init__(self, settings):
        self.settings = settings

    def apply(self, descriptors):
        """Protect this process, a fresh worker that needs these descriptors open."""

    def check(self):
        """Try what the layer forbids; raise Missing if it is not forbidden."""


def prctl(option, *arguments):
    """Call prctl(2); return its result or raise OSError, or Missing off Linux."""
    return _call("prctl", option, *_padded(arguments, 4))


def syscall(number, *arguments):
    """Make the system call of this number; return its result or raise as prctl().

    Arguments are integers; a pointer is the address() of a buffer that stays alive.
    """
    return _call("syscall", number, *_padded(arguments, 6))


def _padded(arguments, length):
    """Return so many arguments; those that are not given are 0."""
    zeros = [0] * (length - len(arguments))
    return [*arguments, *zeros]


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
    """Run `function(report, pipe)` in a throw-away fork; return the list of its reports.

    Each report must fit JSON and goes through the descriptor `pipe`. A fork that dies
    early reports less.
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
