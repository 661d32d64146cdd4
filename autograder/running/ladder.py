"""The trees on which a wrong search is shown to fail, smallest first.

Three stretches, each in order of leaves, then nodes: plain trees of up to three
leaves, with almost every order of their values; special values, depth limits and narrow
windows on up to two leaves; plain trees of four leaves and two different values. They
are up to four plies high, which is where deep cutoffs begin. The order never depends
on a submission or on a hidden tree.
"""

from __future__ import annotations

from itertools import chain, count

from autograder.running.reference import tasks_for
from autograder.running.smalltrees import (
    odd_trees_of,
    plain_trees_of,
    shapes,
    weak_orders,
)

HEIGHT = 4


def rungs():
    """Yield every tree of the ladder, as one search each."""
    for leaves in (1, 2, 3):
        yield from _stretch(leaves, 3, 2, plain_trees_of)
    yield from _stretch(1, 1, 2, odd_trees_of)
    yield from _stretch(2, 2, 1, odd_trees_of)
    yield from _stretch(4, 2, 1, plain_trees_of)


def _stretch(leaves, distinct, singles, trees_of):
    """Yield trees of so many leaves, at most `singles` nodes having one child.

    `distinct` bounds the number of different values, by one less for each such node
    as long as two are left.
    """
    for nodes in range(leaves, 2 * leaves + singles):
        for shape in shapes(leaves, nodes, HEIGHT):
            lone = lone_children(shape)
            if lone <= singles:
                for ranks in weak_orders(leaves, max(2, distinct - lone)):
                    yield from trees_of(shape, ranks)


def lone_children(shape):
    """Return how many nodes of the shape have a single child."""
    return sum(map(lone_children, shape)) + (len(shape) == 1)


class Ladder:
    """The rungs as tasks, with what the reference does on them, made when needed."""

    def __init__(self, reference):
        self._reference = reference
        self._made = {}

    def tasks(self, function):
        """Yield the tasks of one function, in order; they are kept for next time."""
        if function not in self._made:
            tasks = (tasks_for([tree], self._reference, (function,)) for tree in rungs())
            self._made[function] = [], chain.from_iterable(tasks)
        made, rest = self._made[function]
        for number in count():
            if number == len(made):
                task = next(rest, None)
                if task is None:
                    return
                made.append(task)
            yield made[number]
