"""The replay of the right alpha-beta, step by step."""

import pytest

from autograder.judging.divergence import CUTOFF, ENTER, LEAF, LEAVE, UPDATE, Step, replay
from autograder.kit import load_reference
from autograder.tasks import tasks_for
from gametree import parse_tree

AIMA = "root: max\ntree: {B: {b1: 3, b2: 12}, C: {c1: 2, c2: 4, c3: 6}}\n"
UNEVEN = """
root: min
tree: [1, [[0, 1], {value: 2, children: [[3, 1], 1]}], [[2, 1], {value: 0, children: [5]}]]
searches: [{}, {alpha: 0, beta: 1}, {player: max}, {alpha: -1, beta: 2, player: max}]
"""
INF = float("inf")


@pytest.mark.parametrize("convention", ["equality", "strict"])
def test_visits_and_returns_what_the_reference_does(convention):
    reference = load_reference(convention=convention)
    trees = [parse_tree(AIMA, "aima"), parse_tree(UNEVEN, "uneven")]
    for task in tasks_for(trees, reference, ["alphabeta"]):
        steps = replay(task.tree, task.search, convention)
        assert [s.path for s in steps if s.kind == LEAF] == task.expected.evaluated
        assert steps[-1].value == task.expected.answer.number
        entered = sum(step.kind in (ENTER, LEAF) for step in steps)
        assert entered == task.expected.node_count
        assert entered == sum(step.kind in (LEAVE, LEAF) for step in steps)


def test_tells_alpha_beta_and_what_is_pruned_at_a_cutoff():
    tree = parse_tree(AIMA, "aima")
    steps = replay(tree, tree.searches[0])
    cutoff = next(step for step in steps if step.kind == CUTOFF)
    assert cutoff == Step(CUTOFF, (1,), 3, 2, 2, (1, 0), ((1, 1), (1, 2)))
    before = steps[steps.index(cutoff) - 1]
    assert (before.kind, before.alpha, before.beta) == (UPDATE, 3, 2)


def test_a_leaf_root_is_one_step():
    tree = parse_tree("root: min\ntree: 7\n", "leaf")
    assert replay(tree, tree.searches[0]) == [Step(LEAF, (), -INF, INF, 7)]


def test_a_last_child_that_closes_the_window_prunes_nothing():
    tree = parse_tree("root: max\ntree: [2, [3, 1]]\n", "late")
    assert CUTOFF not in [step.kind for step in replay(tree, tree.searches[0])]
