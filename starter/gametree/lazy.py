"""Trees whose positions are made when they are asked for, and not kept.

Asking again makes the answer again, so that a search needs memory for what it
holds on to, and no more. The random trees are here; `games` holds the games.
"""

from __future__ import annotations

from hashlib import blake2b
from types import MemberDescriptorType
from typing import NamedTuple

from gametree.tree import Position


class LazyPosition(Position):
    """A position that makes its children anew each time it is asked.

    `height` is the number of plies below it, at most; 0 where the game is over.
    """

    __slots__ = ("height",)

    def __getstate__(self):
        """Return the slots that are stored; a subclass may work out others by itself."""
        slots = {}
        for kind in type(self).__mro__[:-1]:
            for slot in kind.__slots__:
                stored = isinstance(getattr(type(self), slot), MemberDescriptorType)
                if stored and hasattr(self, slot):
                    slots[slot] = getattr(self, slot)
        return None, slots

    @property
    def terminal(self):
        """Whether there are no plies below."""
        return self.height == 0

    @property
    def children(self):
        """The child positions, made anew."""
        return tuple(self.unfold()) if self.height else ()

    def unfold(self):
        """Yield the child positions of an interior position."""
        raise NotImplementedError


class Recipe(NamedTuple):
    """What a random tree is made from: the arguments of random_tree()."""

    branching: int
    depth: int
    values: tuple[int, int]
    seed: int
    order: str
    maximizing: bool


class RandomPosition(LazyPosition):
    """A position of a random tree: a pure function of the seed and the path.

    In best and worst order `value` is also the position's minimax value, so
    that a search of any depth finds the same order. `low` and `high` bound the
    values below: inclusive, but in worst order an exclusive window.
    """

    __slots__ = ("recipe", "state", "low", "high")

    def __init__(self, recipe, path, state, values, low, high):
        self.recipe = recipe
        self.path = path
        self.height = recipe.depth - len(path)
        self.state = state
        self.value = draw(state, *values)
        self.low = low
        self.high = high

    @property
    def name(self):
        """The child numbers from the root: A, 1, 1.2, 1.2.1."""
        return ".".join(str(index + 1) for index in self.path) or "A"

    def unfold(self):
        """Yield the child positions, in the recipe's order."""
        maximizing = self.recipe.maximizing == (len(self.path) % 2 == 0)
        return UNFOLD[self.recipe.order](self, maximizing)

    def child(self, index, values, low, high):
        """Make a child, its value drawn from the range `values`."""
        state = mix(self.state, index)
        return RandomPosition(self.recipe, (*self.path, index), state, values, low, high)


def mix(state, number):
    """Return eight bytes that depend on `state` and `number`, the same everywhere."""
    return blake2b(b"%b %d" % (state, number), digest_size=8).digest()


def draw(state, low, high):
    """Return an integer from `low` to `high`, picked by `state`."""
    return low + int.from_bytes(state, "big") % (high - low + 1)


def _any_order(parent, maximizing):
    values = parent.low, parent.high
    for index in range(parent.recipe.branching):
        yield parent.child(index, values, *values)


def _best_first(parent, maximizing):
    """Yield a child that has the parent's value, then children no better."""
    low, value, high = parent.low, parent.value, parent.high
    no_better = (low, value) if maximizing else (value, high)
    yield parent.child(0, (value, value), low, high)
    for index in range(1, parent.recipe.branching):
        yield parent.child(index, no_better, low, high)


def _best_last(parent, maximizing):
    """Yield ever better children, the last one with the parent's value.

    Each one's value lies strictly inside (low, high), the alpha and beta it is
    searched with, and leaves `room` there for the values below it.
    """
    branching = parent.recipe.branching
    bound, sign = (parent.low, 1) if maximizing else (parent.high, -1)
    step = room(branching, parent.height - 1, own=False) + 1
    slack = abs(parent.value - bound) - branching * step
    draws = (draw(mix(parent.state, -index), 0, slack) for index in range(1, branching))
    start = bound
    for index, extra in enumerate([*sorted(draws), slack]):
        value = start + sign * ((index + 1) * step + extra)
        window = (bound, parent.high) if maximizing else (parent.low, bound)
        yield parent.child(index, (value, value), *window)
        bound = value


UNFOLD = {"random": _any_order, "best": _best_first, "worst": _best_last}
ORDERS = tuple(UNFOLD)


def room(branching, height, own):
    """Return how many values worst order needs between a node's value and a bound.

    The bound is the one that the node's player raises (alpha at MAX) where `own`,
    else the other. Both, and the value, are b^ceil(d/2) + b^floor(d/2) - 1.
    """
    return branching ** ((height + own) // 2) - 1


def random_tree(
    branching: int,
    depth: int,
    values: tuple[int, int],
    seed: int,
    order: str = "random",
    maximizing: bool = True,
) -> RandomPosition:
    """Return the root of a random tree of whole numbers, made as a search goes on.

    `values` is (lowest, highest). With order "best" alpha-beta visits the fewest
    leaves that it can, b^ceil(d/2) + b^floor(d/2) - 1 (Knuth and Moore, 1975),
    with "worst" all of them. That needs as many values: else ValueError.
    """
    low, high = values
    recipe = Recipe(branching, depth, values, seed, order, maximizing)
    state = mix(b"", seed)
    if order != "worst":
        return RandomPosition(recipe, (), state, values, low, high)
    below = room(branching, depth, own=maximizing)
    above = room(branching, depth, own=not maximizing)
    if below + 1 + above > high - low + 1:
        needed = f"at least {below + 1 + above:,}" if below + above < 10**9 else "too many"
        raise ValueError(f"order worst needs {needed} different values: widen values")
    values = low + below, high - above
    return RandomPosition(recipe, (), state, values, low - 1, high + 1)
