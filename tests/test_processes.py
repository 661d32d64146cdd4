"""Work is distributed to all cores, and a process can be pinned to one of them."""

import os

import pytest

from autograder.ground import processes
from autograder.ground.processes import (
    MIN_ITEMS,
    cores,
    in_parallel,
    on_all_cpus,
    pin_to_one_cpu,
)

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="this system pins no process"
)
ITEMS = range(3 * MIN_ITEMS)


def double(number):
    return 2 * number


def process_of(_):
    return os.getpid()


@pytest.fixture
def cpus():
    """Return all CPUs of this process. Remove the pins of sandboxes that tests share."""
    with on_all_cpus():
        yield os.sched_getaffinity(0)


@pytest.mark.parametrize("available", [1, 2])
def test_results_are_in_order_and_each_is_a_step_of_progress(monkeypatch, available):
    steps = []
    monkeypatch.setattr(processes, "cores", lambda: available)
    results = in_parallel(double, ITEMS, lambda: steps.append(available))
    assert results == [double(item) for item in ITEMS]
    assert len(steps) == len(ITEMS)


@pytest.mark.parametrize(
    "available, count, in_others", [(1, 24, False), (2, MIN_ITEMS - 1, False), (2, 8, True)]
)
def test_other_processes_are_started_for_many_items_on_several_cores(
    monkeypatch, available, count, in_others
):
    monkeypatch.setattr(processes, "cores", lambda: available)
    workers = set(in_parallel(process_of, range(count)))
    assert (os.getpid() not in workers) == in_others


def test_a_pin_leaves_one_cpu_and_can_be_undone(cpus):
    undo = pin_to_one_cpu()
    assert cores() == 1
    assert os.sched_getaffinity(0) <= cpus
    undo()
    assert os.sched_getaffinity(0) == cpus


def test_an_index_picks_the_cpu_and_wraps_around(cpus):
    pinned = []
    for index in range(len(cpus) + 1):
        undo = pin_to_one_cpu(index)
        pinned += os.sched_getaffinity(0)
        undo()
    assert pinned == [*sorted(cpus), min(cpus)]


def cpus_of(_):
    return os.sched_getaffinity(0)


def test_a_pinned_process_works_on_all_cpus_and_stays_pinned(cpus):
    undo = pin_to_one_cpu(0)
    try:
        assert in_parallel(cpus_of, ITEMS) == [cpus] * len(ITEMS)
        assert cpus_of(None) == {min(cpus)}
    finally:
        undo()
