"""Play in the terminal against your own best_move: python play.py tictactoe"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from gametree.assignment import ASSIGNED
from gametree.games import Board, Coins, TicTacToe, compile_lines
from gametree.support.errors import InputError
from gametree.support.student import (
    EXCEPTIONS,
    SECONDS,
    VALUE_FUNCTIONS,
    Endless,
    error_line,
    fails_in_public,
    load_search,
    run,
    stopped_after,
    wrapped,
)
from gametree.support.texts import sentence
from gametree.support.trace import VisitCounter
from gametree.support.tree import Search

SEARCH = Path(__file__).resolve().parent / "search.py"
PROMPTS = {
    "tictactoe": "Your square: ",
    "coins": "Take how many coins? ",
    "connect4": "Your column: ",
}
SLOW = {"tictactoe": 9, "coins": 18, "connect4": 7}  # depths that may take seconds
DEPTHS = {"connect4": 6}  # default depths of the games that are too long to search fully
COLUMNS = 6  # of connect four
ROWS = 5  # of connect four
CENTRE_FIRST = sorted(range(COLUMNS), key=lambda column: abs(2 * column - COLUMNS + 1))
QUIT = ("q", "quit", "exit", "bye")
HINT = ("h", "hint", "?", "help")


class ConnectFour(Board):
    """Connect four, on six columns and five rows: too large for a tree file.

    A move is a column, "1" to "6". Middle columns come first, because they are better
    in most positions.
    """

    lines = compile_lines(COLUMNS, 4)

    @classmethod
    def start(cls) -> ConnectFour:
        """Return the empty board."""
        return cls("/".join(["." * COLUMNS] * ROWS), True)

    def moves(self) -> list[str]:
        """Return the columns that are not full, middle columns first."""
        free = [column for column in CENTRE_FIRST if self.state[column] == "."]
        return [str(column + 1) for column in free]

    def place_of(self, move: str) -> int:
        """Return the lowest free place of a column in the state."""
        column = int(move) - 1
        width = COLUMNS + 1  # of a row in the state, with the "/" after it
        row = self.state[column::width].rindex(".")
        return row * width + column

    @property
    def board(self) -> str:
        """The board, its top row first, above the numbers of the columns."""
        numbers = "".join(str(column + 1) for column in range(COLUMNS))
        rows = [*self.state.split("/"), numbers]
        return "\n".join(map(" ".join, rows))


class Leave(Exception):
    """The player wants to stop."""


def main():
    """Play one game."""
    options = read_arguments()
    module = load_search(options.submission)
    best_move = find_mover(module, options)
    try:
        think(best_move, Coins.start("2"), options)  # finds errors before the game begins
        warn_of_mistakes(module, options)
        play(module, best_move, options)
    except (Leave, EOFError, KeyboardInterrupt):
        print("\nGoodbye.")


def mover_name():
    """Return the name of the function that chooses the moves."""
    return "best_move" if "best_move" in ASSIGNED else list(ASSIGNED)[-1]


def find_mover(module, options):
    """Return the function that chooses a move: best_move, or a search of every child."""
    name = mover_name()
    function = getattr(module, name, None)
    if function is None:
        raise InputError(f"{options.submission} has no function {name}; write it first")
    if name == "best_move":
        return function

    def best_child(node, depth, maximizing):
        arguments = Search(depth - 1, not maximizing).arguments(name)
        best = max if maximizing else min
        return best(node.children, key=lambda child: function(child, *arguments))

    return best_child


def warn_of_mistakes(module, options):
    """Print a line on each function of the game that is wrong on a public tree."""
    compared = [function.name for function in VALUE_FUNCTIONS] if options.compare else []
    for name in {*compared, mover_name()}:
        function = getattr(module, name, None)
        limits = options.seconds, options.submission
        if function and fails_in_public(function, name, *limits):
            print(sentence("home.fails in public", function=name))


def play(module, best_move, options):
    """Alternate moves until the game is over, then print the winner."""
    position = start_game(options)
    begins = options.first == "me"
    print(greeting(options, begins))
    player = position.maximizing == begins
    while not position.terminal:
        print(f"\n{board(position)}\n")
        if position.maximizing == player:
            position = ask_move(best_move, position, options)
            continue
        before = position
        position, nodes = think(best_move, before, options)
        visits = f"{mover_name()} and its calls visited {nodes:,} nodes"
        print(f"Your search chooses {position.move}: {visits}.")
        if options.compare:
            print(wrapped(compare_searches(module, before, options)))
    print(f"\n{board(position)}\n")
    print(result_line(position, player))


def start_game(options):
    """Return the first position of the game."""
    if options.game == "tictactoe":
        return TicTacToe.start()
    if options.game == "connect4":
        return ConnectFour.start()
    return Coins.start(str(options.coins))


def result_line(position, player):
    """Return a line with the winner; `player` is true if the player is MAX."""
    if position.value == 0:
        return "A draw."
    max_won = position.value == 1
    return "You win." if max_won == player else "Your search wins."


def greeting(options, player_begins):
    """Return the lines to print before the first move."""
    sides = "Your search is X, you are O."
    if player_begins:
        sides = "You are X, your search is O."
    if options.game == "connect4":
        sides += " Four in a row wins."
    if options.game == "coins":
        sides = "Take one or two coins. The player who takes the last coin wins."
    return f"{sides}\nType hint for a hint, quit to leave."


def board(position):
    """Return the board, indented."""
    return "\n".join(f"    {line}" for line in position.board.splitlines())


def depth_at(position, options):
    """Return the depth of a search of the position, in plies."""
    depth = options.depth or DEPTHS.get(options.game, position.height)
    return min(depth, position.height)


def count_nodes(function, position, options, *arguments):
    """Return the answer of a search and the number of nodes that it visited."""
    counter = VisitCounter(position)
    try:
        with stopped_after(options.seconds, options.submission):
            returned = function(counter.root, *arguments)
    except Endless as stopped:
        cure = "if it only needs more time, add --depth 4 or --seconds 60"
        problem = f"{stopped} It has visited {counter.nodes:,} nodes; {cure}"
        raise InputError(problem) from None
    except EXCEPTIONS as error:
        raise InputError(error_line(error, options.submission)) from None
    return returned, counter.nodes


def compare_searches(module, position, options):
    """Return a line with the cost of minimax and of alphabeta at a position."""
    depth = depth_at(position, options)
    costs = []
    for known in VALUE_FUNCTIONS:
        name = known.name
        function = getattr(module, name, None)
        if function is None:
            return f"No comparison: search.py has no function {name}."
        arguments = Search(depth, position.maximizing).arguments(name)
        started = time.perf_counter()
        try:
            _, nodes = count_nodes(function, position, options, *arguments)
        except InputError as problem:
            return f"No comparison: {problem}."
        costs.append(f"{name} {nodes:,} nodes in {time.perf_counter() - started:.2f} s")
    return f"One call at this position, {depth} plies ahead: {', '.join(costs)}."


def think(best_move, position, options):
    """Return the child that best_move chooses, and the number of visited nodes."""
    depth = depth_at(position, options)
    if depth >= SLOW[options.game]:
        print("Your search is running. (With --depth 4 it is faster.)")
    chosen, nodes = count_nodes(best_move, position, options, depth, position.maximizing)
    path = getattr(getattr(chosen, "_key", None), "path", None)
    for child in position.children:
        if child.path == path:
            return child, nodes
    kind = type(chosen).__name__
    raise InputError(f"best_move returned a value of type {kind}, not one of node.children")


def ask_move(best_move, position, options):
    """Return the child that the player chooses; repeat until the move is valid."""
    moves = {child.move: child for child in position.children}
    if options.hint:
        give_hint(best_move, position, options)
    while True:
        typed = input(PROMPTS[options.game]).strip().lower()
        if typed in QUIT:
            raise Leave
        if typed in HINT:
            give_hint(best_move, position, options)
            continue
        numbers = [number.lstrip("0") for number in re.findall(r"\d+", typed)]
        if len(numbers) == 1 and numbers[0] in moves:
            return moves[numbers[0]]
        print(f"Type one of {', '.join(sorted(moves))}, or hint, or quit.")


def give_hint(best_move, position, options):
    """Print the move that best_move would choose for the player."""
    child, nodes = think(best_move, position, options)
    print(f"Hint: your search would choose {child.move} ({nodes:,} nodes).")


def read_arguments():
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Play against your own best_move.")
    parser.add_argument("game", choices=PROMPTS)
    about = "the depth of each search, in plies (6 in connect4, otherwise unlimited)"
    parser.add_argument("--depth", type=int, help=about)
    parser.add_argument(
        "--hint", action="store_true", help="give a hint before each of your moves"
    )
    about = "the player who moves first (me)"
    parser.add_argument("--first", choices=("me", "computer"), default="me", help=about)
    about = "the number of coins at the start (10)"
    parser.add_argument("--coins", type=int, default=10, help=about)
    about = "the time limit of a search, in seconds (10)"
    parser.add_argument("--seconds", type=float, default=SECONDS, help=about)
    about = "print the cost of minimax and alphabeta at each move (always in connect4)"
    parser.add_argument("--compare", action="store_true", help=about)
    about = "a file other than search.py"
    parser.add_argument("--submission", default=SEARCH, help=about)
    options = parser.parse_args()
    if options.depth is not None and options.depth < 1:
        parser.error("--depth must be at least 1")
    if not 1 <= options.coins <= 25:
        parser.error("--coins must be from 1 to 25")
    if not 0 < options.seconds <= 3600:
        parser.error("--seconds must be from 1 to 3600")
    if options.game == "connect4":
        options.compare = True
    return options


if __name__ == "__main__":
    run(main)
