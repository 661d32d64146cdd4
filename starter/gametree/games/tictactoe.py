"""Tic-tac-toe: X is MAX and moves first; cells are numbered 1 to 9 in rows."""

from __future__ import annotations

from gametree.games.position import GamePosition

KEYS = ("board",)
ROWS = (0b111, 0b111000, 0b111000000)
COLUMNS = (0b001001001, 0b010010010, 0b100100100)
DIAGONALS = (0b100010001, 0b001010100)
LINES = (*ROWS, *COLUMNS, *DIAGONALS)
FULL = 0b111111111


class TicTacToe(GamePosition):
    """A board, and whose move it is. A move is "1" to "9": the cell taken.

    `crosses` and `noughts` are sets of cells: bit 0 is cell 1, top left.
    """

    __slots__ = ("crosses", "noughts")

    def __init__(self, crosses, noughts, maximizing, parent=None, index=0, move=""):
        just_moved = noughts if maximizing else crosses
        won = any(just_moved & line == line for line in LINES)
        value = (-1 if maximizing else 1) if won else 0
        left = 0 if won else 9 - (crosses | noughts).bit_count()
        super().__init__(parent, index, move, maximizing, left, value)
        self.crosses = crosses
        self.noughts = noughts

    def moves(self):
        """Return the free cells, row by row."""
        free = FULL & ~(self.crosses | self.noughts)
        return [str(cell + 1) for cell in range(9) if free >> cell & 1]

    def after(self, index, move):
        """Return the position after the mover takes a cell."""
        cell = 1 << int(move) - 1
        if self.maximizing:
            return TicTacToe(self.crosses | cell, self.noughts, False, self, index, move)
        return TicTacToe(self.crosses, self.noughts | cell, True, self, index, move)

    def _cells(self, free):
        for cell in range(9):
            taken = "X" * (self.crosses >> cell & 1) + "O" * (self.noughts >> cell & 1)
            yield taken or free(cell)

    @property
    def board(self):
        """The board in three lines; a free cell shows its number."""
        cells = list(self._cells(lambda cell: str(cell + 1)))
        rows = (" | ".join(cells[row : row + 3]) for row in (0, 3, 6))
        return "\n--+---+--\n".join(rows)

    def described(self):
        """Return what a tree file says to start here, as (key, mapping)."""
        cells = "".join(self._cells(lambda _: "."))
        board = f"{cells[:3]} {cells[3:6]} {cells[6:]}"
        return "game", {"name": "tictactoe", "board": board}


def start(board="... ... ...", maximizing=None):
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
    earlier = crosses if mover else noughts
    if any(earlier & line == line for line in LINES):
        raise ValueError("the game was over before the last move: correct the board")
    if maximizing not in (None, mover):
        player, mark = ("max", "X") if mover else ("min", "O")
        raise ValueError(f"{mark} is to move on this board: write root: {player}")
    return TicTacToe(crosses, noughts, mover)
