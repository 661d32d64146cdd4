"""The benchmark: what it compares is equivalent, and its sums are right.

Nothing here asserts a time.
"""

import json

import pytest
from helpers import PYTHON, ROOT

from bench import __main__ as report
from bench import bars, proofs
from bench.bars import Bar
from bench.gradings import (
    BARE_RUN,
    ENDLESS,
    OURS,
    RIGHT,
    WITHOUT,
    WRONG,
    inside,
    write_course,
    write_search,
)
from bench.inside import ground
from bench.proofs import LineOutcome
from bench.samples import BenchError, Sample, interleaved, run
from gametree.functions import FUNCTIONS

REFERENCE = RIGHT.read_text()
TOO_SLOW = Bar("the loop", 5, 6, "{:.1f} s")
QUICK = Bar("the class", 5, 6, "{}", is_minimum=True)


# ---- what is compared


@pytest.fixture(scope="module")
def bare_run(tmp_path_factory):
    """A function: the tests of results.json that the bare grader writes of a source."""
    folder = tmp_path_factory.mktemp("bare")
    holds = ground(folder / "ground")

    def tests_of(source):
        path = write_search(folder / "submission", source)
        out = folder / "out.json"
        run([PYTHON, ROOT / "bench" / "bare.py", folder / "ground", path, out])
        tests = json.loads(out.read_text())["tests"]
        assert len(tests) > holds["trees"] > 0
        return tests

    return tests_of


def test_the_bare_run_asks_all_and_passes_the_reference(bare_run):
    assert {test["status"] for test in bare_run(REFERENCE)} == {"passed"}


@pytest.mark.parametrize("condition", WRONG.values(), ids=WRONG)
def test_the_bare_run_fails_a_wrong_submission(bare_run, condition):
    tests = bare_run(REFERENCE.replace("alpha >= beta", condition))
    assert "failed" in {test["status"] for test in tests}


def test_every_function_of_the_endless_submission_loops():
    defined = {}
    exec(ENDLESS, defined)
    assert [defined[name] for name in FUNCTIONS] == [defined["loop"]] * len(FUNCTIONS)


def test_a_course_holds_each_right_submission(tmp_path):
    count = write_course(tmp_path, 1)
    assert count == len(list((ROOT / "solution" / "correct").glob("*.py")))
    assert len(list(tmp_path.glob("*/search.py"))) == count


def test_a_lazy_tree_is_searched_in_a_process_of_its_own():
    sample, found = inside("vast", "3")
    assert 100 < found["queries"] < 10**3
    assert sample.megabytes > 20


# ---- samples


def test_a_process_that_fails_is_an_error_of_one_line():
    with pytest.raises(BenchError, match="no such luck$"):
        run([PYTHON, "-c", "raise SystemExit('a line\\nno such luck')"])
    with pytest.raises(BenchError, match="exit status 3$"):
        run([PYTHON, "-c", "raise SystemExit(3)"])


def test_every_command_runs_once_a_round_and_the_cpu_time_of_grandchildren_counts():
    burn = "sum(range(10**6))"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{burn}'])"
    commands = {"one": [PYTHON, "-c", "print('here')"], "two": [PYTHON, "-c", nested]}
    samples = interleaved(commands, 1)
    assert [sample.output for sample in samples["one"]] == ["here"]
    (nested,) = samples["two"]
    assert nested.cpu > 0


# ---- bars


def test_ratios_and_lines_are_taken_round_by_round():
    bare = [Sample(seconds, 0, 0) for seconds in (1, 20, 2)]
    ours = [Sample(seconds, 0, 0) for seconds in (2, 40, 3)]
    samples = {BARE_RUN: bare, OURS: ours}
    for name in WRONG:
        samples[name] = ours
        samples[name + WITHOUT] = bare
    assert bars.ratio(samples, OURS, BARE_RUN) == 2
    assert [bars.seconds_of_line(samples, name) for name in WRONG] == [1, 1]
    assert " 2.0x |" in report.table_of_gradings(samples)


@pytest.mark.parametrize(
    "figure, is_minimum, holds",
    [(4, False, True), (5, False, True), (6, False, False)]
    + [(4, True, False), (5, True, True), (6, True, True)],
)
def test_a_bar_is_a_maximum_or_a_minimum(figure, is_minimum, holds):
    bar = Bar("x", 5, figure, "{:.1f} s", is_minimum)
    assert bar.holds == holds
    assert bar.cells == ["x", "5.0 s", f"{figure}.0 s", "yes" if holds else "no"]


@pytest.mark.parametrize(
    "measured, status, named",
    [([QUICK], 0, ""), ([QUICK, TOO_SLOW], 1, "bench: beyond the bar: the loop\n")],
)
def test_a_bar_that_fails_is_named_and_makes_the_status_1(
    monkeypatch, capsys, measured, status, named
):
    monkeypatch.setattr(report, "measure", lambda _: measured)
    assert report.main() == status
    out, err = capsys.readouterr()
    assert err == named
    for bar in measured:
        assert f"| {bar.name} " in out, bar


def test_what_cannot_be_measured_is_one_line_and_status_2(monkeypatch, capsys):
    def fail(_):
        raise BenchError("git: not found")

    monkeypatch.setattr(report, "measure", fail)
    assert report.main() == 2
    assert capsys.readouterr() == ("", "bench: git: not found\n")


# ---- proofs: what the tests of mutants and of lines do not run as a whole


def outcomes(found, misleading, lost, unseen):
    return [
        *[LineOutcome("found", "minimax", True, False)] * found,
        *[LineOutcome("misleading", "minimax", True, True)] * misleading,
        *[LineOutcome("lost", "alphabeta", False, False)] * lost,
        *[LineOutcome("unseen", "", False, False)] * unseen,
    ]


@pytest.mark.parametrize(
    "made, suffice",
    [
        (outcomes(70, 0, 30, 50), True),
        (outcomes(69, 0, 31, 0), False),
        (outcomes(95, 5, 0, 0), True),
        (outcomes(94, 6, 0, 0), False),
    ],
)
def test_enough_lines_are_found_and_few_mislead(monkeypatch, capsys, made, suffice):
    class SomeKit:
        mistakes = ()
        rubric = type("SomeRubric", (), {"cents": {}})

    monkeypatch.setattr(proofs, "in_parallel", lambda *_: made)
    assert proofs.check_lines(SomeKit) == suffice
    out = capsys.readouterr().out
    shown = [outcome for outcome in made if outcome.function]
    assert f" of {len(shown)} known mistakes is found" in out
    assert f"{len(made) - len(shown)} more do not show on public trees" in out
