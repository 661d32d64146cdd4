"""A search is judged by its trace and by the values that its visited leaves prove."""

import json

import pytest
from helpers import cases, changed, copy_with, task_of, trace_of, tree_of, visiting

from autograder.scoring.tasks import not_begun
from gametree import observe
from gametree.functions import LEAVES, NODE_COUNT, VALUE
from gametree.support import judging
from gametree.support.judging import (
    DID_NOT_RETURN,
    Finding,
    Task,
    interval,
    judge,
    leaves_needed,
    proven_move,
    proves_value,
)
from gametree.support.trace import (
    EVALUATE,
    EXPAND,
    NOT_RUN,
    RETURNED,
    TIMED_OUT,
    Answer,
    Ending,
    Recorder,
    Trace,
)
from gametree.support.tree import Search


def paths_of(tree, names):
    """Return the paths of nodes, from their names in drawings: "B b1 b2"."""
    paths = {position.name: position.path for position in tree.root.subtree()}
    return [paths[name] for name in names.split()]


# Visited leaves and node count

TREE = tree_of([[1, 2], [3]])


def trace_at(names):
    """Return the Trace of a search that expands or evaluates these nodes."""
    events = []
    for path in paths_of(TREE, names):
        kind = EVALUATE if TREE.root.at(path).terminal else EXPAND
        events.append((kind, path))
    return Trace("alphabeta", Search(2, True), events, Answer(), Ending())


@cases("visits")
def test_visits_are_counted(names, visits):
    assert trace_at(names).node_count == visits


def test_a_leaf_that_is_evaluated_again_is_visited_once():
    trace = trace_at("A b1 b1 b2 b1")
    assert trace.visited == {*paths_of(TREE, "b1 b2")}
    assert trace.evaluated == paths_of(TREE, "b1 b1 b2 b1")
    assert trace.in_order == paths_of(TREE, "b1 b2 b1"), "without immediate repetitions"
    minimax = copy_with(trace_at("b2 b1 b2"), function="minimax")
    assert minimax.in_order == paths_of(TREE, "b1 b2"), "in any order"


def test_searches_with_the_same_root_share_nodes_and_have_separate_budgets():
    roots = []

    def evaluate_root(node, *_):
        roots.append(node)
        return node.evaluate()

    recorder = Recorder(TREE.root)
    search = Search(2, True)
    for _ in range(2):
        trace = observe(evaluate_root, "minimax", TREE, search, 1, (), recorder)
        assert (trace.ending.kind, trace.evaluated) == (RETURNED, [()])
    assert roots == [recorder.root, recorder.root]


# A value earns credit only if the visited leaves prove it


@cases("intervals")
def test_visited_leaves_prove_an_interval(nested, visited, depth, ends):
    tree = tree_of(nested)
    found = interval(tree.root, Search(depth, True), paths_of(tree, visited))
    assert [*found] == ends


@cases("proven values")
def test_a_returned_number_is_correct_if_the_window_allows_it(
    returned, value, alpha, beta, correct
):
    search = Search(1, True, alpha, beta)
    assert [n for n in returned if proves_value(search, value, value, n)] == correct


# A move earns credit only if the visited leaves prove it to be the leftmost best


@cases("proven moves")
def test_visited_leaves_prove_the_leftmost_best_move(nested, root, visited, move):
    tree = tree_of(nested, root)
    path = proven_move(tree, tree.searches[0], paths_of(tree, visited))
    assert (path and tree.root.at(path).name) == move


THREE_MOVES = tree_of("[[3, 5], [2, 4], [6, 1]]")  # MAX chooses the first


def needed_leaves(visited):
    """Return the missing leaves that a move in THREE_MOVES needs."""
    search = THREE_MOVES.searches[0]
    expected = visiting(search, paths_of(THREE_MOVES, "b1 b2 c1 d1 d2"), "best_move")
    task = Task(THREE_MOVES, "best_move", search, expected, ())
    return leaves_needed(task, visiting(search, visited, "best_move"))


@cases("needed leaves")
def test_needed_leaves_are_a_minimal_set_that_proves_a_move(visited, needed):
    search = THREE_MOVES.searches[0]
    visited = frozenset(paths_of(THREE_MOVES, visited))
    found = needed_leaves(visited)
    assert found == {*paths_of(THREE_MOVES, needed)}
    assert proven_move(THREE_MOVES, search, visited | found)
    for path in found:
        fewer = visited | found - {path}
        assert not proven_move(THREE_MOVES, search, fewer), path


def test_if_too_many_leaves_are_missing_all_count_as_needed(monkeypatch):
    monkeypatch.setattr(judging, "MAX_MISSING", 4)
    assert len(needed_leaves(visited=())) == 5


# Verdicts. test_solution.py tests the verdicts on known mistakes


def failed(verdict):
    """Return the failed aspects."""
    return [aspect for aspect, passed in verdict.aspects.items() if not passed]


@cases("verdicts")
def test_a_program_gets_the_expected_verdict(case):
    function = case["function"]
    source = changed(*case.get("changes", ()), function=function)
    source += case.get("redefined", "")
    task = task_of(case["tree"], function)
    verdict = judge(task, trace_of(source, task))
    assert failed(verdict) == case["failed"]
    findings = json.dumps(verdict.findings)  # tuples become lists
    assert json.loads(findings) == case["findings"]
    assert verdict.is_right is not bool(verdict.findings)


@pytest.mark.parametrize("kind, was_run", [(TIMED_OUT, True), (NOT_RUN, False)])
def test_a_search_that_did_not_return_fails_all_aspects(kind, was_run):
    task = task_of("[3, [1, 2]]", "minimax")
    ending = Ending(kind)
    verdict = judge(task, not_begun(task, ending))
    assert failed(verdict) == [VALUE, LEAVES, NODE_COUNT]
    assert verdict.findings == (Finding(DID_NOT_RETURN, got=ending),)
    assert verdict.was_run is was_run
