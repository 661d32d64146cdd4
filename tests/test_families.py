"""The trees of each family reveal the mistakes in its title, for both players."""

import random

import pytest
from helpers import cases_beside, tasks_of, tree_of, variants_in

from autograder.explaining.library import failures
from autograder.smalltrees import families
from autograder.smalltrees.build import lists_of
from autograder.smalltrees.families import family_trees, mirror
from autograder.smalltrees.values import (
    FAMILIAR_NUMBERS,
    MAGNITUDES,
    MAX_CHILDREN,
    MAX_TIE,
    MAX_VALUE,
)
from gametree import Search
from gametree.support.correct import CorrectSearch

cases = cases_beside(__file__)

SEEDS = range(8)
MISTAKES = {m.name: m for m in variants_in("mistakes")}


def trees_of(family):
    """Return trees of a family for several seeds."""
    return [family.make(random.Random(seed)) for seed in SEEDS]


@pytest.mark.parametrize("player", ["max", "min"])
@pytest.mark.parametrize("family, name", cases("what families reveal"))
def test_each_tree_of_a_family_reveals_its_mistakes(family, name, player):
    mistake = MISTAKES[name.format(player)]
    (made,) = [kind for kind in families.FAMILIES if kind.title == family]
    tasks = [tasks_of(tree) for tree in trees_of(made)]
    assert all(any(failures(mistake, of_tree)) for of_tree in tasks)


TIED_MAGNITUDES = [number for number in MAGNITUDES if abs(number) < MAX_TIE]


@pytest.mark.parametrize("numbers", [FAMILIAR_NUMBERS, TIED_MAGNITUDES], ids=len)
def test_the_trees_have_ties_at_all_familiar_numbers(numbers):
    found = set()
    for tree in trees_of(families.ties_at_numbers):
        correct = CorrectSearch(tree, "alphabeta", tree.searches[0])
        found.update(cut.alpha for cut in correct.cutoffs if cut.alpha == cut.beta)
    assert found.issuperset(numbers)


def test_a_strict_search_cuts_off_one_leaf_after_each_tie():
    for tree in trees_of(families.ties_at_numbers):
        search = tree.searches[0]
        ties = CorrectSearch(tree, "alphabeta", search).cutoffs
        strict = CorrectSearch(tree, "alphabeta", search, strict=True).cutoffs
        places = [cut.child_path[-1] for cut in strict]
        assert places == [cut.child_path[-1] + 1 for cut in ties], tree.title


def test_each_child_but_the_last_causes_a_cutoff():
    for tree in trees_of(families.every_child_cuts):
        correct = CorrectSearch(tree, "alphabeta", tree.searches[0])
        places = {step.child_path[-1] for step in correct.cutoffs}
        assert places == {*range(MAX_CHILDREN - 1)}, tree.title


@pytest.mark.parametrize("family", [families.numbers, families.most_visits])
def test_each_number_that_may_mean_no_value_precedes_a_worse_leaf(family):
    for tree in trees_of(family):
        leaves = [n for n in tree.root.subtree() if n.children and n.children[0].terminal]
        pairs = [(n.children[0].value, n.children[1].value) for n in leaves[:-1]]
        assert len({first for first, _ in pairs}) >= 45, tree.title
        assert all(worse > families.EXTREME for _, worse in pairs[1:]), tree.title


def best_values(tree):
    """Return the minimax values of the searches of a tree."""
    tasks = tasks_of(tree, functions=["minimax"])
    return {task.expected.answer.number for task in tasks}


def test_the_searches_of_leaps_have_the_largest_value():
    for tree in trees_of(families.leaps):
        assert best_values(tree) == {MAX_VALUE}, tree.title


def test_numbers_that_may_mean_no_value_are_values_of_best_moves():
    shown = set().union(*map(best_values, trees_of(families.no_move_yet)))
    assert shown <= {*families.LIKELY_MARKS}
    assert len(shown) > 0.6 * len(families.LIKELY_MARKS)


def test_a_mirrored_tree_has_negated_values_and_windows():
    tree = tree_of("[1, {value: 2, children: [-3, 0]}]", "max", "[{alpha: 1, beta: 5}]")
    mirrored = mirror(tree)
    assert lists_of(mirrored.root) == [-1, {"value": -2, "children": [3, 0]}]
    assert not mirrored.maximizing
    assert mirrored.searches == (Search(2, False, -5, -1),)


def test_each_family_gives_a_tree_for_each_player():
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
