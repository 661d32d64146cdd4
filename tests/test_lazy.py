"""A random tree is made as it is looked at, and is the same wherever it is made."""

import math
import tracemalloc
from itertools import product

import pytest
from helpers import reference

from autograder.smalltrees.build import describe_root, dump_tree
from gametree import Search, observe, parse_tree
from gametree.support.lazy import draw, mix, random_tree
from gametree.support.trace import Counter


def tree(order="random", branching=2, depth=6, values=(0, 100), seed=7, root="max"):
    text = f"root: {root}\nrandom: {{branching: {branching}, depth: {depth}, "
    text += f"values: [{values[0]}, {values[1]}], seed: {seed}, order: {order}}}\n"
    return parse_tree(text, f"{order}-{branching}-{depth}")


def visited(made):
    """Return the leaves that alpha-beta visits under a full window, as a Trace."""
    return observe(reference().alphabeta, "alphabeta", made, made.searches[0])


def fewest(branching, depth):
    """Return Knuth and Moore's least number of leaves."""
    return branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


SHAPES = [(1, 4), (2, 1), (2, 2), (2, 5), (2, 8), (3, 3), (3, 4), (4, 4), (5, 3), (7, 2)]


def test_in_best_order_alphabeta_visits_the_fewest_leaves():
    for (branching, depth), root, seed in product(SHAPES, ("max", "min"), range(4)):
        trace = visited(tree("best", branching, depth, (-9, 9), seed, root))
        assert len(trace.visited) == fewest(branching, depth), (branching, depth, root)


def test_a_search_cut_short_finds_the_same_order():
    for depth, root in product(range(6), ("max", "min")):
        made = tree("best", 3, 5, (-200, 200), 3, root)
        trace = observe(
            reference().alphabeta, "alphabeta", made, Search(depth, root == "max")
        )
        assert len(trace.visited) == fewest(3, depth)


@pytest.mark.parametrize("order", ["random", "best"])
def test_every_value_is_a_whole_number_within_the_range(order):
    roots = [tree(order, 2, 6, (-20, 30), seed).root for seed in range(3)]
    found = {position.value for root in roots for position in root.subtree()}
    assert all(isinstance(value, int) and -20 <= value <= 30 for value in found)
    assert len(found) > 20


def test_random_order_leaves_out_fewer_than_best():
    made = [len(visited(tree("random", 3, 6, seed=seed)).visited) for seed in range(5)]
    assert all(fewest(3, 6) < leaves < 3**6 for leaves in made)


def test_a_position_does_not_depend_on_the_order_of_looks():
    forwards, backwards = tree(seed=3), tree(seed=3)
    paths = list(product((0, 1), repeat=6))
    found = {path: backwards.root.at(path).value for path in reversed(paths)}
    assert [forwards.root.at(path).value for path in paths] == [found[p] for p in paths]


def test_the_trees_of_known_seeds_never_change():
    assert mix(b"seed", -3).hex() == "8df5e0d6f55f4f8b"
    assert draw(b"\0\0\0\0\0\0\1\2", -5, 94) == -5 + 258 % 100
    known = {
        "random": [38, 42, 66, 85, 69, 78, 43, 57, 42, 81, 63, 93, 23, 82, 27, 39],
        "best": [27, 72, 9, 44, 68, 78, 34, 63, 10, 41, 9, 20, 57, 64, 0, 39],
    }
    for order, values in known.items():
        root = tree(order, 2, 4, (0, 99), 7).root
        assert [root.at(path).value for path in product((0, 1), repeat=4)] == values


def test_65536_leaves_are_searched_and_nothing_of_an_earlier_look_is_kept():
    root, counter = random_tree(2, 16, (0, 9), seed=5), Counter()
    tracemalloc.start()
    reference().alphabeta(counter.root(root), 16, -math.inf, math.inf, True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counter.queries > 2_500
    assert peak < 40 * counter.queries


def test_a_tree_of_a_thousand_million_leaves_is_loaded_and_looked_into_at_once():
    made = tree("random", 10, 9, seed=1)
    position = made.root.at((9,) * 9)
    assert (position.terminal, position.name) == (True, "10.10.10.10.10.10.10.10.10")


def test_a_random_tree_is_written_back_as_it_was_given():
    made = tree("best", 3, 4, (-5, 5), 9, "min")
    again = parse_tree(dump_tree(made), made.name)
    assert describe_root(again.root) == describe_root(made.root)
    assert again.root.at((2, 1, 0, 2)).value == made.root.at((2, 1, 0, 2)).value
