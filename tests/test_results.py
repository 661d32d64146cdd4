"""results.json always exists, is valid and small, and has every row."""

import json
import math

import pytest
from helpers import ROOT, copy_with, own_kit, tables_beside
from results_schema import problems, problems_of_text

from autograder.grading import refuse
from autograder.kit import cached_kit
from autograder.kit.contents import describe_kit
from autograder.scoring.rubric import VISIBLE
from autograder.scoring.scores import Row
from autograder.showing.results import (
    DID_NOT_FINISH,
    as_json,
    report_rows,
    results_of,
    unfinished_text,
)
from autograder.single import grade_into

TABLES = tables_beside(__file__)


def make_row(number, cents, max_cents):
    """Return a Row of minimax."""
    return Row("minimax", "games", number, max_cents, VISIBLE, (), cents)


def test_the_rows_are_in_order_below_the_summary():
    right = make_row("1.01", 33, 33)
    wrong = make_row("1.02", 10, 34)
    like_an_error = "Traceback (most recent call last):\n<script>\x1b[31m"
    results = report_rows([(right, "right"), (wrong, like_an_error)], "the summary", 43)
    assert results == TABLES["results of two rows"]


def test_texts_of_any_characters_are_valid_for_gradescope(tmp_path):
    text = "".join(map(chr, range(0, 0x110000, 111)))  # includes lone surrogates
    rows = [(make_row(f"1.{number:03d}", 0, 1), text) for number in range(5)]
    path = tmp_path / "results.json"
    path.write_text(as_json(report_rows(rows, text, 0)))
    written = path.read_text()
    assert problems_of_text(written) == []
    assert len(json.loads(written)["tests"]) == len(rows)


def test_the_term_is_on_the_first_screen_and_in_the_results():
    kit = own_kit()
    kit = copy_with(kit, rubric=kit.rubric._replace(term="2027 spring"))
    results = results_of(refuse(kit, "no search.py"))
    assert results["output"].splitlines()[1] == "Term: 2027 spring"
    assert results["extra_data"] == {"kit": describe_kit(kit.key), "term": "2027 spring"}
    assert problems(results) == []


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_not_finite_is_refused(score):
    with pytest.raises(ValueError):
        as_json({"score": score, "tests": []})


def test_earlier_results_are_replaced_before_the_kit_is_read(tmp_path, monkeypatch):
    (tmp_path / "results.json").write_text('{"output": "full marks"}')
    monkeypatch.setattr("autograder.kit.load_or_make", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        grade_into(tmp_path, ROOT / "solution" / "search.py", cached_kit, None)
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["output"] == DID_NOT_FINISH


def test_unfinished_results_list_every_row_without_points():
    hidden = make_row("1.02", 0, 50)._replace(visibility="hidden")
    results = json.loads(unfinished_text([make_row("1.01", 0, 33), hidden]))
    assert results["output"] == DID_NOT_FINISH
    assert results["tests"] == TABLES["unfinished results of two rows"]
