"""The judge: what a search is known by, what its visited leaves prove, its verdict."""

import math

from helpers import REFERENCE_SOURCE, changed, reference, task_of, trace_of, tree_of

from autograder.smalltrees.randomtrees import random_trees
from gametree import observe
from gametree.functions import LEAVES, MOVE, NODE_COUNT, VALUE
from gametree.support import judging as v
from gametree.support.judging import (
    intervals,
    judge,
    leaves_needed,
    proves_a_move,
    proves_value,
)
from gametree.support.trace import EVALUATE, EXPAND, Answer, Ending, Trace
from gametree.support.tree import Search, search_leaf

# What is observed: visited leaves and node count


def leaf(*path):
    return (EVALUATE, path)


TOP, B, C = (EXPAND, ()), (EXPAND, (0,)), (EXPAND, (1,))
BELOW = [leaf(0, 0), leaf(0, 1)]  # those below B


def test_a_visit_of_a_node_lasts_until_an_event_falls_outside_its_subtree():
    for what, events, nodes in (
        ("one leaf", [leaf()], 1),
        ("children three times in a row", [TOP, TOP, TOP], 1),
        ("a leaf twice in a row", [TOP, leaf(0), leaf(0)], 2),
        ("children between two children", [TOP, leaf(0), TOP, leaf(1), TOP], 3),
        ("a subtree again: its leaves again", [TOP, B, *BELOW, B, *BELOW], 6),
        ("back after the sibling: again", [TOP, B, leaf(0, 0), leaf(1), B], 5),
        ("a stack's jump leaves the parent closed", [TOP, B, C, *BELOW], 5),
    ):
        trace = Trace("minimax", Search(2, True), events, Answer(), Ending())
        assert trace.node_count == nodes, what


def test_visited_leaves_are_the_evaluated_nodes_each_once():
    events = [TOP, leaf(0), leaf(1), leaf(0)]
    trace = Trace("minimax", Search(2, True), events, Answer(), Ending())
    assert trace.visited == {(0,), (1,)}
    assert trace.evaluated == [(0,), (1,), (0,)]


# A value earns credit only if the visited leaves prove it


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
        assert v.proves_move(task.search, ends, (0,))
        assert not v.proves_move(task.search, ends, (1,))


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


# Which aspects hold; test_corpus.py has what each known mistake shows

AIMA = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
RUNNING = """
def best_move(node, depth, maximizing):
    alpha, chosen = -math.inf, None
    for child in node.children:
        value = alphabeta(child, depth - 1, alpha, math.inf, False)
        if chosen is None or value > alpha:
            alpha, chosen = value, child
    return chosen
"""
RUNNING = REFERENCE_SOURCE.decode() + RUNNING
GUESS = "def {}(node, *_):\n    return {}\n"
# What is judged, the function, the tree: the aspects that do not hold, the findings.
VERDICTS = {
    "a strict cutoff without a tie": (
        changed(("alpha >= beta", "alpha > beta")), "alphabeta", AIMA, (), ()),
    "a right count of the wrong leaves": (
        changed(("in node.children", "in node.children[::-1]")), "alphabeta",
        "[[2, 2], [1, 1], [2, 2]]", (LEAVES, NODE_COUNT), (v.MISSED, v.UNNECESSARY)),
    "a guess that happens to be right": (
        GUESS.format("alphabeta", 3), "alphabeta", AIMA, (VALUE, LEAVES, NODE_COUNT),
        (v.UNPROVEN, v.MISSED)),
    "a truth value": (
        changed(("    return best\n", "    return True\n"), function="minimax"),
        "minimax", "[3]", (VALUE,), (v.WRONG_TYPE,)),
    "best_move may visit any leaf of the search": (RUNNING, "best_move", AIMA, (), ()),
    "the classic trap": (
        RUNNING.replace("value > alpha", "value >= alpha"), "best_move", "[2, [2, 1]]",
        (MOVE,), (v.WRONG_MOVE,)),
    "a move without looking": (
        GUESS.format("best_move", "node.children[0]"), "best_move", AIMA, (MOVE, LEAVES),
        (v.UNPROVEN, v.TOO_FEW)),
}  # fmt: skip


def test_which_aspects_hold_and_what_is_found():
    for what, (source, function, nested, wrong, kinds) in VERDICTS.items():
        task = task_of(nested, function)
        verdict = judge(task, trace_of(source, task))
        assert [a for a in verdict.aspects if not verdict.aspects[a]] == [*wrong], what
        assert {finding.kind for finding in verdict.findings} == {*kinds}, what
        assert verdict.right == (not wrong)
