"""At home, a search gets the same verdict as on Gradescope, without the reference."""

import pytest
from helpers import CORRECT, RUBRIC, cases, reference, tree_of, trees_in, variants_in

from autograder.explaining.variants import quietly, run_source
from autograder.kit.loading import load_reference
from autograder.smalltrees.families import random_trees
from gametree import observe
from gametree.assignment import ASSIGNED
from gametree.support import student
from gametree.support.correct import CorrectSearch
from gametree.support.sentences import deciding, findings
from gametree.support.student import check
from gametree.support.trace import Recorder

MISTAKES = variants_in("mistakes")
PUBLIC = trees_in("public")
QUESTIONS = [
    (function, tree, search)
    for tree in PUBLIC
    for function in ASSIGNED
    for search in tree.searches_for(function)
]


@pytest.mark.parametrize("function", ASSIGNED)
@pytest.mark.parametrize("convention", ["equality", "strict"])
def test_the_correct_search_is_that_of_the_reference(function, convention):
    strict = convention == "strict"
    program = load_reference(RUBRIC._replace(cutoff=convention)).function(function)
    for tree in (*PUBLIC, *random_trees(50, seed=5)):
        for search in tree.searches_for(function):
            case = (tree.title, search)
            right = observe(program, function, tree, search)
            found = CorrectSearch(tree, function, search, strict).trace()
            assert found.answer == right.answer or not search.full_window, case
            if function != "best_move":  # it may visit any leaves
                assert found.visited == right.visited, case
                assert found.node_count == right.node_count, case


def wrong_at_home(mistake):
    """Yield the verdicts on public searches that a mistake gets wrong."""
    module = run_source(mistake.source)
    for function, tree, search in QUESTIONS:
        if function in mistake.shows:
            verdict = check(getattr(module, function), function, tree, search, Exception)
            if not verdict.is_right:
                yield verdict


def test_most_known_mistakes_fail_at_home(monkeypatch):
    """Every fourth mistake is run, and those that must fail."""
    monkeypatch.setattr(student, "BUDGET", 5_000)  # one mistake never returns
    detected = {"infinity_is_9999", "window_kept_in_globals", "move_is_last_of_equals"}
    sample = [mistake for mistake in MISTAKES if mistake.name in detected]
    sample += MISTAKES[::4]
    missed = set()
    for mistake in sample:
        with quietly():
            wrong = list(wrong_at_home(mistake))
        if not wrong:
            missed.add(mistake.name)
        for verdict in wrong:
            assert not verdict.has_returned or deciding(verdict), mistake.name
    assert len(missed) < 0.2 * len(sample), missed
    assert missed.isdisjoint(detected)


@cases("correct numbers of a window")
def test_a_wrong_value_is_explained_with_the_correct_numbers(bounds, expected):
    tree = tree_of([[3, 10], [6, 9]], searches=f"[{bounds}]")
    search = tree.searches[0]

    def alphabeta(*call):
        return reference().program.alphabeta(*call) + 100

    verdict = check(alphabeta, "alphabeta", tree, search)
    number = verdict.trace.answer.number
    assert f"returned {number}, expected {expected}" in findings(verdict)
    assert (f"{expected} is correct" in deciding(verdict)) == (expected != "6")


@cases("cutoffs that take near bounds for equal")
def test_a_cutoff_that_takes_near_bounds_for_equal_fails_at_home(cutoff):
    program = run_source(CORRECT.replace("alpha >= beta", cutoff))
    verdicts = [
        check(program.alphabeta, "alphabeta", tree, search)
        for tree in PUBLIC
        for search in tree.searches_for("alphabeta")
    ]
    assert not all(verdict.is_right for verdict in verdicts)


SURVIVES = """
import functools
def kept(key):
    def decorate(function):
        table = {}
        @functools.wraps(function)
        def search(node, depth, *others):
            place = key(node, depth, *others)
            if place not in table:
                table[place] = function(node, depth, *others)
            return table[place]
        return search
    return decorate
"""


@pytest.mark.parametrize("function", ASSIGNED)
@cases("tables that survive a search")
def test_every_table_that_survives_a_search_fails_on_a_public_tree(decorator, function):
    """All searches run in one process, and those of a tree get the same nodes."""
    source = SURVIVES + CORRECT.replace("\ndef ", f"\n@{decorator}\ndef ")
    search = getattr(run_source(source), function)
    for tree in PUBLIC:
        recorder = Recorder(tree.root)
        for question in tree.searches_for(function):
            verdict = check(search, function, tree, question, Exception, recorder)
            if not verdict.is_right:
                return
    pytest.fail("all public trees pass")
