"""What a submission meets in the sandbox, what ends its searches, and what is left.

What honest and hostile files may do there, and how they score, is in tests/hostile.
"""

import marshal
import os
import shutil
import signal
import tempfile
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import REFERENCE_SOURCE, run_isolated, tasks_of, tree_of

from autograder.sandbox import Limits, Sandbox, SandboxError, Session, protocol, start
from gametree import trace as traces
from gametree.judging import judge
from gametree.trace import Ending, Text

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


@pytest.fixture
def run(sandbox):
    """Return a function: a source -> its minimax's runs, one a tree, in one worker."""
    return lambda source: run_isolated(sandbox, source, MINIMAX)


def all_right(sandbox, source):
    runs = run_isolated(sandbox, source, ALL)
    return all(judge(task, trace).right for task, trace in zip(ALL, runs))


def endings(traces):
    return [trace.ending.kind for trace in traces]


def test_a_right_submission_has_the_traces_of_the_same_searches_in_process(sandbox):
    for task, trace in zip(ALL, run_isolated(sandbox, REFERENCE_SOURCE, ALL)):
        assert task.is_met_by(trace) and trace.ending == Ending()


def test_a_right_submission_may_be_large_or_deep_and_follow_a_bad_one(sandbox):
    deep = "deep = " + 1100 * "lambda: " + "1\n"
    large = "large = [" + ", ".join(f"'{n}' * 1000" for n in range(1000, 2500)) + "]\n"
    for head in (deep, large):
        run_isolated(sandbox, minimax("import os; os._exit(1)"), ALL)
        assert all_right(sandbox, head.encode() + REFERENCE_SOURCE)


def test_searches_one_after_the_other_share_state_and_have_fresh_nodes(run):
    fresh = run(minimax("seen.append(node)\nreturn len(set(seen))", "seen = []"))
    assert [trace.answer.number for trace in fresh] == [1, 2]
    counts = minimax("seen.append(1)\nreturn len(seen)", "seen = []")
    for _ in range(2):  # another run is another process
        assert [trace.answer.number for trace in run(counts)] == [1, 2]


WRAPS = "import io, sys\nsys.stdout = io.TextIOWrapper(sys.stdout.buffer, 'utf-8')"
PRINTS = [
    ("", "print('at', node.name)", "at A\n"),
    ("import sys\nsys.stdout.reconfigure(encoding='utf-8')", "print('x')", "x\n"),
    (WRAPS, "print('x', flush=True)", "x\n"),
    ("import sys", "sys.stdout.buffer.write(b'x')", "x"),
    ("import sys\nsys.stdout = None", "print('x')", ""),
    ("import sys\ndel sys.stdout", "pass", ""),
    # Python's own warning would show where the grader lies.
    ("async def search(): pass", "search()", ""),
]


def test_a_worker_has_a_standard_output_that_is_capped_in_each_search(run):
    for head, body, printed in PRINTS:
        trace = run(minimax(f"{body}\nreturn 1", head))[0]
        assert (trace.text.printed, trace.ending) == (printed, Ending()), head
    runs = run(minimax("print('x' * 9000)\nreturn 1"))
    assert [len(trace.text.printed) for trace in runs] == [2000, 2000]


RAISING = [
    (minimax("raise Mine('x')", "class Mine(Exception): pass"), "another exception", "x"),
    ("x = 1", "function missing", ""),
    (minimax("return node.value"), "AttributeError", "call node.evaluate()"),
    (minimax("return node.children()"), "TypeError", "write node.children"),
]
NOT_LOADED = [
    (b"def minimax(:", "SyntaxError"),
    (b"import numpy_is_not_here", "ModuleNotFoundError"),
    (b"raise SystemExit", "SystemExit"),
    (b"x = '\xe9'", "SyntaxError"),
]


def test_the_ending_of_an_exception_has_name_text_and_line(run):
    trace = run(minimax("return 1 / 0"))[0]
    assert trace.ending == Ending(traces.RAISED, "ZeroDivisionError")
    assert trace.text == Text("", "ZeroDivisionError: division by zero", 3)
    for source, error, said in RAISING:
        trace = run(source)[0]
        assert trace.ending.error == error and said in trace.text.message


