"""Games are trees: their positions, their values, and the published figures."""

import random

import pytest
from helpers import ROOT, reference

from autograder.smalltrees.build import describe_root, dump_tree
from gametree import Search, TreeError, load_tree, observe, parse_tree
from gametree.games import COLUMNS, ROWS, Coins, ConnectFour, TicTacToe
from gametree.support.trace import Counter


def value(position):
    """Return the minimax value of a game's position, by whoever is to move."""
    if position.terminal:
        return position.value
    choose = max if position.maximizing else min
    return choose(value(child) for child in position.children)


def game(text):
    return parse_tree(f"game: {text}\n", "game")


def test_the_mover_loses_at_coins_exactly_at_the_multiples_of_three():
    for count in range(1, 11):
        assert value(Coins.start(count)) == (-1 if count % 3 == 0 else 1)
        assert value(Coins.start(count, maximizing=False)) == (1 if count % 3 == 0 else -1)


def test_tic_tac_toe_has_the_value_that_every_child_knows():
    for board, expected in {
        "X.O ... ..X": 1, "XX. OO. ...": 1, "XO. .X. ..O": 1, "... .X. ...": 0,
        "X.. OO. ..X": 0, "XXX OO. ...": 1, "XOX XOO OXX": 0, "OOO XX. X..": -1,
    }.items():  # fmt: skip
        assert value(TicTacToe.start(board)) == expected, board


def test_the_board_says_who_moves():
    assert TicTacToe.start("... .X. ...").maximizing is False
    assert game('{name: tictactoe, board: "X.O ... ..X"}').maximizing is False
    with pytest.raises(ValueError, match="O is to move on this board: write root: min"):
        TicTacToe.start("... .X. ...", maximizing=True)


def test_a_start_that_cannot_be_is_refused_in_one_line():
    for text in (
        "{name: coins, coins: 0}", "{name: coins, coins: x}", "{name: coins, coins: [4]}",
        "{name: coins, coins: 1.5}", "{name: chess}", "{name: connect4}", "{coins: 4}",
        "coins", "{name: tictactoe, board: 5}",
        *(f'{{name: tictactoe, board: "{board}"}}' for board in (
            "OOO ... ...", "XXX OOO ...", "X", "XO? ... ...", "XXX OO. ..O", "XX. ... ...",
        )),
    ):  # fmt: skip
        with pytest.raises(TreeError, match="^game, line 1: .*$"):
            game(text)


def test_moves_and_names_say_how_a_position_was_reached():
    position = TicTacToe.start("X.O ... ..X").children[2].children[0]
    assert (position.path, position.move, position.name) == ((2, 0), "2", "5.2")
    assert Coins.start(4).at((0, 1, 0)).name == "1.2.1"


def test_names_are_unique_and_children_alternate():
    late = "XX...O/XOX..O/OXXOOX/OOOXXX/OOXXXO"
    starts = Coins.start(6), TicTacToe.start("XO. .X. ..O"), ConnectFour(late, False)
    for start in starts:
        seen, unseen = set(), [start]
        while unseen:
            position = unseen.pop()
            assert position.name not in seen
            assert bool(position.children) != position.terminal
            seen.add(position.name)
            for index, child in enumerate(position.children):
                assert child.path == (*position.path, index)
                assert child.maximizing is not position.maximizing
                assert child.height < position.height
                unseen.append(child)


def test_boards_are_drawn_for_people():
    assert Coins.start(3).board == "o o o"
    assert Coins.start(1).children[0].board == "no coins left"
    drawn = "X | 2 | O\n--+---+--\n4 | 5 | 6\n--+---+--\n7 | 8 | X"
    assert TicTacToe.start("X.O ... ..X").board == drawn


def test_a_game_is_written_back_from_where_it_starts():
    for text in (
        "{name: coins, coins: 5}",
        '{name: tictactoe, board: "X.O ... ..X"}',
    ):
        tree = game(text)
        again = parse_tree(dump_tree(tree), "game")
        assert describe_root(again.root) == describe_root(tree.root)
        assert (again.searches, again.maximizing) == (tree.searches, tree.maximizing)


def test_every_game_starts_without_being_told_how():
    assert value(Coins.start()) == 1
    assert len(TicTacToe.start().children) == 9
    columns = [child.move for child in ConnectFour.start().children]
    assert columns == ["3", "4", "2", "5", "1", "6"]  # from the middle


def four_in_a_row(discs):
    """Tell whether four of these (column, row) lie in a row, found by looking at all."""
    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(
        all((column + i * right, row + i * up) in discs for i in range(4))
        for column, row in discs
        for right, up in directions
    )


def test_discs_fall_down_and_four_in_a_row_win():
    for seed in range(40):
        chance, position, discs = random.Random(seed), ConnectFour.start(), {}
        while not position.terminal:
            sign, move = "OX"[position.maximizing], chance.choice(position.moves())
            column = int(move) - 1
            height = sum(at == column for at, _ in discs)
            assert height < ROWS
            discs[column, height] = sign
            position = next(child for child in position.children if child.move == move)
            own = {place for place, player in discs.items() if player == sign}
            assert position.lost() == four_in_a_row(own)
            rows = enumerate(position.board.splitlines()[:ROWS][::-1])
            drawn = {(c, row): s for row, line in rows for c, s in enumerate(line.split())}
            assert {place: s for place, s in drawn.items() if s != "."} == discs
        assert len(discs) == COLUMNS * ROWS or position.lost()
        winner = {"X": 1, "O": -1}[sign] if position.lost() else 0
        assert position.value == winner


def test_alphabeta_is_many_times_cheaper_at_connect_four():
    nodes = {}
    for name in ("minimax", "alphabeta"):
        counter = Counter()
        root = counter.root(ConnectFour.start())
        getattr(reference(), name)(root, *Search(5, True).arguments(name))
        nodes[name] = counter.nodes
    assert nodes == {"minimax": 9331, "alphabeta": 381}


def test_alphabeta_visits_the_published_number_of_nodes_of_tic_tac_toe():
    tree = game("{name: tictactoe}")
    trace = observe(reference().alphabeta, "alphabeta", tree, tree.searches[0])
    assert (trace.answer.number, trace.node_count) == (0, 18_297)


def test_minimax_visits_the_published_number_of_nodes_of_tic_tac_toe():
    known = {}  # equal boards have equal subtrees: each is counted once

    def count(position):
        board = position.state
        if board not in known:
            below = [count(child) for child in position.children]
            nodes, terminals = map(sum, zip(*below)) if below else (0, 1)
            known[board] = nodes + 1, terminals
        return known[board]

    assert count(TicTacToe.start()) == (549_946, 255_168)
    assert len(known) == 5478


def test_the_public_coin_game_is_the_one_of_play_py():
    tree = load_tree(ROOT / "trees/public/10-coins-four.yaml")
    assert (tree.root.state, tree.maximizing, tree.searches[0].depth) == (4, True, 4)
    assert "play.py" in tree.source
