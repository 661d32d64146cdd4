"""Each layer of hardening alone: what it forbids fails, and succeeds without it."""

import ctypes
import os
import resource
import signal
import socket
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from hardened import (
    ROOT,
    WORKER_UID,
    all_but,
    alone,
    as_either,
    done,
    hardened,
    only_root,
)

from autograder.sandbox.hardening import NAMES, Plan, Settings
from autograder.sandbox.hardening.files import Uid
from autograder.sandbox.hardening.layer import Missing, in_fork
from autograder.sandbox.hardening.process import ParentDeath

LIBC = ctypes.CDLL(None, use_errno=True)
GRADER = os.getpid()


def fork_and_reap():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def start_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def raise_privileges():
    if LIBC.prctl(39, 0, 0, 0, 0):
        raise OSError("no new privileges")


def connect():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


@pytest.fixture
def place():
    """A folder that everybody may write to, with files that only their owner may read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        (Path(folder) / "secret").write_text("canary")
        (Path(folder) / "secret").chmod(0o600)
        (Path(folder) / "old").write_text("old")
        (Path(folder) / "old").chmod(0o666)
        yield Path(folder)


# Layer -> what it forbids, by name: an act that is given the place above and a descriptor
# of a file in it. Without the layer the act is done.
FORBIDDEN = {
    "descriptors": {
        "read what came along": lambda place, secret: os.pread(secret, 9, 0),
        "open many": lambda *_: [os.dup(0) for _ in range(80)],
    },
    "limits": {"fill a file": lambda place, secret: os.write(secret, b"x")},
    "memory": {"take memory": lambda *_: bytes(600 * 2**20)},
    "processes": {"fork": lambda *_: fork_and_reap(), "thread": lambda *_: start_thread()},
    "no new privileges": {"run a setuid program": lambda *_: raise_privileges()},
    "uid": {
        "read root's file": lambda place, _: (place / "secret").read_text(),
        "signal the grader": lambda *_: os.kill(GRADER, 0),
        "read its environment": lambda *_: Path(f"/proc/{GRADER}/environ").read_bytes(),
        "be root": lambda *_: os.setuid(0),
        "be root for a while": lambda *_: os.seteuid(0),
        "be of root's group": lambda *_: os.setgid(0),
        "be of root's groups": lambda *_: os.setgroups([0]),
    },
    "landlock": {
        "read for all": lambda *_: Path("/etc/passwd").read_text(),
        "read /proc": lambda *_: Path("/proc/self/status").read_text(),
        "read of others": lambda *_: Path("/proc/1/stat").read_text(),
        "list /": lambda *_: os.listdir("/"),
        "list here": lambda place, _: os.listdir(place),
        "make a file": lambda place, _: (place / "new").touch(),
        "make a folder": lambda place, _: os.mkdir(place / "folder"),
        "make a link": lambda place, _: os.symlink("/etc/passwd", place / "symbolic"),
        "make a pipe": lambda place, _: os.mkfifo(place / "pipe"),
        "make a hard link": lambda place, _: os.link(place / "old", place / "hard"),
        "bind": lambda place, _: socket.socket(socket.AF_UNIX).bind(f"{place}/socket"),
        "truncate": lambda place, _: os.truncate(place / "old", 0),
        "rename": lambda place, _: os.rename(place / "old", place / "older"),
        "remove": lambda place, _: os.remove(place / "older"),
        "connect": lambda *_: connect(),
        "signal": lambda *_: os.kill(os.getppid(), 0),
    },
    "seccomp": {
        "send": lambda *_: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "signal": lambda *_: os.kill(os.getppid(), 0),
        "fork": lambda *_: fork_and_reap(),
        "thread": lambda *_: start_thread(),
        "start a program": lambda *_: os.posix_spawn("/bin/true", ["true"], {}),
        "make a folder": lambda place, _: os.mkdir(place / "new folder"),
        "change rights": lambda place, _: os.chmod(place / "secret", 0o600),
        "step back": lambda *_: os.nice(0),
        "write": lambda *_: Path("/dev/null").write_text(""),
    },
}


@as_either
@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_forbids_what_succeeds_without_it(layer, root, place):
    if layer == "uid" and not root:
        pytest.skip("only root can do it")
    secret = os.open(place / "secret", os.O_RDWR)
    acts = {name: partial(act, place, secret) for name, act in FORBIDDEN[layer].items()}
    try:
        assert alone(layer, lambda: done(acts), root=root) == []
        if root == ROOT:
            assert hardened(lambda: done(acts), root=root, off=NAMES) == [*acts]
    finally:
        os.close(secret)


def test_standard_descriptors_lead_nowhere_and_dev_null_is_open():
    def read_and_write():
        null = os.open(os.devnull, os.O_WRONLY)
        return [os.read(0, 9).decode(), *(os.write(n, b"lost") for n in (1, 2, null))]

    assert hardened(read_and_write, off=["seccomp"]) == ["", 4, 4, 4]


def test_cpu_seconds_end_an_endless_computation_in_c():
    assert hardened(lambda: 7**10**9 % 2, cpu_seconds=1) is None


def test_the_stack_limit_may_still_be_raised_by_an_honest_deep_recursion():
    def raise_it():
        resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK))
        return resource.getrlimit(resource.RLIMIT_STACK)[0] >= 2**23

    assert hardened(raise_it) is True


def test_what_cannot_be_written_is_refused_as_permission(tmp_path):
    assert hardened(lambda: (tmp_path / "log").write_text("")) == "PermissionError"


def test_a_worker_dies_with_its_zygote():
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


@only_root
def test_the_uid_drop_leaves_no_group_and_is_not_made_to_root_itself():
    def zygote(report, pipe):
        os.setgroups([0, 61234])
        plan = Plan(Settings(uid=WORKER_UID, off=frozenset(all_but("uid"))))
        report(in_fork(lambda report, _: (plan.apply([pipe]), report(os.getgroups()))))

    assert in_fork(zygote) == [[[]]]
    with pytest.raises(Missing, match="root's own"):
        Uid(Settings(uid=0))
