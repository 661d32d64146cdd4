"""The judge: what a search is known by, what its visited leaves prove, its verdict."""

import math
from dataclasses import replace

import pytest
from helpers import REFERENCE_SOURCE, changed, reference, task_of, trace_of, tree_of

from autograder.smalltrees.randomtrees import random_trees
from gametree import observe
from gametree.functions import LEAVES, MOVE, NODE_COUNT, VALUE
from gametree.support import judging as v
from gametree.support.judging import Finding, intervals, judge, proves_value
from gametree.support.trace import (
    EVALUATE,
    EXPAND,
    NOT_RUN,
    OUT_OF_QUERIES,
    RETURNED,
    TIMED_OUT,
    Answer,
    Ending,
    Trace,
    new_root,
)
from gametree.support.tree import Search, search_leaf


def paths_of(tree, names):
    """Return the paths of nodes by their names, as drawings show them: "B b1 b2"."""
    paths = {position.name: position.path for position in tree.root.subtree()}
    return [paths[name] for name in names.split()]


# What is observed: visited leaves and node count

TREE = tree_of([[1, 2], [3]])


def trace_at(names):
    """Return the Trace of a search that expands or evaluates these nodes."""
    events = []
    for path in paths_of(TREE, names):
        kind = EVALUATE if TREE.root.at(path).terminal else EXPAND
        events.append((kind, path))
    return Trace("minimax", Search(2, True), events, Answer(), Ending())


def visits(names):
    return trace_at(names).node_count


def test_a_leaf_is_one_visit():
    assert visits("b1") == 1


def test_children_three_times_in_a_row_are_one_visit():
    assert visits("A A A") == 1


def test_a_leaf_twice_in_a_row_is_one_visit():
    assert visits("A b1 b1") == 2


def test_children_between_two_children_are_one_visit():
    assert visits("A B A C A") == 3


def test_a_subtree_again_counts_its_leaves_again():
    assert visits("A B b1 b2 B b1 b2") == 6


def test_a_node_counts_again_after_its_sibling():
    assert visits("A B b1 C B") == 5


def test_a_jump_of_a_stack_leaves_the_parent_closed():
    assert visits("A B C b1 b2") == 5


def test_visited_leaves_are_the_evaluated_nodes_each_once():
    trace = trace_at("A b1 b2 b1")
    assert trace.visited == {*paths_of(TREE, "b1 b2")}
    assert trace.evaluated == paths_of(TREE, "b1 b2 b1")


def test_leaves_in_order_skip_those_that_equal_the_one_before():
    trace = trace_at("b1 b1 b2 b1")
    assert trace.in_order == paths_of(TREE, "b1 b2 b1")


def asks_three_times(node, depth, maximizing):
    assert node.children[0] is node.children[0]
    return node.evaluate()


def ending_with(budget):
    search = Search(2, True)
    trace = observe(asks_three_times, "minimax", TREE, search, budget, catch=())
    return trace.ending.kind


def test_a_search_may_make_as_many_queries_as_its_budget():
    assert ending_with(budget=3) == RETURNED
    assert ending_with(budget=2) == OUT_OF_QUERIES


def test_searches_with_one_root_get_the_same_nodes_and_a_budget_of_their_own():
    roots = []

    def evaluates_the_root(node, *_):
        roots.append(node)
        return node.evaluate()

    root = new_root(TREE)
    for _ in range(2):
        search = Search(2, True)
        trace = observe(evaluates_the_root, "minimax", TREE, search, 1, (), root)
        assert trace.ending.kind == RETURNED
        assert trace.evaluated == [()]
    assert roots == [root, root]
    observe(evaluates_the_root, "minimax", TREE, search)
    assert roots[-1] is not root


# A value earns credit only if the visited leaves prove it

INFINITY = math.inf


def interval(nested, visited, depth=2):
    """Return what the visited leaves prove of the root's value."""
    tree = tree_of(nested)
    proven = intervals(tree, Search(depth, True), paths_of(tree, visited))
    return proven[()]


