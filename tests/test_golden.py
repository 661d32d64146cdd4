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


@pytest.mark.parametrize("predicament", PREDICAMENTS)
def test_the_results_are_exactly(predicament, kit, request, monkeypatch):
    """They have every row and show no hidden value or name, and no version of Python."""
    monkeypatch.setattr(sentences, "PYTHON", "Python 3.x")
    monkeypatch.setattr("autograder.grading.hints.MAX_SHARE", 1)  # on a busy machine too
    text = in_bounds(results_of(grade_path(kit, GOLDEN / predicament)))
    expected = GOLDEN / predicament / "results.json"
    if request.config.getoption("--update-golden"):
        expected.write_text(text)
    assert text == expected.read_text()
    assert rows_of(text) == rows_of((GOLDEN / "reference" / "results.json").read_text())
    assert [secret for secret in SECRETS if secret in text] == []


def rows_of(text):
    """Return the (number, name, max_score) of each row of a results.json."""
    tests = json.loads(text)["tests"]
    return [(test["number"], test["name"], test["max_score"]) for test in tests]
