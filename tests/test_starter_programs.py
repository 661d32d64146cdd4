"""The starter's programs draw a tree, count nodes and play, as a student runs them."""

import io
import re
import shutil
import sys

import pytest
from helpers import (
    CORRECT,
    PYTHON,
    ROOT,
    STUBS,
    cases,
    change_file,
    check_words,
    program_of,
    run_command,
    slips,
)

import experiment
import gametree.__main__
import play
from gametree.support import searchpage, student
from gametree.support.student import VALUE_FUNCTIONS, drawing_options

DRAW, COUNT, PLAY = gametree.__main__, experiment, play
PUBLIC = ROOT / "trees" / "public"
AIMA = PUBLIC / "03-aima-figure-5-2.yaml"
NARROW = PUBLIC / "09-narrow-window.yaml"


@pytest.fixture
def run(tmp_path, monkeypatch, run_program):
    """Return a function that runs a program in an empty folder or next to a search.py."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def run_in_folder(program, *arguments, search=CORRECT, typed=""):
        if search is not None:
            (tmp_path / "search.py").write_text(search)
        if program is PLAY:
            arguments = ["--submission", "search.py", *arguments]
        return run_program(program.main, *arguments, typed=typed)

    return run_in_folder


COUNTED = " or ".join(function.name for function in VALUE_FUNCTIONS)
PROGRAMS = {"draw": DRAW, "count": COUNT, "play": PLAY}
ENDLESS = """
import time
def alphabeta(*_):
    while True:
        try:
            {body}
        except (Exception, KeyboardInterrupt):
            pass
