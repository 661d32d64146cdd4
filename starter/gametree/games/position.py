"""What the positions of all games have in common."""

from __future__ import annotations

from gametree.lazy import LazyPosition


class GamePosition(LazyPosition):
    """A position of a game.

    `value` is 1 where MAX has won, -1 where MIN has, else 0. `maximizing` says
    who is to move, `move` which move led here, as a player types it ("" at the
    start), `board` how it looks. A subclass gives `moves()`, `after()`, `board`.
    """

    __slots__ = ("move", "maximizing", "_moves")

    def __init__(self, parent, index, move, maximizing, height, value):
        self.path = (*parent.path, index) if parent else ()
        self._moves = (*parent._moves, move) if parent else ()
        self.move = move
        self.maximizing = maximizing
        self.height = height
        self.value = value

    @property
    def name(self):
        """The moves from the start, joined by dots; A at the start."""
        return ".".join(self._moves) or "A"

    def unfold(self):
        """Yield the position after each move."""
        for index, move in enumerate(self.moves()):
            yield self.after(index, move)
