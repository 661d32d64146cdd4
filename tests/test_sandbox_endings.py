"""What ends a search in the sandbox, and how that is told."""

from functools import partial

import pytest
from helpers import run_isolated, tasks_of, tree_of
from isolated import AIMA, TIE, first_traces, minimax

from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import Sandbox
from gametree.trace import DIED, NOT_RUN, OUT_OF_QUERIES, RAISED, RETURNED, TIMED_OUT


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(Limits(search_cpu_seconds=0.2)) as opened:
        yield opened


@pytest.fixture
def run(sandbox):
    """Return a function: a source -> the traces of its minimax, first runs only."""
    return partial(first_traces, sandbox)


def endings(traces):
    return [trace.ending.kind for trace in traces]


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
    source = minimax(f"if len(node.children) == 3: {leave}\nreturn 5", "import os")
    died, next_one = endings(run(source))
    assert died in (DIED, RAISED)
    assert next_one == RETURNED


def test_an_endless_loop_ends_by_its_own_cpu_time(run):
    assert endings(run(minimax("while True: pass"))) == [TIMED_OUT, TIMED_OUT]


def test_sleeping_ends_by_the_clock_on_the_wall():
    source = minimax("import time; time.sleep(60)")
    with Sandbox(Limits(search_wall_seconds=0.5)) as impatient:
        runs = run_isolated(impatient, source, tasks_of(TIE, functions=("minimax",)))
    assert endings([pair.first for pair in runs]) == [TIMED_OUT]


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
