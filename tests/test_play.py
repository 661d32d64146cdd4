"""Playing in the terminal against one's own best_move, as a student does it."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLAY = ROOT / "starter" / "play.py"
REFERENCE = ROOT / "solution" / "search.py"


def play(*arguments, typed="", search=REFERENCE):
    return subprocess.run(
        [sys.executable, str(PLAY), *arguments, "--submission", str(search)],
        input=typed,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
def search(tmp_path):
    def written(text):
        path = tmp_path / "search.py"
        path.write_text(text)
        return path

    return written


def test_a_perfect_search_wins_at_coins_from_ten_when_it_moves_first():
    done = play("coins", "--first", "computer", typed="1\n" * 10)
    assert done.returncode == 0
    assert "Your search chooses 1, after visiting 232 nodes." in done.stdout
    assert done.stdout.endswith("Your search wins.\n")


def test_a_player_who_knows_how_beats_it_from_ten_coins():
    assert play("coins", "--first", "me", typed="1\n2\n2\n2\n").stdout.count("You win.")
    assert play("coins", "--coins", "1", typed="1\n").stdout.endswith("You win.\n")


@pytest.mark.parametrize("seed", range(2))
def test_nobody_beats_a_perfect_search_at_tictactoe(seed):
    guesses = "".join(f"{random.Random(seed).randint(1, 9)}\n" for _ in range(5))
    everything = "".join(f"{square}\n" for square in range(1, 10))
    done = play("tictactoe", typed=guesses + everything * 2)
    assert done.stdout.endswith(("A draw.\n", "Your search wins.\n"))


def test_typing_errors_are_forgiven_and_the_free_squares_named():
    done = play(
        "tictactoe", "--depth", "1", typed=" 5. \n\nfive\n5\n1 2\n99\n²\nSquare 09\n"
    )
    assert done.stdout.count("Type one of") == 6
    assert "7 | 8 | X" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_hint_is_the_search_s_own_move_and_says_its_price():
    asked = play("tictactoe", "--depth", "2", typed="hint\n")
    always = play("tictactoe", "--depth", "2", "--hint")
    for done in (asked, always):
        assert "Hint: your search would choose 1 (82 nodes)." in done.stdout


def test_the_board_numbers_the_free_squares():
    assert "    1 | 2 | 3\n    --+---+--\n    4 | 5 | 6" in play("tictactoe").stdout


@pytest.mark.parametrize("typed", ["", "quit\n", "Q\n", "5\nexit\n"])
def test_leaving_ends_with_a_word(typed):
    done = play("tictactoe", "--depth", "1", typed=typed)
    assert done.returncode == 0
    assert done.stdout.endswith("Goodbye.\n")


@pytest.mark.parametrize(
    "text, said",
    [
        ((ROOT / "starter" / "search.py").read_text(), "write minimax, then best_move"),
        ("", "search.py has no function best_move: write it first"),
        (
            "def best_move(node, depth, maximizing): return 3\n",
            "type int, not one of",
        ),
        (
            "def best_move(node, depth, maximizing):\n    return 1 / 0\n",
            "search.py, line 2, in",
        ),
        ("def best_move(*a): return best_move(*a)\n", "RecursionError"),
        ("import nowhere\n", "search.py, line 1: ModuleNotFoundError"),
        (
            "def minimax(*a):\n    raise NotImplementedError\nbest_move = minimax\n",
            "minimax in",
        ),
    ],
)
def test_a_search_that_cannot_play_is_told_so_in_one_line(search, text, said):
    done = play("coins", search=search(text))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "wrong", [["chess"], ["coins", "--coins", "0"], ["coins", "--depth", "0"]]
)
def test_a_wrong_command_line_has_exit_status_2(wrong):
    assert play(*wrong).returncode == 2
