"""What a tree file says is what is loaded."""

import pytest
import yaml
from helpers import ROOT, tree_of

import gametree.treefile
from autograder.smalltrees.build import dump_tree
from gametree import Published, Search, load_trees, parse_tree

LOADERS = [yaml.SafeLoader, *filter(None, [getattr(yaml, "CSafeLoader", None)])]


def names(position):
    """Return the names below a position, in level order."""
    level, found = [position], []
    while level:
        found += [each.name for each in level]
        level = [child for each in level for child in each.children]
    return found


def test_unnamed_nodes_are_named_as_in_the_courses_drawings():
    tree = tree_of([[3, [1, 2]], 7, [5, 6]])
    assert names(tree.root) == ["A", "B", "a2", "C", "b1", "D", "c1", "c2", "d1", "d2"]


def test_names_go_on_with_two_letters_after_z():
    tree = tree_of([[n] for n in range(30)])
    late = [child.name for child in tree.root.children[23:]]
    assert late == [
        "Y",
        "Z",
        "AA",
        "AB",
        "AC",
        "AD",
        "AE",
    ]


def test_default_names_step_aside_for_given_ones():
    tree = parse_tree("root: max\ntree: {C: [1, [2]], b: [3], B: {A: 4, c1: 5}}\n", "x")
    assert names(tree.root) == ["Root", "C", "b", "B", "c1'", "D", "b1", "A", "c1", "d1"]


def test_a_mapping_names_children_and_a_list_does_not():
    text = "root: min\ntree:\n  left: {a: 3, b: 12}\n  r: [4, {value: 6, children: [1]}]\n"
    tree = parse_tree(text, "x")
    assert names(tree.root) == ["A", "left", "r", "a", "b", "r1", "B", "b1"]
    assert tree.root.at((1, 1)).value == 6 and not tree.maximizing


def test_a_quoted_name_may_be_a_word_that_yaml_misreads():
    tree = parse_tree('root: max\ntree: {"y": 3, "no": 4}\n', "x")
    assert names(tree.root) == ["A", "y", "no"]


def test_without_searches_the_whole_tree_is_searched_for_the_roots_player():
    assert tree_of([[1, 2], [3, [4]]], "min").searches == (Search(3, False),)


def test_a_search_says_how_deep_for_whom_and_within_which_window():
    tree = tree_of([[1], 2], searches="[{}, {depth: 9, player: min}, {alpha: 1, beta: 2}]")
    assert tree.searches == (Search(2, True), Search(9, False), Search(2, True, 1, 2))


def test_published_figures_name_their_leaves():
    tree = tree_of([[3, 5], [2, 9]], searches="[{published: {pruned: [c2], move: B}}]")
    published = tree.searches[0].published
    assert published == Published(pruned=frozenset({(1, 1)}), move=(0,))


def test_published_figures_at_the_top_belong_to_the_first_search():
    text = "root: max\ntree: [3, 5]\nsearches: [{}, {alpha: 1}]\npublished: {value: 5}\n"
    first, second = parse_tree(text, "x").searches
    assert (first.published.value, second.published.value) == (5, None)


def test_a_file_needs_no_title_and_no_lesson():
    tree = parse_tree("root: max\ntree: 4\n", "four")
    assert (tree.title, tree.lesson, tree.root.terminal) == ("four", "", True)


@pytest.mark.parametrize("loader", LOADERS)
def test_every_tree_of_the_kit_reads_alike_on_both_parsers(loader, monkeypatch):
    kept = load_trees(ROOT / "trees/public") + load_trees(ROOT / "trees/hidden")
    monkeypatch.setattr(gametree.treefile, "LOADERS", (loader,))
    read = load_trees(ROOT / "trees/public") + load_trees(ROOT / "trees/hidden")
    assert [dump_tree(tree) for tree in read] == [dump_tree(tree) for tree in kept]
