"""A pool in which the death of one process costs one item."""

import contextlib
import faulthandler
import multiprocessing
import os
import signal
import time
from types import SimpleNamespace

import pytest

from autograder.course import run as pooling
from autograder.course.run import Lost, Pool

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@contextlib.contextmanager
def work(turn):
    """Do what the item says: a small language for this file's tests."""

    def do(item):
        what, value = item
        if what == "square":
            return value * value
        if what == "turn":
            return turn
        if what == "exit":
            os._exit(value)
        if what == "kill":
            faulthandler.disable()  # pytest's; the death is meant
            os.kill(os.getpid(), value)
        if what == "raise":
            raise ValueError(value)
        if what == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)  # hangs, and no handler could run
        time.sleep(60)

    yield do


def results(items, jobs=2):
    with Pool(jobs, work, 30.0) as pool:
        return dict(pool.run(items))


def test_every_item_has_its_result():
    items = [("square", n) for n in range(50)]
    assert results(items) == {item: item[1] ** 2 for item in items}


def test_no_items_and_no_processes_are_nothing_to_do():
    assert results([], jobs=0) == {}


def test_each_process_knows_its_turn():
    assert set(results([("turn", n) for n in range(50)], jobs=3).values()) <= {0, 1, 2}


@pytest.mark.parametrize(
    "item, reason",
    [
        (("exit", 3), "its grader ended (exit status 3)"),
        (("kill", signal.SIGKILL), "its grader ended (killed by SIGKILL)"),
        (("kill", signal.SIGSEGV), "its grader ended (killed by SIGSEGV)"),
        (("raise", "two\nlines"), "the grader failed: ValueError: two lines"),
    ],
)
def test_what_ends_a_process_costs_that_item_only(item, reason):
    others = [("square", n) for n in range(20)]
    found = results([*others[:10], item, *others[10:]])
    assert found.pop(item) == Lost(reason)
    assert found == {other: other[1] ** 2 for other in others}


def test_every_process_may_die_and_the_pool_goes_on():
    found = results([("exit", n) for n in range(6)] + [("square", 3)])
    assert found.pop(("square", 3)) == 9
    assert all(isinstance(result, Lost) for result in found.values())


def test_a_process_that_hangs_is_killed_after_the_patience(monkeypatch):
    with Pool(2, work, 30.0) as pool:
        found = pool.run([("stop", 0), ("square", 3)])
        assert next(found) == (("square", 3), 9)
        later = time.monotonic() + 31
        monkeypatch.setattr(pooling, "time", SimpleNamespace(monotonic=lambda: later))
        assert list(found) == [(("stop", 0), Lost("its grader gave no answer for 30 s"))]


def test_no_process_is_left_after_an_exception():
    with pytest.raises(KeyboardInterrupt), Pool(2, work, 30.0) as pool:
        assert len(multiprocessing.active_children()) == 2
        for _ in pool.run([("square", 1), ("sleep", 1), ("sleep", 2)]):
            raise KeyboardInterrupt
    assert multiprocessing.active_children() == []


def test_a_busy_process_has_half_a_second_to_leave():
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Pool(2, work, 30.0) as pool:
        for _ in pool.run([("stop", 1), ("square", 2), ("sleep", 2)]):
            raise KeyboardInterrupt
    assert time.monotonic() - begun < 20  # without a kill it would be a minute
