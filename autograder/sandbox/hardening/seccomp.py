"""The numbers of the system calls that the policy names, from Linux 6.2's headers.

x86-64: asm/unistd_64.h; aarch64: asm-generic/unistd.h, which lacks the oldest calls.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
from dataclasses import dataclass

from . import descriptors, libc
from .layer import Layer, Missing, refuses

NEWEST = 451  # higher numbers are answered ENOSYS

# fmt: off
X86_64 = {
    "read": 0, "write": 1, "futex": 202, "close": 3, "lseek": 8, "fstat": 5,
    "newfstatat": 262, "mmap": 9, "munmap": 11, "brk": 12, "mprotect": 10, "mremap": 25,
    "madvise": 28, "stat": 4, "lstat": 6, "access": 21, "readlink": 89, "getdents": 78,
    "getdents64": 217, "faccessat": 269, "faccessat2": 439, "statx": 332,
    "readlinkat": 267, "getcwd": 79, "chdir": 80, "fchdir": 81, "umask": 95,
    "readv": 19, "writev": 20, "pread64": 17, "close_range": 436, "rt_sigaction": 13,
    "rt_sigprocmask": 14, "rt_sigreturn": 15, "rt_sigpending": 127, "sigaltstack": 131,
    "restart_syscall": 219, "alarm": 37, "setitimer": 38, "getitimer": 36, "pause": 34,
    "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230, "nanosleep": 35,
    "gettimeofday": 96, "time": 201, "times": 100, "getpid": 39, "getppid": 110,
    "gettid": 186, "getuid": 102, "geteuid": 107, "getgid": 104, "getegid": 108,
    "getresuid": 118, "getresgid": 120, "getgroups": 115, "getpgrp": 111,
    "getpgid": 121, "getsid": 124, "getpriority": 140, "getrlimit": 97,
    "setrlimit": 160, "getrusage": 98, "sysinfo": 99, "uname": 63, "getcpu": 309,
    "sched_yield": 24, "sched_getaffinity": 204, "getrandom": 318,
    "set_robust_list": 273, "rseq": 334, "exit": 60, "exit_group": 231, "poll": 7,
    "ppoll": 271, "select": 23, "pselect6": 270, "epoll_create1": 291, "epoll_ctl": 233,
    "epoll_wait": 232, "epoll_pwait": 281, "pipe": 22, "pipe2": 293, "dup": 32,
    "dup2": 33, "dup3": 292, "recvfrom": 45, "open": 2, "openat": 257, "ioctl": 16,
    "fcntl": 72, "prlimit64": 302, "socketpair": 53, "sendto": 44,
}

AARCH64 = {
    "read": 63, "write": 64, "futex": 98, "close": 57, "lseek": 62, "fstat": 80,
    "newfstatat": 79, "mmap": 222, "munmap": 215, "brk": 214, "mprotect": 226,
    "mremap": 216, "madvise": 233, "getdents64": 61, "faccessat": 48, "faccessat2": 439,
    "statx": 291, "readlinkat": 78, "getcwd": 17, "chdir": 49, "fchdir": 50,
    "umask": 166, "readv": 65, "writev": 66, "pread64": 67, "close_range": 436,
    "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139,
    "rt_sigpending": 136, "sigaltstack": 132, "restart_syscall": 128, "setitimer": 103,
    "getitimer": 102, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115,
    "nanosleep": 101, "gettimeofday": 169, "times": 153, "getpid": 172, "getppid": 173,
    "gettid": 178, "getuid": 174, "geteuid": 175, "getgid": 176, "getegid": 177,
    "getresuid": 148, "getresgid": 150, "getgroups": 158, "getpgid": 155, "getsid": 156,
    "getpriority": 141, "getrlimit": 163, "setrlimit": 164, "getrusage": 165,
    "sysinfo": 179, "uname": 160, "getcpu": 168, "sched_yield": 124,
    "sched_getaffinity": 123, "getrandom": 278, "set_robust_list": 99, "rseq": 293,
    "exit": 93, "exit_group": 94, "ppoll": 73, "pselect6": 72, "epoll_create1": 20,
    "epoll_ctl": 21, "epoll_pwait": 22, "pipe2": 59, "dup": 23, "dup3": 24,
    "recvfrom": 207, "openat": 56, "ioctl": 29, "fcntl": 25, "prlimit64": 261,
    "socketpair": 199, "sendto": 206,
}


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
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. No locks, no F_SETOWN,
# which sends signals, no F_SETPIPE_SZ, which takes memory that no limit counts.
HARMLESS_FCNTLS = (0, 1, 2, 3, 4, 1030)
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

# Calls that are allowed with any arguments.
# fmt: off
FREE = [
    "read", "write", "futex", "close", "lseek", "fstat", "newfstatat", "mmap", "munmap",
    "brk", "mprotect", "mremap", "madvise", "stat", "lstat", "access", "readlink",
    "getdents", "getdents64", "faccessat", "faccessat2", "statx", "readlinkat",
    "getcwd", "chdir", "fchdir", "umask", "readv", "writev", "pread64", "close_range",
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "sigaltstack",
    "restart_syscall", "alarm", "setitimer", "getitimer", "pause", "clock_gettime",
    "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
    "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "getpgrp", "getpgid", "getsid",
    "getpriority", "getrlimit", "setrlimit", "getrusage", "sysinfo", "uname", "getcpu",
    "sched_yield", "sched_getaffinity", "getrandom", "set_robust_list", "rseq", "exit",
    "exit_group", "poll", "ppoll", "select", "pselect6", "epoll_create1", "epoll_ctl",
    "epoll_wait", "epoll_pwait", "pipe", "pipe2", "dup", "dup2", "dup3", "recvfrom",
]


LOAD, AND = 0x20, 0x54  # a word of the call into the accumulator; and with a number
IF_EQUAL, IF_AT_LEAST, RETURN = 0x15, 0x35, 0x06
KILL, ALLOW = (RETURN, 0, 0, 0x80000000), (RETURN, 0, 0, 0x7FFF0000)
ERRNO = 0x00050000  # with the error's number in the lower half
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
X32 = 0x40000000  # the bit that marks x86-64's other calling convention

# platform.machine() -> (AUDIT_ARCH of linux/audit.h, numbers of the calls)
MACHINES = {
    "x86_64": (0xC000003E, X86_64),
    "aarch64": (0xC00000B7, AARCH64),
}


def program(machine):
    """Return the policy's instructions for this machine: tuples of four numbers."""
    architecture, numbers = MACHINES[machine]
    return [
        (LOAD, 0, 0, ARCHITECTURE),
        (IF_EQUAL, 1, 0, architecture),
        KILL,
        (LOAD, 0, 0, NUMBER),
        *_search(list(_ranges(numbers))),
    ]


