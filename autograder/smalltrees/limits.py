"""The limits of all trees; the handout states them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator

from autograder.scoring.tasks import Task
from gametree.support.tree import Tree

MAX_FRACTION = 10**9 - 10**-6  # the largest absolute value
MIN_DIFFERENCE = 10**-6  # between two distinct values
MAX_TIE = 10**6  # the largest absolute value of two equal leaves, or of a leaf and a bound
DECIMALS = 6  # digits after the point
MAX_CHILDREN = 9
MAX_PLIES = 12
MAX_DEPTH = 30
MAX_VISITS = 500  # by a correct search
MAX_WALKED = 5000  # positions of a lazy tree that are checked


def beyond_limits(tree: Tree, tasks: Iterable[Task]) -> Iterator[str]:
    """Yield one line for each limit that a tree exceeds.

    tasks: the searches of the tree.
    """
    positions = list(itertools.islice(tree.root.subtree(), MAX_WALKED))
    yield from _unsafe_numbers(tree, positions)
    yield from _large_ties(tree)
    for noun, size, limit in _sizes(tree, positions, tasks):
        if size > limit:
            yield f"{tree.name}: {size} {noun}, but the maximum is {limit}; make it smaller"


def _sizes(tree, positions, tasks):
    """Yield (what is counted, how many there are, how many are allowed)."""
    widths = [len(position.children) for position in positions]
    yield "children", max(widths), MAX_CHILDREN
    yield "plies", tree.root.height, MAX_PLIES
    depths = [search.depth for search in tree.searches]
    yield "plies of depth", max(depths), MAX_DEPTH
    visits = [task.expected.node_count for task in tasks]
    yield "visits", max(visits, default=0), MAX_VISITS


def _unsafe_numbers(tree, positions):
    """Yield one line for each value or bound that programs could confuse with others."""
    distinct = {position.value for position in positions} - {None}
    for search in tree.searches:
        distinct.update(filter(math.isfinite, (search.alpha, search.beta)))
    numbers = sorted(distinct)
    for number in numbers:
        where = f"{tree.name}: {number}"
        if abs(number) > MAX_FRACTION:
            yield f"{where} is beyond {MAX_FRACTION}; write a value nearer to 0"
        elif round(number, DECIMALS) != number:
            yield f"{where} has more than {DECIMALS} decimals; round it"
    for low, high in itertools.pairwise(numbers):
        if high - low < 0.99 * MIN_DIFFERENCE or math.isclose(low, high):
            yield f"{tree.name}: {low} and {high} are too close to tell apart; change one"


def _large_ties(tree):
    """Yield one line for each large number that occurs twice in a search.

    A tolerance such as 10**-9 vanishes when it is added to a large number, so a program
    that compares with a tolerance would be wrong there.
    """
    twice = set()
    for search in tree.searches:
        leaves = itertools.islice(tree.root.frontier(search.depth), MAX_WALKED)
        numbers = [leaf.static_value() for leaf in leaves]
        numbers += filter(math.isfinite, (search.alpha, search.beta))
        for number, count in Counter(numbers).items():
            if count > 1 and abs(number) > MAX_TIE:
                twice.add(number)
    for number in sorted(twice):
        where = f"{tree.name}: {number} occurs twice in a search"
        yield f"{where} and is beyond {MAX_TIE}; change one"
