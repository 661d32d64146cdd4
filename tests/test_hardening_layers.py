"""Each layer of hardening alone: the act it forbids fails, and succeeds without it."""

import ctypes
import fcntl
import os
import resource
import signal
import threading
import time
from pathlib import Path

import pytest
from hardened import (
    all_but,
    as_either,
    become_user,
    hardened,
    only,
    only_root,
)

from autograder.sandbox.hardening import NAMES, Settings, prepare
from autograder.sandbox.hardening.layer import in_fork
from autograder.sandbox.hardening.process import ParentDeath

LIBC = ctypes.CDLL(None, use_errno=True)


def fork_and_reap():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "forked"


def start_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    return "started"


@as_either
@pytest.mark.parametrize("which", ["low", "high"])
def test_descriptors_that_came_along_are_closed(root, which, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("canary")
    low = os.open(secret, os.O_RDONLY)
    high = fcntl.fcntl(low, fcntl.F_DUPFD, 55)
    descriptor = {"low": low, "high": high}[which]
    try:
        outcome = only(
            "descriptors", lambda: os.pread(descriptor, 9, 0).decode(), root=root
        )
    finally:
        os.close(low)
        os.close(high)
    assert outcome == ("OSError", "canary")


def test_standard_descriptors_lead_nowhere():
    def read_and_write():
        return [os.read(0, 9).decode(), os.write(1, b"lost"), os.write(2, b"lost")]

    assert hardened(read_and_write) == ["", 4, 4]


def test_a_worker_leads_its_own_session():
    def leads():
        return os.getsid(0) == os.getpid() == os.getpgrp()

    assert only("session", leads) == (True, False)


@as_either
def test_no_file_can_be_filled(root, tmp_path):
    growing = os.open(tmp_path / "growing", os.O_WRONLY | os.O_CREAT)
    try:
        outcome = only("limits", lambda: os.write(growing, b"x"), root=root, keep=[growing])
    finally:
        os.close(growing)
    assert outcome == ("OSError", 1)


def test_descriptors_are_few():
    def open_many():
        return len([os.dup(0) for _ in range(80)])

    assert hardened(open_many) == "OSError"


def test_cpu_seconds_end_an_endless_computation_in_c():
    assert hardened(lambda: 7**10**9 % 2, cpu_seconds=1) is None


def test_the_stack_limit_may_still_be_raised_by_an_honest_deep_recursion():
    def raise_it():
        resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK))
        return resource.getrlimit(resource.RLIMIT_STACK)[0] >= 2**23

    assert hardened(raise_it) is True


@as_either
def test_memory_is_bounded(root):
    def take():
        return len(bytes(600 * 2**20)) >> 20

    assert only("memory", take, root=root) == ("MemoryError", 600)


each_start = pytest.mark.parametrize(
    "act, name", [(fork_and_reap, "forked"), (start_thread, "started")]
)


@each_start
def test_an_ordinary_user_starts_no_process_and_no_thread(act, name):
    refused = {"forked": "BlockingIOError", "started": "RuntimeError"}[name]
    assert only("processes", act, root=False) == (refused, name)


@only_root
@each_start
def test_roots_worker_starts_none_after_the_uid_drop(act, name):
    refused = {"forked": "BlockingIOError", "started": "RuntimeError"}[name]
    assert hardened(act, off=all_but("processes", "uid")) == refused


def test_a_worker_dies_with_its_zygote(tmp_path):
    reading_end, writing_end = os.pipe()
    zygote = os.fork()
    if zygote == 0:
        plan = prepare(Settings(off=frozenset({"limits"})))
        if os.fork() == 0:
            plan.apply([writing_end])
            os.write(writing_end, b"ready")
            time.sleep(20)
            os.write(writing_end, b"lived on")
            os._exit(0)
        os.close(writing_end)
        time.sleep(20)
        os._exit(0)
    os.close(writing_end)
    assert os.read(reading_end, 5) == b"ready"
    os.kill(zygote, signal.SIGKILL)
    os.waitpid(zygote, 0)
    assert os.read(reading_end, 8) == b""  # its end closed: it is gone
    os.close(reading_end)


def test_a_worker_whose_zygote_ended_before_does_not_start():
    def zygote(tell, pipe):
        layer = ParentDeath(Settings())
        tell(in_fork(lambda tell, _: in_fork(lambda *_: (layer.apply(()), tell("ran")))))

    assert in_fork(zygote) == [[]]


def test_another_process_of_the_same_user_cannot_read_a_worker():
    def look(off, tell, pipe):
        become_user()
        plan = prepare(Settings(off=frozenset(off)))
        ready, other = os.pipe()
        pid = os.fork()
        if pid == 0:
            plan.apply([other])
            os.write(other, b"1")
            time.sleep(20)
            os._exit(0)
        os.read(ready, 1)
        try:
            tell(len(Path(f"/proc/{pid}/environ").read_bytes()) > 0)
        except PermissionError:
            tell("PermissionError")
        os.kill(pid, signal.SIGKILL)

    def outcome(off):
        return in_fork(lambda tell, pipe: look(off, tell, pipe))

    assert outcome(all_but("dumpable")) == ["PermissionError"]
    assert outcome(NAMES) == [True]


def test_a_worker_cannot_read_its_zygote():
    def read_parent():
        return len(Path(f"/proc/{os.getppid()}/maps").read_text()) > 0

    alone, without = only("shield", read_parent, root=False)
    assert alone == "PermissionError"
    assert without is True


def test_no_new_privileges_is_set():
    assert only("no new privileges", lambda: LIBC.prctl(39, 0, 0, 0, 0)) == (1, 0)
