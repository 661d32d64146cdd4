"""Each family of trees shows what its title says, for either player."""

import random
import re

import pytest
from helpers import cases, reference, tasks_of, tree_of, variants_in

from autograder.judging.steps import CUTOFF, replay
from autograder.smalltrees import families
from autograder.smalltrees.build import lists_of
from autograder.smalltrees.families import FAMILIES, family_trees, mirror
from autograder.smalltrees.values import (
    FAMILIAR_NUMBERS,
    MAGNITUDES,
    MAX_CHILDREN,
    MAX_VALUE,
    SENTINELS,
)
from autograder.workbench.facts import Facts
from autograder.workbench.killmatrix import failures
from autograder.workbench.lint import content_of
from autograder.workbench.properties import properties_of
from gametree import Search

SEEDS = range(8)
MISTAKES = {m.name: m for m in variants_in("mistakes")}


def trees_of(family):
    return [family.make(random.Random(seed)) for seed in SEEDS]


def shown_by(tree):
    return properties_of(Facts(tree, reference()))


@pytest.mark.parametrize("player", ["max", "min"])
@pytest.mark.parametrize("family, name", cases("what families reveal"))
def test_each_tree_of_a_family_reveals(family, name, player):
    mistake = MISTAKES[name.format(player)]
    tasks = [tasks_of(tree) for tree in trees_of(getattr(families, family))]
    assert all(any(failures(mistake, of_tree)) for of_tree in tasks)


@pytest.mark.parametrize("numbers", [FAMILIAR_NUMBERS, MAGNITUDES], ids=len)
def test_some_tree_has_ties_at_all_the_numbers(numbers):
    names = {f"a tie at the value {number:g}, for MIN" for number in numbers}
    trees = trees_of(families.ties_at_numbers)
    assert any(names <= shown_by(tree) for tree in trees)


def test_each_child_of_min_once_causes_a_cutoff():
    for tree in trees_of(families.every_child_cuts):
        steps = replay(tree, tree.searches[0])
        places = {step.child_path[-1] for step in steps if step.kind == CUTOFF}
        assert places == {*range(MAX_CHILDREN - 1)}, tree.title


def test_each_number_taken_for_no_value_is_before_a_worse_leaf():
    for tree in trees_of(families.no_value_yet):
        pairs = [n.children for n in tree.root.subtree() if len(n.children) == 2]
        assert {first.value for first, _ in pairs} == {*FAMILIAR_NUMBERS, *SENTINELS}
        assert min(worse.value for _, worse in pairs) > max(SENTINELS)


def best_values(tree):
    """Return the values of the tree's searches by minimax."""
    tasks = tasks_of(tree, functions=["minimax"])
    return {task.expected.answer.number for task in tasks}


def test_moves_leap_to_the_largest_value():
    for tree in trees_of(families.leaps):
        assert best_values(tree) == {MAX_VALUE}


def test_numbers_taken_for_no_value_are_best_moves():
    shown = set()
    for tree in trees_of(families.no_move_yet):
        of_tree = best_values(tree).intersection(SENTINELS)
        assert len(of_tree) >= 6, tree.title
        shown |= of_tree
    assert len(shown) > 0.8 * len(SENTINELS)


OTHER = {"MAX": "MIN", "MIN": "MAX"}


def of_players(tree):
    """Return the properties of a tree that name a player and no value."""
    names_player = re.compile("[a-zA-Z].*M(AX|IN)")
    names = set(filter(names_player.match, shown_by(tree)))
    return {name for name in names if "the value" not in name}


def exchange(name):
    return re.sub("MAX|MIN", lambda player: OTHER[player[0]], name)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.title)
def test_a_mirrored_tree_shows_the_same_for_the_other_player(family):
    tree = family.make(random.Random(0))
    mirrored = mirror(tree)
    exchanged = set(map(exchange, of_players(tree)))
    assert of_players(mirrored) == exchanged
    again = mirror(mirrored)
    assert content_of(again) == content_of(tree)
    assert again.searches == tree.searches


def test_a_mirrored_tree_has_negated_values_and_windows():
    tree = tree_of("[1, {value: 2, children: [-3, 0]}]", "max", "[{alpha: 1, beta: 5}]")
    mirrored = mirror(tree)
    assert lists_of(mirrored.root) == [-1, {"value": -2, "children": [3, 0]}]
    assert not mirrored.maximizing
    assert mirrored.searches == (Search(2, False, -5, -1),)


def test_each_family_gives_a_tree_for_either_player():
    trees = family_trees(random.Random(1), [families.small, families.windows])
    assert [(tree.title, tree.maximizing) for tree in trees] == [
        (families.small.title, True),
        (families.small.title, False),
        (families.windows.title, True),
        (families.windows.title, False),
    ]


def test_a_second_search_repeats_the_first_or_has_another_player_or_bound():
    trees = list(family_trees(random.Random(1), [families.small] * 20))
    pairs = [tree.searches for tree in trees]
    assert {len(pair) for pair in pairs} == {2}
    assert any(pair[1].earlier for pair in pairs)
    assert any(pair[0].maximizing != pair[1].maximizing for pair in pairs)
    assert any(pair[0].full_window != pair[1].full_window for pair in pairs)
