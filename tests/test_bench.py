"""The benchmark's harness: what it compares is equivalent, and its sums are right.

Nothing here asserts a time.
"""

import json
import subprocess
import sys

import pytest
from helpers import PYTHON, ROOT

from bench import report
from bench.gradings import RIGHT, WRONG, write_course, write_ground, write_wrong
from bench.peers import ASKING, write_assignment
from bench.samples import BenchError, Sample, figures, interleaved, run, spread
from bench.shares import Stopwatch

BARE = ROOT / "bench" / "bare"


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench") / "ground"
    return folder, write_ground(folder)


def bare_run(ground, submission, tmp_path):
    """Grade by the bare run; return the tests of its results."""
    out = tmp_path / "results.json"
    run([PYTHON, BARE / "gradescope.py", ground[0], submission, out])
    return json.loads(out.read_text())["tests"]


def test_the_bare_run_asks_every_function_of_every_tree_and_the_reference_passes(
    ground, tmp_path
):
    tests = bare_run(ground, RIGHT, tmp_path)
    assert len(tests) == len({(task.tree.name, task.function) for task in ground[1].tasks})
    assert {test["status"] for test in tests} == {"passed"}


@pytest.mark.parametrize("name", WRONG)
def test_the_bare_run_fails_the_wrong_submissions_somewhere(name, ground, tmp_path):
    tests = bare_run(ground, write_wrong(tmp_path, name), tmp_path)
    assert "failed" in {test["status"] for test in tests}


def test_the_assignment_of_otter_has_a_test_for_each_of_the_bare_runs(ground, tmp_path):
    home = write_assignment(tmp_path, ground[0])
    asked = {(task.tree.name, task.function) for task in ground[1].tasks}
    assert len(list((home / "tests").glob("*.py"))) == len(asked)
    assert (home / "kit" / "trees.py").read_text().endswith(ASKING)


def test_a_course_holds_each_right_submission(tmp_path):
    count = write_course(tmp_path, 1)
    assert count == len(list((ROOT / "solution" / "correct").glob("*.py")))
    assert len(list(tmp_path.glob("*/search.py"))) == count


def test_a_process_that_fails_is_an_error_of_one_line():
    with pytest.raises(BenchError, match="no such luck"):
        run([sys.executable, "-c", "raise SystemExit('no such luck')"])


def test_the_figures_of_a_measurement_are_read_from_its_output(tmp_path):
    assert set(figures("gradings", str(tmp_path))) == {"trees", "searches", "queries"}


@pytest.mark.parametrize("where", ["here", "sandbox"])
def test_a_search_costs_time_and_queries_wherever_it_runs(where):
    tree = "root: max\ntree: [1, [2, 3]]\n"
    costs = figures("probes", "search", where, "alphabeta", tree)
    assert costs["queries"] == 5 and costs["cpu"] > 0


def test_every_command_runs_once_a_round_beside_the_uncounted_first():
    command = [PYTHON, "-c", "pass"]
    samples = interleaved({"one": command, "two": command}, 1)
    assert {name: len(found) for name, found in samples.items()} == {"one": 1, "two": 1}


def test_the_cpu_time_of_grandchildren_counts():
    burn = "sum(range(10**6))"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{burn}'])"
    assert run([PYTHON, "-c", nested]).cpu > 0


def test_a_spread_is_a_median_between_quartiles():
    found = spread([5, 1, 4, 2, 3])
    assert (found.low, found.median, found.high) == (2, 3, 4)


def test_a_ratio_is_taken_round_by_round():
    samples = {
        "slow": [Sample(2, 0, 0), Sample(40, 0, 0)],
        "quick": [Sample(1, 0, 0), Sample(20, 0, 0)],
    }
    assert report.ratio(samples, "slow", "quick").median == 2


@pytest.mark.parametrize("power", [1, 2])
def test_the_slope_is_the_exponent(power):
    assert report.slope([(x, 3 * x**power) for x in (1, 10, 100)]) == pytest.approx(power)


def test_a_stopwatch_gives_each_moment_to_the_innermost_part():
    class Work:
        def outer(self):
            self.inner()

        def inner(self):
            pass

    watch = Stopwatch()
    watch.around("outside", Work, "outer")
    watch.around("inside", Work, "inner")
    Work().outer()
    assert list(watch.stop()) == ["everything else", "outside", "inside"]


def test_every_part_that_shares_times_exists_and_is_reached(tmp_path):
    out = str(tmp_path / "out")
    wrong = str(write_wrong(tmp_path, next(iter(WRONG))))
    found = figures("shares", wrong, out, "0")
    from bench.shares import PARTS

    assert {part for part, _, _ in PARTS} <= set(found)


def test_a_bar_from_below_and_a_bar_from_above():
    row = report.bar_row
    assert row("", 5, 4, "{}")[-1] == row("", 5, 6, "{}", least=True)[-1] == "yes"
    assert row("", 5, 6, "{}")[-1] == row("", 5, 4, "{}", least=True)[-1] == "no"


def test_a_table_is_markdown_with_figures_to_the_right():
    lines = report.table("Title", ["what", "ms"], [["start", 7]]).splitlines()
    assert lines == ["### Title", "", "| what  | ms |", "| ----- | -: |", "| start |  7 |"]


def test_make_bench_explains_itself():
    done = subprocess.run(
        [PYTHON, "-m", "bench", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0 and "--peers" in done.stdout
