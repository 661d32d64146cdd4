"""Define the system calls that pure Python needs; seccomp refuses all others.

This policy forbids paths, new processes and programs, signals, sockets, ptrace, changes to
limits, queries about other processes, and namespaces. It allows about a sixth of the
kernel's system calls, which avoids the vulnerabilities of the others. It is missing in some
containers, and on processors other than x86-64 and aarch64. Then `uid` closes the files of
root, and `processes` prevents forks.

CALLS, CONDITIONS, PATH_CALLS and EMPTY_CALLS define the policy. FILTERS contains it as
programs, which compare the number of a call with each known number in turn. From Linux 5.11
on, the kernel caches which calls are always allowed. For older kernels, the most common
calls are compared first.
"""

from __future__ import annotations

import errno
import struct
from typing import NamedTuple

# The allowed calls: name, number on x86-64 (asm/unistd_64.h of Linux 6.2), number on
# aarch64 (asm-generic/unistd.h, which lacks the oldest calls).
CALLS = """
# The most common: read, write, allocate memory.
read                   0   63
write                  1   64
close                  3   57
lseek                  8   62
mmap                   9  222
munmap                11  215
brk                   12  214
mprotect              10  226
mremap                25  216
# The working folder and the mode of new files.
getcwd                79   17
umask                 95  166
# Other ways to read, write and close open files.
readv                 19   65
writev                20   66
pread64               17   67
close_range          436  436
# Signals that a process sends itself, and timers.
rt_sigaction          13  134
rt_sigprocmask        14  135
rt_sigreturn          15  139
rt_sigpending        127  136
sigaltstack          131  132
restart_syscall      219  128
alarm                 37    -
setitimer             38  103
getitimer             36  102
pause                 34    -
# Clocks and waiting.
nanosleep             35  101
gettimeofday          96  169
time                 201    -
times                100  153
# Who this process is.
getuid               102  174
geteuid              107  175
getgid               104  176
getegid              108  177
getresuid            118  148
getresgid            120  150
getgroups            115  158
# What the machine has, and what this process has used.
getrlimit             97  163
setrlimit            160  164
getrusage             98  165
uname                 63  160
getcpu               309  168
# What Python needs to start, to draw random numbers and to end.
sched_yield           24  124
getrandom            318  278
rseq                 334  293
exit                  60   93
exit_group           231   94
# Wait for several descriptors at once.
poll                   7    -
ppoll                271   73
select                23    -
pselect6             270   72
epoll_create1        291   20
epoll_ctl            233   21
epoll_wait           232    -
epoll_pwait          281   22
# Make and copy descriptors.
pipe                  22    -
pipe2                293   59
dup                   32   23
dup2                  33    -
dup3                 292   24
# Allowed under CONDITIONS only.
futex                202   98
recvfrom              45  207
madvise               28  233
ioctl                 16   29
fcntl                 72   25
prlimit64            302  261
socketpair            53  199
sendto                44  206
clock_gettime        228  113
clock_getres         229  114
clock_nanosleep      230  115
sched_getaffinity    204  123
"""
# The calls that find no file. Python then continues as it does if a file is missing. All
# other calls that take a path are refused like any unlisted call.
PATH_CALLS = """
open                   2    -
openat               257   56
stat                   4    -
lstat                  6    -
newfstatat           262   79
statx                332  291
access                21    -
faccessat            269   48
faccessat2           439  439
readlink              89    -
readlinkat           267   78
"""
# The calls that do nothing and return 0. Programs change to their own folder, and log their
# own number, by which the next worker could count the workers before it.
EMPTY_CALLS = """
chdir                 80   49
getpid                39  172
getppid              110  173
gettid               186  178
getpgrp              111    -
getpgid              121  155
getsid               124  156
"""
NEWEST_CALL = 451  # of Linux 6.2; higher numbers return ENOSYS


class Machine(NamedTuple):
    """A processor for which there is a policy.

    architecture: the AUDIT_ARCH number from linux/audit.h.
    clone_call, seccomp_call: the numbers of clone(2) and seccomp(2) on this processor.
    column: the column of the tables with its numbers.
    """

    architecture: int
    clone_call: int
    seccomp_call: int
    column: int


# By platform.machine().
MACHINES = {
    "x86_64": Machine(0xC000003E, clone_call=56, seccomp_call=317, column=1),
    "aarch64": Machine(0xC00000B7, clone_call=220, seccomp_call=277, column=2),
}


class Condition(NamedTuple):
    """A condition on an argument of an allowed call.

    half: the half of an argument that is compared. The lower 32 bits of argument n, counted
        from 0, are half 2n, and the upper 32 bits are half 2n + 1.
    values: the allowed values of this half.
    """

    half: int
    values: tuple[int, ...]


# TCGETS, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX: the requests of io, os and asyncio.
HARMLESS_IOCTLS = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451)
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. The filter refuses locks, F_SETFL
# (processes that share the open file can read its flags), F_SETOWN (sends signals) and
# F_SETPIPE_SZ (takes memory that no limit counts).
HARMLESS_FCNTLS = (0, 1, 2, 3, 1030)
# MADV_NORMAL, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE: the requests of memory allocators. The
# other values report or change which pages of a file the kernel caches.
HARMLESS_ADVICE = (0, 4, 8, 14, 15)
AF_UNIX = 1
SOCK_STREAMS = (0x1, 0x80001, 0x801, 0x80801)  # with CLOEXEC, NONBLOCK, and both

