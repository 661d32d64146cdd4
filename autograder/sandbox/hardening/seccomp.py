"""Refuse every system call that pure Python does not need, by the kernel's seccomp.

Stops: processes, programs, signals, sockets, ptrace, writing and changing files, other
limits, namespaces, and about three quarters of the kernel's calls with whatever hole
they have. Where it is missing (other processors than x86-64 and aarch64, some
containers): uid or Landlock close the files, `processes` the forks.

The policy is CALLS and CONDITIONS; `program` makes a filter of it that finds a call by
halving. As opening a file for writing is refused, the built-in `open` is replaced by one
that still writes to /dev/null.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import socket
import struct
import sys
from dataclasses import dataclass
from itertools import chain

from . import libc
from .layer import Layer, Missing, refuses

NEWEST = 451  # higher numbers are answered ENOSYS

# The calls that are allowed, with any arguments unless CONDITIONS says otherwise: name ->
# number on x86-64 (asm/unistd_64.h of Linux 6.2), on aarch64 (asm-generic/unistd.h, which
# lacks the oldest calls).
# fmt: off
CALLS = {
    "read": (0, 63), "write": (1, 64), "futex": (202, 98), "close": (3, 57),
    "lseek": (8, 62), "fstat": (5, 80), "newfstatat": (262, 79), "mmap": (9, 222),
    "munmap": (11, 215), "brk": (12, 214), "mprotect": (10, 226), "mremap": (25, 216),
    "madvise": (28, 233), "stat": (4, None), "lstat": (6, None), "access": (21, None),
    "readlink": (89, None), "getdents": (78, None), "getdents64": (217, 61),
    "faccessat": (269, 48), "faccessat2": (439, 439), "statx": (332, 291),
    "readlinkat": (267, 78), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50),
    "umask": (95, 166), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "close_range": (436, 436), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "alarm": (37, None), "setitimer": (38, 103),
    "getitimer": (36, 102), "pause": (34, None), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153),
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getresuid": (118, 148), "getresgid": (120, 150), "getgroups": (115, 158),
    "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156),
    "getpriority": (140, 141), "getrlimit": (97, 163), "setrlimit": (160, 164),
    "getrusage": (98, 165), "sysinfo": (99, 179), "uname": (63, 160), "getcpu": (309, 168),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "getrandom": (318, 278),
    "set_robust_list": (273, 99), "rseq": (334, 293), "exit": (60, 93),
    "exit_group": (231, 94), "poll": (7, None), "ppoll": (271, 73), "select": (23, None),
    "pselect6": (270, 72), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "pipe": (22, None),
    "pipe2": (293, 59), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "recvfrom": (45, 207), "open": (2, None), "openat": (257, 56), "ioctl": (16, 29),
    "fcntl": (72, 25), "prlimit64": (302, 261), "socketpair": (53, 199),
    "sendto": (44, 206),
}
# fmt: on


@dataclass(frozen=True)
class OneOf:
    """Allows a call whose argument, 32 bits of it under `mask`, is one of `values`."""

    argument: int
    values: tuple
    mask: int = 0xFFFFFFFF
    otherwise: int = errno.EPERM


@dataclass(frozen=True)
class Null:
    """Allows a call whose pointer argument is null, all 64 bits of it."""

    argument: int
    otherwise: int = errno.EPERM


# O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND and __O_TMPFILE of asm-generic/fcntl.h.
WRITING = 0o3 | 0o100 | 0o1000 | 0o2000 | 0o20000000
# TCGETS, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX: what io, os and asyncio ask for.
HARMLESS_IOCTLS = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451)
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. No locks, no F_SETFL, whose flags
# others with the same open file can read, no F_SETOWN, which sends signals, no
# F_SETPIPE_SZ, which takes memory that no limit counts.
HARMLESS_FCNTLS = (0, 1, 2, 3, 1030)
AF_UNIX, SOCK_STREAM, SOCK_TYPE = 1, 1, 0xF

# Calls that are allowed with some arguments only; each condition must hold.
CONDITIONS = {
    "open": (OneOf(1, (0,), WRITING, errno.EACCES),),
    "openat": (OneOf(2, (0,), WRITING, errno.EACCES),),
    "ioctl": (OneOf(1, HARMLESS_IOCTLS),),
    "fcntl": (OneOf(1, HARMLESS_FCNTLS),),
    "prlimit64": (OneOf(0, (0,)),),  # this process only
    # asyncio wakes itself through a pair of connected sockets; they lead nowhere else.
    "socketpair": (OneOf(0, (AF_UNIX,)), OneOf(1, (SOCK_STREAM,), SOCK_TYPE)),
    "sendto": (Null(4),),
}


@dataclass(frozen=True)
class Machine:
    """What differs between processors: AUDIT_ARCH of linux/audit.h, and call numbers."""

    architecture: int
    seccomp: int
    numbers: dict


# By what platform.machine() says.
MACHINES = {
    "x86_64": Machine(0xC000003E, 317, {name: x86 for name, (x86, _) in CALLS.items()}),
    "aarch64": Machine(
        0xC00000B7, 277, {name: arm for name, (_, arm) in CALLS.items() if arm is not None}
    ),
}

LOAD, AND = 0x20, 0x54  # a word of the call into the accumulator; and with a number
IF_EQUAL, IF_AT_LEAST, RETURN = 0x15, 0x35, 0x06
KILL, ALLOW = (RETURN, 0, 0, 0x80000000), (RETURN, 0, 0, 0x7FFF0000)
ERRNO = 0x00050000  # with the error's number in the lower half
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
X32 = 0x40000000  # the bit that marks x86-64's other calling convention


def program(machine):
    """Return the policy's instructions for this machine: tuples of four numbers."""
    return [
        (LOAD, 0, 0, ARCHITECTURE),
        (IF_EQUAL, 1, 0, MACHINES[machine].architecture),
        KILL,
        (LOAD, 0, 0, NUMBER),
        *_search(list(_ranges(MACHINES[machine].numbers))),
    ]


