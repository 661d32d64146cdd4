"""The public and hidden trees follow all rules, and errors in a set are reported."""

from helpers import cases, reference, tasks_of, tree_of, trees_in

from autograder.scoring.features import features_of
from autograder.scoring.tasks import tasks_for
from autograder.smalltrees.limits import beyond_limits
from autograder.workbench.lint import lacking, lint

TIE = tree_of("[1, [1, 1]]", name="tie")


# ---- the hidden trees; test_check.py proves all other rules


def test_the_hidden_trees_show_all_required_features_of_alphabeta_alone():
    tasks = tasks_for(trees_in("hidden"), reference(), ["alphabeta"])
    assert list(lacking(tasks)) == []


# ---- errors in a set


def test_a_missing_feature_is_reported_with_a_tree_to_add():
    lines = list(lacking(tasks_of(TIE)))
    advice = "add a value such as 2.5, or run make trees"
    assert f"no hidden tree shows alphabeta: a fraction: {advice}" in lines
    assert not any("a tie that cuts off" in line for line in lines)


def test_a_tree_without_a_lesson_is_reported():
    lines = list(lint([TIE._replace(lesson="")]))
    assert lines == ["tie: it has no lesson; write `lesson:` and the tree's topic"]


def test_duplicate_lessons_and_trees_are_reported():
    """The names of nodes make no difference."""
    named = tree_of("{x: 1, y: [1, 1]}", name="named")
    assert list(lint([TIE, named._replace(lesson=TIE.lesson)])) == [
        "named: it has the same lesson as tie; change one",
        "named: it has the same tree as tie; change one",
    ]


@cases("large ties")
def test_a_large_number_that_occurs_twice_in_a_search_is_reported(tree, searches):
    line, *others = beyond_limits(tree_of(tree, "max", searches, name="tie"), [])
    assert others == []
    assert line.startswith("tie: 16777217 occurs twice in a search and is beyond 1000000")


@cases("no large ties")
def test_a_small_tie_and_a_number_in_two_searches_are_allowed(tree, searches):
    assert list(beyond_limits(tree_of(tree, "max", searches), [])) == []


# ---- features of the searches of a tree


@cases("features of trees")
def test_the_searches_of_a_tree_have_features(nested, root, searches, shown, not_shown):
    tasks = tasks_of(tree_of(nested, root, searches))
    found = set().union(*map(features_of, tasks))
    assert found.issuperset(shown)
    assert found.isdisjoint(not_shown)