def test_all_leaves_prove_the_value():
    assert interval("[3, [1, 2]]", "a1 b1 b2") == (3, 3)


def test_no_leaves_prove_nothing():
    assert interval("[3, [1, 2]]", "") == (-INFINITY, INFINITY)


def test_a_cutoff_proves_the_value_without_the_last_leaf():
    assert interval("[3, [1, 2]]", "a1 b1") == (3, 3)


def test_a_missed_leaf_that_matters_leaves_an_interval():
    assert interval("[3, [5, 2]]", "a1 b1") == (3, 5)


def test_an_evaluated_interior_node_proves_nothing():
    assert interval("[3, [5, 2]]", "a1 B") == (3, INFINITY)


def test_leaves_below_the_depth_prove_nothing():
    static = "[3, {value: 4, children: [5, 2]}]"
    assert interval(static, "a1 b1 b2", depth=1) == (3, INFINITY)


def accepted(returned, value, alpha=-INFINITY, beta=INFINITY):
    """Return which returned numbers are right where `value` is proven."""
    search = Search(1, True, alpha, beta)
    return [number for number in returned if proves_value(search, value, value, number)]


def test_within_the_window_only_the_value_is_right():
    assert accepted([2, 3, 3.0, 4, math.nan], 3) == [3, 3.0]


def test_below_the_window_all_from_the_value_up_to_alpha_is_right():
    assert accepted([2, 3, 4, 5, 6, math.nan], 3, 5, 9) == [3, 4, 5]


def test_above_the_window_all_from_beta_up_to_the_value_is_right():
    assert accepted([8, 9, 12, 13], 12, 5, 9) == [9, 12]


def test_at_alpha_only_alpha_is_right():
    assert accepted([4, 5, 6], 5, 5, 9) == [5]


def test_at_beta_only_beta_is_right():
    assert accepted([8, 9, 10], 9, 5, 9) == [9]


def test_the_reference_proves_its_own_answer_on_random_trees_and_windows():
    for tree in random_trees(200, seed=5):
        for search in tree.searches:
            trace = observe(reference().alphabeta, "alphabeta", tree, search)
            low, high = intervals(tree, search, trace.visited)[()]
            assert proves_value(search, low, high, trace.answer.number), tree.title


def test_a_search_leaf_is_a_terminal_or_lies_at_the_depth():
    tree = tree_of([[5, 2], 3])
    leaves = [p.name for p in tree.root.subtree() if search_leaf(p, 1)]
    assert leaves == ["B", "a2"]


# A move earns credit only if the visited leaves prove it to be the leftmost best


def proven_moves(nested, root, visited):
    """Return the names of the moves that the visited leaves prove."""
    tree = tree_of(nested, root)
    search = tree.searches[0]
    proven = intervals(tree, search, paths_of(tree, visited))
    moves = [path for path in proven if v.proves_move(search, proven, path)]
    return [tree.root.at(path).name for path in moves]


@pytest.mark.parametrize("root", ["max", "min"])
def test_of_equal_moves_only_the_leftmost_is_right(root):
    assert proven_moves("[2, 2]", root, "a1 a2") == ["a1"]


def test_a_later_move_is_right_where_it_is_better():
    assert proven_moves("[2, 3]", "max", "a1 a2") == ["a2"]
    assert proven_moves("[3, 2]", "min", "a1 a2") == ["a2"]


def test_sharing_alpha_and_keeping_a_move_on_equality_takes_a_bound_for_a_value():
    assert proven_moves("[2, [2, 1]]", "max", "a1 b1") == ["a1"]


@pytest.mark.parametrize("path", [(), (1, 0), None])
def test_a_node_that_is_not_a_child_of_the_root_is_not_a_move(path):
    tree = tree_of("[2, [3, 3]]")
    search = tree.searches[0]
    proven = intervals(tree, search, paths_of(tree, "a1 b1 b2"))
    assert not v.proves_move(search, proven, path)


