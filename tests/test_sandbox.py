"""What a submission meets in the sandbox, what ends its searches, and what is left.

What honest and hostile files may do there, and how they score, is in tests/hostile.
"""

import marshal
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import REFERENCE_SOURCE, run_isolated, tasks_of, tree_of

from autograder.sandbox import Limits, Sandbox, SandboxError, Session, protocol
from autograder.sandbox import sandbox as start
from gametree.support import trace as traces
from gametree.support.trace import Ending

AIMA = tree_of("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", name="aima")
TIE = tree_of("[1, [1, 1]]", name="tie")
ALL = tasks_of(AIMA, TIE)
MINIMAX = [task for task in ALL if task.function == "minimax"]


def minimax(body, head=""):
    """Return a submission whose minimax has the given body."""
    lines = textwrap.indent(textwrap.dedent(body), "    ")
    return f"{textwrap.dedent(head)}\ndef minimax(node, depth, maximizing):\n{lines}\n"


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(Limits(search_cpu_seconds=0.2)) as opened:
        yield opened


def endings(traces):
    return [trace.ending.kind for trace in traces]


def test_what_is_printed_is_kept_for_each_search_and_capped(sandbox):
    source = minimax("print('at', node.name)\nprint('x' * 9000)\nreturn 1")
    for trace in run_isolated(sandbox, source, MINIMAX):
        assert trace.text.printed == f"at A\n{'x' * 1995}"


IMPORT_ALL = """
import sys
skipped = {"antigravity", "this", "idlelib", "turtledemo", "turtle", "tkinter"}
names = [*sorted(sys.stdlib_module_names - skipped), "json.tool", "encodings.latin_1",
         "encodings.cp1252", "concurrent.futures.thread", "logging.handlers",
         "multiprocessing.pool", "xml.etree.ElementTree"]


def fails(name):
    try:
        __import__(name)
    except (ImportError, OSError):
        return True

def minimax(*_):
    print(*[name for name in names if fails(name)])
    print(sum(name in sys.modules for name in names))
"""


def test_a_worker_can_import_every_standard_module():
    with Sandbox(Limits(search_cpu_seconds=30)) as sandbox:
        (trace,) = run_isolated(sandbox, IMPORT_ALL, MINIMAX[:1])
    command = [sys.executable, "-s", "-S", "-W", "ignore", "-c", f"{IMPORT_ALL}\nminimax()"]
    plain = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert trace.text.printed == plain
    assert int(plain.split()[-1]) > 150


def test_a_file_that_fails_to_load_after_a_tree_tells_nothing_of_it(sandbox):
    end = time.time() + 1
    head = f"import os, time\nif time.time() >= {end}: raise ValueError(31337)"
    body = f"while time.time() < {end}: time.sleep(0.1)\nos._exit(1)"
    hidden = [replace(task, hidden=True) for task in MINIMAX]
    _, trace = Session(sandbox, minimax(body, head).encode()).run(hidden)
    assert trace.ending.loading
    assert (trace.ending.error, trace.text) == ("ValueError", None)


def said_changed(sandbox, source, tasks, code=b""):
    """Return the traces of code that a tool made, in the place of a submission."""
    return list(Session(sandbox, source).run_changed(code, tasks))


def test_changed_or_not_a_submission_has_the_traces_of_its_searches_in_process(
    sandbox,
):
    code = marshal.dumps(compile(REFERENCE_SOURCE, "search.py", "exec"))
    for ran in (
        run_isolated(sandbox, REFERENCE_SOURCE, ALL),
        said_changed(sandbox, REFERENCE_SOURCE, ALL),
        said_changed(sandbox, b"wrong(", ALL, code),
    ):
        for task, trace in zip(ALL, ran):
            assert task.is_met_by(trace) and trace.ending == Ending()


def test_a_changed_submission_is_given_no_hidden_tree(sandbox):
    hidden = [replace(task, hidden=True) for task in ALL]
    with pytest.raises(ValueError, match="no hidden tree"):
        said_changed(sandbox, REFERENCE_SOURCE, hidden)


def test_a_changed_submission_that_never_ends_goes_on_in_another_worker(sandbox):
    for body, kind in (
        ("while True: node.children", traces.OUT_OF_QUERIES),
        ("while True: pass", traces.TIMED_OUT),
        ("import os; os._exit(0)", traces.DIED),
    ):
        said = said_changed(sandbox, minimax(body).encode(), MINIMAX)
        assert endings(said) == [kind] * 2


def test_limits_that_are_tightened_hold_for_a_context_and_are_never_wider(sandbox):
    session = Session(sandbox, REFERENCE_SOURCE)
    usual = session.limits
    with session.limited(9, search_cpu_seconds=0.1):
        assert next(session.run_changed(b"", MINIMAX)).ending.by_itself and sandbox.worker
        assert session.limits.search_cpu_seconds == 0.1
    assert not sandbox.worker
    with pytest.raises(KeyError), session.limited(9, search_cpu_seconds=99):
        assert session.limits == usual
        raise KeyError
    assert session.limits == usual


def test_nothing_that_lies_beside_the_zygote_is_taken_for_the_library(
    tmp_path, monkeypatch
):
    folder = shutil.copytree(start.HERE, tmp_path / "sandbox")
    for name in ("socket", "resource", "marshal"):
        (folder / f"{name}.py").write_text("raise SystemExit")
    monkeypatch.setattr(start, "HERE", folder)
    with Sandbox(Limits()) as opened:
        worker = opened.fork_worker(Limits())
        assert worker.load(protocol.RUN_SOURCE, b"import socket") is None


@pytest.fixture
def no_descriptor_is_left():
    before = sorted(os.listdir("/proc/self/fd"))
    yield
    assert sorted(os.listdir("/proc/self/fd")) == before


@pytest.mark.usefixtures("no_descriptor_is_left")
class TestASandboxThatFails:
    def test_since_its_first_process_was_killed_says_so_and_leaves_nothing(self):
        with pytest.raises(SandboxError, match="grade again"), Sandbox(Limits()) as opened:
            folder = Path(opened.zygote._folder)
            opened.zygote._process.kill()
            opened.zygote._process.wait()
            opened.fork_worker(Limits())
        assert not folder.exists()

    def test_since_its_first_process_was_killed_leaves_no_worker(self):
        with pytest.raises(SandboxError, match="grade again"), Sandbox(Limits()) as opened:
            worker = opened.fork_worker(Limits())
            loaded = worker.load(protocol.RUN_SOURCE, b"")
            opened.zygote._process.kill()
            ended = worker.load(protocol.RUN_SOURCE, b"import time; time.sleep(9)")
        assert not loaded and ended.ending.kind == traces.DIED

    def test_since_its_first_process_stands_still_does_not_wait_for_it(self, monkeypatch):
        monkeypatch.setattr(start, "ANSWER_SECONDS", 0.1)
        message = "does not answer; grade again"
        with pytest.raises(SandboxError, match=message), Sandbox(Limits()) as opened:
            zygote, wait = opened.zygote._process, opened.zygote._process.wait
            monkeypatch.setattr(zygote, "wait", lambda timeout=None: wait(timeout and 0.1))
            os.kill(zygote.pid, signal.SIGSTOP)
            opened.fork_worker(Limits())

    def test_to_start_leaves_nothing(self, tmp_path, monkeypatch):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        monkeypatch.setattr("sys.executable", "/bin/false")
        with pytest.raises(SandboxError, match="grade again"), Sandbox(Limits()) as opened:
            opened.fork_worker(Limits())
        assert os.listdir(tmp_path) == []
