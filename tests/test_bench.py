"""The benchmark: what it compares is equivalent, and its sums are right.

Nothing here asserts a time.
"""

import json
import sys

import pytest
from helpers import PYTHON, ROOT

from bench import __main__ as report
from bench.gradings import RIGHT, WRONG, inside, write_course, write_search
from bench.inside import ground
from bench.samples import BenchError, Sample, interleaved, run


def test_the_bare_run_asks_all_passes_the_reference_and_fails_the_wrong(tmp_path):
    holds = ground(tmp_path / "ground")

    def tests_of(source):
        path, out = write_search(tmp_path / "submission", source), tmp_path / "out.json"
        run([PYTHON, ROOT / "bench" / "bare.py", tmp_path / "ground", path, out])
        return json.loads(out.read_text())["tests"]

    right = RIGHT.read_text()
    assert len(tests_of(right)) > holds["trees"] > 0
    assert {test["status"] for test in tests_of(right)} == {"passed"}
    for condition in WRONG.values():
        wrong = tests_of(right.replace("alpha >= beta", condition))
        assert "failed" in {test["status"] for test in wrong}


def test_a_course_holds_each_right_submission(tmp_path):
    count = write_course(tmp_path, 1)
    assert count == len(list((ROOT / "solution" / "correct").glob("*.py")))
    assert len(list(tmp_path.glob("*/search.py"))) == count


def test_a_lazy_tree_is_searched_in_a_process_of_its_own():
    sample, found = inside("vast", "3")
    assert 100 < found["queries"] < 10**3 and sample.megabytes > 20


def test_a_process_that_fails_is_an_error_of_one_line():
    with pytest.raises(BenchError, match="no such luck"):
        run([sys.executable, "-c", "raise SystemExit('no such luck')"])


def test_every_command_runs_once_a_round_and_the_cpu_time_of_grandchildren_counts():
    burn = "sum(range(10**6))"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{burn}'])"
    commands = {"one": [PYTHON, "-c", "print('here')"], "two": [PYTHON, "-c", nested]}
    samples = interleaved(commands, 1)
    assert [sample.output for sample in samples["one"]] == ["here"]
    (nested,) = samples["two"]
    assert nested.cpu > 0


def test_ratios_and_lines_are_taken_round_by_round():
    bare, ours = ([Sample(n, 0, 0) for n in ns] for ns in ((1, 20, 2), (2, 40, 3)))
    samples = {report.BARE_RUN: bare, report.OURS: ours}
    samples |= dict.fromkeys(WRONG, ours)
    samples |= {name + report.WITHOUT: bare for name in WRONG}
    assert report.ratio(samples, report.OURS, report.BARE_RUN) == 2
    assert report.seconds_of_lines(samples) == dict.fromkeys(WRONG, 1)
    assert " 2.0x |" in report.table_of_gradings(samples)


def test_a_bar_from_below_and_a_bar_from_above():
    bar = report.bar
    assert bar("", 5, 4, "{}")[-1] == bar("", 5, 6, "{}", least=True)[-1] == "yes"
    assert bar("", 5, 6, "{}")[-1] == bar("", 5, 4, "{}", least=True)[-1] == "no"
