"""The system calls that a worker may make: as a program, and as the kernel runs it."""

import ctypes
import errno
import fcntl
import os
import random
import signal
import socket

import pytest
from hardened import ROOT, all_but, hardened, missing

from autograder.sandbox.hardening import seccomp

LIBC = ctypes.CDLL(None, use_errno=True)
KILL, ALLOW = 0x80000000, 0x7FFF0000
HIGHER = 1 << 32
PROGRAMS = {machine: seccomp.program(machine) for machine in seccomp.MACHINES}


def numbers_of(machine):
    """Return name -> number of each call that is allowed on a machine."""
    column = seccomp.MACHINES[machine][2]
    numbers = {name: call[column] for name, call in seccomp.CALLS.items()}
    return {name: number for name, number in numbers.items() if number is not None}


def refused(error=errno.EPERM):
    return 0x50000 | error


@pytest.mark.parametrize("machine", seccomp.MACHINES, scope="class")
class TestTheProgram:
    @pytest.fixture
    def verdict(self, machine):
        """Run the program as the kernel would; return what it answers."""

        def verdict(call, *arguments, architecture=seccomp.MACHINES[machine][0]):
            number = numbers_of(machine).get(call, call)
            words = {0: number, 4: architecture}
            for index, argument in enumerate((*arguments, 0, 0, 0, 0, 0, 0)[:6]):
                words[16 + 8 * index] = argument & 0xFFFFFFFF
                words[20 + 8 * index] = argument >> 32
            at, held = 0, 0
            while True:
                operation, if_true, if_false, value = PROGRAMS[machine][at]
                at += 1
                if operation == seccomp.RETURN:
                    return value
                if operation == seccomp.LOAD:
                    held = words[value]
                elif operation == seccomp.AND:
                    held &= value
                else:
                    equal = operation == seccomp.IF_EQUAL
                    holds = held == value if equal else held >= value
                    at += if_true if holds else if_false

        return verdict

    def test_allows_what_is_listed_and_refuses_every_other_number(self, machine, verdict):
        numbers = numbers_of(machine)
        names = {number: name for name, number in numbers.items()}
        for number in range(seccomp.NEWEST + 1):
            if names.get(number) not in seccomp.CONDITIONS:
                expected = ALLOW if number in names else refused()
                assert verdict(number, *[random.getrandbits(64)] * 6) == expected

    def test_calls_newer_than_the_table_look_unknown(self, verdict):
        for number in (seccomp.NEWEST + 1, 460, 2**20, 2**30 - 1):
            assert verdict(number) == refused(errno.ENOSYS)

    def test_another_architecture_or_x32_is_killed(self, verdict, machine):
        for architecture in (0x40000003, 0x40000028, 0, 0xFFFFFFFF):  # i386, arm
            assert verdict("read", architecture=architecture) == KILL
        read = numbers_of(machine)["read"]
        for number in (2**30, 2**30 + read, 2**32 - 1):
            assert verdict(number) == KILL

    def test_files_open_for_reading_only(self, verdict):
        reading = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_PATH
        assert verdict("openat", 0, 0, reading) == ALLOW
        assert verdict("openat", HIGHER - 100, 0, 0) == ALLOW  # AT_FDCWD
        for name in ("WRONLY", "RDWR", "CREAT", "TRUNC", "APPEND", "TMPFILE"):
            for noise in (0, HIGHER, os.O_CLOEXEC):
                flags = getattr(os, f"O_{name}") | noise
                assert verdict("openat", 0, 0, flags) == refused(errno.EACCES)

    def test_descriptors_send_no_signals_take_no_locks_and_keep_their_flags(self, verdict):
        for name in ("DUPFD", "DUPFD_CLOEXEC", "GETFD", "SETFD", "GETFL"):
            assert verdict("fcntl", 3, getattr(fcntl, f"F_{name}")) == ALLOW
        for name in ("SETFL", "SETOWN", "SETSIG", "SETLK", "SETLKW", "NOTIFY", "SETLEASE"):
            assert verdict("fcntl", 3, getattr(fcntl, f"F_{name}")) == refused()
        assert verdict("fcntl", 3, 1031) == refused()  # F_SETPIPE_SZ

    def test_a_terminal_takes_no_input_from_us(self, verdict):
        assert verdict("ioctl", 0, 0x5401) == ALLOW  # TCGETS, for isatty
        assert verdict("ioctl", 0, 0x5412) == refused()  # TIOCSTI
        assert verdict("ioctl", 0, 0x5412 | HIGHER) == refused()

    def test_limits_are_changed_in_this_process_only(self, verdict):
        assert verdict("prlimit64", 0) == ALLOW
        assert verdict("prlimit64", 1) == refused()

    def test_sockets_come_in_connected_pairs_only(self, verdict):
        stream = socket.SOCK_STREAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        assert verdict("socketpair", socket.AF_UNIX, stream) == ALLOW
        assert verdict("socketpair", socket.AF_UNIX, socket.SOCK_DGRAM) == refused()
        assert verdict("socketpair", socket.AF_INET, stream) == refused()
        assert verdict("sendto", 3, 1, 1, 0, 0) == ALLOW
        for address in (1, HIGHER, HIGHER | 1):
            assert verdict("sendto", 3, 1, 1, 0, address) == refused()


