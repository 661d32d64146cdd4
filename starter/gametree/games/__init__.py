"""Games as trees: coins, Nim and tic-tac-toe, with positions made as looked at.

Each game's module has `KEYS`, what a tree file may say of it, and `start(...)`,
which returns a GamePosition or raises ValueError for a start that cannot be.
"""

from gametree.games import coins, nim, tictactoe
from gametree.games.position import GamePosition

GAMES = {"coins": coins, "nim": nim, "tictactoe": tictactoe}

__all__ = ["GAMES", "GamePosition", "coins", "nim", "tictactoe"]
