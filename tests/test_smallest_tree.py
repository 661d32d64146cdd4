"""The smallest tree on which a submission fails is found and shown."""

from collections import Counter
from functools import cache

import pytest
from helpers import (
    CORRECT,
    STUBS,
    cases,
    program_of,
    tables_beside,
    tasks_of,
    tree_of,
    variant,
)

from autograder.explaining.explain import explain, find_state_leaks
from autograder.explaining.explanation import Evidence
from autograder.sandbox import Session
from autograder.scoring.rubric import Limits
from autograder.showing.summary import as_file, fails_on
from autograder.showing.wording import deciding
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.limits import beyond_limits
from autograder.workbench.lint import hash_of_tree
from gametree import parse_tree
from gametree.functions import FUNCTIONS
from gametree.support.judging import judge

TABLES = tables_beside(__file__)

TREES = [tree_of(*row) for row in TABLES["trees of wrong programs"]]
TASKS = tasks_of(*TREES)
SMALLEST = TABLES["smallest trees of known mistakes"]


def source_of(name):
    """Return the text of a known mistake."""
    return variant(f"mistakes/{name}").source


@pytest.fixture(scope="module")
def sandbox(sandbox_for):
    """Return a sandbox with the usual limits."""
    return sandbox_for(Limits())


@pytest.fixture(scope="module")
def find(sandbox, ladder):
    """Return a function: a source text -> its smallest tree, or None."""

    def find(source):
        session = Session(sandbox, source.encode())
        verdicts = list(map(judge, TASKS, session.run(TASKS, sealed=False)))
        evidence = Evidence(session, ladder, verdicts, session.budget)
        return explain(evidence, FUNCTIONS).smallest

    return cache(find)


def place_of(smallest):
    """Return the function and the tree: "alphabeta on MAX [1, [1, 1]]"."""
    task = smallest.task
    return f"{task.function} on {task.tree.name}"


@pytest.mark.parametrize("mistake", SMALLEST)
def test_each_mistake_has_its_smallest_tree(find, mistake):
    smallest = find(source_of(mistake))
    assert place_of(smallest) == SMALLEST[mistake]


WITHOUT_TREE = {"stubs": STUBS, "a correct program": CORRECT}
for mistake in ("table_by_name", "window_kept_in_globals"):  # they keep state
    WITHOUT_TREE[mistake] = source_of(mistake)


@pytest.mark.parametrize("source", WITHOUT_TREE.values(), ids=WITHOUT_TREE)
def test_a_program_has_no_smallest_tree(find, source):
    assert find(source) is None


def assert_shown(smallest, place, text):
    """Check the place of a smallest tree and the sentence about it."""
    assert place_of(smallest) == place
    assert text in f"{fails_on(smallest)}: {deciding(smallest.verdict)}"


@cases("smallest trees")
def test_the_smallest_tree_is_shown(case, find):
    smallest = find(program_of(case["changes"]) + case.get("added", ""))
    assert_shown(smallest, case["tree"], case["says"])


def test_a_table_by_node_is_not_state(find):
    table = variant("correct/table_by_id").source.replace("alpha >= beta", "alpha > beta")
    found = find(table)
    assert_shown(found, "alphabeta on MAX [1, [1, 1]]", "so b2 should be pruned")


STATEFUL = """
from os import urandom
calls = []
def minimax(node, depth, maximizing):
    value = node.evaluate()
    return {}
"""
LEAVES = [tree_of(str(n), name=f"leaf {n}") for n in (5, 6, 7)]


@pytest.fixture
def leaks_of(sandbox):
    """Return a function: the value of minimax, as code -> the leaks of its searches."""
    tasks = tasks_of(*LEAVES, functions=("minimax",))

    def leaks_of(answer):
        session = Session(sandbox, STATEFUL.format(answer).encode())
        verdicts = list(map(judge, tasks, session.run(tasks, sealed=False)))
        return find_state_leaks(Evidence(session, None, verdicts, session.budget))

    return leaks_of


def test_a_search_that_is_correct_alone_reveals_state(leaks_of):
    leaks = leaks_of("calls.append(1) or (0 if len(calls) > 1 else value)")
    assert leaks["minimax"].tree.name == "leaf 6"


@pytest.mark.parametrize("answer", ["0", "value if calls else calls.append(1) or 0"])
def test_a_search_that_is_equally_wrong_alone_reveals_no_state(leaks_of, answer):
    assert leaks_of(answer) == {}


@pytest.mark.parametrize(
    "mistake", ["no_cutoff", "given_window_ignored", "depth_not_decreased"]
)
def test_one_line_of_a_tree_file_repeats_the_search(find, mistake):
    smallest = find(source_of(mistake))
    task = smallest.task
    tree = parse_tree(as_file(task) + "\n", "again")
    assert hash_of_tree(tree) == hash_of_tree(task.tree)
    assert tree.searches == (task.search,)


# The ladder of small trees


@pytest.fixture(scope="module")
def trees():
    """Return all small trees."""
    return list(small_trees())


def test_small_trees_are_unique_and_always_the_same(trees):
    names = Counter(tree.name for tree in trees)
    assert names.total() == len(names) < 5000
    assert list(names) == [tree.name for tree in small_trees()]


def test_small_trees_stay_within_the_limits_of_graded_trees(trees):
    assert [line for tree in trees for line in beyond_limits(tree, ())] == []
