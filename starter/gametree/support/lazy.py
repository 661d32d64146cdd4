"""Trees whose positions are created on demand and not stored.

Each access creates the children again, so a search needs memory only for the nodes that
it refers to. This module has the random trees, and `games` has the games.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from gametree.support.tree import NodePath, Position, max_moves_at


class LazyPosition(Position):
    """A position that creates its children on each access.

    `height` is the largest number of plies below it, 0 at a terminal.
    """

    height = 0  # in place of the property, so that a position can store it

    @abstractmethod
    def unfold(self) -> Iterator[LazyPosition]:
        """Yield the child positions; called only if `height` is not 0."""

    @property
    def terminal(self) -> bool:
        """Whether the position has no plies below it."""
        return self.height == 0

    @property
    def children(self) -> tuple[LazyPosition, ...]:
        """The child positions, new on each access."""
        return tuple(self.unfold()) if self.height else ()


ORDERS = ("random", "best")


class Recipe(NamedTuple):
    """The parameters of a random tree of whole numbers.

    branching: the number of children of each interior position.
    depth: the number of plies from the root to every leaf.
    values: the lowest and the highest value.
    seed: the seed of the values.
    order: one of ORDERS; with "best" the first child of each position is the best.
    maximizing: whether MAX moves at the root.
    """

    branching: int
    depth: int
    values: tuple[int, int]
    seed: int
    order: str
    maximizing: bool

    def root(self) -> RandomPosition:
        """Return the root of the tree.

        With order "best" alpha-beta visits the fewest leaves possible,
        b^ceil(d/2) + b^floor(d/2) - 1 (Knuth and Moore, 1975).
        """
        return RandomPosition(self, (), mix(b"", self.seed), self.values)


class RandomPosition(LazyPosition):
    """A position of a random tree: a pure function of the seed and the path.

    `state` contains the random bytes of this path. `values` are the least and the largest
    value that the position may have. In best order its value is also its minimax value,
    so that searches of all depths find the same order.
    """

    value: int

    def __init__(
        self, recipe: Recipe, path: NodePath, state: bytes, values: tuple[int, int]
    ):
        self.recipe = recipe
        self.path = path
        self.state = state
        self.height = recipe.depth - len(path)
        self.value = pick_number(state, *values)

    @property
    def name(self) -> str:
        """The child numbers from the root: A, 1, 1.2, 1.2.1."""
        return ".".join(str(index + 1) for index in self.path) or "A"

    def unfold(self) -> Iterator[RandomPosition]:
        """Yield the child positions, in the recipe's order.

        In best order the first child has the parent's value, and no child is better.
        """
        first = self.recipe.values
        others = self.recipe.values
        if self.recipe.order == "best":
            low, high = self.recipe.values
            first = (self.value, self.value)
            if max_moves_at(self.path, self.recipe.maximizing):
                others = (low, self.value)
            else:
                others = (self.value, high)
        for index in range(self.recipe.branching):
            values = first if index == 0 else others
            state = mix(self.state, index)
            yield RandomPosition(self.recipe, (*self.path, index), state, values)


def mix(state: bytes, number: int) -> bytes:
    """Return eight bytes that depend on `state` and `number`, the same everywhere."""
    return blake2b(b"%b %d" % (state, number), digest_size=8).digest()


def pick_number(state: bytes, low: int, high: int) -> int:
    """Return an integer from `low` to `high` that depends on `state`."""
    return low + int.from_bytes(state, "big") % (high - low + 1)
