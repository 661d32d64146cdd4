"""results.json is there whatever happens: strict, small, atomic, with every row."""

import json
import os
from types import SimpleNamespace

import pytest
from helpers import ROOT
from results_schema import problems, problems_of_text

from autograder.judging.scores import Row
from autograder.results import (
    DID_NOT_FINISH,
    in_bounds,
    report,
    unfinished,
    write_unfinished,
)

DOCUMENTED = {"name": "a", "number": "1", "score": 1.0, "max_score": 2.0,
              "status": "failed", "output": "x"}  # fmt: skip


def row(number, cents, most):
    return Row("minimax", "games", number, most, (), cents)


def results(*rows_and_texts, total=0):
    return report(rows_and_texts, "the summary", total)


def test_one_row_a_method_in_order_below_the_summary():
    rows = (row("1.01", 33, 33), "right"), (row("1.02", 10, 34), "wrong")
    written = results(*rows, total=43)
    keys = ("number", "score", "max_score", "status")
    assert [tuple(test[key] for key in keys) for test in written["tests"]] == [
        ("1.01", 0.33, 0.33, "passed"),
        ("1.02", 0.1, 0.34, "failed"),
    ]
    assert written["score"] == 0.43
    assert (written["output"], written["output_format"]) == ("the summary", "text")
    assert written["tests"][0]["name"] == "minimax: games"
    assert "execution_time" not in json.dumps(written)  # runs compare byte for byte


def test_a_row_whose_text_looks_like_an_error_stays_text():
    text = "Traceback (most recent call last):\n<script>\x1b[31m"
    assert results((row("1.01", 0, 1), text))["tests"][0]["output"] == text


def test_not_a_number_is_refused_and_the_old_file_stays(tmp_path):
    path = tmp_path / "results.json"
    write_unfinished(path)
    before = path.read_text()
    for number in ("nan", "inf", "-inf"):
        with pytest.raises(ValueError):
            path.write_text(in_bounds({"score": float(number), "tests": []}))
        assert path.read_text() == before
        assert os.listdir(tmp_path) == ["results.json"]


def test_until_the_end_the_file_says_that_grading_did_not_finish(tmp_path):
    path = tmp_path / "deep" / "results.json"
    write_unfinished(path)
    assert json.loads(path.read_text())["output"] == DID_NOT_FINISH
    data = unfinished(SimpleNamespace(rows_of_all=[row("1.01", 0, 33)]))
    assert data["output"] == DID_NOT_FINISH
    assert data["tests"][0]["max_score"] == 0.33
    assert data["tests"][0]["name"] == "minimax: games"


def test_what_gradescope_documents_is_allowed_and_nothing_else():
    def documented(test, **top):
        return {"score": 1.0, "tests": [{**DOCUMENTED, **test}], **top}

    leader = {"name": "nodes", "value": 3, "order": "asc"}
    top = {"visibility": "after_published", "leaderboard": [leader], "execution_time": 1}
    test = {"output_format": "md", "tags": ["a"], "extra_data": {}}
    assert problems(documented(test, **top)) == []
    for test in (
        {"score": 3.0}, {"score": -1.0}, {"status": "skipped"}, {"number": 1},
        {"tags": "a"}, {"output": None}, {"visibility": "hidden"}, {"name_format": "svg"},
    ):  # fmt: skip
        assert problems(documented(test)), test
    for top in (
        {"score": "1"}, {"score": True}, {"score": 2.0}, {"visibility": "shown"},
        {"colour": "red"}, {"tests": {}}, {"leaderboard": [{"name": 1}]},
    ):  # fmt: skip
        assert problems(documented({}, **top)), top
    for text in ("[]", "{}", "", "{", '{"score": NaN}', json.dumps("x" * 10**6)):
        assert problems_of_text(text), text


def test_every_golden_file_is_as_documented_and_sends_no_colours():
    paths = sorted(ROOT.glob("tests/golden/*/results.json"))
    assert len(paths) > 10
    for path in paths:
        text = path.read_text()
        assert problems_of_text(text) == [], path
        assert not any("\x1b" in test["output"] for test in json.loads(text)["tests"])
