"""Where a search parts from the right one, step by step, and the sentence that says so."""

from __future__ import annotations

import math

import pytest
from helpers import changed, task_of, trace_of

from autograder.judging.steps import CUTOFF, ENTER, LEAF, LEAVE, UPDATE, Step, replay
from autograder.kit import load_reference
from autograder.showing.sentences import deciding
from autograder.tasks import tasks_for
from gametree import parse_tree
from gametree.support.judging import judge, returned_values, window_before

AIMA = "{B: {b1: 3, b2: 12}, C: {c1: 2, c2: 4, c3: 6}}"
UNEVEN = """
root: min
tree: [1, [[0, 1], {value: 2, children: [[3, 1], 1]}], [[2, 1], {value: 0, children: [5]}]]
searches: [{}, {alpha: 0, beta: 1}, {player: max}, {alpha: -1, beta: 2, player: max}]
"""
AGAIN = "alphabeta(child, depth - 1, alpha, beta, False)"

# What was changed, the tree, (a part of) the sentence.
ALPHABETA = {
    "a cutoff that was not taken is explained by alpha and beta": (
        ("alpha >= beta", "False"), AIMA,
        "At C (MIN), after c1 = 2: alpha = 3, beta = 2, so c2 and c3 cannot matter; "
        "your search went on to c2.",
    ),
    "a child that was left out is explained by the open window": (
        ("if alpha >= beta:  # cutoff", "if True:"), "[3, 5]",
        "At A (MAX), after a1 = 3: alpha = 3, beta = infinity, so a2 can matter; "
        "your search left it out.",
    ),
    "a subtree that was left out is named as a whole": (
        ("in node.children:", "in node.children[1:]:"), "[[1, 2], [3, 4]]",
        "At A (MAX): alpha = -infinity, beta = infinity, so B can matter; ",
    ),
    "after an inner child the sentence tells what it returned": (
        ("alpha >= beta", "alpha > beta"), "[2, [[2], 5]]",
        "At B (MIN), after C returned 2: alpha = 2, beta = 2, so b2 cannot matter; "
        "your search went on to b2.",
    ),
    "children in another order are said to be": (
        ("in node.children:", "in reversed(node.children):"), "[1, [1, 1]]",
        "from left to right, so a1 comes before B",
    ),
    "an inner node that is evaluated is named": (
        ("if depth == 0", "node.evaluate()\n    if depth == 0"), "[1, 2]",
        "Your search evaluated A, but it has",
    ),
    "a leaf below the depth is told from a cutoff": (
        ("depth - 1", "depth"),
        "[{value: 1, children: [2]}]\nsearches: [{depth: 1}]",
        "Your search evaluated b1, but this search of depth 1 ends above it.",
    ),
    "a node that is searched again is named": (
        (AGAIN, f"max({AGAIN}, {AGAIN})"), "[[1], 3]",
        "came to b1 again after it had been there",
    ),
    "the children of a pruned node are not read either": (
        ("in node.children:", "in [c for c in node.children if c.children or 1]:"),
        "[2, [1, [3, 4]]]",
        "At B (MIN), after b1 = 1: alpha = 2, beta = 1, so C cannot matter; "
        "your search read the children of C.",
    ),
    "nor are the children of a node below the depth": (
        ("return node.evaluate()", "[c.children for c in node.children]\n"
         "        return node.evaluate()"),
        "[{value: 1, children: [2]}]\nsearches: [{depth: 1}]",
        "This search of depth 1 ends above it, but your search read the children of b1.",
    ),
    "a wrong value after the right visits is explained at the root": (
        ("    return best", "    return best + 1"), "[4, 7]",
        "Your search visits the right leaves. A (MAX) takes the largest of a1 = 4 and "
        "a2 = 7, which is 7; your search returned 8.",
    ),
    "a wrong leaf value is explained at the leaf": (
        ("return node.evaluate()", "return -node.evaluate()"), "5",
        "A is a leaf: its value is 5; your search returned -5.",
    ),
    "a search that visits nothing is told so": (
        ("if depth == 0", "return 1\n    if depth == 0"), "[1, 1]",
        "Your search visited no leaf at all",
    ),
    "an answer of a wrong type is named before the leaves": (
        ("return node.evaluate()", "return node.evaluate"), "1",
        "Returned method, expected a number; ",
    ),
    "an answer that is missing is named": (
        ("    return best", "    pass"), "[1]",
        "Returned None, expected a number.",
    ),
}  # fmt: skip


OTHERS = (
    # minimax is told that each leaf can matter, and may go from right to left
    ("minimax", [("in node.children:", "in node.children[-2::-1]:")], "[1, 2, 3]",
     "At A (MAX): minimax visits every leaf, since each can matter; "
     "your search left out a3."),
    ("minimax", [("in node.children:", "in reversed(node.children):"),
                 ("return best", "return best + 1")], "[1, 2]",
     "Your search visits the right leaves."),
    # a wrong move is explained by what the moves are worth
    ("best_move", [("max if maximizing else min", "min")], "[1, [4, 3]]",
     "The moves are worth a1 = 1 and B = 3. A (MAX) takes the leftmost of the "
     "largest, B; your best_move chose a1."),
)  # fmt: skip


def test_the_first_difference_is_said():
    alphabeta = (("alphabeta", [change], *rest) for change, *rest in ALPHABETA.values())
    for function, changes, tree, sentence in (*alphabeta, *OTHERS):
        task = task_of(tree, function)
        trace = trace_of(changed(*changes, function=function), task)
        assert sentence in deciding(judge(task, trace)), (function, changes)


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
        steps, right = replay(task.tree, task.search, convention), task.expected
        entered = [step for step in steps if step.kind in (ENTER, LEAF)]
        assert [s.path for s in steps if s.kind == LEAF] == right.evaluated
        assert (steps[-1].value, len(entered)) == (right.answer.number, right.node_count)
        values = returned_values(task.tree, task.search, right.visited)
        assert values == {s.path: s.value for s in steps if s.kind in (LEAF, LEAVE)}
        for step in entered:
            child, returned, *window = window_before(step.path, task.search, values)
            assert window == [step.alpha, step.beta]
            assert (child is None) == (not step.path or step.path[-1] == 0)
            assert returned == values.get(child)
