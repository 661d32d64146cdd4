"""Trees keep to what the handout promises, and what it calls safe is safe."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
from helpers import REFERENCE_SOURCE, ROOT, changed, reference, tasks_of, tree_of

from autograder.kit import prepare
from autograder.mistakes.variants import run_source
from autograder.smalltrees.build import dump_tree
from autograder.smalltrees.families import COMMON, SPECIAL, family_trees
from autograder.smalltrees.values import MAX_DEPTH, MAX_PLIES, MAX_VISITS
from autograder.workbench.facts import Facts
from autograder.workbench.killmatrix import failures
from autograder.workbench.lint import beyond_limits
from autograder.workbench.properties import PROPERTIES, not_shown, properties_of
from gametree import load_trees, parse_tree

TOLERANT = changed(
    ("alpha >= beta", "alpha >= beta - 1e-9"),
    ("best = max(best, alphabeta(child, depth - 1, alpha, beta, False))",
     "score = alphabeta(child, depth - 1, alpha, beta, False)\n"
     "            best = score if score > best + 1e-9 else best"),
)  # fmt: skip
CLOSE = "alpha > beta or math.isclose(alpha, beta, abs_tol=1e-9)"
NEARLY = changed(("alpha >= beta", CLOSE))
FRACTIONS = """
from fractions import Fraction

def exact(number):
    return Fraction(number) if math.isfinite(number) else number

def larger(one, other):
    return max(one, other, key=exact)

def smaller(one, other):
    return min(one, other, key=exact)
""" + (
    REFERENCE_SOURCE.decode()
    .replace("= max(", "= larger(")
    .replace("= min(", "= smaller(")
    .replace("alpha >= beta", "-beta >= -alpha")
    .replace("key=lambda child: minimax", "key=lambda child: exact(minimax")
    .replace("not maximizing)\n", "not maximizing))\n")
)


@pytest.fixture(scope="module")
def families():
    """Trees of every family."""
    rng = random.Random(8)
    rows = (*SPECIAL, *COMMON, *COMMON)
    trees = [tree for _ in range(2) for tree in family_trees(rng, rows)]
    trees = [replace(tree, name=f"family-{n}") for n, tree in enumerate(trees)]
    return [tree for tree in trees if not any(beyond_limits(Facts(tree, reference())))]


@pytest.fixture(scope="module")
def tasks(families):
    return tasks_of(*families)


def test_trees_of_families_keep_to_the_limits_and_can_be_written(families):
    assert len(families) > 0.95 * 4 * len((*SPECIAL, *COMMON, *COMMON))
    for tree in families:
        again = parse_tree(dump_tree(tree).replace(tree.title, "title"), tree.name)
        assert again.searches == tree.searches


def test_families_show_every_property_and_reach_every_limit(families, tasks):
    trees = [*families, *load_trees(ROOT / "trees" / "hidden")]
    left = [each.name for each in not_shown(Facts(tree, reference()) for tree in trees)]
    assert len(left) <= 0.05 * len(PROPERTIES), left  # not in so few trees
    visits = [task.expected.node_count for task in tasks]
    depths = [search.depth for tree in families for search in tree.searches]
    assert (max(visits), max(depths)) == (MAX_VISITS, MAX_DEPTH)
    assert max(tree.root.height for tree in families) == MAX_PLIES


def test_a_value_that_people_take_for_none_is_shown_for_the_player_who_has_it():
    shown = properties_of(Facts(tree_of("[99, [0, 99]]"), reference()))
    assert "99 is best for MAX" in shown and "99 is best for MIN" not in shown
    assert "0 is best for MAX" not in shown


BEYOND = [
    ("[1.0000001, 2]", None, "1.0000001 is beyond 999999999, or has over 6 decimals"),
    ("[500000.000001, 500000.000002]", None, "are too close to tell apart"),
    ("[1, 2]", "[{alpha: 1.5}, {alpha: 1.5000001}]", "has over 6 decimals"),
    ("[1, 2]", "[{depth: 31}]", "31 plies of depth, and 30 is the most"),
    (str(list(range(10))), None, "10 children, and 9 is the most"),
    ("[" * 13 + "1" + "]" * 13, None, "13 plies, and 12 is the most"),
    (str([[[[1] * 9] * 9] * 9]), None, "visits, and 500 is the most"),
]


def test_what_goes_beyond_the_limits_is_told():
    for nested, searches, said in BEYOND:
        facts = Facts(tree_of(nested, "max", searches), reference())
        assert said in "\n".join(beyond_limits(facts))


def test_a_tree_at_the_limits_is_fit():
    nested = "[999999999, -999999999, 0.000001, 0, 5, 6, 7, 8, 9]"
    tree = tree_of(nested, searches="[{depth: 30}, {alpha: 0}]")
    assert list(beyond_limits(Facts(tree, reference()))) == []


HONEST = {"tolerant": TOLERANT, "nearly equal": NEARLY, "negated fractions": FRACTIONS}


@pytest.mark.parametrize("source", HONEST.values(), ids=HONEST)
def test_honest_comparisons_lose_nothing(source, tasks):
    program = SimpleNamespace(source=source, module=lambda: run_source(source))
    assert next(failures(program, [*prepare().tasks, *tasks]), None) is None


def test_the_handout_says_how_to_compare_with_care():
    text = " ".join((ROOT / "handout.md").read_text(encoding="utf-8").split())
    assert "within 10⁻⁹ is safe, rounding to 3 digits is not" in text
