"""A value earns credit only if the visited leaves prove it."""

import math

from helpers import reference, task_of, tree_of

from autograder.smalltrees.families import random_trees
from gametree import observe
from gametree.judging import (
    intervals,
    leaves_needed,
    proves_a_move,
    proves_move,
    proves_value,
)
from gametree.tree import Search, search_leaf


def test_what_the_visited_leaves_prove():
    for nested, visited, interval in (
        ([3, [1, 2]], [(0,), (1, 0), (1, 1)], (3, 3)),  # all leaves: the value
        ([3, [1, 2]], [], (-math.inf, math.inf)),
        ([3, [1, 2]], [(0,), (1, 0)], (3, 3)),  # a cutoff, without the last leaf
        ([3, [5, 2]], [(0,), (1, 0)], (3, 5)),  # the leaf that is left out matters
        ([3, [5, 2]], [(0,), (1,)], (3, math.inf)),  # an interior node proves nothing
    ):
        tree = tree_of(nested)
        assert intervals(tree, tree.searches[0], frozenset(visited))[()] == interval


FULL, NARROW = (-math.inf, math.inf), (5, 9)


def test_a_value_is_exact_or_a_bound_outside_the_window():
    for window, value, right, wrong in (
        (FULL, 3, [3, 3.0], [4, 2, math.nan]),
        (NARROW, 3, [5, 4, 3], [6, 2, math.nan]),  # from the value up to alpha
        (NARROW, 12, [9, 12], [8, 13]),  # from beta up to the value
    ):
        search = Search(1, True, *window)
        for returned in right + wrong:
            assert proves_value(search, value, value, returned) is (returned in right)


def test_of_equal_moves_only_the_leftmost_is_right():
    for nested, root, visited in (
        # The classic trap: sharing alpha and keeping a move on >= takes a pruned bound.
        ([2, [2, 1]], "max", [(0,), (1, 0)]),
        ([2, 2], "min", [(0,), (1,)]),
    ):
        task = task_of(nested, "best_move", root)
        ends = intervals(task.tree, task.search, frozenset(visited))
        assert proves_move(task.search, ends, (0,))
        assert not proves_move(task.search, ends, (1,))


def test_the_reference_proves_its_own_answer_on_random_trees_and_windows():
    for tree in random_trees(200, seed=5):
        for search in tree.searches:
            trace = observe(reference().alphabeta, "alphabeta", tree, search)
            low, high = intervals(tree, search, trace.visited)[()]
            assert proves_value(search, low, high, trace.answer.number), tree.title


def test_a_search_leaf_is_a_terminal_or_lies_at_the_horizon():
    root = tree_of([3, [5, 2]]).root
    assert [search_leaf(root.at(p), 1) for p in [(), (0,), (1,)]] == [False, True, True]


TWO_MOVES = [[3, 5], [2, 4], [6, 1]]  # MAX chooses the first
RIGHT = {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}


def test_the_leaves_that_a_move_needs():
    tree = tree_of(TWO_MOVES)
    search = tree.searches[0]
    for visited, needed in (
        (RIGHT, set()),
        (RIGHT - {(2, 1)} | {(1, 1)}, {(2, 1)}),
        (set(), {(0, 0), (0, 1), (1, 0), (2, 1)}),
        ({(0, 0), (0, 1), (1, 1), (2, 1)}, {(1, 0)}),  # and not one that (1, 1) proves
    ):
        assert leaves_needed(tree, search, visited, RIGHT) == needed
        assert proves_a_move(tree, search, visited | needed)
        fewer = [visited | needed - {leaf} for leaf in needed]
        assert not any(proves_a_move(tree, search, leaves) for leaves in fewer)
