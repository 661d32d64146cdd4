"""The public and hidden trees: each one different, together telling mistakes apart."""

import dataclasses

import pytest
from helpers import ROOT, reference, tasks_of, tree_of

from autograder.workbench.facts import Facts
from autograder.workbench.lint import beyond_limits, content_of, lint
from autograder.workbench.properties import how_many_shown, lacking, properties_of
from gametree import load_trees
from gametree.support.lazy import LazyPosition

PUBLIC, HIDDEN = (load_trees(ROOT / "trees" / name) for name in ("public", "hidden"))
TIE = tree_of("[1, [1, 1]]", name="tie")


@pytest.fixture(scope="module")
def hidden():
    """The Facts of the kit's own hidden trees."""
    return [Facts(tree, reference()) for tree in HIDDEN]


def shown(tree):
    return properties_of(Facts(tree, reference()))


def those_that_show(name, facts):
    return [each for each in facts if name in properties_of(each)]


def test_the_kits_own_trees_are_fit_and_none_stands_twice(hidden):
    public = [Facts(tree, reference()) for tree in PUBLIC]
    assert list(lint(PUBLIC, HIDDEN)) == list(lacking(hidden)) == []
    assert [line for facts in (*public, *hidden) for line in beyond_limits(facts)] == []
    assert len(PUBLIC) >= 8 and len(HIDDEN) >= 24
    contents = {content_of(tree) for tree in (*PUBLIC, *HIDDEN)}  # whatever is asked
    assert len(contents) == len(PUBLIC) + len(HIDDEN)


def test_titles_and_lessons_are_in_the_present_tense():
    for tree in (*PUBLIC, *HIDDEN):
        words = {*f"{tree.title} {tree.lesson}".lower().split()}
        assert tree.title and tree.lesson, tree.name
        assert not {"must", "will", "should"} & words, words


def test_the_hidden_set_holds_more_than_is_required(hidden):
    facts = [each for each in hidden if not isinstance(each.root, LazyPosition)]
    values = [each.values for each in facts]
    depths = [{len(leaf.path) for leaf in each.leaves} for each in facts]
    deep = {each.tree.maximizing for each in those_that_show("a deep cutoff", facts)}
    tasks = tasks_of(*(each.tree for each in facts), functions=("minimax",))
    holds = {
        "ties": any(len(set(row)) < len(row) for row in values),
        "a search of value zero": any(task.expected.answer.number == 0 for task in tasks),
        "all above 10,000": any(min(row) > 10_000 for row in values),
        "all below -10,000": any(max(row) < -10_000 for row in values),
        "leaves at three depths": any(len(row) > 2 for row in depths),
        "a deep cutoff below either root": deep == {True, False},
        "the other player": those_that_show("the other player", facts),
        "no ply at all": any(0 in each.depths for each in facts),
        "a lazy tree": len(facts) < len(HIDDEN),
    }
    assert [name for name, held in holds.items() if not held] == []


def test_what_a_set_lacks_is_told_with_what_to_add():
    facts = [Facts(TIE, reference())]
    lines = list(lacking(facts))
    assert "no hidden tree shows MIN root: add a tree with `root: min`" in lines
    assert "no hidden tree shows a fraction: add a value such as 2.5" in lines
    assert not any("a tie that cuts off" in line for line in lines)
    count, some = how_many_shown(facts)
    assert count.startswith(f"{len(properties_of(facts[0]))} of ")
    assert some.startswith("  not shown, such as: a tie decides at MAX, ply 1;")


def test_lint_tells_a_lesson_that_is_absent_or_repeated_and_equal_trees():
    lines = list(lint([], [dataclasses.replace(TIE, lesson="")]))
    assert lines == ["tie: it has no lesson; write `lesson:` and what it is about"]
    lines = list(lint([TIE], [dataclasses.replace(TIE, name="twin")]))
    assert any("twin: the lesson of tie too" in line for line in lines)
    assert "twin: the same tree as tie; change or remove one" in lines


SHOWS = {  # root, tree -> some of what it shows
    "max [1, [1, 1]]": {"MAX root", "a tie that cuts off", "uneven depth"},
    "min [[-1], [-2]]": {"MIN root", "all values negative", "a single child"},
    "max [1, [[[1, 1]]]]": {"a deep cutoff"},
    "max [0, 20000, -20000, 0.5]": {"a zero", "a fraction", "a value above 10,000"},
    "max [1, 2]": {"a best move that is not the first", "all values positive"},
}


def test_what_a_tree_and_its_searches_show():
    for text, properties in SHOWS.items():
        root, _, nested = text.partition(" ")
        assert properties <= shown(tree_of(nested, root)), text
    assert "a deep cutoff" not in shown(TIE)  # which cuts off a ply below
    searches = "[{depth: 1}, {alpha: 0, beta: 2}]"
    tree = tree_of("[{value: 4, children: [1, 2]}, 3]", searches=searches)
    assert {"a depth limit over static values", "a narrow window"} <= shown(tree)
