"""Families give trees of their kind for both players."""

import random

import pytest
from helpers import tree_of

from autograder.kit import load_kit
from autograder.scoring.tasks import tasks_for
from autograder.smalltrees import families, makers
from autograder.smalltrees.build import lists_of
from autograder.smalltrees.families import family_trees, mirror
from autograder.smalltrees.limits import MAX_PLIES, beyond_limits
from gametree import Search

SEEDS = range(8)


@pytest.mark.parametrize("make", [makers.familiar_numbers, makers.most_visits])
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
        higher, number, *worse = [leaf.value for leaf in node.children]
        if number not in makers.NUMBERS or number >= min(higher, *worse):
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


def test_a_tree_with_names_of_its_own_keeps_them():
    named = tree_of("{x: 1, why: [2, 3]}")
    assert mirror(named) is named


def test_each_family_gives_a_tree_for_each_player():
    first, second = family_trees(random.Random(1), [families.DECISIONS])
    assert first.title == second.title == families.DECISIONS.title
    assert first.maximizing and not second.maximizing


@pytest.mark.parametrize("seed", SEEDS)
def test_one_node_at_each_ply_of_a_decisive_line_has_the_value_of_the_root(seed):
    values = correct_search(makers.decisive_line, seed).values
    plies = [len(path) for path, value in values.items() if value == values[()]]
    assert sorted(plies) == [*range(MAX_PLIES)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_move_causes_cutoffs_at_every_odd_ply(seed):
    correct = correct_search(makers.deep_cutoffs, seed)
    plies = {len(cutoff.path) for cutoff in correct.cutoffs}
    assert plies == {*range(1, correct.root.height, 2)}


def correct_search(make, seed):
    """Return the correct alphabeta on a made tree."""
    task, *_ = tasks_for([make(random.Random(seed))], load_kit().reference, ["alphabeta"])
    return task.correct_search()
