"""results.json is there whatever happens: strict, small, atomic, with every row."""

import json
import os

import pytest
from helpers import ROOT, tree_of

from autograder.judging.scores import Row
from autograder.results import (
    DID_NOT_FINISH,
    MOST_BYTES,
    graded_case,
    run_case,
    write_results,
    write_unfinished,
)

TREE = tree_of("[1, 2]")


def row(number, cents, most):
    return Row(TREE, "minimax", number, True, most, cents=cents)


def results(*rows_and_texts, total=0):
    return run_case(graded_case(rows_and_texts), "the summary", total)


def test_one_row_a_method_in_order_after_the_summary():
    found = results(
        (row("1.01", 33, 33), "right"), (row("1.02", 10, 34), "wrong"), total=43
    )
    shown = [(t["number"], t["score"], t["max_score"], t["status"]) for t in found["tests"]]
    assert shown == [
        ("0", 0.0, 0.0, "passed"),
        ("1.01", 0.33, 0.33, "passed"),
        ("1.02", 0.1, 0.34, "failed"),
    ]
    assert found["score"] == 0.43
    assert found["tests"][1]["name"] == "minimax: the lesson of tree"


def test_no_timing_is_written_so_that_runs_compare_byte_for_byte():
    assert "execution_time" not in json.dumps(results((row("1.01", 1, 1), "x")))


def test_a_row_whose_text_looks_like_an_error_stays_text():
    text = "Traceback (most recent call last):\n<script>\x1b[31m"
    assert results((row("1.01", 0, 1), text))["tests"][1]["output"] == text


def test_the_methods_can_be_chosen_by_name_as_pytest_does():
    case = graded_case([(row("1.01", 1, 1), "x"), (row("1.02", 1, 1), "x")])
    names = sorted(name for name in vars(case) if name.startswith("test_"))
    assert names == ["test_000_minimax_tree", "test_001_minimax_tree"]


def test_not_a_number_is_refused_and_the_old_file_stays(tmp_path):
    path = tmp_path / "results.json"
    write_unfinished(path)
    before = path.read_text()
    with pytest.raises(ValueError):
        write_results(path, {"score": float("nan"), "tests": []})
    assert path.read_text() == before
    assert os.listdir(tmp_path) == ["results.json"]


def test_until_the_end_the_file_says_that_grading_did_not_finish(tmp_path):
    path = tmp_path / "deep" / "results.json"
    write_unfinished(path, [row("1.01", 0, 33)])
    data = json.loads(path.read_text())
    assert data["output"] == DID_NOT_FINISH
    assert data["tests"][0]["max_score"] == 0.33


def test_a_flood_of_text_is_cut_until_the_file_fits(tmp_path):
    path = tmp_path / "results.json"
    tests = [{"name": str(index), "output": "é" * 9000} for index in range(200)]
    write_results(path, {"score": 1.0, "tests": tests})
    assert path.stat().st_size <= MOST_BYTES
    assert len(json.loads(path.read_text())["tests"]) == 200


def test_the_schema_of_gradescope_is_met_by_every_golden_file():
    """The fields, types and allowed values that Gradescope documents."""
    files = sorted((ROOT / "tests" / "golden").glob("*/results.json"))
    assert files
    for path in files:
        data = json.loads(path.read_text())
        assert set(data) <= {"score", "tests", "visibility", "stdout_visibility", "output"}
        for test in data["tests"]:
            assert isinstance(test["score"], float) and isinstance(test["name"], str)
            assert test["status"] in ("passed", "failed")
            assert test["output_format"] in ("text", "ansi")
            assert test["output"].isprintable() or "\x1b" not in test["output"]
