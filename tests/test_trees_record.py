"""`make trees` records the seed and the rubric of the hidden trees."""

from dataclasses import replace

import pytest
from helpers import RUBRIC

from autograder.workbench.lint import (
    fit_rubric,
    is_as_shipped,
    read_record,
    record_trees,
)

STRICT = replace(RUBRIC, cutoff="strict")
WITHOUT_COUNT = replace(
    RUBRIC, shares={**RUBRIC.shares, "alphabeta": {"value": 35, "leaves": 65}}
)
OTHER_POINTS = replace(RUBRIC, cents={"alphabeta": 10000})


@pytest.fixture
def root(tmp_path):
    """Return the root of a kit with one hidden tree."""
    folder = tmp_path / "trees" / "hidden"
    folder.mkdir(parents=True)
    (folder / "one.yaml").write_text("tree: [1, 2]")
    return tmp_path


def test_the_seed_is_known_until_the_trees_change(root):
    assert read_record(root) == {}
    record_trees(root, "123", RUBRIC)
    assert read_record(root)["seed"] == "123"
    (root / "trees" / "hidden" / "two.yaml").write_text("tree: [1, 3]")
    assert read_record(root) == {}
    (root / "build" / "hidden-trees.json").write_text("{")
    assert read_record(root) == {}


@pytest.mark.parametrize(
    "rubric",
    [STRICT, WITHOUT_COUNT, OTHER_POINTS],
    ids=["strict", "without node count", "other points"],
)
def test_trees_fit_the_rubric_that_they_were_chosen_for(root, rubric):
    assert is_as_shipped(RUBRIC)
    assert not is_as_shipped(rubric)
    assert not fit_rubric(root, rubric)
    record_trees(root, "123", rubric)
    assert fit_rubric(root, rubric)
    assert not fit_rubric(root, RUBRIC)
