"""Games as trees: coins, Nim and tic-tac-toe, with positions made when they are asked for.

Each game is a class with `key`, what a tree file says of its start, and `start(...)`,
which returns the first position or raises ValueError for a start that cannot be.
"""

from __future__ import annotations

from string import ascii_lowercase

from gametree.lazy import LazyPosition

MOST = 100  # coins, or objects in a heap


class GamePosition(LazyPosition):
    """A position of a game.

    `value` is 1 where MAX has won, -1 where MIN has, else 0. `maximizing` says
    who is to move, `move` which move led here, as a player types it ("" at the
    start), `board` how it looks. A subclass gives `moves()`, `after()`, `board`.
    """

    __slots__ = ("move", "maximizing", "_moves")

    def __init__(self, parent, index, move, maximizing, height, won):
        """Make a position; `won` tells whether the player who made the move has won."""
        self.path = (*parent.path, index) if parent else ()
        self._moves = (*parent._moves, move) if parent else ()
        self.move = move
        self.maximizing = maximizing
        self.height = height
        self.value = (-1 if maximizing else 1) if won else 0

    @property
    def name(self):
        """The moves from the start, joined by dots; A at the start."""
        return ".".join(self._moves) or "A"

    def unfold(self):
        """Yield the position after each move."""
        for index, move in enumerate(self.moves()):
            yield self.after(index, move)


def _whole(number, least, most=MOST):
    return type(number) is int and least <= number <= most


class Coins(GamePosition):
    """Coins in a row: take one or two; whoever takes the last one wins.

    A move is "1" or "2": the coins taken.
    """

    __slots__ = ("coins",)
    key = "coins"

    def __init__(self, coins, maximizing, parent=None, index=0, move=""):
        super().__init__(parent, index, move, maximizing, coins, won=coins == 0)
        self.coins = coins

    @classmethod
    def start(cls, coins: int = 4, maximizing: bool | None = None) -> Coins:
        """Return the start with that many coins; MAX moves first unless told otherwise."""
        if not _whole(coins, 1):
            raise ValueError(f"coins must be a whole number from 1 to {MOST}")
        return cls(coins, maximizing is not False)

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


class Nim(GamePosition):
    """Nim: take any number of objects from one heap; whoever takes the last one wins.

    A move is "b2": two objects from heap b.
    """

    __slots__ = ("heaps",)
    key = "heaps"

    def __init__(self, heaps, maximizing, parent=None, index=0, move=""):
        left = sum(heaps)
        super().__init__(parent, index, move, maximizing, left, won=left == 0)
        self.heaps = heaps

    @classmethod
    def start(cls, heaps=(1, 2, 2), maximizing: bool | None = None) -> Nim:
        """Return the start with these heaps; MAX moves first unless told otherwise."""
        sizes = heaps if isinstance(heaps, (list, tuple)) else ()
        if not 1 <= len(sizes) <= 26 or not all(_whole(heap, 0) for heap in sizes):
            raise ValueError(f"heaps must be a list of 1 to 26 sizes from 0 to {MOST}")
        if not any(sizes):
            raise ValueError("heaps are all empty: give one of them an object")
        return cls(tuple(sizes), maximizing is not False)

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


LINES = (
    *(0b111, 0b111000, 0b111000000),  # rows
    *(0b001001001, 0b010010010, 0b100100100),  # columns
    *(0b100010001, 0b001010100),  # diagonals
)


def _has_line(cells):
    return any(cells & line == line for line in LINES)


class TicTacToe(GamePosition):
    """Tic-tac-toe: X is MAX and moves first.

    A move is "1" to "9": the cell taken, row by row. `crosses` and `noughts` are sets
    of cells: bit 0 is cell 1, top left.
    """

    __slots__ = ("crosses", "noughts")
    key = "board"

    def __init__(self, crosses, noughts, maximizing, parent=None, index=0, move=""):
        won = _has_line(noughts if maximizing else crosses)
        left = 0 if won else 9 - (crosses | noughts).bit_count()
        super().__init__(parent, index, move, maximizing, left, won)
        self.crosses = crosses
        self.noughts = noughts

    @classmethod
    def start(cls, board="... ... ...", maximizing: bool | None = None) -> TicTacToe:
        """Return the position on a board such as "X.O ... ..X"; X has moved first.

        Raises ValueError for a board that no game reaches, and where `maximizing`
        (None: whoever is to move) is not the player to move.
        """
        cells = "".join(board.split()) if isinstance(board, str) else ""
        if len(cells) != 9 or set(cells) - set("XO."):
            raise ValueError('board must be three rows of X, O and dots: "X.O ... ..X"')
        crosses, noughts = (
            sum(1 << cell for cell in range(9) if cells[cell] == mark) for mark in "XO"
        )
        ahead = crosses.bit_count() - noughts.bit_count()
        if ahead not in (0, 1):
            raise ValueError("X moves first, so X has as many cells as O, or one more")
        mover = ahead == 0
        if _has_line(crosses if mover else noughts):
            raise ValueError("the game was over before the last move: correct the board")
        if maximizing not in (None, mover):
            player, mark = ("max", "X") if mover else ("min", "O")
            raise ValueError(f"{mark} is to move on this board: write root: {player}")
        return cls(crosses, noughts, mover)

    def cells(self):
        """Return the nine cells: "X", "O", or the number of a free cell."""
        return [
            "X" * (self.crosses >> cell & 1) + "O" * (self.noughts >> cell & 1)
            or str(cell + 1)
            for cell in range(9)
        ]

    def moves(self):
        """Return the free cells, row by row."""
        return [cell for cell in self.cells() if cell.isdecimal()]

    def after(self, index, move):
        """Return the position after the mover takes a cell."""
        cell = 1 << int(move) - 1
        if self.maximizing:
            return TicTacToe(self.crosses | cell, self.noughts, False, self, index, move)
        return TicTacToe(self.crosses, self.noughts | cell, True, self, index, move)

    @property
    def board(self):
        """The board in three lines; a free cell shows its number."""
        cells = self.cells()
        rows = (" | ".join(cells[row : row + 3]) for row in (0, 3, 6))
        return "\n--+---+--\n".join(rows)


GAMES = {"coins": Coins, "nim": Nim, "tictactoe": TicTacToe}
