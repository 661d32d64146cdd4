"""Games as trees: coins, tic-tac-toe, connect four; positions are made when asked for.

Each game is a class with `start(...)`, which returns the first position or raises
ValueError for a start that cannot be. `key` is what a tree file says of the start; connect
four is too large for one.
"""

from __future__ import annotations

import re

from gametree.support.lazy import LazyPosition

MOST = 100  # coins
COLUMNS, ROWS = 6, 5  # of connect four
CENTRE_FIRST = sorted(range(COLUMNS), key=lambda column: abs(2 * column - COLUMNS + 1))


class GamePosition(LazyPosition):
    """A position of a game.

    `state` is what lies on the table. `value` is 1 where MAX has won, -1 where MIN
    has, else 0. `maximizing` says who is to move, `move` which move led here, as a
    player types it ("" at the start), `board` how it looks. A subclass gives `board`,
    `moves()`, `after()` and `plies_left()`.
    """

    def __init__(self, state, maximizing, parent=None, index=0, move=""):
        self.state, self.maximizing, self.move = state, maximizing, move
        self.path = (*parent.path, index) if parent else ()
        self._moves = (*parent._moves, move) if parent else ()
        self.height = self.plies_left()
        self.value = (-1 if maximizing else 1) if self.lost() else 0

    @property
    def name(self):
        """The moves from the start, joined by dots; A at the start."""
        return ".".join(self._moves) or "A"

    def lost(self):
        """Tell whether the player to move has lost; most often, who cannot move has."""
        return self.height == 0

    def unfold(self):
        """Yield the position after each move."""
        for index, move in enumerate(self.moves()):
            yield type(self)(self.after(move), not self.maximizing, self, index, move)


class Coins(GamePosition):
    """Coins in a row: take one or two; whoever takes the last one wins.

    The state is how many there are. A move is "1" or "2": the coins taken.
    """

    key = "coins"

    @classmethod
    def start(cls, coins: int = 4, maximizing: bool | None = None) -> Coins:
        """Return the start with that many coins; MAX moves first unless told otherwise."""
        if type(coins) is not int or not 1 <= coins <= MOST:
            raise ValueError(f"coins must be a whole number from 1 to {MOST}")
        return cls(coins, maximizing is not False)

    def plies_left(self):
        """Return how many moves there can be, at most."""
        return self.state

    def moves(self):
        """Return the moves, fewest coins first."""
        return ("1", "2") if self.state > 1 else ("1",)

    def after(self, move):
        """Return the state after a move."""
        return self.state - int(move)

    @property
    def board(self):
        """The coins that are left, drawn in a row."""
        return " ".join("o" * self.state) or "no coins left"


class Board(GamePosition):
    """A game of X (MAX, who moves first) and O on a board: so many in a row win.

    The state is the board's rows, the top one first, of X, O and dots, joined by "/".
    `lines` finds a row of the one who has just moved, by whether MAX is to move.
    """

    def plies_left(self):
        """Return how many moves there can be, at most: one for each free place."""
        return 0 if self.lost() else self.state.count(".")

    def lost(self):
        """Tell whether the player who has just moved has enough in a row."""
        return bool(self.lines[self.maximizing].search(self.state))

    def after(self, move):
        """Return the state after the mover takes a place."""
        place = self.place_of(move)
        return self.state[:place] + "OX"[self.maximizing] + self.state[place + 1 :]


def in_a_row(columns, count):
    """Return the patterns of so many X in a row, and O, on boards of so many columns."""
    gaps = 0, columns - 1, columns, columns + 1  # across, down to the left, down, right
    return [
        re.compile("|".join(rf"{mark}(?:.{{{gap}}}{mark}){{{count - 1}}}" for gap in gaps))
        for mark in "XO"
    ]


class TicTacToe(Board):
    """Tic-tac-toe. A move is "1" to "9": the cell taken, row by row."""

    key = "board"
    lines = in_a_row(3, 3)

    @classmethod
    def start(cls, board="... ... ...", maximizing: bool | None = None) -> TicTacToe:
        """Return the position on a board such as "X.O ... ..X"; X has moved first.

        Raises ValueError for a board that no game reaches, and where `maximizing`
        (None: whoever is to move) is not the player to move.
        """
        cells = "".join(board.split()) if isinstance(board, str) else ""
        if len(cells) != 9 or set(cells) - set("XO."):
            raise ValueError('board must be three rows of X, O and dots: "X.O ... ..X"')
        state = "/".join(re.findall("...", cells))
        ahead = cells.count("X") - cells.count("O")
        if ahead not in (0, 1):
            raise ValueError("X moves first, so X has as many cells as O, or one more")
        if cls(state, ahead == 1).lost():
            raise ValueError("the game was over before the last move: correct the board")
        if maximizing is (ahead == 1):
            player, mark = ("min", "O") if ahead else ("max", "X")
            raise ValueError(f"{mark} is to move on this board: write root: {player}")
        return cls(state, ahead == 0)

    def cells(self):
        """Return the nine cells: "X", "O", or the number of a free cell."""
        cells = self.state.replace("/", "")
        return [str(n) if cell == "." else cell for n, cell in enumerate(cells, start=1)]

    def moves(self):
        """Return the free cells, row by row."""
        return [cell for cell in self.cells() if cell.isdecimal()]

    def place_of(self, move):
        """Return the place of a cell in the state."""
        row, column = divmod(int(move) - 1, 3)
        return 4 * row + column

    @property
    def board(self):
        """The board in three lines; a free cell shows its number."""
        cells = self.cells()
        rows = (" | ".join(cells[row : row + 3]) for row in (0, 3, 6))
        return "\n--+---+--\n".join(rows)


class ConnectFour(Board):
    """Connect four, on six columns of five.

    A move is "1" to "6", the column; those in the middle come first, since they are most
    often the better ones.
    """

    lines = in_a_row(COLUMNS, 4)

    @classmethod
    def start(cls) -> ConnectFour:
        """Return the empty board."""
        return cls("/".join(["." * COLUMNS] * ROWS), True)

    def moves(self):
        """Return the columns that are not full, those in the middle first."""
        return [str(c + 1) for c in CENTRE_FIRST if self.state[c] == "."]

    def place_of(self, move):
        """Return the lowest free place of a column in the state."""
        column = self.state[int(move) - 1 :: COLUMNS + 1]
        return int(move) - 1 + (COLUMNS + 1) * column.rindex(".")

    @property
    def board(self):
        """The board, its top row first, above the numbers of the columns."""
        numbers = "".join(str(c + 1) for c in range(COLUMNS))
        return "\n".join(" ".join(row) for row in [*self.state.split("/"), numbers])


GAMES = {"coins": Coins, "tictactoe": TicTacToe}  # of tree files
