"""Families give trees of their kind for both players."""

import random

import pytest
from helpers import tasks_of, tree_of

from autograder.smalltrees import families
from autograder.smalltrees.build import lists_of
from autograder.smalltrees.families import mirror
from autograder.smalltrees.limits import MAX_PLIES, beyond_limits
from gametree import Search

SEEDS = range(4)


# ---- families that a function makes


@pytest.mark.parametrize("seed", SEEDS)
def test_a_correct_search_visits_all_familiar_numbers_and_each_is_the_best(seed):
    tree = families.familiar_numbers(random.Random(seed))
    (task,) = tasks_of(tree, functions=["alphabeta"])
    nodes = list(tree.root.subtree())
    assert 450 <= task.expected.node_count == len(nodes)
    lowest = [node for node in nodes if node.children and node.children[0].terminal]
    for node in lowest:
        values = [leaf.value for leaf in node.children]
        best = max(values) if len(node.path) % 2 == 0 else min(values)
        assert values[1] == best and best in families.NUMBERS, node.name


def test_random_trees_are_within_the_limits():
    trees = list(families.random_trees(100, seed=1))
    assert [line for tree in trees for line in beyond_limits(tree, tasks_of(tree))] == []


# ---- the other player


def test_a_mirrored_tree_has_negated_values_and_windows():
    tree = tree_of("[1, {value: 2, children: [-3, 0]}]", "max", "[{alpha: 1, beta: 5}]")
    mirrored = mirror(tree)
    assert lists_of(mirrored.root) == [-1, {"value": -2, "children": [3, 0]}]
    assert not mirrored.maximizing
    assert mirrored.searches == (Search(2, False, -5, -1),)


# ---- families.yaml


def search_of_family(title, seed):
    """Return the first search by alphabeta of a tree of the family with this title."""
    (family,) = [family for family in families.families() if family.title == title]
    tree = family.draw(random.Random(seed), seed)
    task, *_ = tasks_of(tree, functions=["alphabeta"])
    return task.correct_search()


@pytest.mark.parametrize("seed", SEEDS)
def test_one_node_at_each_ply_of_a_decisive_line_has_the_value_of_the_root(seed):
    values = search_of_family("One child decides at every ply", seed).values
    plies = [len(path) for path, value in values.items() if value == values[()]]
    assert sorted(plies) == [*range(MAX_PLIES)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_better_first_move_causes_cutoffs_at_every_odd_ply_of_a_line(seed):
    cutoffs = search_of_family("Deep cutoffs at every ply", seed).pruned
    assert {len(path) for path in cutoffs} >= {*range(1, MAX_PLIES - 2, 2)}


LETTERS = {"a": [7], "b": {"from": 2, "to": 2}, "c": [["a", "a+1"]]}
DRAWN = {  # a node of an entry of families.yaml -> what is drawn with these letters
    "a": 7,
    "-a": -7,
    "a+b-0.5": 8.5,
    "-a-a+1": -13,
    "a+0.0": 7.0,
    "c": [7, 8],
    3: 3,
}


def tree_of_entry(tree):
    """Return the first tree of an entry of families.yaml."""
    entry = {"title": "One", "trees": 1, "choose": LETTERS, "root": "max", "tree": tree}
    return families.family_of(**entry).draw(random.Random(0), 0)


@pytest.mark.parametrize("node", DRAWN)
def test_a_letter_may_be_a_number_in_a_formula_or_a_node_with_letters(node):
    assert lists_of(tree_of_entry([node, 1]).root) == [DRAWN[node], 1]
