"""The system calls that Python has no function for, by ctypes."""

from __future__ import annotations

import os

from .layer import Missing, need_linux

try:
    import ctypes

    LIBC = ctypes.CDLL(None, use_errno=True)
    LIBC.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    LIBC.syscall.restype = ctypes.c_long
    LIBC.syscall.argtypes = [ctypes.c_long] + [ctypes.c_ulong] * 6
except (ImportError, OSError, TypeError, AttributeError):
    LIBC = None

# prctl(2); the numbers are those of linux/prctl.h on every architecture.
PR_SET_PDEATHSIG = 1
PR_GET_PDEATHSIG = 2
PR_GET_DUMPABLE = 3
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_GET_CHILD_SUBREAPER = 37
PR_SET_NO_NEW_PRIVS = 38
PR_GET_NO_NEW_PRIVS = 39


def need_libc():
    """Raise Missing where the C library cannot be called or is not Linux's."""
    need_linux()
    if LIBC is None:
        raise Missing("this Python has no ctypes")


def prctl(option, *arguments):
    """Call prctl(2); return its result or raise OSError."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    return _result(LIBC.prctl(option, *padded), "prctl")


def syscall(number, *arguments):
    """Make the system call of this number; return its result or raise OSError.

    Arguments are integers; a pointer is the address of something kept alive.
    """
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    return _result(LIBC.syscall(number, *padded), "syscall")


def _result(result, what):
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result
