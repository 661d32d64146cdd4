"""Turn the policy into the small program that the kernel runs at each system call.

Classic BPF: instructions of eight bytes (code, jump if true, jump if false, number),
reading the call from struct seccomp_data: number, architecture, six arguments.
"""

from __future__ import annotations

import errno
import struct

from . import syscalls
from .policy import CONDITIONS, FREE, Null

LOAD, AND = 0x20, 0x54  # a word of the call into the accumulator; and with a number
IF_EQUAL, IF_AT_LEAST, RETURN = 0x15, 0x35, 0x06
KILL, ALLOW = (RETURN, 0, 0, 0x80000000), (RETURN, 0, 0, 0x7FFF0000)
ERRNO = 0x00050000  # with the error's number in the lower half
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
X32 = 0x40000000  # the bit that marks x86-64's other calling convention

# platform.machine() -> (AUDIT_ARCH of linux/audit.h, numbers of the calls)
MACHINES = {
    "x86_64": (0xC000003E, syscalls.X86_64),
    "aarch64": (0xC00000B7, syscalls.AARCH64),
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
    for number in range(syscalls.NEWEST + 1):
        block = blocks.get(number, [_refuse(errno.EPERM)])
        if block != before:
            yield number, block
        before = block
    yield syscalls.NEWEST + 1, [_refuse(errno.ENOSYS)]
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
