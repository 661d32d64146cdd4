"""The system calls a worker may make: the program, run here as the kernel runs it."""

import ctypes
import errno
import fcntl
import os
import random
import socket

import pytest

from autograder.sandbox.hardening import seccomp

LIBC = ctypes.CDLL(None, use_errno=True)
MACHINE = os.uname().machine
KILL, ALLOW = 0x80000000, 0x7FFF0000
HIGHER = 1 << 32


def verdict(machine, number, *arguments, architecture=None):
    """Run the program as the kernel would; return what it answers."""
    if architecture is None:
        architecture = seccomp.MACHINES[machine][0]
    words = {0: number, 4: architecture}
    for index, argument in enumerate((*arguments, 0, 0, 0, 0, 0, 0)[:6]):
        words[16 + 8 * index] = argument & 0xFFFFFFFF
        words[20 + 8 * index] = argument >> 32
    code, at, held = PROGRAMS[machine], 0, 0
    while True:
        operation, if_true, if_false, value = code[at]
        at += 1
        if operation == seccomp.RETURN:
            return value
        if operation == seccomp.LOAD:
            held = words[value]
        elif operation == seccomp.AND:
            held &= value
        else:
            holds = held == value if operation == seccomp.IF_EQUAL else held >= value
            at += if_true if holds else if_false


PROGRAMS = {machine: seccomp.program(machine) for machine in seccomp.MACHINES}
either_machine = pytest.mark.parametrize("machine", seccomp.MACHINES)


def refused(error=errno.EPERM):
    return 0x50000 | error


@either_machine
class TestTheProgram:
    def test_allows_what_is_free_and_refuses_every_other_number(self, machine):
        numbers = seccomp.MACHINES[machine][1]
        free = {numbers[name] for name in seccomp.FREE if name in numbers}
        conditional = {numbers[name] for name in seccomp.CONDITIONS if name in numbers}
        for number in range(seccomp.NEWEST + 1):
            if number not in conditional:
                expected = ALLOW if number in free else refused()
                assert verdict(machine, number, *[random.getrandbits(64)] * 6) == expected

    def test_calls_newer_than_the_table_look_unknown(self, machine):
        for number in (seccomp.NEWEST + 1, 460, 2**20, 2**30 - 1):
            assert verdict(machine, number) == refused(errno.ENOSYS)

    def test_another_architecture_or_x32_is_killed(self, machine):
        numbers = seccomp.MACHINES[machine][1]
        for architecture in (0x40000003, 0x40000028, 0, 0xFFFFFFFF):  # i386, arm
            assert verdict(machine, numbers["read"], architecture=architecture) == KILL
        for number in (2**30, 2**30 + numbers["read"], 2**32 - 1):
            assert verdict(machine, number) == KILL

    def test_files_open_for_reading_only(self, machine):
        number = seccomp.MACHINES[machine][1]["openat"]
        reading = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_PATH
        assert verdict(machine, number, 0, 0, reading) == ALLOW
        assert verdict(machine, number, HIGHER - 100, 0, 0) == ALLOW  # AT_FDCWD
        names = ["WRONLY", "RDWR", "CREAT", "TRUNC", "APPEND", "TMPFILE"]
        for flag in (getattr(os, f"O_{name}") for name in names):
            for noise in (0, HIGHER, os.O_CLOEXEC):
                opened = verdict(machine, number, 0, 0, flag | noise)
                assert opened == refused(errno.EACCES)

    def test_descriptors_send_no_signals_and_take_no_locks(self, machine):
        number = seccomp.MACHINES[machine][1]["fcntl"]
        for name in [
            "F_DUPFD",
            "F_DUPFD_CLOEXEC",
            "F_GETFD",
            "F_SETFD",
            "F_GETFL",
            "F_SETFL",
        ]:
            assert verdict(machine, number, 3, getattr(fcntl, name)) == ALLOW
        for name in [
            "F_SETOWN",
            "F_SETSIG",
            "F_SETLK",
            "F_SETLKW",
            "F_NOTIFY",
            "F_SETLEASE",
        ]:
            assert verdict(machine, number, 3, getattr(fcntl, name)) == refused()
        assert verdict(machine, number, 3, 1031) == refused()  # F_SETPIPE_SZ

    def test_a_terminal_takes_no_input_from_us(self, machine):
        number = seccomp.MACHINES[machine][1]["ioctl"]
        assert verdict(machine, number, 0, 0x5401) == ALLOW  # TCGETS, for isatty
        assert verdict(machine, number, 0, 0x5412) == refused()  # TIOCSTI
        assert verdict(machine, number, 0, 0x5412 | HIGHER) == refused()

    def test_limits_are_changed_in_this_process_only(self, machine):
        number = seccomp.MACHINES[machine][1]["prlimit64"]
        assert verdict(machine, number, 0) == ALLOW
        assert verdict(machine, number, 1) == refused()

    def test_sockets_come_in_connected_pairs_only(self, machine):
        pair, send = (
            seccomp.MACHINES[machine][1][name] for name in ("socketpair", "sendto")
        )
        stream = socket.SOCK_STREAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        assert verdict(machine, pair, socket.AF_UNIX, stream) == ALLOW
        assert verdict(machine, pair, socket.AF_UNIX, socket.SOCK_DGRAM) == refused()
        assert verdict(machine, pair, socket.AF_INET, stream) == refused()
        assert verdict(machine, send, 3, 1, 1, 0, 0) == ALLOW
        for address in (1, HIGHER, HIGHER | 1):
            assert verdict(machine, send, 3, 1, 1, 0, address) == refused()
