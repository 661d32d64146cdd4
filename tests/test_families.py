"""Families give trees of their kind for both players."""

import random

import pytest
from helpers import tree_of

from autograder.kit.loading import load_kit
from autograder.scoring.tasks import tasks_for
from autograder.smalltrees import families, makers
from autograder.smalltrees.build import lists_of
from autograder.smalltrees.families import mirror
from autograder.smalltrees.limits import MAX_PLIES, beyond_limits
from gametree import Search

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_correct_search_of_familiar_numbers_visits_all_nodes(seed):
    tree = makers.familiar_numbers(random.Random(seed))
    (task,) = tasks_for([tree], load_kit().reference, ["alphabeta"])
    assert 450 <= task.expected.node_count == len(list(tree.root.subtree()))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_second_child_of_each_lowest_node_is_familiar_and_the_best(seed):
    tree = makers.familiar_numbers(random.Random(seed))
    assert undecisive_nodes(tree) == []


def undecisive_nodes(tree):
    """Return the lowest nodes whose second child is not a familiar number and the best."""
    undecisive = []
    for node in tree.root.subtree():
        if node.children and node.children[0].terminal:
            values = [leaf.value for leaf in node.children]
            best = max(values) if len(node.path) % 2 == 0 else min(values)
            if values[1] != best or best not in makers.NUMBERS:
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


def test_every_other_tree_of_a_family_is_mirrored():
    rng = random.Random(1)
    first, second = [families.DECISIONS.draw(rng, number) for number in range(2)]
    assert first.title == second.title == families.DECISIONS.title
    assert first.maximizing and not second.maximizing


def drawn(title, seed):
    """Return a tree of the family with this title."""
    (family,) = [family for family in families.families() if family.title == title]
    return family.draw(random.Random(seed), seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_node_at_each_ply_of_a_decisive_line_has_the_value_of_the_root(seed):
    values = correct_search(drawn("One child decides at every ply", seed)).values
    plies = [len(path) for path, value in values.items() if value == values[()]]
    assert sorted(plies) == [*range(MAX_PLIES)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_better_first_move_causes_cutoffs_at_every_odd_ply_of_a_line(seed):
    correct = correct_search(drawn("Deep cutoffs at every ply", seed))
    plies = {len(cutoff.path) for cutoff in correct.cutoffs}
    assert plies >= {*range(1, MAX_PLIES - 2, 2)}


def correct_search(tree):
    """Return the first search of a tree by the correct alphabeta."""
    task, *_ = tasks_for([tree], load_kit().reference, ["alphabeta"])
    return task.correct_search()


# ---- entries of families.yaml


ENTRY = {"title": "One", "trees": 1, "root": "max"}


def tree_of_entry(choose, tree, **more):
    """Return the first tree of an entry of families.yaml."""
    family = families.family_of(choose=choose, tree=tree, **ENTRY, **more)
    return family.draw(random.Random(0), 0)


@pytest.mark.parametrize(
    "formula, number",
    [("a", 7), ("-a", -7), ("a+b-0.5", 8.5), ("-a-a+1", -13), ("a+0.0", 7.0), (3, 3)],
)
def test_a_formula_adds_and_subtracts_letters_and_numbers(formula, number):
    tree = tree_of_entry({"a": [7], "b": {"from": 2, "to": 2}}, [formula, 1])
    assert lists_of(tree.root) == [number, 1]


def test_a_letter_may_be_a_node_with_letters_of_its_own():
    tree = tree_of_entry({"a": [7], "c": [["a", "a+1"]]}, ["c", "c"])
    assert lists_of(tree.root) == [[7, 8], [7, 8]]


def test_letters_may_be_in_searches():
    tree = tree_of_entry({"a": [7]}, ["a", 1], searches=[{"alpha": "a-1", "beta": "a"}])
    assert tree.searches == (Search(1, True, 6, 7),)


def test_letters_that_are_names_stay():
    tree = tree_of_entry({"a": [7]}, {"a": "a", "b": 2})
    assert [child.name for child in tree.root.children] == ["a", "b"]
