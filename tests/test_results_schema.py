"""The schema of results.json refuses what Gradescope's documentation does not allow."""

import json

import pytest
from results_schema import problems, problems_of_text

ROW = {"name": "a", "number": "1", "score": 1.0, "max_score": 2.0, "status": "failed",
       "output": "x"}  # fmt: skip


def results(row=None, **top):
    return {"score": 1.0, "tests": [{**ROW, **(row or {})}], **top}


def test_every_documented_field_is_allowed():
    row = {"name_format": "text", "output_format": "md", "tags": ["a"], "extra_data": {}}
    top = {
        "execution_time": 1,
        "output": "",
        "output_format": "ansi",
        "test_output_format": "simple_format",
        "test_name_format": "html",
        "visibility": "after_published",
        "stdout_visibility": "hidden",
        "extra_data": {"any": 1},
        "leaderboard": [{"name": "nodes", "value": 3, "order": "asc"}],
    }
    assert problems(results(row, **top)) == []


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        results(score="1"),
        results(score=True),
        results(score=2.0),
        results(visibility="shown"),
        results(colour="red"),
        results(tests={}),
        results(leaderboard=[{"name": 1}]),
        results({"score": 3.0}),
        results({"score": -1.0}),
        results({"status": "skipped"}),
        results({"number": 1}),
        results({"tags": "a"}),
        results({"output": None}),
        results({"visibility": "hidden"}),
        results({"output_format": "svg"}),
    ],
)
def test_what_is_not_documented_is_refused(data):
    assert problems(data)


@pytest.mark.parametrize("text", ["", "{", '{"score": NaN}', json.dumps("x" * 10**6)])
def test_what_is_not_strict_json_or_too_large_is_refused(text):
    assert problems_of_text(text)
