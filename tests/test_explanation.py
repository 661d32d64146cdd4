"""The sentence that says where a search parts from the right one, and why."""

from __future__ import annotations

from helpers import changed, task_of, trace_of

from autograder.judging.divergence import (
    AGAIN,
    BEYOND,
    OTHER_ORDER,
    SAME_LEAVES,
    find_divergence,
)
from autograder.judging.verdict import judge
from autograder.showing.explanation import explain
from autograder.tasks import RunPair


def explained(nested, source, function="alphabeta", root="max", searches=None):
    """Return the sentence for a trusted source on one tree."""
    task = task_of(nested, function, root, searches)
    trace = trace_of(source, task)
    return explain(judge(task, RunPair(trace, trace)))


def test_a_cutoff_that_was_not_taken_is_explained_by_alpha_and_beta():
    source = changed(("alpha >= beta", "False"))
    tree = "{B: {b1: 3, b2: 12}, C: {c1: 2, c2: 4, c3: 6}}"
    assert explained(tree, source) == (
        "At C (MIN), after c1 = 2: alpha = 3, beta = 2, so c2 and c3 cannot matter; "
        "your search went on to c2."
    )


def test_a_child_that_was_left_out_is_explained_by_the_open_window():
    source = changed(("if alpha >= beta:  # cutoff", "if True:"))
    assert explained("[3, 5]", source) == (
        "At A (MAX), after a1 = 3: alpha = 3, beta = infinity, so a2 can matter; "
        "your search left it out."
    )


def test_a_subtree_that_was_left_out_is_named_as_a_whole():
    source = changed(("in node.children:", "in node.children[1:]:"))
    assert explained("[[1, 2], [3, 4]]", source).startswith("At A (MAX): alpha = -infinity")
    assert "so B can matter" in explained("[[1, 2], [3, 4]]", source)


def test_after_an_inner_child_the_sentence_tells_what_it_returned():
    source = changed(("alpha >= beta", "alpha > beta"))
    assert explained("[2, [[2], 5]]", source) == (
        "At B (MIN), after C returned 2: alpha = 2, beta = 2, so b2 cannot matter; "
        "your search went on to b2."
    )


def test_children_in_another_order_are_said_to_be():
    source = changed(("in node.children:", "in reversed(node.children):"))
    task = task_of("[1, [1, 1]]", "alphabeta")
    assert find_divergence(task, trace_of(source, task)).kind == OTHER_ORDER
    assert "from left to right, so a1 comes before B" in explained("[1, [1, 1]]", source)


def test_an_inner_node_that_is_evaluated_is_named():
    source = changed(("if depth == 0", "node.evaluate()\n    if depth == 0"))
    task = task_of("[1, 2]", "alphabeta")
    assert find_divergence(task, trace_of(source, task)).kind == BEYOND
    assert explained("[1, 2]", source).startswith("Your search evaluated A, but it has")


def test_a_leaf_below_the_depth_is_told_from_a_cutoff():
    source = changed(("depth - 1", "depth"))
    text = explained("[{value: 1, children: [2]}]", source, searches="[{depth: 1}]")
    assert text == "Your search evaluated b1, but this search of depth 1 ends above it."


def test_a_node_that_is_searched_again_is_named():
    twice = "alphabeta(child, depth - 1, alpha, beta, False)"
    source = changed((twice, f"max({twice}, {twice})"))
    task = task_of("[[1, 2], 3]", "alphabeta")
    assert find_divergence(task, trace_of(source, task)).kind == AGAIN
    assert "came to b1 again after it had been there" in explained("[[1], 3]", source)


def test_a_wrong_value_after_the_right_visits_is_explained_at_the_root():
    source = changed(("    return best", "    return best + 1"))
    task = task_of("[4, 7]", "alphabeta")
    assert find_divergence(task, trace_of(source, task)).kind == SAME_LEAVES
    assert explained("[4, 7]", source) == (
        "Your search visits the right leaves. A (MAX) takes the largest of a1 = 4 and "
        "a2 = 7, which is 7; your search returned 8."
    )


def test_a_wrong_leaf_value_is_explained_at_the_leaf():
    source = changed(("return node.evaluate()", "return -node.evaluate()"))
    assert explained("5", source) == "A is a leaf: its value is 5; your search returned -5."


def test_minimax_that_leaves_out_a_leaf_is_told_that_each_can_matter():
    source = changed(("in node.children:", "in node.children[:1]:"), function="minimax")
    assert explained("[1, 2]", source, "minimax") == (
        "At A (MAX): minimax visits every leaf, since each can matter; "
        "your search left out a2."
    )


def test_minimax_may_go_from_right_to_left_and_is_told_of_its_value_only():
    source = changed(
        ("in node.children:", "in reversed(node.children):"),
        ("return best", "return best + 1"),
        function="minimax",
    )
    assert "Your search visits the right leaves." in explained("[1, 2]", source, "minimax")


def test_a_wrong_move_is_explained_by_what_the_moves_are_worth():
    source = changed(("max if maximizing else min", "min"), function="best_move")
    assert explained("[1, [4, 3]]", source, "best_move") == (
        "The moves are worth a1 = 1 and B = 3. A (MAX) takes the leftmost of the "
        "largest, B; your best_move chose a1."
    )


def test_a_search_that_visits_nothing_is_told_so():
    source = changed(("if depth == 0", "return 1\n    if depth == 0"))
    assert explained("[1, 1]", source).startswith("Your search visited no leaf at all")


def test_an_answer_of_a_wrong_type_is_named_before_the_leaves():
    source = changed(("return node.evaluate()", "return node.evaluate"))
    assert explained("1", source).startswith("Returned method, expected a number; ")
    source = changed(("    return best", "    pass"))
    assert explained("[1]", source) == "Returned None, expected a number."
