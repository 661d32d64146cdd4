"""A random tree is created on demand, and is the same wherever it is created."""

import math
import tracemalloc
from itertools import product

import pytest
from helpers import cases, reference

from gametree import Search, observe, parse_tree
from gametree.support.lazy import Recipe
from gametree.support.trace import VisitCounter


def tree(order="random", branching=2, depth=6, values=(0, 100), seed=7, root="max"):
    """Return a random tree."""
    sizes = f"branching: {branching}, depth: {depth}"
    numbers = f"values: {list(values)}, seed: {seed}"
    recipe = f"{{{sizes}, {numbers}, order: {order}}}"
    return parse_tree(f"root: {root}\nrandom: {recipe}\n", "random")


def leaves_visited(tree, depth):
    """Return how many leaves alpha-beta visits under a full window."""
    search = Search(depth, tree.maximizing)
    return len(observe(reference().program.alphabeta, "alphabeta", tree, search).visited)


def fewest(branching, depth):
    """Return the minimum number of visited leaves, after Knuth and Moore."""
    return branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


@pytest.mark.parametrize("root", ["max", "min"])
@pytest.mark.parametrize("branching", [1, 2, 3, 5])
def test_in_best_order_alphabeta_visits_the_fewest_leaves(branching, root):
    for seed, height in enumerate((1, 2, 3, 4, 7)):
        best = tree("best", branching, height, (-200, 200), seed, root)
        for depth in range(height + 1):
            assert leaves_visited(best, depth) == fewest(branching, depth), (height, depth)


@pytest.mark.parametrize("order", ["random", "best"])
def test_values_are_all_integers_of_the_range(order):
    positions = tree(order, values=(-2, 3)).root.subtree()
    found = sorted({position.value for position in positions})
    assert repr(found) == "[-2, -1, 0, 1, 2, 3]"


@cases("values of a seed")
def test_the_trees_of_a_seed_never_change(order, values):
    root = tree(order, 2, 4, (0, 99), 7).root
    found = [root.at(path).value for path in product((0, 1), repeat=4)]
    assert " ".join(map(str, found)) == values


def test_a_search_of_a_tree_with_65536_leaves_does_not_store_its_nodes():
    root = Recipe(2, 16, (0, 9), 5, "random", True).root()
    counter = VisitCounter(root)
    counter.keeps_nodes = False
    tracemalloc.start()
    reference().program.alphabeta(counter.root, 16, -math.inf, math.inf, True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counter.nodes > 2_500
    assert peak < 40 * counter.nodes
