"""`make bench` computes its figures correctly. No test asserts a time."""

import importlib
from operator import sub, truediv

import pytest

from bench import __main__ as report
from bench import bars, stages
from bench.gradings import BARE_RUN, OURS
from bench.samples import Sample


def test_ratios_and_seconds_are_computed_round_by_round():
    bare = [Sample(seconds, 0, 0) for seconds in (1, 20, 2)]
    ours = [Sample(seconds, 0, 0) for seconds in (2, 40, 3)]
    samples = {BARE_RUN: bare, OURS: ours}
    assert bars.compare(truediv, samples, OURS, BARE_RUN) == 2
    assert bars.compare(sub, samples, OURS, BARE_RUN) == 1
    assert " 2.0x |" in report.table_of_gradings(samples)


@pytest.mark.parametrize("title", stages.STAGES)
def test_each_stage_is_a_function_of_the_kit(title):
    module, _, name = stages.STAGES[title].rpartition(".")
    assert callable(getattr(importlib.import_module(module), name))
