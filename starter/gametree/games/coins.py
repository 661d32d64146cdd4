"""Coins in a row: take one or two from the end; whoever takes the last one wins."""

from __future__ import annotations

from gametree.games.position import GamePosition

KEYS = ("coins",)
MOST = 100


class Coins(GamePosition):
    """Some coins, and whose move it is. A move is "1" or "2": the coins taken."""

    __slots__ = ("coins",)

    def __init__(self, coins, maximizing, parent=None, index=0, move=""):
        over = coins == 0
        value = (-1 if maximizing else 1) if over else 0
        super().__init__(parent, index, move, maximizing, coins, value)
        self.coins = coins

    def moves(self):
        """Return the moves, fewest coins first."""
        return ("1", "2") if self.coins > 1 else ("1",)

    def after(self, index, move):
        """Return the position after a move."""
        return Coins(self.coins - int(move), not self.maximizing, self, index, move)

    @property
    def board(self):
        """The coins that are left, drawn in a row."""
        return " ".join("o" * self.coins) or "no coins left"

    def described(self):
        """Return what a tree file says to start here, as (key, mapping)."""
        return "game", {"name": "coins", "coins": self.coins}


def start(coins=4, maximizing=None):
    """Return the start with that many coins; MAX moves first unless told otherwise."""
    if isinstance(coins, bool) or not isinstance(coins, int) or not 1 <= coins <= MOST:
        raise ValueError(f"coins must be a whole number from 1 to {MOST}")
    return Coins(coins, maximizing is not False)
