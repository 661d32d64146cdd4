"""A submission in the sandbox: what it may do, what is noticed, what ends it."""

import marshal
import os
import select
import socket
import subprocess
import tempfile
import textwrap
from pathlib import Path

import pytest
from helpers import REFERENCE_SOURCE, run_isolated, tasks_of, tree_of

from autograder.judging.verdict import judge
from autograder.running.limits import Limits
from autograder.running.protocol import MOST_CODE
from autograder.running.sandbox import Sandbox, SandboxError
from gametree.trace import (
    DIED,
    NOT_RUN,
    OUT_OF_QUERIES,
    RAISED,
    RETURNED,
    TIMED_OUT,
)

AIMA = tree_of("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", name="aima")
TIE = tree_of("[1, [1, 1]]", name="tie")
LIMITS = Limits(search_cpu_seconds=0.2, search_wall_seconds=1.0)


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(LIMITS) as opened:
        yield opened


@pytest.fixture
def run(sandbox):
    """Run a source on both trees' minimax; return the first runs' traces."""

    def run(source, *functions):
        tasks = tasks_of(AIMA, TIE, functions=functions or ("minimax",))
        runs = run_isolated(sandbox, textwrap.dedent(source), tasks)
        return [pair.first for pair in runs]

    return run


def minimax(body, head=""):
    """Return a submission whose minimax has the given body."""
    lines = textwrap.indent(textwrap.dedent(body), "    ")
    return f"{textwrap.dedent(head)}\ndef minimax(node, depth, maximizing):\n{lines}\n"


def endings(traces):
    return [trace.ending.kind for trace in traces]


def test_the_reference_is_right_in_every_aspect(sandbox):
    tasks = tasks_of(AIMA, TIE)
    runs = run_isolated(sandbox, REFERENCE_SOURCE, tasks)
    assert all(judge(task, pair).right for task, pair in zip(tasks, runs))


def test_the_isolated_trace_is_the_trace_of_the_same_search_in_process(sandbox):
    tasks = tasks_of(AIMA)
    for task, pair in zip(tasks, run_isolated(sandbox, REFERENCE_SOURCE, tasks)):
        assert pair.first.events == task.expected.events
        assert pair.first.answer == task.expected.answer


def test_each_search_runs_twice_on_fresh_nodes(sandbox):
    source = minimax("seen.append(node)\nreturn len(seen) - seen.index(node)", "seen = []")
    pair = run_isolated(sandbox, source, tasks_of(TIE, functions=("minimax",)))[0]
    assert (pair.first.answer.number, pair.second.answer.number) == (1, 1)


def test_state_kept_between_calls_shows_in_the_second_run(sandbox):
    source = minimax("seen.append(1)\nreturn len(seen)", "seen = []")
    pair = run_isolated(sandbox, source, tasks_of(TIE, functions=("minimax",)))[0]
    assert (pair.first.answer.number, pair.second.answer.number) == (1, 2)


def test_each_tree_starts_from_a_fresh_process(run):
    counts = run(minimax("seen.append(1)\nreturn len(seen)", "seen = []"))
    assert [trace.answer.number for trace in counts] == [1, 1]


def test_an_exception_is_known_by_name_text_and_line(run):
    ending = run(minimax("return 1 / 0"))[0].ending
    assert (ending.kind, ending.error, ending.line) == (RAISED, "ZeroDivisionError", 3)
    assert ending.message == "ZeroDivisionError: division by zero"


def test_an_exception_of_the_students_own_has_no_name_of_its_own(run):
    ending = run(minimax("raise Mine('x')", "class Mine(Exception): pass"))[0].ending
    assert ending.error == "another exception"


def test_a_function_that_is_missing_is_said(run):
    assert run("x = 1")[0].ending.error == "function missing"


def test_a_wrong_attribute_names_the_right_call(run):
    assert "call node.evaluate()" in run(minimax("return node.value"))[0].ending.message
    message = run(minimax("return node.children()"))[0].ending.message
    assert "write node.children" in message


@pytest.mark.parametrize("leave", ["os._exit(0)", "os.kill(os.getpid(), 11)"])
def test_a_death_costs_that_search_only(run, leave):
    traces = run(minimax(f"if depth == 2 and maximizing: {leave}\nreturn 5", "import os"))
    assert DIED in endings(traces) or RAISED in endings(traces)


def test_an_endless_loop_ends_by_its_own_cpu_time(run):
    assert endings(run(minimax("while True: pass"))) == [TIMED_OUT, TIMED_OUT]


def test_sleeping_ends_by_the_clock_on_the_wall(run):
    assert run(minimax("import time; time.sleep(60)"))[0].ending.kind == TIMED_OUT


def test_an_endless_search_ends_by_its_queries(run):
    assert run(minimax("while True: node.children"))[0].ending.kind == OUT_OF_QUERIES


def test_after_three_timeouts_a_function_is_not_run_any_more(sandbox):
    trees = [tree_of("[1, 2]", name=f"t{turn}") for turn in range(5)]
    tasks = tasks_of(*trees, functions=("minimax",))
    runs = run_isolated(sandbox, minimax("while True: pass"), tasks)
    kinds = [pair.first.ending.kind for pair in runs]
    assert kinds == [TIMED_OUT] * 3 + [NOT_RUN] * 2