@pytest.mark.parametrize(
    ("visited", "needed"),
    [
        ("b1 b2 c1 d1 d2", ""),
        ("b1 b2 c1 c2 d1", "d2"),
        ("", "b1 b2 c1 d2"),
        ("b1 b2 c2 d2", "c1"),  # and not d1, since d2 is enough
    ],
)
def test_the_leaves_that_a_move_needs(visited, needed):
    tree = tree_of("[[3, 5], [2, 4], [6, 1]]")  # MAX chooses the first
    search = tree.searches[0]
    visited = frozenset(paths_of(tree, visited))
    right = paths_of(tree, "b1 b2 c1 d1 d2")
    found = v.leaves_needed(tree, search, visited, right)
    assert found == {*paths_of(tree, needed)}
    assert v.proves_a_move(tree, search, visited | found)
    for path in found:
        fewer = visited | found - {path}
        assert not v.proves_a_move(tree, search, fewer), path


def number_needed(leaves):
    """Return how many of so many leaves are needed, of which one can be dropped."""
    nested = [3] * (leaves - 2)
    tree = tree_of([[2, 1], *nested])
    right = [leaf.path for leaf in tree.root.frontier(2)]
    return len(v.leaves_needed(tree, tree.searches[0], (), right))


def test_where_a_move_is_proven_no_leaf_is_needed_of_however_many():
    tree = tree_of([[9, 9], *[[3, 3]] * v.MAX_MISSING])
    leaves = [leaf.path for leaf in tree.root.frontier(2)]
    visited = [*leaves[:2], *leaves[3::2]]
    assert v.leaves_needed(tree, tree.searches[0], visited, leaves) == set()


def test_of_very_many_missing_leaves_none_is_dropped():
    assert number_needed(v.MAX_MISSING) == v.MAX_MISSING - 1
    assert number_needed(v.MAX_MISSING + 1) == v.MAX_MISSING + 1


# Which aspects hold; test_corpus.py has what each known mistake shows

AIMA = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
GUESS = "def {}(node, *_):\n    return {}\n"
RUNNING_WINDOW = """
def best_move(node, depth, maximizing):
    alpha, chosen = -math.inf, None
    for child in node.children:
        value = alphabeta(child, depth - 1, alpha, math.inf, False)
        if chosen is None or value > alpha:
            alpha, chosen = value, child
    return chosen
"""
RUNNING_WINDOW = REFERENCE_SOURCE.decode() + RUNNING_WINDOW


def judged(source, function, nested):
    task = task_of(nested, function)
    return judge(task, trace_of(source, task))


def failed(verdict):
    """Return the aspects that do not hold."""
    return [aspect for aspect, holds in verdict.aspects.items() if not holds]


def kinds(verdict):
    return {finding.kind for finding in verdict.findings}


def test_a_strict_cutoff_is_right_without_a_tie():
    verdict = judged(changed(("alpha >= beta", "alpha > beta")), "alphabeta", AIMA)
    assert verdict.is_right
    assert verdict.findings == ()


def test_a_right_count_of_the_wrong_leaves_does_not_hold():
    source = changed(("in node.children", "in node.children[::-1]"))
    verdict = judged(source, "alphabeta", "[[2, 2], [1, 1], [2, 2]]")
    assert failed(verdict) == [LEAVES, NODE_COUNT]
    assert kinds(verdict) == {v.MISSED, v.UNNECESSARY}
    assert not verdict.is_right


def test_a_guess_that_happens_to_be_right_is_unproven():
    verdict = judged(GUESS.format("alphabeta", 3), "alphabeta", AIMA)
    assert failed(verdict) == [VALUE, LEAVES, NODE_COUNT]
    assert kinds(verdict) == {v.UNPROVEN, v.MISSED}


def test_a_wrong_guess_is_a_wrong_value():
    verdict = judged(GUESS.format("alphabeta", 4), "alphabeta", AIMA)
    assert verdict.findings[0] == Finding(v.WRONG_VALUE, (), 3, 4)


def test_a_truth_value_is_not_a_number():
    source = changed(("    return best\n", "    return True\n"), function="minimax")
    verdict = judged(source, "minimax", "[3]")
    assert failed(verdict) == [VALUE]
    assert verdict.findings == (Finding(v.WRONG_TYPE, None, "number", "bool"),)


