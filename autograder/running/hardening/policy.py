"""Which system calls a worker may make: what a Python running pure code needs.

An allow-list: whatever is not named here is refused with EPERM, which Python turns
into PermissionError, or RuntimeError for a thread. So there is no fork, thread, exec,
kill, ptrace or access to another process; no socket to anywhere; nothing that
creates, renames, removes, locks or changes a file; no prctl, io_uring, bpf, keys,
shared memory, memfd, inotify, mount, namespaces, priorities or CPU affinity. Numbers
that this table's kernel headers did not know yet are answered ENOSYS, as an old
kernel would, so that the C library falls back.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass


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
