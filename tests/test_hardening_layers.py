"""Each layer of hardening alone: the act it forbids fails, and succeeds without it."""

import contextlib
import ctypes
import errno
import fcntl
import functools
import os
import resource
import signal
import socket
import stat
import threading
import time
from pathlib import Path

import pytest
from hardened import (
    ROOT,
    WORKER_UID,
    all_but,
    as_either,
    become_user,
    hardened,
    missing,
    only,
    only_root,
)

from autograder.sandbox.hardening.layer import Missing, Settings, in_fork
from autograder.sandbox.hardening.plan import NAMES, Plan
from autograder.sandbox.hardening.process import ParentDeath
from autograder.sandbox.hardening.uid import Uid

LIBC = ctypes.CDLL(None, use_errno=True)


@as_either
@pytest.mark.parametrize("which", ["low", "high"])
def test_descriptors_that_came_along_are_closed(root, which, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("canary")
    low = os.open(secret, os.O_RDONLY)
    high = fcntl.fcntl(low, fcntl.F_DUPFD, 55)
    descriptor = {"low": low, "high": high}[which]
    try:
        read = only("descriptors", lambda: os.pread(descriptor, 9, 0).decode(), root=root)
    finally:
        os.close(low)
        os.close(high)
    assert read == ("OSError", "canary")


def test_standard_descriptors_lead_nowhere():
    def read_and_write():
        return [os.read(0, 9).decode(), os.write(1, b"lost"), os.write(2, b"lost")]

    assert hardened(read_and_write) == ["", 4, 4]


@as_either
@pytest.mark.parametrize("off", [(), ("seccomp",)], ids=["all layers", "no seccomp"])
def test_what_one_worker_does_to_an_open_file_the_next_does_not_see(root, off):
    def states():
        found = {}
        for number in range(64):
            with contextlib.suppress(OSError):
                if not stat.S_ISFIFO(os.fstat(number).st_mode):
                    flags = fcntl.fcntl(number, fcntl.F_GETFL)
                    found[number] = flags, os.lseek(number, 0, os.SEEK_CUR)
        return found

    def worker(plan, outer, report, pipe):
        plan.apply([pipe, outer])
        before = states()
        for number, (flags, _) in before.items():
            with contextlib.suppress(OSError):
                fcntl.fcntl(number, fcntl.F_SETFL, flags | os.O_NONBLOCK | os.O_APPEND)
            with contextlib.suppress(OSError):
                os.set_blocking(number, False)
            with contextlib.suppress(OSError):
                os.listdir(number)
        report([sorted(before.items()), before != states()])

    def zygote(report, pipe):
        if not root:
            become_user()
        settings = Settings(uid=WORKER_UID if root else None, off=frozenset(off))
        plan = Plan(settings)
        for _ in range(2):
            for content in in_fork(functools.partial(worker, plan, pipe)):
                report(content)

    (first, changed), (second, _) = in_fork(zygote)
    assert changed and {0, 1, 2} <= {number for number, _ in first}
    assert first == second


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


def fork_and_reap():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    return os.waitpid(pid, 0) == (pid, 0)


def start_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    return True


@pytest.mark.parametrize(
    "act, error", [(fork_and_reap, "BlockingIOError"), (start_thread, "RuntimeError")]
)
class TestProcesses:
    def test_are_not_started_by_an_ordinary_users_worker(self, act, error):
        assert only("processes", act, root=False) == (error, True)

    @only_root
    def test_are_not_started_by_roots_worker_after_the_uid_drop(self, act, error):
        assert hardened(act, off=all_but("processes", "uid")) == error


def test_a_worker_dies_with_its_zygote(tmp_path):
    reading_end, writing_end = os.pipe()
    zygote = os.fork()
    if zygote == 0:
        plan = Plan(Settings(off=frozenset({"limits"})))
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
    def zygote(report, pipe):
        layer = ParentDeath(Settings())
        report(
            in_fork(lambda report, _: in_fork(lambda *_: (layer.apply(()), report("ran"))))
        )

    assert in_fork(zygote) == [[]]


def test_another_process_of_the_same_user_cannot_read_a_worker():
    def look(off, report, pipe):
        become_user()
        plan = Plan(Settings(off=frozenset(off)))
        ready, other = os.pipe()
        pid = os.fork()
        if pid == 0:
            plan.apply([other])
            os.write(other, b"1")
            time.sleep(20)
            os._exit(0)
        os.read(ready, 1)
        try:
            report(len(Path(f"/proc/{pid}/environ").read_bytes()) > 0)
        except PermissionError:
            report("PermissionError")
        os.kill(pid, signal.SIGKILL)

    def outcome(off):
        return in_fork(lambda report, pipe: look(off, report, pipe))

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


def reading(path):
    return lambda: Path(path).read_text()


@only_root
class TestTheUidDrop:
    def test_closes_roots_files(self, tmp_path):
        secret = tmp_path / "secret"
        secret.write_text("canary")
        secret.chmod(0o600)
        assert only("uid", reading(secret)) == ("PermissionError", "canary")

    def test_keeps_the_grader_from_signals(self):
        grader = os.getpid()
        assert only("uid", lambda: os.kill(grader, 0)) == ("PermissionError", None)

    def test_keeps_the_graders_environment_closed(self):
        path = f"/proc/{os.getpid()}/environ"
        alone, without = only("uid", lambda: len(Path(path).read_bytes()) > 0)
        assert (alone, without) == ("PermissionError", True)

    @pytest.mark.parametrize("back", [os.setuid, os.setgid, os.seteuid, os.setegid])
    def test_cannot_be_undone(self, back):
        assert only("uid", lambda: back(0)) == ("PermissionError", None)

    def test_leaves_no_group(self):
        def zygote(report, pipe):
            os.setgroups([0, 61234])
            plan = Plan(Settings(uid=WORKER_UID, off=frozenset(all_but("uid"))))
            report(in_fork(lambda report, _: (plan.apply([pipe]), report(os.getgroups()))))

        assert in_fork(zygote) == [[[]]]

    def test_is_not_made_to_root_itself(self):
        with pytest.raises(Missing, match="root's own"):
            Uid(Settings(uid=0))


class TestLandlock:
    # Landlock needs no new privileges, or root; so both are on.
    @staticmethod
    def alone(act, root=False):
        if "landlock" in missing(root):
            pytest.skip(missing(root)["landlock"])
        return hardened(act, root=root, off=all_but("landlock", "no new privileges"))

    @pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/status", "/proc/1/stat"])
    def test_closes_what_everybody_may_read(self, path):
        assert self.alone(reading(path)) == "PermissionError"

    @pytest.mark.parametrize("folder", ["/", "/tmp", "/etc", "/proc", os.getcwd()])
    def test_lists_no_folder(self, folder):
        assert self.alone(lambda: os.listdir(folder), ROOT) == "PermissionError"

    @pytest.mark.parametrize(
        "change",
        [
            lambda path: (path / "new").touch(),
            lambda path: os.mkdir(path / "new"),
            lambda path: os.symlink("/etc/passwd", path / "new"),
            lambda path: os.mkfifo(path / "new"),
            lambda path: os.link(path / "old", path / "new"),
            lambda path: os.rename(path / "old", path / "new"),
            lambda path: os.remove(path / "old"),
            lambda path: os.truncate(path / "old", 0),
            lambda path: socket.socket(socket.AF_UNIX).bind(str(path / "new")),
        ],
    )
    def test_changes_no_file_even_as_root(self, change, tmp_path):
        (tmp_path / "old").write_text("kept")
        outcome = self.alone(lambda: change(tmp_path), ROOT)
        assert outcome in ("PermissionError", "OSError")
        assert (tmp_path / "old").read_text() == "kept"
        assert os.listdir(tmp_path) == ["old"]

    def test_connects_to_nobody_by_tcp(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = server.getsockname()
            outcome = self.alone(lambda: socket.socket().connect(address), ROOT)
        assert outcome == "PermissionError"

    def test_signals_nobody_outside(self):
        assert self.alone(lambda: os.kill(os.getppid(), 0)) == "PermissionError"

    def test_keeps_dev_null_open_for_writing(self):
        assert self.alone(lambda: Path(os.devnull).write_text("gone")) == 4


def test_what_cannot_be_written_is_refused_as_permission(tmp_path):
    def write():
        try:
            (tmp_path / "log.txt").write_text("")
        except OSError as error:
            return error.errno

    assert hardened(write) == errno.EACCES