def test_best_move_may_visit_any_leaf_of_the_search():
    assert judged(RUNNING_WINDOW, "best_move", AIMA).is_right


def test_a_bound_that_is_taken_for_a_value_gives_a_wrong_move():
    source = RUNNING_WINDOW.replace("value > alpha", "value >= alpha")
    verdict = judged(source, "best_move", "[2, [2, 1]]")
    assert failed(verdict) == [MOVE]
    assert verdict.findings == (Finding(v.WRONG_MOVE, (), (0,), (1,)),)


def test_a_move_without_a_search_is_unproven():
    verdict = judged(GUESS.format("best_move", "node.children[0]"), "best_move", AIMA)
    assert failed(verdict) == [MOVE, LEAVES]
    assert kinds(verdict) == {v.UNPROVEN, v.TOO_FEW}


def test_an_evaluated_interior_node_is_not_a_leaf():
    source = changed(("    if maximizing", "    node.evaluate()\n    if maximizing"))
    verdict = judged(source, "alphabeta", "[[1], 2]")
    assert failed(verdict) == [LEAVES, NODE_COUNT]
    assert kinds(verdict) == {v.NOT_A_LEAF}
    assert [finding.path for finding in verdict.findings] == [(), (0,)]


def test_best_move_may_not_evaluate_an_interior_node():
    pair = ("    choose =", "    node.evaluate()\n    choose =")
    verdict = judged(changed(pair, function="best_move"), "best_move", "[3, [1, 2]]")
    assert failed(verdict) == [LEAVES]
    assert verdict.findings == (Finding(v.NOT_A_LEAF, ()),)


def test_a_search_that_did_not_return_holds_no_aspect():
    task = task_of(AIMA, "minimax")
    ending = Ending(TIMED_OUT)
    verdict = judge(task, Trace("minimax", task.search, [], Answer(), ending))
    assert failed(verdict) == [VALUE, LEAVES, NODE_COUNT]
    assert verdict.findings == (Finding(v.DID_NOT_RETURN, got=ending),)
    assert verdict.was_run


def test_a_search_that_was_not_run_is_neither_right_nor_wrong():
    task = task_of(AIMA, "minimax")
    trace = Trace("minimax", task.search, [], Answer(), Ending(NOT_RUN))
    assert not judge(task, trace).was_run


def test_what_the_leaves_of_the_correct_search_prove_is_worked_out_once():
    task = task_of(AIMA, "minimax")
    right = task.expected.visited
    assert v.proven_by(task, right)[()] == (3, 3)
    assert v.proven_by(task, right) is v.proven_by(task, right)


BRANCH = "    if maximizing:"
AGAIN = "    minimax(node.children[0], depth - 1, False)\n"
SEARCHES_AGAIN = changed((BRANCH, AGAIN + BRANCH), function="minimax")
LOOK = "    [child.children for child in node.children]\n"
LOOKS_AHEAD = changed((BRANCH, LOOK + BRANCH))


def test_a_subtree_that_is_searched_again_is_a_wrong_count():
    verdict = judged(SEARCHES_AGAIN, "minimax", "[3, 4]")
    assert failed(verdict) == [NODE_COUNT]
    assert verdict.findings == (Finding(v.WRONG_COUNT, None, 3, 4),)


def test_a_look_at_the_children_of_a_pruned_node_is_found_there():
    verdict = judged(LOOKS_AHEAD, "alphabeta", "[3, [1, 2]]")
    assert failed(verdict) == [NODE_COUNT]
    (finding,) = verdict.findings
    assert finding.kind == v.LOOKED_BEYOND
    assert finding.path == (1, 1)


def test_a_wrong_count_of_a_hidden_tree_says_neither_where_nor_how_many():
    task = task_of("[3, [1, 2]]", "alphabeta")
    sealed = replace(trace_of(LOOKS_AHEAD, task), text=None)
    verdict = judge(task, sealed)
    assert verdict.findings == (Finding(v.WRONG_COUNT, expected=4),)


# What a correct search knows when it comes to a node
