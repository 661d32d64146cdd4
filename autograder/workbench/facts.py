"""Collect facts about a tree: its positions, its correct searches and their decisions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from autograder.judging.steps import ENTER, LEAF, UPDATE, Step, replay
from autograder.smalltrees.values import MAX_PLIES
from autograder.tasks import tasks_for
from gametree.support.judging import returned_values
from gametree.support.tree import Search, Tree

MAX_WALKED = 5000  # positions of a lazy tree that are visited

# Kinds of Moments.
TIE = "tie"  # children are pruned, and alpha equals beta
SET = "set"  # a child sets a bound that causes a cutoff later
BETTER = "better"  # a child is better than all earlier children
WORSE = "worse"  # the last child is worse than the best
BEST = "best"  # a child is the best of all children


class Moment(NamedTuple):
    """A decision of a correct search that a wrong search may make differently.

    kind: one of the kinds above.
    player: "MAX" or "MIN", who moves at the node.
    ply: the distance of the node from the root, in plies.
    child: the child's number among its siblings, from 1.
    among: the number of children of the node.
    number: the best value at the node so far.
    depth: the number of plies left to search, at most MAX_PLIES.
    hundreds: the number of visited nodes, divided by 100 and rounded down.
    setter: for a TIE, what set the bound: "the caller" or "3 plies above".
    """

    kind: str
    player: str
    ply: int
    child: int
    among: int
    number: float
    depth: int
    hundreds: int
    setter: str = ""

    @property
    def left(self) -> int:
        """The number of children after this child."""
        return self.among - self.child


class Move(NamedTuple):
    """The result of minimax for the moves at the root.

    player: "MAX" or "MIN", who moves.
    depth: the depth of the search, in plies.
    values: the value of each move.
    best: the index of the best move.
    """

    player: str
    depth: int
    values: list[float]
    best: int

    @property
    def value(self) -> float:
        """The value of the best move."""
        return self.values[self.best]


def player_of(tree: Tree) -> str:
    """Return "MAX" or "MIN", who moves at the root of a tree."""
    return Search(0, tree.maximizing).player_at(tree.root.path)


class Facts:
    """The facts about a tree.

    tree, root, searches: the tree and its parts.
    convention: the rule for ties that the reference uses; see autograder.tasks.
    positions: all positions, or the first MAX_WALKED positions of a lazy tree.
    leaves: the terminal positions.
    values: the values of the leaves.
    depths: the depths of the searches.
    tasks: the searches by each function, with the reference's traces.
    visited: the paths of the leaves that a correct search visits.
    """

    def __init__(self, tree: Tree, reference):
        self.tree = tree
        self.root = tree.root
        self.searches = tree.searches
        self.convention = reference.convention
        self.positions = list(itertools.islice(tree.root.subtree(), MAX_WALKED))
        self.leaves = [position for position in self.positions if position.terminal]
        self.values = [leaf.value for leaf in self.leaves]
        self.depths = {search.depth for search in tree.searches}
        self.tasks = tasks_for([tree], reference)
        self.visited = set()
        for task in self.tasks:
            self.visited |= task.expected.visited

    @cached_property
    def replays(self) -> list[tuple[Search, list[Step]]]:
        """The searches, each with the Steps of the correct alpha-beta."""
        return [
            (search, replay(self.tree, search, self.convention)) for search in self.searches
        ]

    @cached_property
    def moves(self) -> list[Move]:
        """The result of each search for the best move."""
        searches = self.tree.searches_for("best_move")
        return [self._find_move(search) for search in searches]

    def _find_move(self, search):
        leaves = [leaf.path for leaf in self.root.frontier(search.depth)]
        values = returned_values(self.tree, search, leaves)
        worth = [values[child.path] for child in self.root.children]
        best = worth.index(values[()])
        return Move(search.player_at(()), search.depth, worth, best)

    @cached_property
    def moments(self) -> set[Moment]:
        """The Moments of all searches by alphabeta."""
        found = set()
        for search, steps in self.replays:
            found.update(find_moments(self.tree, search, steps))
        return found

    @property
    def bounds(self) -> set[float]:
        """The finite bounds of the searches' windows."""
        bounds = {search.alpha for search in self.searches}
        bounds |= {search.beta for search in self.searches}
        return set(filter(math.isfinite, bounds))

    def visits(self, function: str) -> int:
        """Return the largest number of visits of a correct search by a function."""
        own = [task for task in self.tasks if task.function == function]
        return max((task.expected.node_count for task in own), default=0)


def find_moments(tree: Tree, search: Search, steps: list[Step]) -> Iterator[Moment]:
    """Yield the Moments of one search from its Steps."""
    leaves = [step.path for step in steps if step.kind == LEAF]
    values = returned_values(tree, search, leaves)
    best = {}  # path of a node -> the Moment of its best child so far
    visits = 0
    for step in steps:
        if step.kind in (ENTER, LEAF):
            visits += 1
        if step.kind != UPDATE:
            continue
        path = step.path
        now = Moment(
            BETTER,
            player=search.player_at(path),
            ply=len(path),
            child=step.child_path[-1] + 1,
            among=len(tree.root.at(path).children),
            number=step.value,
            depth=min(search.depth - len(path), MAX_PLIES),
            hundreds=visits // 100,
        )
        is_first = now.child == 1
        is_better = not is_first and now.number != best[path].number
        if is_first or is_better:
            best[path] = now
        if is_better:
            yield now
        if now.left and step.alpha >= step.beta:
            yield from _cut_off(search, step, now, best)
        if not now.left:
            yield best[path]._replace(kind=BEST)
            is_worse = values[step.child_path] != now.number
            if is_worse:
                yield now._replace(kind=WORSE)


def _cut_off(search, step, now, best):
    """Yield the Moments of a cutoff: at the node, and at the setter of the bound.

    The bound is the caller's, or the best value so far at a node above. If several nodes
    above have this value, the first of them set the bound.
    """
    name = "beta" if now.player == "MAX" else "alpha"
    bound = getattr(step, name)
    setter_name = "the caller"
    if bound != getattr(search, name):
        plies_of_opponent = range((now.ply + 1) % 2, now.ply, 2)
        bests = [best.get(step.path[:ply]) for ply in plies_of_opponent]
        setter = next(moment for moment in bests if moment and moment.number == bound)
        setter_name = f"{now.ply - setter.ply} plies above"
        yield setter._replace(kind=SET)
    if step.alpha == step.beta:
        yield now._replace(kind=TIE, setter=setter_name)
