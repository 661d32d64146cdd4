"""Where a search parts from the right one, step by step, and the sentence that says so."""

import math

import pytest
from helpers import changed, task_of, trace_of

from autograder.judging.steps import CUTOFF, ENTER, LEAF, LEAVE, UPDATE, Step, replay
from autograder.kit import load_reference
from autograder.showing.sentences import deciding, findings
from autograder.tasks import tasks_for
from gametree import parse_tree
from gametree.support.judging import judge, returned_values, window_before
from gametree.support.saying import MAX_NAMES, list_names
from gametree.support.tree import Position

AIMA = "{B: {b1: 3, b2: 12}, C: {c1: 2, c2: 4, c3: 6}}"
UNEVEN = """
root: min
tree: [1, [[0, 1], {value: 2, children: [[3, 1], 1]}], [[2, 1], {value: 0, children: [5]}]]
searches: [{}, {alpha: 0, beta: 1}, {player: max}, {alpha: -1, beta: 2, player: max}]
"""
ONE_PLY = "[{value: 1, children: [2]}]\nsearches: [{depth: 1}]"
AGAIN = "alphabeta(child, depth - 1, alpha, beta, False)"


def said(*changes, tree, function="alphabeta"):
    """Return the deciding sentence about the reference with these changes, on a tree."""
    task = task_of(tree, function)
    trace = trace_of(changed(*changes, function=function), task)
    return deciding(judge(task, trace))


def test_a_child_that_was_left_out_is_explained_by_the_open_window():
    assert said(("if alpha >= beta:  # cutoff", "if True:"), tree="[3, 5]") == (
        "At A (MAX), after a1 = 3: alpha = 3, beta = infinity, so a2 can matter; "
        "your search left it out."
    )


def test_a_subtree_that_was_left_out_is_named_as_a_whole():
    sentence = said(("in node.children:", "in node.children[1:]:"), tree="[[1, 2], [3, 4]]")
    assert "At A (MAX): alpha = -infinity, beta = infinity, so B can matter; " in sentence


def test_after_an_inner_child_the_sentence_tells_what_it_returned():
    assert said(("alpha >= beta", "alpha > beta"), tree="[2, [[2], 5]]") == (
        "At B (MIN), after C returned 2: alpha = 2, beta = 2, so b2 cannot matter; "
        "your search went on to b2."
    )


def test_children_in_another_order_are_said_to_be():
    reversed_children = ("in node.children:", "in reversed(node.children):")
    sentence = said(reversed_children, tree="[1, [1, 1]]")
    assert "from left to right, so a1 comes before B" in sentence


def test_a_leaf_below_the_depth_is_told_from_a_cutoff():
    assert said(("depth - 1", "depth"), tree=ONE_PLY) == (
        "Your search evaluated b1, but this search of depth 1 ends above it."
    )


def test_a_node_that_is_searched_again_is_named():
    sentence = said((AGAIN, f"max({AGAIN}, {AGAIN})"), tree="[[1], 3]")
    assert "came to b1 again after it had been there" in sentence


def test_the_children_of_a_pruned_node_are_not_read_either():
    reads = ("in node.children:", "in [c for c in node.children if c.children or 1]:")
    assert said(reads, tree="[2, [1, [3, 4]]]") == (
        "At B (MIN), after b1 = 1: alpha = 2, beta = 1, so C cannot matter; "
        "your search read the children of C."
    )


def test_nor_are_the_children_of_a_node_below_the_depth():
    reads = "[c.children for c in node.children]\n        return node.evaluate()"
    assert said(("return node.evaluate()", reads), tree=ONE_PLY) == (
        "This search of depth 1 ends above it, but your search read the children of b1."
    )


def test_a_wrong_value_after_the_right_visits_is_explained_at_the_root():
    assert said(("    return best", "    return best + 1"), tree="[4, 7]") == (
        "Your search visits the right leaves. A (MAX) takes the largest of a1 = 4 and "
        "a2 = 7, which is 7; your search returned 8."
    )


def test_a_wrong_leaf_value_is_explained_at_the_leaf():
    assert said(("return node.evaluate()", "return -node.evaluate()"), tree="5") == (
        "A is a leaf: its value is 5; your search returned -5."
    )


def test_a_search_that_visits_nothing_is_told_so():
    sentence = said(("if depth == 0", "return 1\n    if depth == 0"), tree="[1, 1]")
    assert "Your search visited no leaf at all" in sentence


def test_an_answer_of_a_wrong_type_is_named_before_the_leaves():
    sentence = said(("return node.evaluate()", "return node.evaluate"), tree="1")
    assert sentence.startswith("Returned method, expected a number; ")


def test_an_answer_that_is_missing_is_named():
    sentence = said(("    return best", "    pass"), tree="[1]")
    assert sentence == "Returned None, expected a number."


def test_an_answer_without_a_visit_is_told_what_it_missed():
    task = task_of("[1, 1]", "alphabeta")
    trace = trace_of(changed(("if depth == 0", "return 1\n    if depth == 0")), task)
    assert "did not visit a1 and a2, which can matter" in findings(judge(task, trace))


