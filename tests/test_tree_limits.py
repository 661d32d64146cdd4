"""Trees are within the limits of the handout, and its advice on comparisons is safe."""

import random

import pytest
from helpers import (
    CORRECT,
    cases,
    changed,
    check_words,
    kit_text,
    tasks_of,
    tree_of,
)

from autograder.explaining.library import failures
from autograder.smalltrees.families import families
from autograder.smalltrees.limits import MAX_DEPTH, MAX_PLIES, MAX_VISITS, beyond_limits

LARGER = "best = max(best, alphabeta(child, depth - 1, alpha, beta, False))"
CLEARLY_LARGER = """\
score = alphabeta(child, depth - 1, alpha, beta, False)
            best = score if score > best + 1e-9 else best"""
TOLERANT = changed(("alpha >= beta", "alpha >= beta - 1e-9"), (LARGER, CLEARLY_LARGER))
CLOSE = "alpha > beta or math.isclose(alpha, beta, abs_tol=1e-9)"
NEARLY = changed(("alpha >= beta", CLOSE))
EXACT = """
from fractions import Fraction

def exact(number):
    return Fraction(number) if math.isfinite(number) else number

def larger(a, b):
    return max(a, b, key=exact)

def smaller(a, b):
    return min(a, b, key=exact)
"""
FRACTIONS = EXACT + (
    CORRECT.replace("= max(", "= larger(")
    .replace("= min(", "= smaller(")
    .replace("alpha >= beta", "-beta >= -alpha")
    .replace("key=lambda child: minimax", "key=lambda child: exact(minimax")
    .replace("not maximizing)\n", "not maximizing))\n")
)
DRAWS = 4  # of each family


@pytest.fixture(scope="module")
def drawn():
    """Return trees of every family that are within the limits."""
    rng = random.Random(18)
    trees = []
    for family in families():
        for number in range(DRAWS):
            tree = family.draw(rng, number)
            trees.append(tree._replace(name=f"family-{len(trees)}"))
    return [tree for tree in trees if not any(beyond_limits(tree, tasks_of(tree)))]


@pytest.fixture(scope="module")
def tasks(drawn):
    """Return the tasks of the trees of every family."""
    return tasks_of(*drawn)


def test_nearly_all_trees_of_families_are_within_the_limits(drawn):
    assert len(drawn) > 0.95 * DRAWS * len(families())


def test_families_reach_every_limit(drawn, tasks):
    visits = max(task.expected.node_count for task in tasks)
    assert 0.9 * MAX_VISITS < visits <= MAX_VISITS
    assert max(task.search.depth for task in tasks) == MAX_DEPTH
    assert max(tree.root.height for tree in drawn) == MAX_PLIES


def complaints(nested, searches):
    """Return the problems of a tree beyond the limits, one in each line."""
    tree = tree_of(nested, searches=searches)
    return "\n".join(beyond_limits(tree, tasks_of(tree)))


@cases("beyond the limits")
def test_a_tree_beyond_the_limits_has_its_problem_named(nested, searches, problem):
    assert problem in complaints(nested, searches)


def test_a_tree_at_the_limits_is_valid():
    nested = "[999999999, -999999999, 0.000001, 0, 5, 6, 7, 8, 9]"
    assert complaints(nested, "[{depth: 30}, {alpha: 0}]") == ""


PROGRAMS = {"tolerant": TOLERANT, "nearly equal": NEARLY, "negated fractions": FRACTIONS}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_tolerant_and_exact_comparisons_lose_no_points(source, kit, tasks):
    assert next(failures(source, [*kit.tasks, *tasks]), None) is None


def test_the_handout_says_which_tolerance_is_safe():
    safe = "`abs(a - b) < 1e-9` is a safe test of equality, and rounding to fewer"
    check_words(kit_text("handout.md"), [safe])
