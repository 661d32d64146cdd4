"""Games as trees: coins, tic-tac-toe, connect four; positions are made when asked for.

Each game is a class with `key`, what a tree file says of its start, and `start(...)`,
which returns the first position or raises ValueError for a start that cannot be.
"""

from __future__ import annotations

from gametree.lazy import LazyPosition

MOST = 100  # coins
LINES = (
    *(0b111, 0b111000, 0b111000000),  # rows
    *(0b001001001, 0b010010010, 0b100100100),  # columns
    *(0b100010001, 0b001010100),  # diagonals
)


class GamePosition(LazyPosition):
    """A position of a game.

    `state` is what lies on the table. `value` is 1 where MAX has won, -1 where MIN
    has, else 0. `maximizing` says who is to move, `move` which move led here, as a
    player types it ("" at the start), `board` how it looks. A subclass gives `board`,
    `moves()`, `after()` and `plies_left()`.
    """

    __slots__ = ("state", "maximizing", "move", "_moves")

    def __init__(self, state, maximizing, parent=None, index=0, move=""):
        self.state = state
        self.maximizing = maximizing
        self.move = move
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

    __slots__ = ()
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


class TicTacToe(GamePosition):
    """Tic-tac-toe: X is MAX and moves first.

    The state is the cells of X and those of O, as sets: bit 0 is cell 1, top left. A
    move is "1" to "9": the cell taken, row by row.
    """

    __slots__ = ()
    key = "board"

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
        position = cls((crosses, noughts), ahead == 0)
        if cls((crosses, noughts), ahead == 1).lost():
            raise ValueError("the game was over before the last move: correct the board")
        if maximizing not in (None, position.maximizing):
            player, mark = ("max", "X") if position.maximizing else ("min", "O")
            raise ValueError(f"{mark} is to move on this board: write root: {player}")
        return position

    def plies_left(self):
        """Return how many moves there can be, at most: one for each free cell."""
        return 0 if self.lost() else 9 - sum(cells.bit_count() for cells in self.state)

    def lost(self):
        """Tell whether the player who has just moved has three in a row."""
        cells = self.state[self.maximizing]
        return any(cells & line == line for line in LINES)

    def cells(self):
        """Return the nine cells: "X", "O", or the number of a free cell."""
        crosses, noughts = self.state
        return [
            "X" if crosses >> cell & 1 else "O" if noughts >> cell & 1 else str(cell + 1)
            for cell in range(9)
        ]

    def moves(self):
        """Return the free cells, row by row."""
        return [cell for cell in self.cells() if cell.isdecimal()]

    def after(self, move):
        """Return the state after the mover takes a cell."""
        crosses, noughts = self.state
        cell = 1 << int(move) - 1
        return (crosses | cell, noughts) if self.maximizing else (crosses, noughts | cell)

    @property
    def board(self):
        """The board in three lines; a free cell shows its number."""
        cells = self.cells()
        rows = (" | ".join(cells[row : row + 3]) for row in (0, 3, 6))
        return "\n--+---+--\n".join(rows)


COLUMNS, ROWS = 6, 5
HIGH = ROWS + 1  # bits of a column; the one on top stays empty, so that no line wraps
CENTRE_FIRST = sorted(range(COLUMNS), key=lambda column: abs(2 * column - COLUMNS + 1))


class ConnectFour(GamePosition):
    """Connect four, on six columns of five: X is MAX and moves first.

    The state is the discs of X and those of O, as sets: bit 0 is the lowest place of
    the first column, and a column has six bits. A move is "1" to "6", the column;
    those in the middle come first, since they are most often the better ones. `played`
    are the moves that led to the start.
    """

    __slots__ = ("played",)
    key = "moves"

    @classmethod
    def start(cls, moves="", maximizing: bool | None = None) -> ConnectFour:
        """Return the position after moves such as "3343", X's first; "" is the start.

        Raises ValueError where a move cannot be made, and where `maximizing` (None:
        whoever is to move) is not the player to move.
        """
        position = cls((0, 0), True)
        for move in str(moves):
            if move not in position.moves() or position.terminal:
                problem = f"moves: {move!r} cannot be played after {position.name!r}"
                raise ValueError(f"{problem}: write columns from 1 to {COLUMNS}")
            position = cls(position.after(move), not position.maximizing, position, 0, move)
        if maximizing not in (None, position.maximizing):
            player, mark = ("max", "X") if position.maximizing else ("min", "O")
            raise ValueError(f"{mark} is to move after these moves: write root: {player}")
        start = cls(position.state, position.maximizing)
        start.played = str(moves)
        return start

    def plies_left(self):
        """Return how many moves there can be, at most: one for each free place."""
        if self.lost():
            return 0
        return COLUMNS * ROWS - sum(discs.bit_count() for discs in self.state)

    def lost(self):
        """Tell whether the player who has just moved has four in a row."""
        discs = self.state[self.maximizing]
        for step in (1, HIGH - 1, HIGH, HIGH + 1):  # up, down to the right, right, up
            pairs = discs & discs >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def moves(self):
        """Return the columns that are not full, those in the middle first."""
        taken = self.state[0] | self.state[1]
        top = 1 << ROWS - 1
        return [str(c + 1) for c in CENTRE_FIRST if not taken & top << c * HIGH]

    def after(self, move):
        """Return the state after the mover drops a disc into a column."""
        crosses, noughts = self.state
        column = (int(move) - 1) * HIGH
        taken = crosses | noughts
        lowest_free = (taken + (1 << column)) & ~taken  # the carry runs up the column
        place = lowest_free & (((1 << ROWS) - 1) << column)
        return (crosses | place, noughts) if self.maximizing else (crosses, noughts | place)

    @property
    def board(self):
        """The board, its top row first, above the numbers of the columns."""
        crosses, noughts = self.state

        def sign(place):
            return "X" if crosses & place else "O" if noughts & place else "."

        lines = [
            " ".join(sign(1 << column * HIGH + row) for column in range(COLUMNS))
            for row in reversed(range(ROWS))
        ]
        return "\n".join([*lines, " ".join(str(c + 1) for c in range(COLUMNS))])


GAMES = {"coins": Coins, "tictactoe": TicTacToe, "connect4": ConnectFour}
