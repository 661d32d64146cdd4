"""Families give trees of their kind for both players."""

import random

from helpers import tree_of

from autograder.smalltrees import families
from autograder.smalltrees.build import lists_of
from autograder.smalltrees.families import family_trees, mirror
from gametree import Search

SEEDS = range(8)


def trees_of(family):
    """Return trees of a family for several seeds."""
    return [family.make(random.Random(seed)) for seed in SEEDS]


def test_each_familiar_number_precedes_much_worse_leaves():
    for tree in trees_of(families.numbers):
        nodes = [n for n in tree.root.subtree() if n.children and n.children[0].terminal]
        firsts = {-node.children[0].value for node in nodes}
        assert len(firsts.intersection(families.NUMBERS)) >= 48, tree.title
        worse = [leaf.value for node in nodes[:-1] for leaf in node.children[1:]]
        assert min(worse) > families.EXTREME, tree.title


def test_a_mirrored_tree_has_negated_values_and_windows():
    tree = tree_of("[1, {value: 2, children: [-3, 0]}]", "max", "[{alpha: 1, beta: 5}]")
    mirrored = mirror(tree)
    assert lists_of(mirrored.root) == [-1, {"value": -2, "children": [3, 0]}]
    assert not mirrored.maximizing
    assert mirrored.searches == (Search(2, False, -5, -1),)


def test_each_family_gives_a_tree_for_each_player():
    trees = family_trees(random.Random(1), [families.decisions, families.numbers])
    assert [(tree.title, tree.maximizing) for tree in trees] == [
        (families.decisions.title, True),
        (families.decisions.title, False),
        (families.numbers.title, True),
        (families.numbers.title, False),
    ]
