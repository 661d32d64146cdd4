"""Conditional mutants go wrong where their conditions hold, and nowhere else."""

import random
from dataclasses import replace

import pytest
from helpers import ROOT, tasks_of, tree_of

from autograder.mistakes.variants import load_variant, run_code
from autograder.smalltrees.randomtrees import random_trees
from autograder.smalltrees.telling import telling_trees
from autograder.workbench.conditional import (
    CLASSES,
    HOOK,
    Conditional,
    Reach,
    conditionals,
    conditions,
    sites_of,
)
from autograder.workbench.mutantcheck import fails
from gametree.trace import observe

REFERENCE = load_variant(ROOT / "solution" / "search.py")
CONDITIONS = {condition.what: condition for condition in conditions()}
TREES = [tree_of("[1, [1, 1]]", name="tie"), tree_of("[[3, 5], [2, 9]]", name="square")]
CUTOFF = "statement dropped"  # the last one is the cutoff at MIN


@pytest.fixture(scope="module")
def sites():
    return sites_of(REFERENCE)


@pytest.fixture(scope="module")
def tasks():
    rng = random.Random(5)
    trees = [*random_trees(12, seed=5), *telling_trees(rng)]
    return tasks_of(*(replace(tree, name=f"tree-{n}") for n, tree in enumerate(trees)))


def mutant(sites, function, what, *conditions):
    """Return the last change of that name in a function, under conditions."""
    found = [s for s in sites if s.place[0] == function and f" {what} #" in s.name]
    return Conditional(found[-1], tuple(CONDITIONS[name] for name in conditions))


def is_wrong(mutant, nested, root="max", searches=None):
    return fails(mutant, tasks_of(tree_of(nested, root, searches)))


def test_there_are_tens_of_thousands_and_a_share_is_always_the_same(sites):
    every = len(conditionals(sites))
    some = [each.name for each in conditionals(sites, 50)]
    assert every > 50_000 and some == [each.name for each in conditionals(sites, 50)]
    assert len(set(some)) == len(some) < every / 20


def test_constants_digits_and_exits_are_tried_whatever_the_share(sites):
    mutants = conditionals(sites, 10**9)
    assert {m.name.split(maxsplit=1)[1].split(" #")[0] for m in mutants} > {
        *("infinity becomes 999999", "infinity becomes 10000000", "infinity becomes -1"),
        *("value rounded to 3 digits", "alpha or -math.inf", "int(beta)"),
        *("depth at most 7", "leaves the loop where best >= 1000000", "alpha forgotten"),
        *("true within 1e-4", "999 taken for unset", "beta kept within 100000"),
    }


def test_each_class_of_holes_has_its_conditions_or_changes(sites):
    assert len(CONDITIONS) == len(conditions())
    assert {m.kind for m in conditionals(sites, 20)} - {""} <= set(CLASSES)
    assert set(CLASSES) - {each.kind for each in CONDITIONS.values()} <= {"odd constants"}


def test_a_change_that_is_never_made_leaves_a_right_search(sites):
    tasks = tasks_of(*TREES)
    for each in sites[::12]:
        module = run_code(each.code)
        setattr(module, HOOK, lambda *_: False)
        for task in tasks:
            function = getattr(module, task.function)
            trace = observe(function, task.function, task.tree, task.search)
            assert task.is_met_by(trace), each.name


@pytest.mark.parametrize(
    "change, condition, wrong, right",
    [
        (CUTOFF, "from child 4 on", "[4, [5, 5, 5, 3, 9]]", "[4, [5, 5, 3, 9]]"),
        (CUTOFF, "at 5 children", "[4, [3, 9, 9, 9, 9]]", "[4, [3, 9, 9, 9]]"),
        (CUTOFF, "from ply 4 on", "[4, [[[3, 9]]]]", "[4, [3, 9]]"),
        (CUTOFF, "alpha is 0", "[0, [0, 9]]", "[1, [1, 9]]"),
        ("min becomes max", "above 1000000", "[[3000000, 2000000]]", "[[3, 2]]"),
        ("min becomes max", "differences below 1e-3", "[[1.0005, 1]]", "[[3, 2]]"),
    ],
)
def test_a_mutant_goes_wrong_where_its_condition_holds(
    sites, change, condition, wrong, right
):
    function = "alphabeta" if change == CUTOFF else "minimax"
    one = mutant(sites, function, change, condition)
    assert is_wrong(one, wrong)
    assert not is_wrong(one, right)


def test_of_two_conditions_both_are_needed(sites):
    both = "above 1000", "from child 3 on"
    one = mutant(sites, "minimax", "min becomes max", *both)
    assert is_wrong(one, "[3000, 3000, 2000]", "min")
    assert not is_wrong(one, "[3000, 2000, 2000]", "min")
    assert not is_wrong(one, "[3, 3, 2]", "min")


def test_a_mutant_that_looks_at_earlier_searches_needs_them_in_their_order(sites):
    one = mutant(sites, "alphabeta", "alpha forgotten", "after a narrow window")
    assert is_wrong(one, "[3, [2, 9, 9], [1, 9]]", searches="[{alpha: 2}, {}]")
    assert not is_wrong(one, "[3, [2, 9, 9], [1, 9]]", searches="[{}, {alpha: 2}]")


def test_outside_its_reach_a_mutant_is_right(sites, tasks):
    reach = Reach(sites, tasks)
    some = random.Random(2).sample(conditionals(sites, 300), 60)
    for one in some:
        reached = {task.tree.name for group in reach.of(one) for task in group}
        for tree in {task.tree.name for task in tasks} - reached:
            assert not fails(one, [task for task in tasks if task.tree.name == tree]), (
                one.name
            )
