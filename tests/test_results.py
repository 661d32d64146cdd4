"""results.json is there whatever happens: strict, small, atomic, with every row."""

import json
import os
from types import SimpleNamespace

import pytest
from helpers import ROOT
from results_schema import problems, problems_of_text

from autograder.grade import grade_into
from autograder.judging.scores import Row
from autograder.results import (
    DID_NOT_FINISH,
    in_bounds,
    report,
    unfinished,
    write_unfinished,
)

NOT_FINITE = [float("nan"), float("inf"), float("-inf")]
DOCUMENTED = {
    "name": "a",
    "number": "1",
    "score": 1.0,
    "max_score": 2.0,
    "status": "failed",
    "output": "x",
}
GOLDEN = sorted(ROOT.glob("tests/golden/*/results.json"))


def row(number, cents, max_cents):
    return Row("minimax", "games", number, max_cents, (), cents)


def test_one_row_a_method_in_order_below_the_summary():
    right = row("1.01", 33, 33)
    wrong = row("1.02", 10, 34)
    results = report([(right, "right"), (wrong, "wrong")], "the summary", 43)
    passed, failed = results["tests"]
    assert passed["number"] == "1.01"
    assert passed["score"] == passed["max_score"] == 0.33
    assert passed["status"] == "passed"
    assert passed["output"] == "right"
    assert failed["number"] == "1.02"
    assert failed["score"] == 0.1
    assert failed["max_score"] == 0.34
    assert failed["status"] == "failed"
    assert failed["output"] == "wrong"
    assert results["score"] == 0.43
    assert results["output"] == "the summary"
    assert results["output_format"] == "text"
    assert passed["name"] == "minimax: games"
    assert "execution_time" not in json.dumps(results)  # runs compare byte for byte


def test_a_row_whose_text_looks_like_an_error_stays_text():
    text = "Traceback (most recent call last):\n<script>\x1b[31m"
    results = report([(row("1.01", 0, 1), text)], "the summary", 0)
    (test,) = results["tests"]
    assert test["output"] == text


@pytest.mark.parametrize("score", NOT_FINITE)
def test_not_a_number_is_refused_and_the_old_file_stays(tmp_path, score):
    path = tmp_path / "results.json"
    write_unfinished(path)
    before = path.read_text()
    with pytest.raises(ValueError):
        path.write_text(in_bounds({"score": score, "tests": []}))
    assert path.read_text() == before
    assert os.listdir(tmp_path) == ["results.json"]


def test_long_outputs_are_shortened_until_the_file_is_small_enough():
    tests = [{"output": "x" * 100_000}, {"output": "short"}]
    assert "[shortened]" not in in_bounds({"tests": tests})
    tests += [{"output": "y" * 3000} for _ in range(400)]
    results = json.loads(in_bounds({"tests": tests}))
    outputs = [test["output"] for test in results["tests"]]
    assert outputs[0] == "x" * 2000 + "\n[shortened]"
    assert outputs[1] == "short"
    assert outputs[2] == "y" * 2000 + "\n[shortened]"


def test_until_the_end_the_file_says_that_grading_did_not_finish(tmp_path):
    path = tmp_path / "deep" / "results.json"
    write_unfinished(path)
    assert json.loads(path.read_text())["output"] == DID_NOT_FINISH


def test_earlier_results_are_replaced_before_the_kit_is_read(tmp_path, monkeypatch):
    (tmp_path / "results.json").write_text('{"output": "full marks"}')
    monkeypatch.setattr("autograder.kit.load_or_make", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        grade_into(tmp_path, ROOT / "solution" / "search.py")
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["output"] == DID_NOT_FINISH


def test_results_that_did_not_finish_list_each_row_with_no_points():
    hidden = row("1.02", 0, 50)._replace(visibility="hidden")
    kit = SimpleNamespace(rows_of_all=[row("1.01", 0, 33), hidden])
    results = unfinished(kit)
    assert results["output"] == DID_NOT_FINISH
    first, second = results["tests"]
    assert first == {
        "name": "minimax: games",
        "number": "1.01",
        "max_score": 0.33,
        "score": 0.0,
        "status": "failed",
    }
    assert second["visibility"] == "hidden"


def documented(test, top):
    """Return results as Gradescope documents them, with these keys in the test, on top."""
    return {"score": 1.0, "tests": [DOCUMENTED | test], **top}


def test_what_gradescope_documents_is_allowed():
    leader = {"name": "nodes", "value": 3, "order": "asc"}
    top = {"visibility": "after_published", "leaderboard": [leader], "execution_time": 1}
    test = {"output_format": "md", "tags": ["a"], "extra_data": {}}
    assert problems(documented(test, top)) == []


@pytest.mark.parametrize(
    "test",
    [
        {"score": 3.0},
        {"status": "skipped"},
        {"number": 1},
        {"visibility": "hidden"},
    ],
)
def test_nothing_else_is_allowed_in_a_test(test):
    assert problems(documented(test, {})) != []


@pytest.mark.parametrize(
    "top",
    [
        {"score": "1"},
        {"score": 2.0},
        {"colour": "red"},
        {"leaderboard": [{"name": 1}]},
    ],
)
def test_nothing_else_is_allowed_on_top(top):
    assert problems(documented({}, top)) != []


@pytest.mark.parametrize("text", ["[]", "{}", "", "{", '{"score": NaN}'])
def test_only_strict_json_is_allowed(text):
    assert problems_of_text(text) != []


def test_no_more_than_a_megabyte_is_allowed():
    assert problems_of_text(json.dumps("x" * 10**6)) != []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.parent.name)
def test_every_golden_file_is_as_documented_and_sends_no_colours(path):
    text = path.read_text()
    assert problems_of_text(text) == []
    for test in json.loads(text)["tests"]:
        assert "\x1b" not in test["output"], test["name"]


def test_there_are_golden_files():
    assert len(GOLDEN) > 10
