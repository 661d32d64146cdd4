"""Right submissions in other styles score full marks on every tree."""

import contextlib
import io
from pathlib import Path

import pytest

from autograder.mistakes.variants import load_variant, load_variants
from autograder.smalltrees.enumeration import trees_up_to
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from autograder.workbench.killmatrix import failures

SOLUTION = Path(__file__).parent.parent / "solution"
CORRECT = {
    convention: load_variants(SOLUTION / "correct", convention)
    for convention in ("equality", "strict")
}


def pool(convention, trees):
    """Return one list of tasks for each tree."""
    reference = load_variant(SOLUTION / "search.py", convention).module()
    return [tasks_for([tree], reference) for tree in trees]


@pytest.fixture(scope="module")
def exhaustive():
    return pool("equality", trees_up_to(3, height=2, special_leaves=1))


@pytest.fixture(scope="module")
def at_random():
    return pool("equality", random_trees(1_000, seed=2024))


@pytest.fixture(scope="module")
def strict():
    return pool("strict", random_trees(60, seed=2025))


def first_failure(variant, task_lists):
    """Return the first verdict that is not right, in words, or None."""
    with contextlib.redirect_stdout(io.StringIO()):
        for tasks in task_lists:
            for verdict in failures(variant, tasks):
                task = verdict.task
                return task.function, task.search, task.tree.title, verdict.findings
    return None


def test_there_are_at_least_twenty_four_styles():
    assert len(CORRECT["equality"]) >= 24
    assert len({variant.headline for variant in CORRECT["equality"]}) == len(
        CORRECT["equality"]
    )


@pytest.mark.parametrize("variant", CORRECT["equality"], ids=lambda v: v.name)
def test_a_right_style_is_right_on_every_small_tree(variant, exhaustive):
    assert first_failure(variant, exhaustive) is None


@pytest.mark.parametrize("number", range(len(CORRECT["equality"])))
def test_a_right_style_is_right_on_random_trees(number, at_random):
    """Every style runs on its own 200 of 1,000 trees; the long check runs them all."""
    variant = CORRECT["equality"][number]
    assert first_failure(variant, at_random[number % 5 :: 5]) is None


@pytest.mark.parametrize("variant", CORRECT["strict"], ids=lambda v: v.name)
def test_a_right_style_is_right_in_a_strict_course(variant, strict):
    assert first_failure(variant, strict) is None


@pytest.mark.parametrize(
    "name",
    sorted({v.name for v in CORRECT["equality"]} - {v.name for v in CORRECT["strict"]}),
)
def test_a_style_left_out_of_strict_courses_is_wrong_there(name, strict):
    variant = load_variant(SOLUTION / "correct" / f"{name}.py", "strict")
    assert first_failure(variant, strict)


def test_the_reference_itself_is_right_in_both_conventions(exhaustive, strict):
    assert first_failure(load_variant(SOLUTION / "search.py"), exhaustive) is None
    assert first_failure(load_variant(SOLUTION / "search.py", "strict"), strict) is None


def test_the_reference_and_the_styles_are_told_apart_from_a_wrong_search(at_random):
    wrong = load_variant(SOLUTION / "mistakes" / "strict_cutoff.py")
    assert first_failure(wrong, at_random)