# Numbers of x86-64, some with arguments.
# fmt: off
FORBIDDEN = {
    "kill": (62, 1, 0), "tkill": (200, 1, 0), "ptrace": (101, 16, 1, 0, 0),
    "process_vm_readv": (310, 1, 0, 0, 0, 0, 0), "execve": (59, 0, 0, 0), "vfork": (58,),
    "clone3": (435, 0, 0), "unlink": (87, 0), "rename": (82, 0, 0), "mkdir": (83, 0, 0),
    "chmod": (90, 0, 0), "truncate": (76, 0, 0), "flock": (73, 0, 2),
    "memfd_create": (319, 0, 0), "io_uring_setup": (425, 1, 0), "bpf": (321, 0, 0, 0),
    "userfaultfd": (323, 0), "keyctl": (250, 0, 0, 0, 0, 0),
    "shmget": (29, 0, 4096, 0o1600), "mq_open": (240, 0, 0), "setpriority": (141, 0, 0, 5),
    "sched_setaffinity": (203, 0, 8, 0), "personality": (135, 0x40000),
    "unshare": (272, 0x10000000), "mount": (165, 0, 0, 0, 0, 0), "inotify_init1": (294, 0),
    "prctl": (157, 4, 1, 0, 0, 0), "setsid": (112,), "pidfd_open": (434, 1, 0),
    "perf_event_open": (298, 0, 0, 0, 0, 0), "openat2": (437, 0, 0, 0, 0),
    "sendmsg": (46, 1, 0, 0), "setuid": (105, 0), "chroot": (161, 0),
    "timer_create": (222, 0, 0, 0),
}
# fmt: on


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are x86-64's")
@pytest.mark.skipif("seccomp" in missing(ROOT), reason="no seccomp here")
class TestAWorkerThatTries:
    """Only no_new_privs is on beside it, which it needs."""

    @staticmethod
    def outcome(act, root=ROOT):
        return hardened(act, root=root, off=all_but("seccomp", "no new privileges"))

    def test_is_refused_by_the_kernel_whatever_it_calls(self):
        def try_each():
            errors = {}
            for name, call in FORBIDDEN.items():
                result = LIBC.syscall(*map(ctypes.c_long, call))
                errors[name] = errno.errorcode[ctypes.get_errno()] if result < 0 else "OK"
            return errors

        assert self.outcome(try_each) == dict.fromkeys(FORBIDDEN, "EPERM")

    def test_is_killed_for_an_x32_call(self):
        assert self.outcome(lambda: LIBC.syscall(ctypes.c_long(2**30 + 39))) is None

    def test_may_wait_for_an_alarm(self):
        def wait():
            signal.signal(signal.SIGALRM, lambda *_: None)
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            signal.pause()
            return "woken"

        assert self.outcome(wait) == "woken"