@pytest.mark.parametrize(
    "source, error",
    [
        (b"def minimax(:", "SyntaxError"),
        (b"import numpy_is_not_here", "ModuleNotFoundError"),
        (b"\x00", None),
        (b"print 'hello'", "SyntaxError"),
        (b"raise SystemExit", "SystemExit"),
        (b"x = '\xe9'", "SyntaxError"),
    ],
)
def test_a_file_that_does_not_load_is_loaded_once_and_said(sandbox, source, error):
    runs = run_isolated(sandbox, source, tasks_of(AIMA, TIE))
    found = {pair.first.ending for pair in runs}
    assert len(found) == 1
    ending = found.pop()
    assert ending.loading and ending.kind == RAISED
    assert error is None or ending.error == error


@pytest.mark.parametrize(
    "head",
    [
        b"\xef\xbb\xbf",
        b"# -*- coding: latin-1 -*-\r\ntext = '\xe9'\r\n",
        b"from __future__ import annotations\n",
        b"from gametree import Node, load_tree\nimport gametree.drawing\n",
        b"import dataclasses\n@dataclasses.dataclass\nclass C:\n    x: int = 1\n",
        b"import sys\nsys.setrecursionlimit(10**6)\n",
        b"import statistics, fractions, decimal, queue, logging, textwrap\n",
        b"import os\nos.chdir('/')\nos.umask(0o777)\n",
    ],
)
def test_an_honest_oddity_is_no_obstacle(sandbox, head):
    tasks = tasks_of(AIMA, TIE)
    runs = run_isolated(sandbox, head + REFERENCE_SOURCE, tasks)
    assert all(judge(task, pair).right for task, pair in zip(tasks, runs))


def test_what_is_printed_is_kept_for_public_trees(run):
    trace = run(minimax("print('at', node.name)\nreturn node.evaluate()"))[0]
    assert trace.printed == "at A\n"


def test_the_worker_holds_no_tree_and_no_grader(run):
    body = """
    import gc
    found = [o for o in gc.get_objects() if type(o).__name__ in ("Position", "Tree")]
    return len(found) + ("autograder" in __import__("sys").modules)
    """
    assert run(minimax(body))[0].answer.number == 0


def test_nothing_of_a_worker_is_left_behind(sandbox, run):
    run(minimax("return 1"))
    listed = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True)
    ours = [line for line in listed.stdout.splitlines() if "zygote.py" in line]
    mine = [line for line in ours if f" {os.getpid()} " in line]
    children = {line.split()[0] for line in mine}
    assert [line for line in ours if line.split()[1] in children] == []


def test_the_next_submission_after_a_bad_one_is_right(sandbox):
    tasks = tasks_of(AIMA)
    run_isolated(sandbox, minimax("import os; os._exit(1)"), tasks)
    runs = run_isolated(sandbox, REFERENCE_SOURCE, tasks)
    assert all(pair.first.ending.kind == RETURNED for pair in runs)


DEEP = "deep = " + 1100 * "lambda: " + "1\n"
LARGE = "large = [" + ", ".join(f"'{n}' * 1000" for n in range(1000, 2500)) + "]\n"


def can_be_handed_on(source):
    try:
        return len(marshal.dumps(compile(source, "search.py", "exec"))) <= MOST_CODE
    except ValueError:
        return False


@pytest.mark.parametrize("head", [DEEP, LARGE], ids=["deep", "large"])
def test_a_program_that_cannot_be_handed_on_compiled_runs_from_its_source(sandbox, head):
    assert can_be_handed_on("x = 1") and not can_be_handed_on(head)
    tasks = tasks_of(AIMA)
    runs = run_isolated(sandbox, head.encode() + REFERENCE_SOURCE, tasks)
    assert all(judge(task, pair).right for task, pair in zip(tasks, runs))


def test_chance_is_the_same_in_each_grading_and_goes_on_between_runs(run):
    source = minimax("return random.randrange(10**9)", "import random")
    first, again = run(source), run(source)
    assert [trace.answer for trace in first] == [trace.answer for trace in again]
    assert first[0].answer == first[1].answer


def descriptors_of_this_process():
    return sorted(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("act", ["start", "leave"])
def test_a_sandbox_whose_first_process_was_killed_says_so_and_leaves_nothing(act):
    before = descriptors_of_this_process()
    with pytest.raises(SandboxError, match="grade again"), Sandbox(LIMITS) as opened:
        folder = Path(opened._folder)
        if act == "leave":
            opened.start_worker(b"")
        opened._zygote.kill()
        opened._zygote.wait()
        if act == "start":
            opened.start_worker(b"")
    assert not folder.exists()
    assert descriptors_of_this_process() == before


def test_a_sandbox_that_does_not_start_leaves_nothing(tmp_path, monkeypatch):
    before = descriptors_of_this_process()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(SandboxError, match="grade again"), Sandbox(LIMITS):
        pass
    assert os.listdir(tmp_path) == []
    assert descriptors_of_this_process() == before


def test_a_worker_ends_with_its_zygote_when_the_grader_hears_no_answer():
    with Sandbox(LIMITS, layers_off=["parent death"]) as opened:
        replies_out, replies = os.pipe()
        requests, requests_in = os.pipe()
        opened._control.shutdown(socket.SHUT_RD)
        socket.send_fds(opened._control, [b"F"], [replies_out, requests_in, requests_in])
        os.close(requests_in)
        opened._zygote.wait(timeout=10)
        assert select.select([requests], [], [], 5)[0] and os.read(requests, 1) == b""
    for descriptor in (replies_out, replies, requests):
        os.close(descriptor)
