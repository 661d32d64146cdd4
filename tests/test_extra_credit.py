"""Extra credit for move ordering: off by default, an unchanged value, nodes saved."""

from dataclasses import replace

import pytest
from helpers import REFERENCE_SOURCE, ROOT, reference

from autograder.grading import grade
from autograder.kit import load_kit
from autograder.mistakes.variants import load_variant
from autograder.ordering import FULL_SAVING, FUNCTION, ordering_tasks
from autograder.results import results_of
from autograder.rubric import RubricError, load_rubric
from autograder.sandbox import Sandbox
from autograder.showing.rowtext import extra_name
from autograder.tasks import tasks_for
from gametree import parse_tree
from gametree.saying import say

ORDERED = load_variant(ROOT / "solution" / "extra" / "move_ordering.py").source
RUBRIC = ROOT / "autograder" / "rubric.yaml"


@pytest.fixture(scope="module")
def kit():
    """The kit with five extra points, and of its trees the public ones only."""
    kit = load_kit()
    tasks = tuple(task for task in kit.tasks if task.tree.name in kit.public_names)
    return replace(
        kit, tasks=tasks, hidden=(), rubric=replace(kit.rubric, extra_cents={FUNCTION: 500})
    )


@pytest.fixture(scope="module")
def graded(kit):
    """Grade a source text in one sandbox for all tests."""
    with Sandbox(kit.rubric.limits) as sandbox:
        yield lambda source: grade(kit, source.encode(), sandbox)


def test_it_is_off_by_default_and_nobody_sees_it():
    assert load_rubric(RUBRIC).extra_cents == {FUNCTION: 0}
    kit = load_kit()
    kit = replace(kit, tasks=kit.tasks[:3])
    results = results_of(grade(kit, ORDERED.encode()))
    assert "leaderboard" not in results
    assert extra_name() not in [test["name"] for test in results["tests"]]


def test_good_children_first_earns_all_points_and_a_leaderboard_entry(graded):
    grading = graded(ORDERED)
    assert grading.ordering.right == grading.ordering.trees
    assert grading.ordering.saved > FULL_SAVING
    assert grading.cents == grading.most_cents + 500
    results = results_of(grading)
    assert results["score"] == 105.0
    row = next(test for test in results["tests"] if test["name"] == extra_name())
    assert (row["score"], row["max_score"]) == (5.0, 5.0)
    assert "fewer nodes expanded" in row["output"]
    (column,) = results["leaderboard"]
    assert column["name"] == say("extra.column") and column["order"] == "desc"
    assert column["value"] == round(100 * grading.ordering.saved, 1)


def test_without_the_function_nothing_is_lost(graded):
    grading = graded(REFERENCE_SOURCE.decode())
    assert grading.cents == grading.most_cents
    assert (grading.ordering.right, grading.ordering.cents) == (0, 0)
    assert results_of(grading)["leaderboard"][0]["value"] == 0.0


@pytest.mark.parametrize(
    "old, new, cents",
    [
        ("reverse=maximizing", "reverse=False", 0),
        ("if depth > 1:", "if False:", 0),
        ("    if depth > 1:\n    ", "", 500),
    ],
    ids=["worst first at MAX", "not ordered at all", "ordered at every depth"],
)
def test_a_right_value_earns_by_what_it_saves(graded, old, new, cents):
    ordering = graded(ORDERED.replace(old, new)).ordering
    assert ordering.right == ordering.trees
    assert (ordering.saved > 0, ordering.cents) == (cents > 0, cents)


@pytest.mark.parametrize(
    "body", ["return 50", "return node.evaluate()", "return ordered_alphabeta(node, 2, *_)"]
)
def test_a_cheap_answer_earns_nothing(graded, body):
    source = REFERENCE_SOURCE.decode() + f"\ndef {FUNCTION}(node, depth, *_):\n    {body}\n"
    assert graded(source).ordering.cents == 0


def leaves_of(tasks):
    return [leaf.value for task in tasks for leaf in task.tree.root.frontier(9)]


def test_the_trees_are_the_same_each_time_and_for_both_players():
    hidden = load_kit().tasks
    first, second = (ordering_tasks(reference(), hidden) for _ in range(2))
    assert leaves_of(first) == leaves_of(second)
    assert {task.search.maximizing for task in first} == {True, False}


def test_who_does_not_have_the_hidden_trees_cannot_make_those_of_the_extra_credit():
    drawn = set()
    for leaf in (1, 2):
        tree = parse_tree(f"root: max\ntree: [{leaf}, 3]\n", "hidden")
        hidden = tasks_for([tree], reference())
        drawn.add(tuple(leaves_of(ordering_tasks(reference(), hidden))))
    assert len(drawn) == 2


@pytest.mark.parametrize(
    "new, problem",
    [
        ("{move_ordering: 2.5}", None),
        ("{ordering: 5}", "did you mean move_ordering?"),
        ("{move_ordering: -1}", "write one of 0 or more"),
    ],
)
def test_the_rubric_turns_it_on_or_says_what_is_wrong(tmp_path, new, problem):
    path = tmp_path / "rubric.yaml"
    path.write_text(RUBRIC.read_text().replace("{move_ordering: 0}", new))
    if problem is None:
        assert load_rubric(path).extra_cents == {FUNCTION: 250}
        return
    with pytest.raises(RubricError, match="move_ordering") as caught:
        load_rubric(path)
    assert problem in str(caught.value)