# FUTEX_WAIT, FUTEX_WAKE and FUTEX_WAIT_BITSET, the last also with FUTEX_CLOCK_REALTIME: the
# operations of locks and semaphores. All have FUTEX_PRIVATE_FLAG. Without it, a word of a
# library that is mapped would be one word for all processes.
PRIVATE_FUTEXES = (0x80, 0x81, 0x89, 0x189)

# CLOCK_REALTIME to CLOCK_TAI. Other numbers are the clocks of other processes and devices.
CLOCKS = tuple(range(12))
OWN_CLOCKS = [Condition(0, CLOCKS)]
OWN_PROCESS = [Condition(0, (0,))]

# Call -> its conditions, which must all be true.
CONDITIONS = {
    "ioctl": [Condition(2, HARMLESS_IOCTLS)],
    "fcntl": [Condition(2, HARMLESS_FCNTLS)],
    "futex": [Condition(2, PRIVATE_FUTEXES)],
    "madvise": [Condition(4, HARMLESS_ADVICE)],
    "prlimit64": OWN_PROCESS,
    "sched_getaffinity": OWN_PROCESS,
    "clock_gettime": OWN_CLOCKS,
    "clock_getres": OWN_CLOCKS,
    "clock_nanosleep": OWN_CLOCKS,
    # asyncio wakes itself through a pair of sockets that lead only to each other.
    "socketpair": [
        Condition(0, (AF_UNIX,)),
        Condition(2, SOCK_STREAMS),
    ],
    # Of a connected socket: without flags such as MSG_OOB, and without an address.
    "recvfrom": [Condition(6, (0,))],
    "sendto": [
        Condition(6, (0,)),
        Condition(8, (0,)),
        Condition(9, (0,)),
    ],
}


INSTRUCTION = struct.Struct("=HBBI")  # struct sock_filter in linux/filter.h


def instruction(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one instruction of a filter in the kernel's format.

    operation: one of the four operations below.
    value: the operand of the operation.
    if_true, if_false: the number of instructions that a comparison skips.
    """
    return INSTRUCTION.pack(operation, if_true, if_false, value)


LOAD = 0x20  # load the word at an offset of the call's data into the accumulator
IF_EQUAL = 0x15  # test whether the accumulator equals the value
IF_AT_LEAST = 0x35  # test whether the accumulator is at least the value
RETURN = 0x06  # return the kernel's action for the call

# Offsets in the call's data, struct seccomp_data of linux/seccomp.h, in bytes.
NUMBER = 0
ARCHITECTURE = 4
ARGUMENTS = 16

KILL = instruction(RETURN, 0x80000000)
ALLOW = instruction(RETURN, 0x7FFF0000)
RETURN_ERROR = 0x00050000  # with the error's number in the lower half
SUCCESS = 0  # instead of an error's number
X32 = 0x40000000  # the bit that marks x86-64's other calling convention


def refuse(error: int) -> bytes:
    """Return the instruction that lets a call fail with this error's number."""
    return instruction(RETURN, RETURN_ERROR | error)


# The tables, with the kernel's action for their calls.
POLICY = (
    (CALLS, ALLOW),
    (PATH_CALLS, refuse(errno.ENOENT)),
    (EMPTY_CALLS, refuse(SUCCESS)),
)


def build_filter(machine: Machine) -> bytes:
    """Return the policy as a program for a machine."""
    instructions = [
        instruction(LOAD, ARCHITECTURE),
        instruction(IF_EQUAL, machine.architecture, if_true=1),
        KILL,
        instruction(LOAD, NUMBER),
        instruction(IF_AT_LEAST, X32, if_false=1),
        KILL,
    ]
    for table, action in POLICY:
        for name, number in call_numbers(table, machine.column).items():
            block = [*_checks_of_arguments(name), action]
            instructions.append(instruction(IF_EQUAL, number, if_false=len(block)))
            instructions.extend(block)
    instructions.append(instruction(IF_AT_LEAST, NEWEST_CALL + 1, if_false=1))
    instructions.append(refuse(errno.ENOSYS))
    instructions.append(refuse(errno.EPERM))
    return b"".join(instructions)


def call_numbers(table: str, column: int) -> dict[str, int]:
    """Return name -> number of the calls in a table, from one of its columns."""
    numbers = {}
    for line in table.splitlines():
        words = line.partition("#")[0].split()
        if words and words[column] != "-":
            numbers[words[0]] = int(words[column])
    return numbers


def _checks_of_arguments(name):
    """Return instructions that refuse a call unless all its conditions are true."""
    instructions = []
    for half, values in CONDITIONS.get(name, ()):
        instructions.append(instruction(LOAD, ARGUMENTS + 4 * half))
        for index, value in enumerate(values):
            past_refusal = len(values) - index
            instructions.append(instruction(IF_EQUAL, value, if_true=past_refusal))
        instructions.append(refuse(errno.EPERM))
    return instructions


# Machine -> its program, which the zygote builds once for all workers.
FILTERS = {name: build_filter(machine) for name, machine in MACHINES.items()}