def test_minimax_is_told_that_each_leaf_can_matter():
    skips = ("in node.children:", "in node.children[-2::-1]:")
    assert said(skips, tree="[1, 2, 3]", function="minimax") == (
        "At A (MAX): minimax visits every leaf, since each can matter; "
        "your search left out a3."
    )


def test_minimax_may_go_from_right_to_left():
    changes = [("in node.children:", "in reversed(node.children):")]
    changes.append(("return best", "return best + 1"))
    sentence = said(*changes, tree="[1, 2]", function="minimax")
    assert sentence.startswith("Your search visits the right leaves.")


FIRST_LEAF = ("in node.children", "in node.children[:1]"), "minimax"
FIRST_MOVE = ("node.children, key", "node.children[:1], key"), "best_move"
UNPROVEN_MOVES = {
    "Your a1 is correct, but you skipped a2, which could have been better for MIN.": (
        *FIRST_MOVE,
        "min",
        "[1, 2]",
    ),
    "Your B is correct, but you skipped b2, which could have made B worse for MAX.": (
        *FIRST_LEAF,
        "max",
        "[[2, 3], 1]",
    ),
}


@pytest.mark.parametrize("sentence", UNPROVEN_MOVES)
def test_a_move_that_is_only_a_guess_names_the_skipped_leaf(sentence):
    change, function, root, tree = UNPROVEN_MOVES[sentence]
    task = task_of(tree, "best_move", root)
    source = changed(change, function=function)
    assert deciding(judge(task, trace_of(source, task))) == sentence


def test_a_wrong_move_is_explained_by_what_the_moves_are_worth():
    takes_least = ("max if maximizing else min", "min")
    assert said(takes_least, tree="[1, [4, 3]]", function="best_move") == (
        "The moves are worth a1 = 1 and B = 3. A (MAX) takes the leftmost of the "
        "largest, B; your best_move chose a1."
    )


@pytest.mark.parametrize(
    "count, listed",
    [
        (1, "l1"),
        (2, "l1 and l2"),
        (MAX_NAMES, "l1, l2, l3, l4, l5, l6, l7 and l8"),
        (MAX_NAMES + 1, "l1, l2, l3, l4, l5, l6, l7, l8 and 1 more"),
    ],
)
def test_of_many_names_the_first_are_listed(count, listed):
    paths = [(index,) for index in range(count)]
    children = [Position(path, f"l{path[0] + 1}", 0) for path in paths]
    assert list_names(Position((), "A", children=children), paths) == listed


def steps_of(text):
    """Return the replay of the one search of a tree file."""
    tree = parse_tree(text, "tree")
    return replay(tree, tree.searches[0])


def test_a_cutoff_has_alpha_beta_and_what_is_pruned():
    steps = steps_of(f"root: max\ntree: {AIMA}")
    index = [step.kind for step in steps].index(CUTOFF)
    assert steps[index] == Step(CUTOFF, (1,), 3, 2, 2, (1, 0), ((1, 1), (1, 2)))
    before = steps[index - 1]
    assert (before.kind, before.alpha, before.beta) == (UPDATE, 3, 2)


def test_a_leaf_root_is_one_step():
    assert steps_of("root: min\ntree: 7") == [Step(LEAF, (), -math.inf, math.inf, 7)]


def test_a_last_child_that_closes_the_window_prunes_nothing():
    steps = steps_of("root: max\ntree: [2, [3, 1]]")
    assert CUTOFF not in [step.kind for step in steps]


@pytest.mark.parametrize("convention", ["equality", "strict"])
def test_the_replay_is_the_reference_and_windows_follow_from_its_leaves(convention):
    trees = [parse_tree(f"root: max\ntree: {AIMA}", "aima"), parse_tree(UNEVEN, "uneven")]
    for seed in range(30):
        text = f"random: {{branching: 3, depth: 4, values: [0, 9], seed: {seed}}}"
        trees.append(parse_tree(f"root: {'max' if seed % 2 else 'min'}\n{text}", "random"))
    for task in tasks_for(trees, load_reference(convention=convention), ["alphabeta"]):
        right = task.expected
        steps = replay(task.tree, task.search, convention)
        entered = [step for step in steps if step.kind in (ENTER, LEAF)]
        leaves = [step.path for step in steps if step.kind == LEAF]
        assert leaves == right.evaluated, task
        assert steps[-1].value == right.answer.number, task
        assert len(entered) == right.node_count, task
        values = returned_values(task.tree, task.search, right.visited)
        ended = [step for step in steps if step.kind in (LEAF, LEAVE)]
        assert values == {step.path: step.value for step in ended}, task
        for step in entered:
            turn = window_before(step.path, task.search, values)
            is_first = not step.path or step.path[-1] == 0
            assert (turn.alpha, turn.beta) == (step.alpha, step.beta), step
            assert (turn.child is None) == is_first, step
            assert turn.returned == values.get(turn.child), step
