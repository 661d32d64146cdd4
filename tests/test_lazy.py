"""A random tree is created on demand, and is the same wherever it is created."""

import math
import tracemalloc
from itertools import product

import pytest
from helpers import cases, reference

from gametree import Search, observe, parse_tree
from gametree.support.lazy import Recipe
from gametree.support.trace import Counter


def tree(order="random", branching=2, depth=6, values=(0, 100), seed=7, root="max"):
    sizes = f"branching: {branching}, depth: {depth}"
    numbers = f"values: {list(values)}, seed: {seed}"
    recipe = f"{{{sizes}, {numbers}, order: {order}}}"
    return parse_tree(f"root: {root}\nrandom: {recipe}\n", "random")


def leaves_visited(tree, depth):
    """Return how many leaves alpha-beta visits under a full window."""
    search = Search(depth, tree.maximizing)
    return len(observe(reference().alphabeta, "alphabeta", tree, search).visited)


def fewest(branching, depth):
    """Return Knuth and Moore's least number of leaves."""
    return branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


@pytest.mark.parametrize("root", ["max", "min"])
@pytest.mark.parametrize("branching", [1, 2, 3, 5])
def test_in_best_order_alphabeta_visits_the_fewest_leaves(branching, root):
    for seed, depth in enumerate((1, 2, 3, 4, 7)):
        best = tree("best", branching, depth, (-9, 9), seed, root)
        assert leaves_visited(best, depth) == fewest(branching, depth), depth


@pytest.mark.parametrize("root", ["max", "min"])
def test_a_search_of_less_depth_finds_the_same_order(root):
    best = tree("best", 3, 5, (-200, 200), 3, root)
    for depth in range(6):
        assert leaves_visited(best, depth) == fewest(3, depth), depth


def test_a_Recipe_is_for_max_by_default():
    children = Recipe(5, 1, (-99, 99), seed=1, order="best").root().children
    values = [child.value for child in children]
    assert values[0] == max(values) > min(values)


@pytest.mark.parametrize("seed", range(5))
def test_in_random_order_alphabeta_prunes_some_leaves_but_not_the_most(seed):
    leaves = leaves_visited(tree("random", 3, 6, seed=seed), 6)
    assert fewest(3, 6) < leaves < 3**6


@pytest.mark.parametrize("order", ["random", "best"])
def test_every_value_is_a_whole_number_within_the_range(order):
    found = set()
    for seed in range(3):
        root = tree(order, 2, 6, (-20, 30), seed).root
        found.update(position.value for position in root.subtree())
    assert {type(value) for value in found} == {int}
    assert min(found) >= -20
    assert max(found) <= 30
    assert len(found) > 20


def test_both_ends_of_the_range_occur():
    values = {position.value for position in tree(values=(4, 5)).root.subtree()}
    assert values == {4, 5}


def test_a_position_does_not_depend_on_the_order_of_access():
    forwards = tree(seed=3).root
    backwards = tree(seed=3).root
    paths = list(product((0, 1), repeat=6))
    values = [forwards.at(path).value for path in paths]
    assert values == [backwards.at(path).value for path in reversed(paths)][::-1]


@pytest.mark.parametrize("order, values", cases("values of a seed"))
def test_the_trees_of_a_seed_never_change(order, values):
    root = tree(order, 2, 4, (0, 99), 7).root
    found = [root.at(path).value for path in product((0, 1), repeat=4)]
    assert " ".join(map(str, found)) == values


def test_65536_leaves_are_searched_and_earlier_nodes_are_not_stored():
    root = Recipe(2, 16, (0, 9), seed=5).root()
    counter = Counter()
    tracemalloc.start()
    reference().alphabeta(counter.root(root), 16, -math.inf, math.inf, True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counter.nodes > 2_500
    assert peak < 40 * counter.nodes


def test_a_tree_of_a_thousand_million_leaves_is_loaded_at_once():
    position = tree("random", 10, 9, seed=1).root.at((9,) * 9)
    assert position.terminal
    assert position.name == "10.10.10.10.10.10.10.10.10"
