"""At home a search is judged as on Gradescope, beside a right one that is worked out."""

import pytest
from helpers import ROOT, cases, changed, reference, tree_of, trees_in, variants_in

from autograder.kit import load_reference
from autograder.mistakes.library import find_first_wrong, may_keep_state
from autograder.mistakes.variants import quietly, run_source
from autograder.showing.summary import as_file
from autograder.smalltrees.enumeration import Ladder
from autograder.smalltrees.families import random_trees
from gametree import observe, parse_tree
from gametree.course import ASSIGNED
from gametree.support import judging, student
from gametree.support.judging import right_trace
from gametree.support.saying import say
from gametree.support.sentences import deciding, findings
from gametree.support.student import check, check_twice

CORRECT = variants_in("correct")
MISTAKES = variants_in("mistakes")
PUBLIC = trees_in("public")
QUESTIONS = [
    (function, tree, search)
    for tree in PUBLIC
    for function in ASSIGNED
    for search in tree.searches_for(function)
]


def at_home(module, function, tree, search):
    """Return what gametree says of a trusted module's function."""
    with quietly():
        return check(getattr(module, function), function, tree, search, catch=Exception)


@pytest.mark.parametrize("function", ASSIGNED)
@pytest.mark.parametrize("convention", ["equality", "strict"])
def test_what_a_right_search_does_is_what_the_reference_does(
    function, convention, monkeypatch
):
    monkeypatch.setattr(judging, "STRICT_CUTOFFS", convention == "strict")
    program = getattr(load_reference(ROOT, convention), function)
    for tree in (*PUBLIC, *random_trees(50, seed=5)):
        for search in tree.searches_for(function):
            place = (tree.title, search)
            right = observe(program, function, tree, search)
            found = right_trace(tree, function, search)
            assert found.answer == right.answer or not search.full_window, place
            if function != "best_move":  # which may visit what it likes
                assert found.visited == right.visited, place
                assert found.node_count == right.node_count, place


@pytest.mark.parametrize("variant", CORRECT, ids=[variant.name for variant in CORRECT])
def test_every_right_way_of_writing_it_is_right_at_home(variant):
    module = variant.module()
    for question in QUESTIONS:
        assert at_home(module, *question).is_right, question


def wrong_at_home(mistake):
    """Return what gametree says of the public searches that show a mistake."""
    module = mistake.module()
    questions = [question for question in QUESTIONS if question[0] in mistake.shows]
    verdicts = [at_home(module, *question) for question in questions]
    return [verdict for verdict in verdicts if not verdict.is_right]


def test_nearly_every_known_mistake_shows_at_home(monkeypatch):
    monkeypatch.setattr(student, "BUDGET", 5_000)  # one of them never ends
    unseen = set()
    for mistake in MISTAKES:
        wrong = wrong_at_home(mistake)
        if not wrong:
            unseen.add(mistake.name)
        for verdict in wrong:
            assert not verdict.has_returned or deciding(verdict), mistake.name
    assert len(unseen) < 0.2 * len(MISTAKES), unseen
    shown = {"infinity_is_9999", "window_kept_in_globals", "move_is_last_of_equals"}
    assert not unseen & shown


def test_the_line_for_my_yaml_shows_the_fault_at_home():
    ladder = Ladder(reference())
    shown = 0
    for mistake in MISTAKES[::24]:
        function = next(iter(mistake.shows))
        tasks = ladder.tasks(function)[:1500]
        place, _ = find_first_wrong(mistake, tasks)
        if place and not may_keep_state(mistake):
            tree = parse_tree(as_file(tasks[place - 1]), "my")
            verdict = at_home(mistake.module(), function, tree, tree.searches[0])
            assert not verdict.is_right, mistake.name
            shown += 1
    assert shown >= 6


@pytest.mark.parametrize("bounds, expected", cases("correct numbers of a window"))
def test_a_wrong_value_is_told_which_numbers_are_right(bounds, expected):
    tree = tree_of([[3, 10], [6, 9]], searches=f"[{bounds}]")
    search = tree.searches[0]

    def alphabeta(*call):
        return reference().alphabeta(*call) + 100

    right = observe(reference().alphabeta, "alphabeta", tree, search)
    verdict = check(alphabeta, "alphabeta", tree, search)
    number = right.answer.number + 100
    assert f"returned {number}, expected {expected}" in findings(verdict)
    assert (f"{expected} is correct" in deciding(verdict)) == (expected != "6")


def test_a_player_that_is_passed_on_unchanged_shows_at_the_node_below():
    module = run_source(changed(("alpha, beta, False)", "alpha, beta, True)")))
    (tree,) = (tree for tree in PUBLIC if tree.title == "A single move with two replies")
    why = deciding(at_home(module, "alphabeta", tree, tree.searches[0]))
    assert "B (MIN) takes the smallest of b1 = 1 and b2 = 2, which is 1. A" in why


def test_a_move_that_was_guessed_is_not_right_at_home_either():
    tree = tree_of([[3], 2])
    verdict = check(lambda node, *_: node.children[0], "best_move", tree, tree.searches[0])
    assert say("finding.unproven") in findings(verdict)


def test_a_state_that_is_kept_shows_in_the_second_run():
    calls = []

    def minimax(node, depth, maximizing):
        calls.append(node)
        return reference().minimax(node, depth, maximizing) + len(calls) - 1

    tree = tree_of([1, 2])
    verdict, keeps_state = check_twice(minimax, "minimax", tree, tree.searches[0])
    assert keeps_state
    assert findings(verdict) == ["returned 3, expected 2"]


def test_an_honest_table_by_node_is_no_state_that_is_kept():
    table = {}

    def minimax(node, depth, maximizing):
        if id(node) not in table:
            table[id(node)] = reference().minimax(node, depth, maximizing)
        return table[id(node)]

    for _ in range(20):
        tree = tree_of([1, [2, 3]])
        assert check(minimax, "minimax", tree, tree.searches[0]).is_right
        table.clear()
