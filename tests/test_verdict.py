"""The verdict: three aspects, held only where both runs hold them."""

import pytest
from helpers import REFERENCE_SOURCE, task_of, trace_of

from gametree import judging as v
from gametree.functions import LEAVES, MOVE, NODE_COUNT, VALUE
from gametree.judging import judge

REFERENCE = REFERENCE_SOURCE.decode()
CALLS_MINIMAX = REFERENCE.replace(
    "alphabeta(child, depth - 1, alpha, beta, ", "minimax(child, depth - 1, "
)
STRICT = REFERENCE.replace("alpha >= beta", "alpha > beta")
AIMA = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


def verdict_on(source, nested, function="alphabeta", **asked):
    task = task_of(nested, function, **asked)
    trace = trace_of(source, task)
    return judge(task, trace)


def kinds(verdict):
    return {finding.kind for finding in verdict.findings}


@pytest.mark.parametrize("function", ["minimax", "alphabeta", "best_move"])
def test_the_reference_is_right(function):
    assert verdict_on(REFERENCE, AIMA, function).right


def test_alphabeta_that_calls_minimax_has_the_value_but_needless_leaves():
    verdict = verdict_on(CALLS_MINIMAX, AIMA)
    assert verdict.aspects == {VALUE: True, LEAVES: False, NODE_COUNT: False}
    assert [f.path for f in verdict.findings if f.kind == v.NEEDLESS] == [(1, 1), (1, 2)]


def test_a_strict_cutoff_is_wrong_exactly_where_there_is_a_tie():
    assert verdict_on(STRICT, AIMA).right
    assert kinds(verdict_on(STRICT, "[1, [1, 1]]")) == {v.NEEDLESS}


def test_a_right_count_of_the_wrong_leaves_earns_nothing():
    backwards = REFERENCE.replace("in node.children", "in node.children[::-1]")
    verdict = verdict_on(backwards, "[[2, 2], [1, 1], [2, 2]]")
    assert verdict.trace.node_count == verdict.task.expected.node_count
    assert verdict.aspects == {VALUE: True, LEAVES: False, NODE_COUNT: False}


def test_a_guess_that_happens_to_be_right_is_unproven():
    guess = "def alphabeta(node, depth, alpha, beta, maximizing):\n    return 3\n"
    verdict = verdict_on(guess, AIMA)
    assert verdict.aspects[VALUE] is False
    assert v.UNPROVEN in kinds(verdict)


def test_evaluating_an_interior_node_is_named_as_such():
    eager = REFERENCE.replace("    if depth == 0", "    node.evaluate()\n    if depth == 0")
    assert v.NOT_A_LEAF in kinds(verdict_on(eager, AIMA, "minimax"))


def test_searching_twice_is_a_wrong_count_with_the_right_leaves():
    call = "minimax(child, depth - 1, False)"
    doubled = REFERENCE.replace(f"max(best, {call})", f"max(best, {call}, {call})")
    verdict = verdict_on(doubled, AIMA, "minimax")
    assert verdict.aspects == {VALUE: True, LEAVES: True, NODE_COUNT: False}


@pytest.mark.parametrize("returned", ["None", "(3, None)", "'3'", "True"])
def test_an_answer_that_is_not_a_number_has_no_value(returned):
    source = REFERENCE.replace("    return best\n", f"    return {returned}\n")
    verdict = verdict_on(source, "[3]", "minimax")
    assert v.WRONG_TYPE in kinds(verdict)


def test_best_move_may_visit_any_leaf_of_the_search():
    running = REFERENCE + (
        "\ndef best_move(node, depth, maximizing):\n"
        "    alpha, chosen = -math.inf, None\n"
        "    for child in node.children:\n"
        "        value = alphabeta(child, depth - 1, alpha, math.inf, False)\n"
        "        if chosen is None or value > alpha:\n"
        "            alpha, chosen = value, child\n"
        "    return chosen\n"
    )
    assert verdict_on(running, AIMA, "best_move").right
    trap = running.replace("value > alpha", "value >= alpha")
    assert v.WRONG_MOVE in kinds(verdict_on(trap, "[2, [2, 1]]", "best_move"))


def test_a_move_without_looking_earns_nothing():
    guess = "def best_move(node, depth, maximizing):\n    return node.children[0]\n"
    verdict = verdict_on(guess, AIMA, "best_move")
    assert verdict.aspects == {MOVE: False, LEAVES: False}
    assert v.TOO_FEW in kinds(verdict)


def test_the_wrong_one_of_equal_moves_keeps_the_points_for_its_leaves():
    last = REFERENCE.replace("node.children, key", "node.children[::-1], key")
    verdict = verdict_on(last, "[2, 2]", "best_move")
    assert verdict.aspects == {MOVE: False, LEAVES: True}
