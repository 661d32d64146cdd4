"""Games as trees: coins and tic-tac-toe; positions are created on demand.

A game is a subclass of GamePosition, which lists what it must define. The games that a
tree file may name are in GAMES.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence

from gametree.support.lazy import LazyPosition

MAX_COINS = 100


class GamePosition(LazyPosition):
    """A position of a game. A game defines the abstract methods, and `lost()` if need be.

    state: the board or the coins, as text in the form that the game uses.
    maximizing: whether MAX moves here.
    move: the move that led here, as a player types it; "" at the start.
    name: the moves from the start, joined by dots; A at the start.
    value: 1 if MAX has won, -1 if MIN has won, else 0.
    """

    name = ""  # in place of the property, so that a position can store it

    def __init__(
        self,
        state: str,
        maximizing: bool,
        parent: GamePosition | None = None,
        index: int = 0,
        move: str = "",
    ):
        self.state = state
        self.maximizing = maximizing
        self.move = move
        self.path = ()
        self.name = "A"
        if parent:
            self.path = (*parent.path, index)
            self.name = f"{parent.name}.{move}" if parent.path else move
        self.height = self.plies_left()
        self.value = 0
        if self.lost():
            self.value = -1 if maximizing else 1

    @property
    @abstractmethod
    def board(self) -> str:
        """The position, drawn for people."""

    @abstractmethod
    def plies_left(self) -> int:
        """Return the largest number of moves that can follow."""

    @abstractmethod
    def moves(self) -> Sequence[str]:
        """Return the moves from here, as a player types them."""

    @abstractmethod
    def after(self, move: str) -> str:
        """Return the state after a move."""

    def lost(self) -> bool:
        """Tell whether the player to move has lost, by default for lack of a move."""
        return self.height == 0

    def unfold(self) -> Iterator[GamePosition]:
        """Yield the position after each move."""
        for index, move in enumerate(self.moves()):
            yield type(self)(self.after(move), not self.maximizing, self, index, move)


class Coins(GamePosition):
    """Coins in a row: take one or two; the player who takes the last one wins.

    The state has an "o" for each coin. A move is "1" or "2": the coins taken.
    """

    @classmethod
    def start(cls, coins: str = "", maximizing: bool | None = None) -> Coins:
        """Return the start with so many coins (4). MAX moves first by default.

        Raises ValueError, one line, for another number.
        """
        coins = coins or "4"
        if not coins.isdecimal() or not 1 <= int(coins) <= MAX_COINS:
            raise ValueError(f"coins must be a whole number from 1 to {MAX_COINS}")
        return cls("o" * int(coins), maximizing is not False)

    def plies_left(self) -> int:
        """Return the largest number of moves that can follow: one for each coin."""
        return len(self.state)

    def moves(self) -> Sequence[str]:
        """Return the moves, fewest coins first."""
        return ("1", "2") if len(self.state) > 1 else ("1",)

    def after(self, move: str) -> str:
        """Return the coins that are left after a move."""
        return self.state[int(move) :]

    @property
    def board(self) -> str:
        """The coins that are left, drawn in a row."""
        return " ".join(self.state) or "no coins left"


class Board(GamePosition):
    """A game of X (MAX, who moves first) and O on a board: a full line wins.

    The state is the board's rows, the top one first, of X, O and dots, joined by "/".
    `lines` is the result of compile_lines().
    """

    lines: dict[str, re.Pattern]

    @abstractmethod
    def place_of(self, move: str) -> int:
        """Return the index in the state that a move fills."""

    def plies_left(self) -> int:
        """Return the largest number of moves that can follow: the free places."""
        return 0 if self.lost() else self.state.count(".")

    def lost(self) -> bool:
        """Tell whether the player who has just moved has a full line."""
        mark = "O" if self.maximizing else "X"
        return bool(self.lines[mark].search(self.state))

    def after(self, move: str) -> str:
        """Return the state after the mover takes a place."""
        place = self.place_of(move)
        mark = "X" if self.maximizing else "O"
        return self.state[:place] + mark + self.state[place + 1 :]


def compile_lines(columns: int, length: int) -> dict[str, re.Pattern]:
    """Return "X" or "O" -> the pattern of `length` such marks in a row."""
    # Between two neighbours: across, down to the left, straight down, down to the right.
    gaps = (0, columns - 1, columns, columns + 1)
    patterns = {}
    for mark in "XO":
        lines = [rf"{mark}(?:.{{{gap}}}{mark}){{{length - 1}}}" for gap in gaps]
        patterns[mark] = re.compile("|".join(lines))
    return patterns


class TicTacToe(Board):
    """Tic-tac-toe. A move is "1" to "9": the cell taken, row by row."""

    lines = compile_lines(3, 3)

    @classmethod
    def start(cls, board: str = "", maximizing: bool | None = None) -> TicTacToe:
        """Return the position on a board such as "X.O ... ..X"; X has moved first.

        Raises ValueError, one line, for a board that no game reaches, or if `maximizing` is
        not the player to move. None allows either player.
        """
        board = board or "... ... ..."
        cells = "".join(board.split())
        if len(cells) != 9 or set(cells) - set("XO."):
            raise ValueError('board must be three rows of X, O and dots: "X.O ... ..X"')
        state = "/".join(re.findall("...", cells))
        lead = cells.count("X") - cells.count("O")
        if lead not in (0, 1):
            raise ValueError("X moves first, so X has as many cells as O, or one more")
        max_moves = lead == 0
        if cls(state, not max_moves).lost():
            raise ValueError("the game was over before the last move: correct the board")
        if maximizing not in (None, max_moves):
            mark = "X" if max_moves else "O"
            player = "max" if max_moves else "min"
            raise ValueError(f"{mark} is to move on this board: write root: {player}")
        return cls(state, max_moves)

    def cells(self) -> list[str]:
        """Return the nine cells: "X", "O", or the number of a free cell."""
        cells = list(self.state.replace("/", ""))
        for index, cell in enumerate(cells):
            if cell == ".":
                cells[index] = str(index + 1)
        return cells

    def moves(self) -> list[str]:
        """Return the free cells, row by row."""
        return [cell for cell in self.cells() if cell.isdecimal()]

    def place_of(self, move: str) -> int:
        """Return the place of a cell in the state."""
        row, column = divmod(int(move) - 1, 3)
        return 4 * row + column

    @property
    def board(self) -> str:
        """The board in three lines; a free cell shows its number."""
        cells = self.cells()
        rows = (" | ".join(cells[row : row + 3]) for row in (0, 3, 6))
        return "\n--+---+--\n".join(rows)


Start = Callable[[str, bool | None], GamePosition]  # the first position, of text and root
# The name of a game in a tree file -> the key of its first position, and its start().
GAMES: dict[str, tuple[str, Start]] = {
    "coins": ("coins", Coins.start),
    "tictactoe": ("board", TicTacToe.start),
}
