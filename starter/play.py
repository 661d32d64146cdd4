"""Play in the terminal against your own best_move: python play.py tictactoe"""

import argparse
import re
from pathlib import Path

from gametree.games import Coins, TicTacToe
from gametree.student import CannotRun, explained, load_search, run
from gametree.trace import Counter

SEARCH = Path(__file__).resolve().parent / "search.py"
PROMPTS = {"tictactoe": "Your square: ", "coins": "Take how many coins? "}
SLOW = {"tictactoe": 9, "coins": 18}  # plies from which minimax may take seconds


class Leave(Exception):
    """The player wants to stop."""


def main():
    """Play one game."""
    options = arguments()
    best_move = getattr(load_search(options.submission), "best_move", None)
    if best_move is None:
        raise CannotRun(f"{options.submission} has no function best_move: write it first")
    try:
        think(best_move, Coins.start(2), options)  # a slip shows before the game begins
        play(best_move, options)
    except (Leave, EOFError, KeyboardInterrupt):
        print("\nGoodbye.")


def play(best_move, options):
    """Ask and answer until the game is over, then say who won."""
    start = {"tictactoe": TicTacToe.start, "coins": lambda: Coins.start(options.coins)}
    position = start[options.game]()
    mine = options.first == "me"
    print(greeting(options, mine))
    player = position.maximizing == mine
    while not position.terminal:
        print(f"\n{board(position)}\n")
        if position.maximizing == player:
            position = asked(best_move, position, options)
        else:
            position, nodes = think(best_move, position, options)
            print(f"Your search chooses {position.move}, after visiting {nodes:,} nodes.")
    print(f"\n{board(position)}\n")
    won = {1: player, -1: not player}.get(position.value)
    print("A draw." if won is None else "You win." if won else "Your search wins.")


def greeting(options, mine):
    """Return the lines that open a game."""
    sides = "You are X, your search is O." if mine else "Your search is X, you are O."
    if options.game == "coins":
        sides = "Take one coin or two. Whoever takes the last one wins."
    return f"{sides}\nType hint for a hint, quit to leave."


def board(position):
    """Return the board, indented."""
    return "\n".join(f"    {line}" for line in position.board.splitlines())


def think(best_move, position, options):
    """Return the child that best_move chooses and the number of nodes it visited."""
    depth = min(options.depth or position.height, position.height)
    if depth >= SLOW[options.game]:
        print("Your search is thinking. (--depth 4 looks less far ahead.)")
    counter = Counter()
    try:
        chosen = best_move(counter.root(position), depth, position.maximizing)
    except (Exception, SystemExit) as error:
        raise CannotRun(explained(error, options.submission)) from None
    path = getattr(getattr(chosen, "_key", None), "path", None)
    for child in position.children:
        if child.path == path:
            return child, counter.nodes
    kind = type(chosen).__name__
    raise CannotRun(f"best_move returned a value of type {kind}, not one of node.children")


def asked(best_move, position, options):
    """Return the child that the player chooses; ask until it is one."""
    moves = {child.move: child for child in position.children}
    if options.hint:
        hint(best_move, position, options)
    while True:
        typed = input(PROMPTS[options.game]).strip().lower()
        if typed in ("q", "quit", "exit", "bye"):
            raise Leave
        if typed in ("h", "hint", "?", "help"):
            hint(best_move, position, options)
            continue
        numbers = re.findall(r"\d+", typed)
        if len(numbers) == 1 and numbers[0].lstrip("0") in moves:
            return moves[numbers[0].lstrip("0")]
        print(f"Type one of {', '.join(moves)}, or hint, or quit.")


def hint(best_move, position, options):
    """Say what best_move would play for the player."""
    child, nodes = think(best_move, position, options)
    print(f"Hint: your search would choose {child.move} ({nodes:,} nodes).")


def arguments():
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Play against your own best_move.")
    parser.add_argument("game", choices=PROMPTS)
    parser.add_argument("--depth", type=int, help="plies to look ahead; all, unless given")
    parser.add_argument(
        "--hint", action="store_true", help="hint before each of your moves"
    )
    first = {"choices": ("me", "computer"), "default": "me"}
    parser.add_argument("--first", **first, help="who moves first (me)")
    parser.add_argument("--coins", type=int, default=10, help="how many to start with (10)")
    parser.add_argument("--submission", default=SEARCH, help="a file other than search.py")
    options = parser.parse_args()
    if options.depth is not None and options.depth < 1:
        parser.error("--depth must be at least 1")
    if not 1 <= options.coins <= 25:
        parser.error("--coins must be from 1 to 25")
    return options


if __name__ == "__main__":
    run(main)
