"""Nim: take any number of objects from one heap; whoever takes the last one wins."""

from __future__ import annotations

from string import ascii_lowercase

from gametree.games.position import GamePosition

KEYS = ("heaps",)
MOST = 100


class Nim(GamePosition):
    """Some heaps, and whose move it is. A move is "b2": two objects from heap b."""

    __slots__ = ("heaps",)

    def __init__(self, heaps, maximizing, parent=None, index=0, move=""):
        left = sum(heaps)
        value = (-1 if maximizing else 1) if left == 0 else 0
        super().__init__(parent, index, move, maximizing, left, value)
        self.heaps = heaps

    def moves(self):
        """Return the moves: heap by heap, fewest objects first."""
        return [
            f"{letter}{taken}"
            for letter, heap in zip(ascii_lowercase, self.heaps, strict=False)
            for taken in range(1, heap + 1)
        ]

    def after(self, index, move):
        """Return the position after a move."""
        heap, taken = ascii_lowercase.index(move[0]), int(move[1:])
        heaps = (*self.heaps[:heap], self.heaps[heap] - taken, *self.heaps[heap + 1 :])
        return Nim(heaps, not self.maximizing, self, index, move)

    @property
    def board(self):
        """The heaps, one line each."""
        rows = zip(ascii_lowercase, self.heaps, strict=False)
        return "\n".join(f"{letter}: {'o ' * heap}".rstrip() for letter, heap in rows)

    def described(self):
        """Return what a tree file says to start here, as (key, mapping)."""
        return "game", {"name": "nim", "heaps": list(self.heaps)}


def start(heaps=(1, 2, 2), maximizing=None):
    """Return the start with these heaps; MAX moves first unless told otherwise."""
    wrong = ValueError(f"heaps must be a list of 1 to 26 sizes from 0 to {MOST}")
    if not isinstance(heaps, (list, tuple)) or not 1 <= len(heaps) <= 26:
        raise wrong
    for heap in heaps:
        if isinstance(heap, bool) or not isinstance(heap, int) or not 0 <= heap <= MOST:
            raise wrong
    if not any(heaps):
        raise ValueError("heaps are all empty: give one of them an object")
    return Nim(tuple(heaps), maximizing is not False)
