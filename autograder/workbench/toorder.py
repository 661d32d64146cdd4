"""Find leaf values for a uniform tree: its order, its ties, the share that is pruned."""

from __future__ import annotations

import random

from autograder.judging.steps import LEAF, replay, ties
from autograder.running.plant import plant
from autograder.workbench.command import Refused
from gametree.lazy import random_tree

MOST_TRIES = 1500
MOST_VISITS = 150_000  # leaves that the tries of one tree may visit together
WIDE = (-(10**6), 10**6)  # values that the best and the worst order are drawn from


def make_tree(order, convention):
    """Return the Tree of an order (see onetree.Order), as near as the tries come.

    In random order the values are changed, two leaves at a time, as long as that
    brings the share pruned nearer; without a wish for it, nothing is changed.
    """
    rng = random.Random(f"{order}")
    if order.order != "random":
        return grown(ordered_values(order), order)
    values = random_values(rng, order)
    tree = grown(values, order)
    miss = missed_by(tree, order, convention)
    for _ in range(min(MOST_TRIES, MOST_VISITS // len(values))):
        if miss == 0:
            break
        other = changed(rng, values, order)
        candidate = grown(other, order)
        found = missed_by(candidate, order, convention)
        if found <= miss:
            tree, values, miss = candidate, other, found
    return tree


def missed_by(tree, order, convention):
    """Return how far a tree is from its order: 0 is as wanted."""
    miss = 0.0
    if order.pruned is not None:
        miss = abs(share_pruned(tree, convention) - order.pruned / 100)
        miss = 0.0 if miss < 0.5 / order.branching**order.depth else miss
    if order.ties and not tie_cuts_off(tree, convention):
        miss += 1
    return miss


def share_pruned(tree, convention):
    """Return which part of the leaves the right search leaves out, from 0 to 1."""
    steps = replay(tree, tree.searches[0], convention)
    return 1 - sum(step.kind == LEAF for step in steps) / leaves_below(tree.root)


def tie_cuts_off(tree, convention):
    """Tell whether a leaf equals a bound where children are left to search."""
    return bool(ties(tree, replay(tree, tree.searches[0], convention)))


def leaves_below(position):
    """Return how many leaves lie below a position."""
    return sum(map(leaves_below, position.children)) or 1


def random_values(rng, order):
    """Return leaf values left to right: all different, or from a small range."""
    leaves = order.branching**order.depth
    if order.ties:
        return [rng.randint(1, max(2, leaves // 2)) for _ in range(leaves)]
    return rng.sample(range(1, leaves + 1), leaves)


def changed(rng, values, order):
    """Return the values with two leaves exchanged or, with ties, one drawn anew."""
    values = list(values)
    first, second = rng.randrange(len(values)), rng.randrange(len(values))
    if order.ties and rng.random() < 0.5:
        values[first] = values[second]
    else:
        values[first], values[second] = values[second], values[first]
    return values


def ordered_values(order):
    """Return leaf values 1, 2, 3 ... in best or worst order; with ties, half of them."""
    for turn in range(100):
        seed = order.seed + 10**9 * turn
        shape = order.branching, order.depth, WIDE, seed, order.order
        row = [random_tree(*shape, order.maximizing)]
        while not row[0].terminal:
            row = [child for position in row for child in position.children]
        values = [position.value for position in row]
        if len(set(values)) == len(values):
            rank = {value: place for place, value in enumerate(sorted(values), start=1)}
            return [(rank[v] + 1) // 2 if order.ties else rank[v] for v in values]
    raise Refused("no such tree was found; write another SEED")


def grown(values, order):
    """Return the Tree with these leaf values, `branching` children at every node."""
    row, width = list(values), order.branching
    for _ in range(order.depth):
        row = [row[start : start + width] for start in range(0, len(row), width)]
    return plant(row[0], order.maximizing)
