"""A worker that tries what its policy forbids, under seccomp alone."""

import ctypes
import errno
import os
import signal
import socket
import threading
from pathlib import Path

import pytest
from hardened import ROOT, all_but, as_either, hardened, missing

LIBC = ctypes.CDLL(None, use_errno=True)
MACHINE = os.uname().machine


@pytest.mark.skipif(MACHINE != "x86_64", reason="the numbers below are x86-64's")
@pytest.mark.skipif("seccomp" in missing(ROOT), reason="no seccomp here")
class TestAWorkerThatTries:
    """Only no_new_privs is on beside it, which it needs."""

    @staticmethod
    def outcome(act, root=ROOT):
        return hardened(act, root=root, off=all_but("seccomp", "no new privileges"))

    FORBIDDEN = {
        "kill": (62, 1, 0),
        "tkill": (200, 1, 0),
        "ptrace": (101, 16, 1, 0, 0),
        "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
        "execve": (59, 0, 0, 0),
        "vfork": (58,),
        "clone3": (435, 0, 0),
        "unlink": (87, 0),
        "rename": (82, 0, 0),
        "mkdir": (83, 0, 0),
        "chmod": (90, 0, 0),
        "truncate": (76, 0, 0),
        "flock": (73, 0, 2),
        "memfd_create": (319, 0, 0),
        "io_uring_setup": (425, 1, 0),
        "bpf": (321, 0, 0, 0),
        "userfaultfd": (323, 0),
        "keyctl": (250, 0, 0, 0, 0, 0),
        "shmget": (29, 0, 4096, 0o1600),
        "mq_open": (240, 0, 0),
        "setpriority": (141, 0, 0, 5),
        "sched_setaffinity": (203, 0, 8, 0),
        "personality": (135, 0x40000),
        "unshare": (272, 0x10000000),
        "mount": (165, 0, 0, 0, 0, 0),
        "inotify_init1": (294, 0),
        "prctl": (157, 4, 1, 0, 0, 0),
        "setsid": (112,),
        "perf_event_open": (298, 0, 0, 0, 0, 0),
        "pidfd_open": (434, 1, 0),
        "openat2": (437, 0, 0, 0, 0),
        "sendmsg": (46, 1, 0, 0),
        "setuid": (105, 0),
        "chroot": (161, 0),
        "timer_create": (222, 0, 0, 0),
    }

    def test_is_refused_by_the_kernel_whatever_it_calls(self):
        def try_each():
            errors = {}
            for name, call in self.FORBIDDEN.items():
                result = LIBC.syscall(*map(ctypes.c_long, call))
                errors[name] = errno.errorcode[ctypes.get_errno()] if result < 0 else "OK"
            return errors

        assert self.outcome(try_each) == dict.fromkeys(self.FORBIDDEN, "EPERM")

    @as_either
    @pytest.mark.parametrize(
        "act, outcome",
        [
            (lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM), "PermissionError"),
            (lambda: os.kill(os.getppid(), 0), "PermissionError"),
            (lambda: os.fork(), "PermissionError"),
            (lambda: threading.Thread(target=int).start(), "RuntimeError"),
            (lambda: os.execv("/bin/true", ["true"]), "PermissionError"),
            (lambda: os.posix_spawn("/bin/true", ["true"], {}), "PermissionError"),
            (lambda: os.mkdir("/tmp/made-by-a-worker"), "PermissionError"),
            (lambda: os.chmod("/tmp", 0o777), "PermissionError"),
            (lambda: os.nice(1), "PermissionError"),
            (lambda: Path("/dev/full").write_text(""), "PermissionError"),
        ],
    )
    def test_sees_a_plain_python_error(self, act, outcome, root):
        assert self.outcome(act, root) == outcome

    def test_is_killed_for_an_x32_call(self):
        assert self.outcome(lambda: LIBC.syscall(ctypes.c_long(2**30 + 39))) is None

    def test_may_wait_for_an_alarm(self):
        def wait():
            signal.signal(signal.SIGALRM, lambda *_: None)
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            signal.pause()
            return "woken"

        assert self.outcome(wait) == "woken"
