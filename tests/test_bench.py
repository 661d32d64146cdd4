"""`make bench` compares equivalent programs and computes its figures correctly.

No test asserts a time.
"""

import json

import pytest
from helpers import CORRECT, PYTHON, ROOT

from bench import __main__ as report
from bench import bars
from bench.gradings import (
    BARE_RUN,
    KNOWN,
    OURS,
    WITHOUT,
    WRONG,
    write_search,
)
from bench.inside import ground
from bench.samples import Sample, run


@pytest.fixture(scope="module")
def bare_run(tmp_path_factory):
    """Return a function: a source -> the tests in the bare grader's results.json."""
    folder = tmp_path_factory.mktemp("bare")
    counts = ground(folder / "ground")

    def tests_of(source):
        path = write_search(folder / "submission", source)
        out = folder / "out.json"
        run([PYTHON, ROOT / "bench" / "bare.py", folder / "ground", path, out])
        tests = json.loads(out.read_text())["tests"]
        assert len(tests) > counts["trees"] > 0
        return tests

    return tests_of


def test_the_bare_run_passes_the_reference_on_every_search(bare_run):
    assert {test["status"] for test in bare_run(CORRECT)} == {"passed"}


def test_the_bare_run_fails_a_wrong_submission(bare_run):
    tests = bare_run(CORRECT.replace("alpha >= beta", WRONG[KNOWN]))
    assert "failed" in {test["status"] for test in tests}


def test_ratios_and_seconds_are_computed_round_by_round():
    bare = [Sample(seconds, 0, 0) for seconds in (1, 20, 2)]
    ours = [Sample(seconds, 0, 0) for seconds in (2, 40, 3)]
    samples = {BARE_RUN: bare, OURS: ours}
    for name in WRONG:
        samples[name] = ours
        samples[name + WITHOUT] = bare
    assert bars.ratio(samples, OURS, BARE_RUN) == 2
    assert [bars.seconds_of_line(samples, name) for name in WRONG] == [1, 1]
    assert " 2.0x |" in report.table_of_gradings(samples)


# ---- proofs
