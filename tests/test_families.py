"""Families give trees of their kind for both players."""

import random

import pytest
from helpers import tree_of

from autograder.kit import load_kit
from autograder.scoring.tasks import tasks_for
from autograder.smalltrees import families
from autograder.smalltrees.build import lists_of
from autograder.smalltrees.families import family_trees, mirror
from autograder.smalltrees.limits import beyond_limits
from gametree import Search

SEEDS = range(8)


@pytest.mark.parametrize("make", [families.NARROW, families.WIDE])
def test_each_node_of_a_tree_of_numbers_decides(make):
    trees = [make(random.Random(seed)) for seed in SEEDS]
    assert [undecisive_nodes(tree) for tree in trees] == [[] for _ in trees]


def undecisive_nodes(tree):
    """Return the nodes whose second child is not a familiar number and the best child.

    The last child of the root has a cutoff and no such numbers.
    """
    interior = [node for node in tree.root.subtree() if node.children]
    nodes = [node for node in interior if node.children[0].terminal]
    undecisive = []
    for node in nodes[:-1]:
        lower, number, *worse = [-leaf.value for leaf in node.children]
        if number not in families.NUMBERS or number <= max(lower, *worse):
            undecisive.append(node.name)
    return undecisive


def test_random_trees_are_within_the_limits():
    reference = load_kit().reference
    beyond = []
    for tree in families.random_trees(100, seed=1):
        beyond += beyond_limits(tree, tasks_for([tree], reference))
    assert beyond == []


def test_a_mirrored_tree_has_negated_values_and_windows():
    tree = tree_of("[1, {value: 2, children: [-3, 0]}]", "max", "[{alpha: 1, beta: 5}]")
    mirrored = mirror(tree)
    assert lists_of(mirrored.root) == [-1, {"value": -2, "children": [3, 0]}]
    assert not mirrored.maximizing
    assert mirrored.searches == (Search(2, False, -5, -1),)


def test_each_family_gives_a_tree_for_each_player():
    trees = family_trees(
        random.Random(1), [families.decisions, families.number_families[0]]
    )
    assert [(tree.title, tree.maximizing) for tree in trees] == [
        (families.decisions.title, True),
        (families.decisions.title, False),
        (families.number_families[0].title, True),
        (families.number_families[0].title, False),
    ]
