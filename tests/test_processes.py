"""Work is distributed to all cores, and a process that fails affects only its item."""

import contextlib
import faulthandler
import itertools
import multiprocessing
import os
import re
import signal
import time
from types import SimpleNamespace

import pytest

from autograder.ground import processes
from autograder.ground.processes import (
    ALL_CPUS,
    WorkerFailure,
    in_parallel,
    pin_to_one_cpu,
    run_in_pool,
    use_cpus,
)
from gametree.support.errors import InputError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
needs_pins = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="this system pins no process"
)

# ---- a list of items on all cores

ITEMS = range(24)


@pytest.fixture
def cpus():
    """Return all CPUs of this process, without the pins of sandboxes that tests share."""
    before = os.sched_getaffinity(0)
    use_cpus(ALL_CPUS)
    yield set(ALL_CPUS)
    use_cpus(before)


@pytest.mark.parametrize("available", [1, 2])
def test_results_are_in_order_and_each_is_a_step_of_progress(monkeypatch, available):
    steps = []
    monkeypatch.setattr(processes, "cores", lambda: available)
    halves = {number: number // 2 for number in range(0, len(ITEMS), 2)}
    results = in_parallel(halves.get, ITEMS, lambda: steps.append(available))
    assert results == [halves.get(item) for item in ITEMS]
    assert len(steps) == len(ITEMS)


def test_the_first_failure_is_raised_and_ends_all_processes():
    with pytest.raises(RuntimeError, match="^the grader failed: ZeroDivisionError: "):
        in_parallel(lambda number: 1 // number, ITEMS)
    assert multiprocessing.active_children() == []


@needs_pins
def test_an_index_picks_the_cpu_and_wraps_around(cpus):
    pinned = []
    for index in range(len(cpus) + 1):
        use_cpus(ALL_CPUS)
        pin_to_one_cpu(index)
        pinned += os.sched_getaffinity(0)
    assert pinned == [*sorted(cpus), min(cpus)]


def cpus_of(_):
    return os.sched_getaffinity(0)


@needs_pins
def test_a_pinned_process_works_on_all_cpus_and_stays_pinned(cpus):
    pin_to_one_cpu(0)
    assert in_parallel(cpus_of, ITEMS) == [cpus] * len(ITEMS)
    assert cpus_of(None) == {min(cpus)}


# ---- a pool

PATIENCE = 30.0  # seconds
SQUARES = [("square", n) for n in range(20)]


@contextlib.contextmanager
def follow_items(index):
    """Provide a function that follows an item: an instruction and its argument."""

    def work(item):
        instruction, argument = item
        if instruction == "square":
            return argument * argument
        if instruction == "pid":
            return os.getpid()
        if instruction == "exit":
            os._exit(argument)
        if instruction == "kill":
            faulthandler.disable()  # pytest would report the signal, which is intended
            os.kill(os.getpid(), argument)
        if instruction == "raise":
            raise argument
        if instruction == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)  # a stopped process runs no signal handler
        time.sleep(60)

    yield work


def run_items(items, jobs=2, make_work=follow_items):
    """Return item -> its result or WorkerFailure. The key of an instruction is its name."""
    pairs = run_in_pool(make_work, items, jobs, PATIENCE)
    return {item[0] if item not in SQUARES else item: result for item, result in pairs}


@pytest.mark.parametrize(
    "item, message",
    [
        (("exit", 3), "the grader ended (exit status 3)"),
        (("kill", signal.SIGKILL), "the grader ended (killed by signal 9)"),
        (("raise", ValueError("two\nlines")), "the grader failed: ValueError: two lines"),
    ],
)
def test_an_item_that_ends_its_process_affects_no_other_item(item, message):
    results = run_items([*SQUARES[:10], item, *SQUARES[10:]])
    assert results.pop(item[0]) == WorkerFailure(message)
    assert results == {square: square[1] ** 2 for square in SQUARES}


@contextlib.contextmanager
def end_slowly(index):
    """Provide the function of follow_items in a process that takes its time to end."""
    with follow_items(index) as work:
        yield work
    time.sleep(0.2)


def test_after_an_exception_the_next_item_has_a_new_process():
    items = [("pid", 1), ("raise", ValueError("x")), ("pid", 2), ("pid", 3)]
    pairs = run_in_pool(end_slowly, items, 1, PATIENCE)
    [first, _, second, third] = [result for _, result in pairs]
    assert first != second == third


@pytest.mark.parametrize(
    "error, message",
    [
        (InputError("no sandbox here"), "no sandbox here"),
        (BlockingIOError(11, "try again"), "BlockingIOError: [Errno 11] try again"),
    ],
)
def test_a_process_that_cannot_start_says_why(error, message, capfd):
    def fail_to_make_work(index):
        raise error

    reason = f"the grader could not start: {message}; fix this and run the same command"
    with pytest.raises(InputError, match=re.escape(reason)):
        run_items([("square", 3)], make_work=fail_to_make_work)
    assert "".join(capfd.readouterr()) == ""


def test_a_process_that_hangs_is_killed(monkeypatch):
    monkeypatch.setattr(processes, "SECONDS_BETWEEN_LOOKS", 0.01)
    results = run_in_pool(follow_items, [("stop", 0), ("square", 3)], 2, PATIENCE)
    assert next(results) == (("square", 3), 9)
    clock = itertools.count(time.monotonic() + PATIENCE + 1, PATIENCE + 1)
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    failure = WorkerFailure("the grader did not answer within 30 s")
    assert list(results) == [(("stop", 0), failure)]


def test_an_interruption_ends_all_processes_even_those_that_hang(monkeypatch):
    monkeypatch.setattr(processes, "SECONDS_TO_STOP", 0.1)
    items = [("stop", 0), ("sleep", 1), ("square", 2)]
    results = run_in_pool(follow_items, items, 3, PATIENCE)
    with pytest.raises(KeyboardInterrupt), contextlib.closing(results):
        assert next(results) == (("square", 2), 4)
        assert len(multiprocessing.active_children()) == 3
        raise KeyboardInterrupt
    assert multiprocessing.active_children() == []


def test_each_process_receives_its_number():
    barrier = multiprocessing.get_context("fork").Barrier(3)

    @contextlib.contextmanager
    def wait_for_the_others(index):
        def work(item):
            barrier.wait(PATIENCE)
            return index

        yield work

    items = [("square", n) for n in range(3)]
    results = run_items(items, jobs=3, make_work=wait_for_the_others)
    assert sorted(results.values()) == [0, 1, 2]
