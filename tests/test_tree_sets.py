"""The public and hidden trees: each one different, together telling mistakes apart."""

import dataclasses

import pytest
from helpers import ROOT, reference, tasks_of, tree_of

from autograder.workbench.properties import (
    content_of,
    lacking,
    lint,
    properties_of,
)
from gametree import load_trees
from gametree.lazy import LazyPosition

PUBLIC, HIDDEN = (load_trees(ROOT / "trees" / name) for name in ("public", "hidden"))
TIE = tree_of("[1, [1, 1]]", name="tie")


def test_the_kits_own_trees_are_fit():
    assert list(lint(PUBLIC, HIDDEN, reference())) == []
    assert list(lacking(HIDDEN, reference())) == []
    assert len(PUBLIC) >= 8 and len(HIDDEN) >= 24


def test_no_tree_stands_twice_be_it_with_other_searches():
    contents = [content_of(tree) for tree in (*PUBLIC, *HIDDEN)]
    assert len(set(contents)) == len(contents)


def test_titles_and_lessons_are_in_the_present_tense():
    for tree in (*PUBLIC, *HIDDEN):
        words = f"{tree.title} {tree.lesson}".lower().split()
        assert tree.title and tree.lesson and not {"must", "will"} & set(words), words


def test_the_hidden_set_holds_more_than_is_required():
    trees = [tree for tree in HIDDEN if not isinstance(tree.root, LazyPosition)]
    leaves = [[p for p in tree.root.subtree() if p.terminal] for tree in trees]
    values = [[leaf.value for leaf in row] for row in leaves]
    depths = [[len(leaf.path) for leaf in row] for row in leaves]
    searches = [(tree, search) for tree in trees for search in tree.searches]
    deep = {t.maximizing for t in trees if "a deep cutoff" in properties_of(t, reference())}
    tasks = tasks_of(*trees, functions=("minimax",))
    holds = {
        "ties": any(len(set(row)) < len(row) for row in values),
        "a search of value zero": any(task.expected.answer.number == 0 for task in tasks),
        "all above 10,000": any(min(row) > 10_000 for row in values),
        "all below -10,000": any(max(row) < -10_000 for row in values),
        "leaves at three depths": any(len(set(row)) > 2 for row in depths),
        "a deep cutoff below either root": deep == {True, False},
        "the other player": any(s.maximizing != tree.maximizing for tree, s in searches),
        "no ply at all": any(search.depth == 0 for _, search in searches),
        "a lazy tree": len(trees) < len(HIDDEN),
    }
    assert [name for name, held in holds.items() if not held] == []


def test_what_a_set_lacks_is_told_with_what_to_add():
    lines = list(lacking([TIE], reference()))
    assert "no hidden tree shows MIN root: add a tree with `root: min`" in lines
    assert "no hidden tree shows a fraction: add a value such as 2.5" in lines
    assert not any("a tie that cuts off" in line for line in lines)


def test_a_tree_without_a_lesson_is_told():
    lines = list(lint([], [dataclasses.replace(TIE, lesson="")], reference()))
    assert lines == ["tie: it has no lesson; write `lesson:` and what it is about"]


def test_lint_tells_repeated_lessons_and_equal_trees():
    twin = dataclasses.replace(TIE, name="twin")
    lines = list(lint([TIE], [twin], reference()))
    assert any("twin: the lesson of tie too" in line for line in lines)
    assert "twin: the same tree as tie; change or remove one" in lines


@pytest.mark.parametrize(
    "nested, root, shows",
    [
        ("[1, [1, 1]]", "max", {"MAX root", "a tie that cuts off", "uneven depth"}),
        ("[[-1], [-2]]", "min", {"MIN root", "all values negative", "a single child"}),
        ("[1, [[[1, 1]]]]", "max", {"a deep cutoff"}),
        (
            "[0, 20000, -20000, 0.5]",
            "max",
            {"a zero", "a fraction", "a value above 10,000"},
        ),
        ("[1, 2]", "max", {"a best move that is not the first", "all values positive"}),
    ],
)
def test_what_a_tree_shows(nested, root, shows):
    assert shows <= properties_of(tree_of(nested, root), reference())


def test_a_shallow_cutoff_is_not_called_deep():
    assert "a deep cutoff" not in properties_of(TIE, reference())


def test_the_searches_show_too():
    searches = "[{depth: 1}, {alpha: 0, beta: 2}]"
    tree = tree_of("[{value: 4, children: [1, 2]}, 3]", searches=searches)
    shown = properties_of(tree, reference())
    assert {"a depth limit over static values", "a narrow window"} <= shown
