"""`make bench` compares equivalent programs and computes its figures correctly.

No test asserts a time.
"""

import json
import marshal
from types import SimpleNamespace

import pytest
from helpers import PYTHON, ROOT, reference, tasks_of, tree_of

from autograder.scoring.tasks import tasks_for
from bench import __main__ as report
from bench import bars, gradings, proofs
from bench.bars import Bar
from bench.gradings import (
    BARE_RUN,
    KNOWN,
    MIXED,
    OURS,
    PAGED,
    RIGHT,
    RIGHT_ONES,
    WITHOUT,
    WRONG,
    inside,
    write_search,
)
from bench.inside import ground
from bench.proofs import LineOutcome
from bench.samples import BenchError, Sample, interleaved, run

REFERENCE = RIGHT.read_text()
TOO_SLOW = Bar("the loop", 5, 6, "{:.1f} s")
QUICK = Bar("the class", 5, 6, "{}", is_minimum=True)


# ---- what is compared


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
    assert {test["status"] for test in bare_run(REFERENCE)} == {"passed"}


def test_the_bare_run_fails_a_wrong_submission(bare_run):
    tests = bare_run(REFERENCE.replace("alpha >= beta", WRONG[KNOWN]))
    assert "failed" in {test["status"] for test in tests}


def test_a_lazy_tree_is_searched_in_a_separate_process():
    sample, found = inside("vast", "3")
    assert 100 < found["queries"] < 10**3
    assert sample.megabytes > 20


# ---- samples


def test_a_process_that_fails_raises_an_error_of_one_line():
    with pytest.raises(BenchError, match="no such luck$"):
        run([PYTHON, "-c", "raise SystemExit('a line\\nno such luck')"])
    with pytest.raises(BenchError, match="exit status 3$"):
        run([PYTHON, "-c", "raise SystemExit(3)"])


def test_every_command_runs_once_a_round_and_the_cpu_time_of_grandchildren_counts():
    burn = "sum(range(10**6))"
    in_child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', '{burn}'])"
    commands = {"one": [PYTHON, "-c", "print('here')"], "two": [PYTHON, "-c", in_child]}
    samples = interleaved(commands, 1)
    assert [sample.output for sample in samples["one"]] == ["here"]
    (sample,) = samples["two"]
    assert sample.cpu > 0


# ---- bars


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


def test_every_measurement_is_a_bar_or_in_the_table(monkeypatch, capsys, tmp_path):
    one_second = Sample(1, 1, 50)
    names = [BARE_RUN, OURS, PAGED, *WRONG]
    names += [name + WITHOUT for name in WRONG]
    counts = {"trees": 3, "searches": 9, "queries": 12345}
    samples = {name: [one_second] * 2 for name in names}
    commands = dict.fromkeys(bars.MAX_COMMAND_SECONDS, 1)
    monkeypatch.setattr(gradings, "measure", lambda *_: (counts, samples))
    monkeypatch.setattr(gradings, "courses", lambda _: {RIGHT_ONES: 12, MIXED: 3})
    monkeypatch.setattr(gradings, "endless", lambda _: Sample(71, 0, 0))
    monkeypatch.setattr(gradings, "stages", lambda: ["stages"])
    monkeypatch.setattr(
        gradings, "inside", lambda _: (Sample(2, 2, 251), {"queries": 1234})
    )
    monkeypatch.setattr(gradings, "command_seconds", lambda _: commands)
    measured = report.measure(tmp_path)
    assert len(measured) == 15
    failed = [bar.cells for bar in measured if not bar.holds]
    assert failed == [
        ["a mixed class, with pages, a second", "5.0", "3.0", "no"],
        ["an endless loop", "70 s", "71 s", "no"],
        ["10^9 leaves, 1,234 queries", "250 MB", "251 MB", "no"],
    ]
    out = capsys.readouterr().out
    assert "3 trees, 9 searches, 12,345 queries\n" in out
    assert [name for name in names if f"| {name} " not in out] == []


@pytest.mark.parametrize(
    "measured, status, message",
    [([QUICK], 0, ""), ([QUICK, TOO_SLOW], 1, "bench: bars that fail: the loop\n")],
)
def test_a_failing_bar_is_named_and_gives_exit_status_1(
    monkeypatch, capsys, measured, status, message
):
    monkeypatch.setattr(report, "measure", lambda _: measured)
    assert report.main() == status
    out, err = capsys.readouterr()
    assert err == message
    for bar in measured:
        assert f"| {bar.name} " in out, bar


def test_a_failing_measurement_is_one_line_and_exit_status_2(monkeypatch, capsys):
    def fail(_):
        raise BenchError("git: not found")

    monkeypatch.setattr(report, "measure", fail)
    assert report.main() == 2
    assert capsys.readouterr() == ("", "bench: git: not found\n")


# ---- proofs


FOUND = LineOutcome("found", "minimax", True, False)
MISLEADING = LineOutcome("misleading", "minimax", True, True)
LOST = LineOutcome("lost", "alphabeta", False, False)
UNSEEN = LineOutcome("unseen", "", False, False)


@pytest.mark.parametrize(
    "found, misleading, lost, suffices",
    [(70, 0, 30, True), (69, 0, 31, False), (95, 5, 0, True), (94, 6, 0, False)],
)
def test_seven_in_ten_lines_must_be_found_and_one_in_twenty_may_mislead(
    monkeypatch, found, misleading, lost, suffices
):
    outcomes = [FOUND] * found + [MISLEADING] * misleading + [LOST] * lost + [UNSEEN] * 50
    monkeypatch.setattr(proofs, "in_parallel", lambda *_: outcomes)
    kit = SimpleNamespace(mistakes=(), rubric=SimpleNamespace(cents={}))
    assert proofs.check_lines(kit) == suffices


@pytest.mark.parametrize("hidden, misleads", [("[1, [1, 1]]", True), ("[2, 1]", False)])
def test_a_line_misleads_if_its_fix_is_wrong_on_a_hidden_tree(
    monkeypatch, hidden, misleads
):
    strict = compile(REFERENCE.replace("alpha >= beta", "alpha > beta"), "fixed", "exec")
    line = SimpleNamespace(proofs=[SimpleNamespace(code=marshal.dumps(strict))])
    monkeypatch.setattr(proofs, "locate", lambda *_: ("alphabeta", line))
    public = tasks_of(tree_of("[1, [1, 1]]", name="public"))
    hidden_tasks = tasks_for([tree_of(hidden)], reference(), hidden=True)
    kit = SimpleNamespace(tasks=[*public, *hidden_tasks])
    mistake = SimpleNamespace(name="a mistake", source="")
    outcome = proofs.seek_line(kit, mistake)
    assert outcome == LineOutcome("a mistake", "alphabeta", True, misleads)


@pytest.mark.parametrize("lines, mutants", [(True, True), (True, False), (False, True)])
def test_both_proofs_run_and_both_must_pass(monkeypatch, capsys, lines, mutants):
    monkeypatch.setattr(proofs, "load_kit", lambda: None)
    monkeypatch.setattr(proofs, "check_lines", lambda _: print("lines") or lines)
    monkeypatch.setattr(proofs, "check_mutants", lambda _: print("mutants") or mutants)
    assert (proofs.main() == 0) == (lines and mutants)
    assert capsys.readouterr().out == "lines\nmutants\n"
