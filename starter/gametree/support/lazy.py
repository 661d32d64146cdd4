"""Trees whose positions are made when they are asked for, and not kept.

Asking again makes the answer again, so that a search needs memory for what it
holds on to, and no more. The random trees are here; `games` holds the games.
"""

from hashlib import blake2b
from typing import NamedTuple

from gametree.support.tree import Position


class LazyPosition(Position):
    """A position that makes its children anew each time it is asked.

    `height` is the number of plies below it, at most; 0 where the game is over. A subclass
    yields the children of the others in `unfold()`.
    """

    height = 0

    @property
    def terminal(self):
        """Whether there are no plies below."""
        return self.height == 0

    @property
    def children(self):
        """The child positions, made anew."""
        return tuple(self.unfold()) if self.height else ()


ORDERS = "random", "best"


class Recipe(NamedTuple):
    """What a random tree is made from; `values` is (lowest, highest)."""

    branching: int
    depth: int
    values: tuple[int, int]
    seed: int
    order: str = "random"
    maximizing: bool = True


class RandomPosition(LazyPosition):
    """A position of a random tree: a pure function of the seed and the path.

    `values` are the least and the largest value that it may have itself. In best order its
    value is also its minimax value, so that a search of any depth finds the same order.
    """

    def __init__(self, recipe, path, state, values):
        self.recipe, self.path, self.state = recipe, path, state
        self.height = recipe.depth - len(path)
        self.value = draw(state, *values)

    @property
    def name(self):
        """The child numbers from the root: A, 1, 1.2, 1.2.1."""
        return ".".join(str(index + 1) for index in self.path) or "A"

    def unfold(self):
        """Yield the child positions, in the recipe's order.

        In best order the first has the parent's value, and the others are no better.
        """
        value, (low, high) = self.value, self.recipe.values
        first = rest = low, high
        if self.recipe.order == "best":
            maximizing = self.recipe.maximizing == (len(self.path) % 2 == 0)
            first, rest = (value, value), (low, value) if maximizing else (value, high)
        for index in range(self.recipe.branching):
            state, values = mix(self.state, index), rest if index else first
            yield RandomPosition(self.recipe, (*self.path, index), state, values)


def mix(state, number):
    """Return eight bytes that depend on `state` and `number`, the same everywhere."""
    return blake2b(b"%b %d" % (state, number), digest_size=8).digest()


def draw(state, low, high):
    """Return an integer from `low` to `high`, picked by `state`."""
    return low + int.from_bytes(state, "big") % (high - low + 1)


def random_tree(*recipe, **named) -> RandomPosition:
    """Return the root of a random tree of whole numbers, made as a search goes on.

    It is given what a Recipe is. With order "best" alpha-beta visits the fewest
    leaves that it can, b^ceil(d/2) + b^floor(d/2) - 1 (Knuth and Moore, 1975).
    """
    recipe = Recipe(*recipe, **named)
    return RandomPosition(recipe, (), mix(b"", recipe.seed), recipe.values)