def _ranges(numbers):
    """Yield (first number, steps): the steps hold up to the next range's first."""
    blocks = {numbers[name]: [ALLOW] for name in FREE if name in numbers}
    for name, conditions in CONDITIONS.items():
        if name in numbers:
            tests = [step for condition in conditions for step in _test(condition)]
            blocks[numbers[name]] = [*tests, ALLOW]
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


SECCOMP = {"x86_64": 317, "aarch64": 277}  # the number of seccomp(2)
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
        self._call = SECCOMP[machine]
        instructions = assembled(program(machine))
        self._program = libc.ctypes.create_string_buffer(instructions, len(instructions))
        address = libc.ctypes.addressof(self._program)
        head = struct.pack("@HP", len(instructions) // 8, address)
        self._head = libc.ctypes.create_string_buffer(head, len(head))
        self._null = os.open(os.devnull, os.O_RDWR)
        self.fds = (self._null,)
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
        descriptors.install(self._null)
        address = libc.ctypes.addressof(self._head)
        libc.syscall(self._call, SET_MODE_FILTER, self._flags, address)

    def check(self):
        """Try a socket and a write; see that ordinary calls still work."""
        if not refuses(socket.socket) or not refuses(os.open, os.devnull, os.O_WRONLY):
            raise Missing("the filter has no effect")
        if refuses(os.stat, "/") or refuses(os.dup, 0):
            raise Missing("the filter refuses what Python needs")
