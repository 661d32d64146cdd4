"""The sandbox's own processes: whatever happens to one, nothing is left of any."""

import contextlib
import os
import select
import signal
import socket
import tempfile
from pathlib import Path

import pytest
from isolated import minimax

from autograder.sandbox.sandbox import MOST_SECONDS, Sandbox, SandboxError


def children_of(pid):
    """Return the processes, zombies too, whose parent is this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
            found += [path.parent.name] if int(fields[1]) == pid else []
    return found


def test_nothing_of_a_worker_is_left_behind():
    with Sandbox() as opened:
        zygote = opened._zygote.pid
        assert opened.start_worker(minimax("return 1").encode()) is None
        assert len(children_of(zygote)) == 1
        opened.end_worker()
        assert children_of(zygote) == []


def descriptors_of_this_process():
    return sorted(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("act", ["start", "leave"])
def test_a_sandbox_whose_first_process_was_killed_says_so_and_leaves_nothing(act):
    before = descriptors_of_this_process()
    with pytest.raises(SandboxError, match="grade again"), Sandbox() as opened:
        folder = Path(opened._folder)
        if act == "leave":
            opened.start_worker(b"")
        opened._zygote.kill()
        opened._zygote.wait()
        if act == "start":
            opened.start_worker(b"")
    assert not folder.exists()
    assert descriptors_of_this_process() == before


def test_a_first_process_that_stands_still_does_not_hold_up_the_grader(monkeypatch):
    before = descriptors_of_this_process()
    said = "does not answer; grade again"
    with pytest.raises(SandboxError, match=said), Sandbox() as opened:
        assert opened._control.gettimeout() == MOST_SECONDS
        opened._control.settimeout(0.1)
        zygote, wait = opened._zygote, opened._zygote.wait
        monkeypatch.setattr(zygote, "wait", lambda timeout=None: wait(timeout and 0.1))
        os.kill(zygote.pid, signal.SIGSTOP)
        opened.start_worker(b"")
    assert descriptors_of_this_process() == before


def test_a_sandbox_that_does_not_start_leaves_nothing(tmp_path, monkeypatch):
    before = descriptors_of_this_process()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(SandboxError, match="grade again"), Sandbox():
        pass
    assert os.listdir(tmp_path) == []
    assert descriptors_of_this_process() == before


def test_a_worker_ends_with_its_zygote_when_the_grader_hears_no_answer():
    with Sandbox(layers_off=["parent death"]) as opened:
        replies_out, replies = os.pipe()
        requests, requests_in = os.pipe()
        opened._control.shutdown(socket.SHUT_RD)
        socket.send_fds(opened._control, [b"F"], [replies_out, requests_in, requests_in])
        os.close(requests_in)
        opened._zygote.wait(timeout=10)
        assert select.select([requests], [], [], 5)[0] and os.read(requests, 1) == b""
    for descriptor in (replies_out, replies, requests):
        os.close(descriptor)
