"""What a submission meets in the sandbox, and what it may do there."""

import marshal
from functools import partial

import pytest
from helpers import REFERENCE_SOURCE, run_isolated, tasks_of
from isolated import AIMA, TIE, first_traces, minimax

from autograder.judging.verdict import judge
from autograder.sandbox.protocol import MOST_CODE
from autograder.sandbox.sandbox import Sandbox
from gametree.trace import RETURNED


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as opened:
        yield opened


@pytest.fixture
def run(sandbox):
    """Return a function: a source -> the traces of its minimax, first runs only."""
    return partial(first_traces, sandbox)


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