best_move = minimax = alphabeta
"""


@slips("student")
def test_an_error_is_one_line_and_exit_status_2(program, arguments, search, reason, run):
    words = [word.format(aima=AIMA, narrow=NARROW) for word in arguments.split()]
    if search == "stubs":
        search = STUBS
    done = run(PROGRAMS[program], *words, search=search)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert reason.replace("{counted}", COUNTED) in done.stderr


# python -m gametree


@cases("drawings")
def test_a_search_is_drawn_with_its_cost_and_verdict(case, run, monkeypatch):
    monkeypatch.setattr(student, "BUDGET", 2_000)
    program = case.get("program") or program_of(case.get("changes", {}))
    path = PUBLIC / case.get("file", AIMA)
    done = run(DRAW, path, *case.get("options", "").split(), search=program)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    check_words(done.stdout, case["prints"])


def test_if_a_search_has_too_many_leaves_only_the_tree_is_drawn(run, monkeypatch):
    shallow = [PUBLIC / "08-depth-limit.yaml", "--search", 2]
    monkeypatch.setattr(DRAW, "MAX_LEAVES", 3)
    assert "This search is correct." in run(DRAW, *shallow).stdout
    monkeypatch.setattr(DRAW, "MAX_LEAVES", 2)
    alone = "This tree is too large to judge the search, so only the tree is drawn."
    assert alone in run(DRAW, *shallow).stdout


def test_a_tree_that_is_too_large_has_no_page(run, tmp_path, monkeypatch):
    monkeypatch.setattr(searchpage, "MAX_NODES", 3)
    done = run(DRAW, AIMA, "--page")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "more than 400 nodes: choose a smaller tree" in done.stderr
    monkeypatch.setattr(searchpage, "MAX_NODES", 4)
    assert run(DRAW, AIMA, "--page").returncode == 0


NO_BOXES = ("ascii", "cp437", "cp932", "cp936", "cp949", "cp950", "cp1252")


@pytest.mark.parametrize("encoding", [*NO_BOXES, "utf-8", "utf-16"])
def test_a_drawing_is_ascii_where_the_encoding_lacks_a_character(encoding, monkeypatch):
    output = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr("sys.__stdout__", output)
    assert drawing_options()["ascii"] == (encoding in NO_BOXES)


@pytest.mark.parametrize("columns, width", [("100", 100), ("20", 40)])
def test_a_drawing_is_as_wide_as_the_terminal_but_not_too_narrow(
    monkeypatch, columns, width
):
    monkeypatch.setenv("COLUMNS", columns)
    assert drawing_options() == {"width": width, "ascii": False}


# python experiment.py


def test_the_table_has_a_row_for_each_depth_with_the_theoretical_bounds(run):
    done = run(COUNT, "--branching", "2", "--depths", "1-6", "--seed", "5")
    assert done.stdout.startswith("Nodes visited by search.py, branching 2, seed 5\n\n")
    rows = done.stdout.splitlines()[4:]
    assert [row.split()[0] for row in rows] == [*"123456"]
    assert re.fullmatch(" +6 +127 +54 +44 .* 64 +8", rows[-1])


def test_the_column_of_a_function_that_is_not_written_has_dashes(run):
    half = f"{STUBS}\n\ndef minimax(node, *_):\n    return node.evaluate()\n"
    done = run(COUNT, "--depths", "1-2", search=half)
    rows = done.stdout.split("depth")[-1]
    assert rows.count(" -") == 2 * (len(COUNT.list_columns()) - 1)
    assert "- stands for a function that is not written yet." in done.stdout


# Endless loops


@pytest.mark.parametrize(
    "program, arguments, body",
    [
        (DRAW, [AIMA], "pass"),
        (DRAW, [AIMA], "time.sleep(0.01)"),
        (COUNT, [], "pass"),
        (PLAY, ["coins", "--seconds", "0.1"], "pass"),
    ],
)
def test_an_endless_loop_is_stopped_and_its_line_named(
    run, monkeypatch, program, arguments, body
):
    monkeypatch.setattr(DRAW, "SECONDS", 0.1)
    monkeypatch.setattr(COUNT, "SECONDS", 0.1)
    done = run(program, *arguments, search=ENDLESS.format(body=body))
    assert done.returncode == 2
    assert re.match(r"search.py, line [4-6], in alphabeta \(`", done.stderr)
    assert "still running after 0.1 seconds. Is this an endless loop?" in done.stderr


def test_ctrl_c_ends_a_search_like_any_other_program(run):
    pressed = "import signal\ndef alphabeta(*_):\n    signal.raise_signal(signal.SIGINT)\n"
    done = run(DRAW, AIMA, search=pressed)
    assert (done.returncode, done.stderr) == (130, "\nStopped.\n")


def test_a_search_that_an_exception_cannot_stop_ends_the_program(tmp_path):
    shutil.copytree(ROOT / "starter" / "gametree", tmp_path / "gametree")
    module = tmp_path / "gametree" / "support" / "student.py"
    seconds = ("\nSECONDS = 10\n", "\nSECONDS = 0.3\n")
    change_file(module, seconds, ("\nGRACE = 2 ", "\nGRACE = 0.3 "))
    sleeps = "import time\n\ndef alphabeta(*_):\n    time.sleep(50)\n"
    (tmp_path / "search.py").write_text(sleeps)
    done = run_command([PYTHON, "-m", "gametree", AIMA], tmp_path)
    line = "search.py, line 4, in alphabeta (`time.sleep(50)`) is still running after 0.6 "
    assert (done.returncode, done.stderr[: len(line) + 1]) == (2, f"\n{line}")


# python play.py


def play_game(run, arguments, typed, search=CORRECT):
    """Play a game. Return the printed text. `typed` has the words that the player types."""
    lines = "\n".join(typed.split())
    return run(PLAY, *arguments.split(), typed=f"{lines}\n", search=search).stdout


@cases("games")
def test_a_game_prints_this(arguments, code, typed, part, run):
    assert part in play_game(run, arguments, typed, CORRECT + code)


def test_connect_four_shows_the_board_and_compares_the_searches(run):
    output = play_game(run, "connect4 --depth 3", "3 3 quit")
    costs = r"3 plies ahead: minimax 259 nodes in \d.\d\d s, alphabeta \d\d nodes in"
    assert re.search(costs, " ".join(output.split()))
    assert max(map(len, output.splitlines())) <= 80
    assert "    . . X . . .\n    1 2 3 4 5 6" in output


def test_after_a_typing_error_the_free_squares_are_listed(run):
    typed = " 5. \n\nfive\n5\n1 2\n99\n²\nSquare 09\nexit\n"
    done = run(PLAY, "tictactoe", "--depth", "1", typed=typed)
    assert done.stdout.count("Type one of 2, 3, 4, 6, 7, 8, 9, or") == 6
    assert "    1 | 2 | 3\n    --+---+--\n    4 | 5 | 6" in done.stdout
    assert "7 | 8 | X" in done.stdout
    assert done.stdout.endswith("Goodbye.\n") and done.returncode == 0
