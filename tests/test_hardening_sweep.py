"""Whatever a worker left behind is killed and reaped."""

import os
import signal
import time
from pathlib import Path

import pytest
from hardened import all_but, as_either, become_user, only_root

from autograder.sandbox.hardening import uid
from autograder.sandbox.hardening.layer import Settings, in_fork
from autograder.sandbox.hardening.plan import Plan
from autograder.sandbox.hardening.sweep import sweep
from autograder.sandbox.hardening.uid import FIRST, WORKERS, ClaimedUid, guard_of


def daemon(pipe):
    """Leave a process that fled into a session of its own, twice over."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.write(pipe, f"{os.getpid()}\n".encode())
            time.sleep(20)
        os._exit(0)


def bomb(pipe):
    """Fork without end, in ever new sessions; the limit on processes bounds it."""
    import resource

    resource.setrlimit(resource.RLIMIT_NPROC, (40, 40))
    os.write(pipe, f"{os.getpid()}\n".encode())
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            if os.fork() == 0:
                os.setsid()
        except OSError:
            time.sleep(0.001)


def ends(pid):
    """Return whether a process is gone, or a zombie that init will reap, before long.

    A process that was killed may take a moment to end on a busy machine.
    """
    for _ in range(500):
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True
        if stat.rpartition(")")[2].split()[0] in "ZX":
            return True
        time.sleep(0.01)
    return False


def swept(leave, root, off=()):
    """Run `leave` in a worker without layers; return [what sweep says, whether so]."""

    claimed = ClaimedUid()

    def zygote(report, pipe):
        if not root:
            become_user()
        uid = claimed.number if root else None
        Plan(Settings(uid=uid, off=frozenset({*all_but("subreaper"), *off})))
        reading, writing = os.pipe()
        worker = os.fork()
        if worker == 0:
            if root:
                os.setresuid(uid, uid, uid)
            leave(writing)
            os._exit(0)
        left = int(os.read(reading, 20).split()[0])
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        report([sweep(worker, uid), ends(left)])

    try:
        return in_fork(zygote)
    finally:
        claimed.release()


@as_either
@pytest.mark.parametrize("leave", [daemon, bomb])
def test_nothing_survives(leave, root):
    assert swept(leave, root) == [[True, True]]


@only_root
@pytest.mark.parametrize("leave", [daemon, bomb])
def test_nothing_survives_under_the_uid_where_orphans_go_elsewhere(leave):
    assert swept(leave, True, off=["subreaper"]) == [[True, True]]


def test_sweeping_after_a_clean_worker_looks_once(monkeypatch):
    def look_again(seconds):
        raise AssertionError("it waits for a second look")

    monkeypatch.setattr(time, "sleep", look_again)
    assert in_fork(lambda report, pipe: report(sweep(2**22, None))) == [True]


def test_only_uids_of_our_own_range_are_swept_by_uid():
    assert guard_of(FIRST) == FIRST + WORKERS
    assert guard_of(FIRST + WORKERS - 1) < 61184  # where systemd's dynamic users begin
    for other in (0, 1000, 65534, FIRST - 1, FIRST + WORKERS):
        assert guard_of(other) is None


def test_two_graders_never_share_a_uid(monkeypatch):
    monkeypatch.setattr(uid, "FIRST", 10**6)  # no grader beside this test claims these
    first, second = ClaimedUid(), ClaimedUid()
    assert first.number != second.number
    first.release()
    third = ClaimedUid()
    assert third.number == first.number
    for claim in (second, third):
        claim.release()
