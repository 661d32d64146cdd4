"""Submissions named for predicaments, each with its exact results.json.

After a change that is meant, `python -m pytest tests/test_golden.py --update-golden`
writes them anew; read the difference before you commit it.
"""

import json

import pytest
from helpers import ROOT

from autograder.grading import grade_path
from autograder.kit import load_kit
from autograder.results import in_bounds, results_of
from autograder.showing import sentences

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


@pytest.fixture(scope="module", autouse=True)
def any_python():
    """Let the words name no version: the results are the same for every Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "PYTHON", "Python 3.x")
        yield


@pytest.fixture(scope="module")
def results(kit, tmp_path_factory):
    """Return the text of the results.json of a predicament, graded once."""
    texts = {}

    def of(predicament):
        if predicament not in texts:
            path = tmp_path_factory.mktemp(predicament) / "results.json"
            path.write_text(in_bounds(results_of(grade_path(kit, GOLDEN / predicament))))
            texts[predicament] = path.read_text()
        return texts[predicament]

    return of


def rows_of(text):
    """Return the rows of a results.json."""
    return json.loads(text)["tests"]


@pytest.mark.parametrize("predicament", PREDICAMENTS)
def test_the_results_are_exactly(predicament, results, request):
    expected = GOLDEN / predicament / "results.json"
    if request.config.getoption("--update-golden"):
        expected.write_text(results(predicament))
    assert results(predicament) == expected.read_text()


def test_every_row_is_there_and_no_hidden_value_or_name_is_shown(results):
    rows = {
        name: [(t["number"], t["name"], t["max_score"]) for t in rows_of(results(name))]
        for name in PREDICAMENTS
    }
    assert [name for name in rows if rows[name] != rows["reference"]] == []
    shown = [(n, secret) for n in rows for secret in SECRETS if secret in results(n)]
    assert shown == []


def test_the_reference_scores_100_and_the_stubs_0(results):
    scores = [json.loads(results(name))["score"] for name in ("reference", "stubs")]
    assert scores == [100.0, 0.0]


def lost(text):
    return [test["name"] for test in rows_of(text) if test["score"] < test["max_score"]]


def test_a_mistake_loses_its_own_rows_only(results):
    text = results("calls_minimax")
    assert {name.split(":")[0] for name in lost(text)} == {"alphabeta"}
    assert "visited c2 and c3 needlessly" in text
    rows = ["alphabeta: public trees", "alphabeta: ties"]
    assert lost(results("strict_cutoff")) == rows


def test_a_misnamed_file_is_graded_where_it_is_the_only_one(results):
    assert json.loads(results("misnamed"))["score"] == 100.0
