"""Refuse every system call that pure Python does not need, by the kernel's seccomp.

Stops: processes, programs, signals, sockets, ptrace, writing and changing files, other
limits, namespaces, and about three quarters of the kernel's calls with whatever hole
they have. Where it is missing (other processors than x86-64 and aarch64, some
containers): uid or Landlock close the files, `processes` the forks.

The policy is CALLS and CONDITIONS; `program` makes a filter of it that compares the
call's number with one after the other. From Linux 5.11 on the kernel remembers which
are always allowed, and the commonest stand first.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys

from .layer import Layer, Missing, address, buffer, need_libc, refuses, syscall

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

# O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND and __O_TMPFILE of asm-generic/fcntl.h.
WRITING = 0o3 | 0o100 | 0o1000 | 0o2000 | 0o20000000
# TCGETS, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX: what io, os and asyncio ask for.
HARMLESS_IOCTLS = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451)
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. No locks, no F_SETFL, whose flags
# others with the same open file can read, no F_SETOWN, which sends signals, no
# F_SETPIPE_SZ, which takes memory that no limit counts.
HARMLESS_FCNTLS = (0, 1, 2, 3, 1030)
AF_UNIX, SOCK_STREAM, SOCK_TYPE = 1, 1, 0xF
ALL = 0xFFFFFFFF

# Calls that are allowed with some arguments only: each (word, mask, values) must hold, the
# word being half an argument: 2 * n the lower half of the n-th, 2 * n + 1 the upper.
CONDITIONS = {
    "open": [(2, WRITING, (0,))],
    "openat": [(4, WRITING, (0,))],
    "ioctl": [(2, ALL, HARMLESS_IOCTLS)],
    "fcntl": [(2, ALL, HARMLESS_FCNTLS)],
    "prlimit64": [(0, ALL, (0,))],  # this process only
    # asyncio wakes itself through a pair of connected sockets; they lead nowhere else.
    "socketpair": [(0, ALL, (AF_UNIX,)), (2, SOCK_TYPE, (SOCK_STREAM,))],
    "sendto": [(8, ALL, (0,)), (9, ALL, (0,))],  # to no address
}

# By what platform.machine() says: AUDIT_ARCH of linux/audit.h, the number of seccomp(2),
# and which number of CALLS is this processor's.
MACHINES = {"x86_64": (0xC000003E, 317, 0), "aarch64": (0xC00000B7, 277, 1)}

LOAD, AND = 0x20, 0x54  # a word of the call into the accumulator; and with a number
IF_EQUAL, IF_AT_LEAST, RETURN = 0x15, 0x35, 0x06
KILL, ALLOW = (RETURN, 0, 0, 0x80000000), (RETURN, 0, 0, 0x7FFF0000)
ERRNO = 0x00050000  # with the error's number in the lower half
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
X32 = 0x40000000  # the bit that marks x86-64's other calling convention
SET_MODE_FILTER = 1
# Without it, kernels before 5.16 slow the whole worker down against Spectre attacks of
# code on its own process, which holds nothing to steal.
SPEC_ALLOW = 4


def program(machine):
    """Return the policy's instructions for this machine: tuples of four numbers."""
    architecture, _, column = MACHINES[machine]
    steps = [
        (LOAD, 0, 0, ARCHITECTURE),
        (IF_EQUAL, 1, 0, architecture),
        KILL,
        (LOAD, 0, 0, NUMBER),
        (IF_AT_LEAST, 0, 1, X32),
        KILL,
    ]
    for name, numbers in CALLS.items():
        if numbers[column] is not None:
            block = [*_tests(name), ALLOW]
            steps += [(IF_EQUAL, 0, len(block), numbers[column]), *block]
    newer = (IF_AT_LEAST, 0, 1, NEWEST + 1)
    return [*steps, newer, _refuse(errno.ENOSYS), _refuse(errno.EPERM)]


def _tests(name):
    """Yield steps that fall through if the conditions of a call hold, and else refuse."""
    error = errno.EACCES if name.startswith("open") else errno.EPERM
    for word, mask, values in CONDITIONS.get(name, ()):
        yield LOAD, 0, 0, ARGUMENTS + 4 * word
        yield AND, 0, 0, mask
        for left, value in zip(range(len(values), 0, -1), values):
            yield IF_EQUAL, left, 0, value
        yield _refuse(error)


def _refuse(error):
    return RETURN, 0, 0, ERRNO | error


class Seccomp(Layer):
    """The policy, as a filter of this process."""

    name = "seccomp"

    def __init__(self, settings):
        super().__init__(settings)
        need_libc()
        machine = os.uname().machine
        if machine not in MACHINES or sys.maxsize < 2**32:
            raise Missing(f"no policy for the processor {machine}")
        self._call = MACHINES[machine][1]
        steps = program(machine)
        self._program = buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
        self._head = buffer(struct.pack("@HP", len(steps), address(self._program)))

    def apply(self, keep):
        """Install the filter, for good."""
        syscall(self._call, SET_MODE_FILTER, SPEC_ALLOW, address(self._head))

    def check(self):
        """Try a socket and a write; see that ordinary calls still work."""
        if not refuses(socket.socket) or not refuses(os.open, os.devnull, os.O_WRONLY):
            raise Missing("the filter has no effect")
        if refuses(os.stat, "/") or refuses(os.dup, 0):
            raise Missing("the filter refuses what Python needs")
