"""What a student is told at home is what the autograder says of the same tree."""

import pytest
from helpers import ROOT, reference

from autograder.judging import verdict as v
from autograder.judging.verdict import judge
from autograder.mistakes.library import keeps_state, run_variant
from autograder.mistakes.variants import load_variants, quietly
from autograder.showing.explanation import explain
from autograder.tasks import tasks_for
from gametree import load_trees, parse_tree
from gametree.checking import check
from gametree.saying import say

TASKS = tasks_for(load_trees(ROOT / "trees" / "public"), reference())
MISTAKES = load_variants(ROOT / "solution" / "mistakes")
# What is kept shows at home, where each search is run twice.
FORGETFUL = [mistake for mistake in MISTAKES if not keeps_state(mistake)]
RIGHT = load_variants(ROOT / "solution" / "correct")
# What is said as a list.
LISTED = {v.DID_NOT_RETURN, v.WRONG_TYPE}


def at_home(variant, task):
    """Return what gametree says of a trusted variant on a task's tree."""
    with quietly():
        function = getattr(variant.module(), task.function)
        return check(function, task.function, task.tree, task.search, catch=Exception)


@pytest.mark.parametrize("mistake", FORGETFUL, ids=lambda variant: variant.name)
def test_of_a_mistake_home_and_autograder_say_the_same_sentence(mistake):
    for task in TASKS:
        if task.function not in mistake.shows:
            continue
        checked = at_home(mistake, task)
        (runs,) = run_variant(mistake, [task])
        verdict = judge(task, runs)
        kinds = {finding.kind for finding in verdict.findings}
        if not kinds:
            assert not checked.wrong and not checked.why
            continue
        assert checked.wrong, (task.tree.name, kinds)
        if kinds & LISTED or verdict.right:
            continue
        if v.NOT_A_LEAF in kinds and task.function == "best_move":
            continue
        said = explain(verdict)
        assert checked.why == said or said.lower().startswith(checked.wrong[0]), kinds


def test_a_move_that_was_guessed_is_not_right_at_home_either():
    lazy = parse_tree(
        "root: max\ntree: [[3], 2]\npublished: {move: B, leaves: [b1, a2]}", "x"
    )
    checked = check(lambda node, *_: node.children[0], "best_move", lazy, lazy.searches[0])
    assert checked.wrong == (say("finding.unproven"),)


def test_every_right_way_of_writing_it_is_right_at_home():
    for variant in RIGHT:
        for task in TASKS:
            assert at_home(variant, task).wrong == (), (variant.name, task.tree.name)


def test_the_sentence_is_the_deciding_one():
    task = next(t for t in TASKS if t.tree.name[:2] == "02" and t.function == "alphabeta")
    strict = next(m for m in MISTAKES if m.name == "strict_cutoff")
    assert at_home(strict, task).why == (
        "At B (MIN), after b1 = 1: alpha = 1, beta = 1, so b2 cannot matter; "
        "your search went on to b2."
    )


def test_a_state_that_is_kept_shows_in_the_second_run():
    calls = []

    def minimax(node, depth, maximizing):
        calls.append(node)
        return reference().minimax(node, depth, maximizing) + len(calls) - 1

    tree = parse_tree("root: max\ntree: [1, 2]\npublished: {value: 2}\n", "two")
    (line,) = check(minimax, "minimax", tree, tree.searches[0]).wrong
    assert line.startswith("a second search of the same tree went differently")


def test_an_honest_table_by_node_is_no_state_that_is_kept():
    table = {}

    def minimax(node, depth, maximizing):
        if id(node) not in table:
            table[id(node)] = reference().minimax(node, depth, maximizing)
        return table[id(node)]

    for _ in range(20):
        tree = parse_tree("root: max\ntree: [1, [2, 3]]\npublished: {value: 2}\n", "t")
        checked = check(minimax, "minimax", tree, tree.searches[0])
        assert checked.wrong == ()
        table.clear()


def test_of_a_tree_that_publishes_nothing_only_minimax_is_known():
    tree = parse_tree("root: max\ntree: [1, [2, 3]]\n", "own")
    (search,) = tree.searches
    for name, wrong in (("minimax", ("did not visit: b1, b2",)), ("alphabeta", ())):
        checked = check(lambda node, *_: node.children[0].evaluate(), name, tree, search)
        assert checked.wrong == wrong
    assert not check(lambda node, *_: node.children[0], "best_move", tree, search).wrong


@pytest.mark.parametrize(
    "slip",
    [
        "infinity_is_9999",
        "best_starts_at_zero_at_max",
        "move_is_last_of_equals",
        "move_is_last_of_equals_for_min",
        "best_score_kept_between_calls",
        "window_kept_in_default",
        "window_kept_in_globals",
    ],
)
def test_a_beginners_slip_shows_at_home(slip):
    (mistake,) = (known for known in MISTAKES if known.name == slip)
    tasks = [task for task in TASKS if task.function in mistake.shows]
    assert any(at_home(mistake, task).wrong for task in tasks)
