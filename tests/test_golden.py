"""Submissions named for predicaments, each with its exact results.json.

After a change that is meant, `python -m pytest tests/test_golden.py --update-golden`
writes them anew; read the difference before you commit it.
"""

import json

import pytest
from helpers import ROOT

from autograder.grading import grade_path
from autograder.kit import load_kit
from autograder.results import results_of, write_results

GOLDEN = ROOT / "tests" / "golden"
PREDICAMENTS = sorted(
    path.name
    for path in GOLDEN.iterdir()
    if path.is_dir() and path.name not in ("trees", "drawings", "pages")
)
SECRETS = ("31337", "31339", "31340", "31336", "secretone", "secrettwo", "secretthree")


@pytest.fixture(scope="module")
def kit():
    return load_kit(trees=GOLDEN / "trees")


@pytest.fixture(scope="module")
def results(kit, tmp_path_factory):
    """Return the text of the results.json of a predicament, graded once."""
    texts = {}

    def of(predicament):
        if predicament not in texts:
            path = tmp_path_factory.mktemp(predicament) / "results.json"
            write_results(path, results_of(grade_path(kit, GOLDEN / predicament)))
            texts[predicament] = path.read_text()
        return texts[predicament]

    return of


@pytest.mark.parametrize("predicament", PREDICAMENTS)
def test_the_results_are_exactly(predicament, results, request):
    expected = GOLDEN / predicament / "results.json"
    if request.config.getoption("--update-golden"):
        expected.write_text(results(predicament))
    assert results(predicament) == expected.read_text()


@pytest.mark.parametrize("predicament", PREDICAMENTS)
def test_every_row_is_there_and_within_its_points(predicament, results):
    data = json.loads(results(predicament))
    rows = data["tests"]
    reference = json.loads(results("reference"))["tests"]
    names = [(row["number"], row["name"], row["max_score"]) for row in reference]
    assert [(row["number"], row["name"], row["max_score"]) for row in rows] == names
    assert all(0 <= row["score"] <= row["max_score"] for row in rows)
    assert data["score"] == round(sum(row["score"] for row in rows), 2)


@pytest.mark.parametrize("predicament", PREDICAMENTS)
def test_no_hidden_value_or_name_is_shown(predicament, results):
    assert [secret for secret in SECRETS if secret in results(predicament)] == []


@pytest.mark.parametrize("predicament", PREDICAMENTS)
def test_no_row_is_hidden_since_that_would_hide_the_total(predicament, results):
    data = json.loads(results(predicament))
    assert data["visibility"] == "visible"
    assert all(row.get("visibility", "visible") == "visible" for row in data["tests"])


def test_the_reference_scores_100_and_the_stubs_0(results):
    scores = [json.loads(results(name))["score"] for name in ("reference", "stubs")]
    assert scores == [100.0, 0.0]


def test_alphabeta_that_calls_minimax_keeps_its_minimax_points(results):
    rows = json.loads(results("calls_minimax"))["tests"]
    lost = {row["name"].split(":")[0] for row in rows if row["score"] < row["max_score"]}
    assert lost == {"alphabeta"}
    assert "visited c2 and c3 needlessly" in results("calls_minimax")


def test_a_strict_cutoff_fails_exactly_the_trees_with_ties(results):
    rows = json.loads(results("strict_cutoff"))["tests"]
    lost = [row["name"] for row in rows if row["score"] < row["max_score"]]
    assert lost == [
        "alphabeta: a tie cuts off, and the leftmost of equal moves is best",
        "alphabeta: a hidden lesson about a tie",
    ]


def test_a_misnamed_file_is_said_with_what_was_found(results):
    said = "no search.py in the submission; found: Search.py, notes.txt"
    assert said in results("misnamed")