def _ranges(numbers):
    """Yield (first number, steps): the steps hold up to the next range's first."""
    blocks = {}
    for name, number in numbers.items():
        tests = [_test(condition) for condition in CONDITIONS.get(name, ())]
        blocks[number] = [*chain.from_iterable(tests), ALLOW]
    before = None
    for number in range(NEWEST + 1):
        block = blocks.get(number, [_refuse(errno.EPERM)])
        if block != before:
            yield number, block
        before = block
    yield NEWEST + 1, [_refuse(errno.ENOSYS)]
    yield X32, [KILL]


def _search(ranges):
    """Return steps that find a number's range by halving, in at most 7 comparisons."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    lower, upper = _search(ranges[:middle]), _search(ranges[middle:])
    return [(IF_AT_LEAST, len(lower), 0, ranges[middle][0]), *lower, *upper]


def assembled(code):
    """Return the instructions as the bytes that the kernel reads."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def _test(condition):
    """Return steps that fall through if the condition holds, and else refuse."""
    place = ARGUMENTS + 8 * condition.argument
    refuse = _refuse(condition.otherwise)
    if isinstance(condition, Null):
        return [
            (LOAD, 0, 0, place),
            (IF_EQUAL, 0, 2, 0),
            (LOAD, 0, 0, place + 4),
            (IF_EQUAL, 1, 0, 0),
            refuse,
        ]
    steps = [(LOAD, 0, 0, place)]
    if condition.mask != 0xFFFFFFFF:
        steps.append((AND, 0, 0, condition.mask))
    for left, value in zip(range(len(condition.values), 0, -1), condition.values):
        steps.append((IF_EQUAL, left, 0, value))
    return [*steps, refuse]


def _refuse(error):
    return (RETURN, 0, 0, ERRNO | error)


SET_MODE_FILTER = 1
# Without it, kernels before 5.16 slow the whole worker down against Spectre attacks of
# code on its own process, which holds nothing to steal.
SPEC_ALLOW = 4


class Seccomp(Layer):
    """The policy, as a filter of this process."""

    name = "seccomp"

    def __init__(self, settings):
        super().__init__(settings)
        libc.need_libc()
        machine = os.uname().machine
        if machine not in MACHINES or sys.maxsize < 2**32:
            raise Missing(f"no policy for the processor {machine}")
        self._call = MACHINES[machine].seccomp
        instructions = assembled(program(machine))
        self._program = libc.ctypes.create_string_buffer(instructions, len(instructions))
        address = libc.ctypes.addressof(self._program)
        head = struct.pack("@HP", len(instructions) // 8, address)
        self._head = libc.ctypes.create_string_buffer(head, len(head))
        self._flags = SPEC_ALLOW if self._knows(SPEC_ALLOW) else 0

    def _knows(self, flags):
        """Ask with no program: a kernel that knows the flags complains of the address."""
        try:
            libc.syscall(self._call, SET_MODE_FILTER, flags, 0)
        except OSError as error:
            if error.errno == errno.EINVAL:
                return False
            if error.errno == errno.EFAULT:
                return True
            reason = f"not in this kernel or container ({error.strerror})"
            raise Missing(reason) from None
        return False

    def apply(self, keep):
        """Install the filter, for good, and what makes up for it."""
        builtins.open = io.open = Open(os.open(os.devnull, os.O_RDWR))
        address = libc.ctypes.addressof(self._head)
        libc.syscall(self._call, SET_MODE_FILTER, self._flags, address)

    def check(self):
        """Try a socket and a write; see that ordinary calls still work."""
        if not refuses(socket.socket) or not refuses(os.open, os.devnull, os.O_WRONLY):
            raise Missing("the filter has no effect")
        if refuses(os.stat, "/") or refuses(os.dup, 0):
            raise Missing("the filter refuses what Python needs")


class Open:
    """The built-in `open`, with one more thing: /dev/null may be written.

    An object and not a function, because Python 3.10's pathlib keeps `io.open` in a
    class, where a function would turn into a method.
    """

    __name__ = "open"

    def __init__(self, null):
        self._null = null
        self._open = io.open

    def __call__(self, file, mode="r", *arguments, **keywords):
        """Open a file as the built-in does."""
        try:
            return self._open(file, mode, *arguments, **keywords)
        except PermissionError:
            if isinstance(file, int) or os.fspath(file) != os.devnull:
                raise
            copy = os.dup(self._null)
            return self._open(copy, mode.replace("x", "w"), *arguments, **keywords)