def test_a_death_costs_that_search_only(run):
    for leave in ("os._exit(0)", "os.kill(os.getpid(), 11)"):
        source = minimax(f"if len(node.children) == 3: {leave}\nreturn 5", "import os")
        died, next_one = endings(run(source))
        assert died in (traces.DIED, traces.RAISED) and next_one == traces.RETURNED


def test_an_endless_search_ends_by_its_queries(run):
    trace = run(minimax("while True: node.children"))[0]
    assert trace.ending.kind == traces.OUT_OF_QUERIES
    assert len(trace.events) == 1 + 1000 + 100 * len(MINIMAX[0].expected.events)


def test_a_file_that_does_not_load_is_one_ending_for_all(sandbox):
    for source, error in NOT_LOADED:
        (ending,) = {trace.ending for trace in run_isolated(sandbox, source, ALL)}
        assert ending.loading and (ending.kind, ending.error) == (traces.RAISED, error)


def test_a_file_that_fails_to_load_after_a_tree_tells_nothing_of_it(sandbox):
    end = time.time() + 2
    head = f"import os, time\nif time.time() >= {end}: raise ValueError(31337)"
    body = f"while time.time() < {end}: time.sleep(0.1)\nos._exit(1)"
    hidden = [replace(task, hidden=True) for task in MINIMAX]
    _, trace = Session(sandbox, minimax(body, head).encode()).run(hidden)
    assert trace.ending.loading
    assert (trace.ending.error, trace.text) == ("ValueError", None)


def said_changed(sandbox, source, tasks, code=b""):
    """Return the traces of code that a tool made, in the place of a submission."""
    return list(Session(sandbox, source).run_changed(code, tasks))


def test_a_changed_submission_has_the_traces_of_one_that_is_so(sandbox):
    code = marshal.dumps(compile(REFERENCE_SOURCE, "search.py", "exec"))
    expected = run_isolated(sandbox, REFERENCE_SOURCE, ALL)
    for source, made in ((REFERENCE_SOURCE, b""), (b"wrong(", code)):
        for one, other in zip(said_changed(sandbox, source, ALL, made), expected):
            assert (one.events, one.answer) == (other.events, other.answer)


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
    with Sandbox() as opened:
        worker = opened.fork_worker(Limits())
        assert worker.load(protocol.RUN_SOURCE, b"import socket") is None


@pytest.fixture
def no_descriptor_is_left():
    before = sorted(os.listdir("/proc/self/fd"))
    yield
    assert sorted(os.listdir("/proc/self/fd")) == before


@pytest.mark.usefixtures("no_descriptor_is_left")
class TestASandboxThatFails:
    @pytest.mark.parametrize("act", ["start", "leave"])
    def test_since_its_first_process_was_killed_says_so_and_leaves_nothing(self, act):
        with pytest.raises(SandboxError, match="grade again"), Sandbox() as opened:
            folder = Path(opened._zygote._folder)
            if act == "leave":
                opened.fork_worker(Limits())
            opened._zygote._process.kill()
            opened._zygote._process.wait()
            if act == "start":
                opened.fork_worker(Limits())
        assert not folder.exists()

    def test_since_its_first_process_stands_still_does_not_wait_for_it(self, monkeypatch):
        monkeypatch.setattr(start, "MOST_SECONDS", 0.1)
        message = "does not answer; grade again"
        with pytest.raises(SandboxError, match=message), Sandbox() as opened:
            zygote, wait = opened._zygote._process, opened._zygote._process.wait
            monkeypatch.setattr(zygote, "wait", lambda timeout=None: wait(timeout and 0.1))
            os.kill(zygote.pid, signal.SIGSTOP)
            opened.fork_worker(Limits())

    def test_to_start_leaves_nothing(self, tmp_path, monkeypatch):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        monkeypatch.setattr("sys.executable", "/bin/false")
        with pytest.raises(SandboxError, match="grade again"), Sandbox() as opened:
            opened.fork_worker(Limits())
        assert os.listdir(tmp_path) == []
