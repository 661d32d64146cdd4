"""A value earns credit only if the visited leaves prove it."""

import math
import random

import pytest
from helpers import reference, task_of, tree_of

from autograder.judging.proof import intervals, proves_move, proves_value, search_leaf
from gametree import observe
from gametree.tree import Search


def interval(nested, visited, root="max"):
    tree = tree_of(nested, root)
    return intervals(tree, tree.searches[0], frozenset(visited))[()]


def test_all_leaves_visited_prove_the_value():
    assert interval([3, [1, 2]], [(0,), (1, 0), (1, 1)]) == (3, 3)


def test_nothing_visited_proves_nothing():
    assert interval([3, [1, 2]], []) == (-math.inf, math.inf)


def test_a_cutoff_proves_the_value_without_the_last_leaf():
    assert interval([3, [1, 2]], [(0,), (1, 0)]) == (3, 3)


def test_a_leaf_left_out_that_matters_leaves_an_interval():
    assert interval([3, [5, 2]], [(0,), (1, 0)]) == (3, 5)


def test_an_evaluated_interior_node_above_the_horizon_proves_nothing():
    assert interval([3, [5, 2]], [(0,), (1,)]) == (3, math.inf)


@pytest.mark.parametrize(
    "returned, right",
    [(3, True), (3.0, True), (4, False), (2, False), (math.nan, False)],
)
def test_from_a_full_window_the_value_is_exact(returned, right):
    search = Search(depth=1, maximizing=True)
    assert proves_value(search, 3, 3, returned) is right


@pytest.mark.parametrize(
    "returned, right",
    [(5, True), (4, True), (3, True), (6, False), (2, False), (math.nan, False)],
)
def test_below_the_window_a_bound_from_the_value_up_to_alpha_is_right(returned, right):
    search = Search(depth=1, maximizing=True, alpha=5, beta=9)
    assert proves_value(search, 3, 3, returned) is right


@pytest.mark.parametrize(
    "returned, right", [(9, True), (12, True), (8, False), (13, False)]
)
def test_above_the_window_a_bound_from_beta_up_to_the_value_is_right(returned, right):
    search = Search(depth=1, maximizing=True, alpha=5, beta=9)
    assert proves_value(search, 12, 12, returned) is right


def test_the_classic_trap_is_caught():
    """MAX [2, [2, 1]]: sharing alpha and keeping a move on >= takes a pruned bound."""
    task = task_of([2, [2, 1]], "best_move")
    found = intervals(task.tree, task.search, frozenset([(0,), (1, 0)]))
    assert proves_move(task.search, found, (0,))
    assert not proves_move(task.search, found, (1,))


def test_of_equal_moves_only_the_leftmost_is_right():
    task = task_of([2, 2], "best_move", root="min")
    found = intervals(task.tree, task.search, frozenset([(0,), (1,)]))
    assert proves_move(task.search, found, (0,))
    assert not proves_move(task.search, found, (1,))


def random_nested(rng, plies):
    if plies == 0 or rng.random() < 0.2:
        return rng.randint(-3, 3)
    return [random_nested(rng, plies - 1) for _ in range(rng.randint(1, 3))]


def test_the_reference_proves_its_own_answer_on_random_trees_and_windows():
    rng = random.Random(5)
    for _ in range(300):
        nested = [random_nested(rng, 3) for _ in range(rng.randint(1, 3))]
        tree = tree_of(nested, rng.choice(["max", "min"]))
        alpha = rng.randint(-4, 3)
        beta = rng.randint(alpha + 1, 4)
        whole = tree.searches[0]
        narrow = Search(whole.depth, whole.maximizing, alpha, beta)
        for search in (whole, narrow):
            trace = observe(reference().alphabeta, "alphabeta", tree, search)
            low, high = intervals(tree, search, trace.visited)[()]
            assert proves_value(search, low, high, trace.answer.number), nested


def test_a_search_leaf_is_a_terminal_or_lies_at_the_horizon():
    root = tree_of([3, [5, 2]]).root
    assert [search_leaf(root.at(p), 1) for p in [(), (0,), (1,)]] == [False, True, True]
