"""Games are trees with known values, names, boards and numbers of nodes."""

import pytest
from helpers import cases, reference

from gametree import TreeError, observe, parse_tree
from gametree.games import Coins, TicTacToe
from play import ROWS, ConnectFour


def value(position):
    """Return the minimax value of a position of a game."""
    if position.terminal:
        return position.value
    choose = max if position.maximizing else min
    return choose(value(child) for child in position.children)


def parse_game(text):
    """Return the tree of a game in a file, such as "{name: coins}"."""
    return parse_tree(f"game: {text}\n", "game")


# Coins


@pytest.mark.parametrize("count", range(1, 7))
def test_the_player_to_move_loses_coins_at_multiples_of_three(count):
    value_of_max = 1 if count % 3 else -1
    assert value(Coins.start(str(count))) == value_of_max
    assert value(Coins.start(str(count), maximizing=False)) == -value_of_max


# Tic-tac-toe


@cases("boards of tic-tac-toe")
def test_a_board_of_tic_tac_toe_has_its_value(board, value_of_max):
    assert value(TicTacToe.start(board)) == value_of_max


# All games


@cases("impossible starts of games")
def test_an_impossible_start_is_refused_with_one_line(text):
    with pytest.raises(TreeError, match="^game, line 1: .*$"):
        parse_game(text)


LATE = "XX...O/XOX..O/OXXOOX/OOOXXX/OOXXXO"
STARTS = [Coins.start("6"), TicTacToe.start("XO. .X. ..O"), ConnectFour(LATE, False)]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: type(start).__name__)
def test_names_are_unique_and_players_alternate(start):
    positions = list(start.subtree())
    assert len({position.name for position in positions}) == len(positions)
    for position in positions:
        assert bool(position.children) != position.terminal, position.name
        for index, child in enumerate(position.children):
            assert child.path == (*position.path, index), child.name
            assert child.maximizing is not position.maximizing, child.name
            assert child.height < position.height, child.name


# Connect four


@cases("boards of connect four")
def test_four_in_a_row_win(rows, is_lost):
    position = ConnectFour("/".join(rows.split()), maximizing=False)
    assert position.lost() is is_lost
    assert position.value == int(is_lost)  # MAX has just moved
    assert ConnectFour(position.state, maximizing=True).lost() is False


def test_discs_fall_until_a_column_is_full():
    position = ConnectFour.start()
    for _ in range(ROWS):
        position = position.children[0]
    assert [row[4] for row in position.board.splitlines()] == [*"XOXOX", "3"]
    assert "3" not in [child.move for child in position.children]


# Published figures


def test_alphabeta_visits_the_published_number_of_nodes_of_tic_tac_toe():
    tree = parse_game("{name: tictactoe}")
    trace = observe(reference().program.alphabeta, "alphabeta", tree, tree.searches[0])
    assert (trace.answer.number, trace.node_count) == (0, 18_297)
