"""The starter's programs, as a student runs them: draw a tree, count nodes, play."""

import io
import os
import re
import shutil
import subprocess
import sys
import tracemalloc

import pytest
from helpers import PYTHON, REFERENCE_SOURCE, ROOT

import gametree.__main__
import gametree.experiment
import play
from gametree import observe, parse_tree
from gametree.support import student
from gametree.support.lazy import random_tree
from gametree.support.student import drawing_options, load_search
from gametree.support.trace import Counter

DRAW, COUNT, PLAY = gametree.__main__, gametree.experiment, play
PUBLIC = ROOT / "trees" / "public"
AIMA = PUBLIC / "03-aima-figure-5-2.yaml"
NARROW = PUBLIC / "09-narrow-window.yaml"
REFERENCE = ROOT / "solution" / "search.py"
RIGHT = REFERENCE_SOURCE.decode()
STUBS = (ROOT / "starter" / "search.py").read_text()
LAST = "def best_move(node, depth, maximizing):\n    return node.children[-1]\n"
ONCE = "\nruns, plain = [], best_move\ndef best_move(*call):\n    runs.append(1)\n"
ONCE += "    return plain(*call) if len(runs) == 1 else None\n"
ENDLESS = "(node, *_):\n    while True:\n        node.children\n"


@pytest.fixture
def run(tmp_path, monkeypatch, run_program):
    """Return the function that runs a program in a folder with a search.py, or none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def started(program, *arguments, search=RIGHT, typed=""):
        if search is not None:
            (tmp_path / "search.py").write_text(search)
        submission = ["--submission", "search.py"] * (program is PLAY)
        return run_program(program.main, *submission, *arguments, typed=typed)

    return started


def run_apart(folder, program, *arguments, search=RIGHT, **more):
    """Run a program in a process of its own, with a search.py in a folder."""
    (folder / "search.py").write_text(search)
    command = [PYTHON, "-m", program, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "starter"), **more}
    options = {"capture_output": True, "encoding": "utf-8", "timeout": 60}
    return subprocess.run(command, cwd=folder, env=environment, **options)


def test_what_cannot_go_on_is_one_line_and_exit_status_2(run):
    unwritten = "def minimax(*_):\n    raise NotImplementedError\n"
    unwritten += "def best_move(*call):\n    return minimax(*call)\n"
    for program, arguments, search, reason in (
        (DRAW, ["nowhere.yaml"], None, "nowhere.yaml"),
        (DRAW, [AIMA, "--search", "2"], None, "no search 2: choose from 1 to 1"),
        (DRAW, [NARROW, "--search", "2", "--function", "minimax"], None, "has a window"),
        (DRAW, [AIMA, "--submission", "lost.py"], None, "lost.py: there is no such file"),
        (DRAW, [AIMA], "\n\ndef alphabeta(:\n", "search.py, line 3: SyntaxError"),
        (DRAW, [AIMA, "--page"], STUBS, "--page steps through alphabeta: write it"),
        (COUNT, [], STUBS, "write minimax or alphabeta first"),
        (COUNT, [], "def minimax(n, *_):\n    n.value\n", "search.py, line 2, in minimax"),
        (COUNT, [], "", "no function minimax"),
        (PLAY, ["coins"], STUBS, "write minimax, then best_move"),
        (PLAY, ["coins"], "", "search.py has no function best_move: write it first"),
        (PLAY, ["coins"], "def best_move(*_): return 3\n", "type int, not one of"),
        (PLAY, ["coins"], "def best_move(*_):\n    1 / 0\n", "search.py, line 2, in"),
        (PLAY, ["coins"], "def best_move(*a): best_move(*a)\n", "RecursionError"),
        (PLAY, ["coins"], "import nowhere\n", "search.py, line 1: ModuleNotFoundError"),
        (PLAY, ["coins"], unwritten, "minimax in search.py is not written yet"),
    ):
        done = run(program, *arguments, search=search)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), reason
        assert reason in done.stderr


def test_a_wrong_command_line_has_exit_status_2(run):
    for program, arguments in (
        (PLAY, ["chess"]),
        (PLAY, ["coins", "--depth", "0"]),
        (DRAW, []),
        (COUNT, ["--depths", "3-1"]),
        (COUNT, ["--depths", "x"]),
        (COUNT, ["--branching", "3", "--depths", "40"]),
        (COUNT, ["--branching", "1", "--depths", "99999999"]),
    ):
        done = run(program, *arguments)
        assert done.returncode == 2 and not done.stdout, arguments


# python -m gametree


def test_a_search_is_drawn_with_what_came_of_it(run, monkeypatch):
    monkeypatch.setattr(student, "BUDGET", 2_000)
    tie, strict = PUBLIC / "02-smallest-tie.yaml", RIGHT.replace(">= beta", "> beta")
    first = "    node.children[0].children[0].evaluate()\n"
    for arguments, search, shown in (
        *(([AIMA], alone, ["this is the tree alone"]) for alone in (None, STUBS, "")),
        ([AIMA], RIGHT, ["● visited   ○ pruned\n\nalphabeta returned 3; 7 leaves and "
                         "11 nodes visited.\nThis search is right.\n"]),
        ([AIMA, "--function", "best_move"], RIGHT, ["best_move returned B; 9 leaves and"]),
        ([AIMA, "--function", "best_move"], RIGHT + ONCE,
         ["This search is wrong:\nA second search of the same tree went differently"]),
        ([tie], strict, ["This search is wrong:\nAt B (MIN), after b1 = 1: alpha = 1, beta "
                         "= 1, so b2 cannot matter; your search went on to b2.\n"]),
        ([AIMA], f"def alphabeta(node, *_):\n{first}    1 / 0\n",
         ["alphabeta raised ZeroDivisionError: division by zero in line 3; until then "
          "1 leaf and 3 nodes visited.", "? not visited, but needed"]),
        ([AIMA], f"def alphabeta{ENDLESS}", ["stopped after 2,000 queries in line 3"]),
        ([AIMA], "def alphabeta(*_):\n    return ()\n",
         ["alphabeta returned tuple; 0 leaves", "Returned tuple, expected a number"]),
    ):  # fmt: skip
        done = run(DRAW, *arguments, search=search)
        assert done.returncode == 0 and "\x1b" not in done.stdout
        assert all(line in done.stdout for line in shown), done.stdout
        assert "visited" not in done.stdout or "alone" not in shown[0]


def test_page_writes_a_page_of_its_own_and_names_it(run, tmp_path):
    done = run(DRAW, AIMA, "--page")
    assert done.stdout.endswith("wrote 03-aima-figure-5-2-1.html\n")
    page = (tmp_path / "03-aima-figure-5-2-1.html").read_text(encoding="utf-8")
    assert '<script type="application/json" id="given">{"title": "Textbook tree' in page


def test_a_tree_that_is_too_large_has_no_page_and_no_verdict(run, tmp_path):
    large = "random: {branching: 2, depth: 15, values: [0, 9], seed: 1}"
    (tmp_path / "large.yaml").write_text(f"root: max\n{large}\n")
    done = run(DRAW, "large.yaml", "--page")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "too large to say whether it is right" in done.stdout
    assert "more than 400 nodes: choose a smaller" in done.stderr
    assert list(tmp_path.glob("*.html")) == []


def test_plain_ascii_where_the_encoding_needs_it(tmp_path):
    done = run_apart(tmp_path, "gametree", AIMA, PYTHONIOENCODING="ascii")
    assert done.stdout.isascii() and done.returncode == 0
    assert "* visited   o pruned" in done.stdout


def test_colour_is_for_terminals_whose_user_did_not_say_no(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("WT_SESSION", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    file, terminal = io.StringIO(), io.StringIO()
    terminal.isatty = lambda: True
    assert drawing_options(terminal)["colour"] and not drawing_options(file)["colour"]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not drawing_options(terminal)["colour"]


# python -m gametree.experiment


def figures(done):
    """Return the table's rows as numbers, with None for a dash."""
    rows = [line.replace(",", "").split() for line in done.stdout.splitlines()]
    return [
        [None if cell == "-" else int(cell) for cell in row]
        for row in rows
        if len(row) == 6 and row[0].isdecimal()
    ]


def test_one_row_for_each_depth_with_the_bounds_of_the_theory(run):
    rows = figures(run(COUNT, "--branching", "2", "--depths", "1-6"))
    assert [row[0] for row in rows] == [1, 2, 3, 4, 5, 6]
    for depth, everything, random_order, best, leaves, root in rows:
        assert everything == 2 ** (depth + 1) - 1
        assert best <= random_order <= everything
        assert (leaves, root) == (2**depth, round(2 ** (depth / 2)))


def test_the_counts_are_the_node_counts_of_the_traces(run):
    row = figures(run(COUNT, "--branching", "3", "--depths", "4", "--seed", "5"))[0]
    text = "random: {branching: 3, depth: 4, values: [-999999999, 999999999], seed: 5}"
    tree = parse_tree(f"root: max\n{text}\n", "t")
    search = load_search(REFERENCE)
    for name, nodes in zip(("minimax", "alphabeta"), row[1:3], strict=True):
        trace = observe(getattr(search, name), name, tree, tree.searches[0])
        assert nodes == trace.node_count


def test_memory_grows_with_the_depth_and_not_with_the_nodes():
    search = load_search(REFERENCE)
    tracemalloc.start()
    search.minimax(Counter().root(random_tree(2, 11, (0, 100), 1)), 11, True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 250_000


def test_a_function_that_is_not_written_is_a_dash(run):
    half = f"{STUBS}\n\ndef minimax(node, *_):\n    return node.evaluate()\n"
    done = run(COUNT, "--depths", "1-2", search=half)
    assert [row[2:4] for row in figures(done)] == [[None] * 2] * 2
    assert "not written yet" in done.stdout


# What never ends


def test_an_endless_loop_ends_with_its_line_in_every_program(run, monkeypatch):
    monkeypatch.setattr(DRAW, "SECONDS", 0.1)
    monkeypatch.setattr(COUNT, "SECONDS", 0.1)
    endless = "def alphabeta(*_):\n    while True:\n        pass\n"
    endless += "best_move = minimax = alphabeta\n"
    for program in (DRAW, AIMA), (COUNT,), (PLAY, "coins", "--seconds", "0.1"):
        done = run(*program, search=endless)
        assert done.returncode == 2, done
        assert re.match(r"search.py, line [23], in alphabeta \(`", done.stderr)
        assert "still running after 0.1 seconds: an endless loop?" in done.stderr


def test_a_search_that_no_exception_reaches_ends_the_program_with_its_line(tmp_path):
    shutil.copytree(ROOT / "starter" / "gametree", tmp_path / "gametree")
    hurried = tmp_path / "gametree" / "support" / "student.py"
    before, seconds, after = hurried.read_text().partition("\nSECONDS = 10\nGRACE = 2 ")
    assert seconds
    hurried.write_text(f"{before}\nSECONDS = 0.3\nGRACE = 0.3 {after}")
    waiting = "import time\n\ndef alphabeta(*_):\n    time.sleep(50)\n"
    done = run_apart(tmp_path, "gametree", AIMA, search=waiting)
    assert done.returncode == 1
    assert re.search(r'search.py", line 4 in alphabeta', done.stderr)


# python play.py


def test_a_game_is_played_to_its_end(run):
    alone = RIGHT.replace("def alphabeta", "def other")
    counts = r"3 plies ahead: minimax 259 nodes in \d.\d\d s, alphabeta \d\d nodes in"
    columns = r"    \. \. X \. \. \.\n    1 2 3 4 5 6"
    for arguments, search, typed, *shown in (
        ("connect4 --depth 3", RIGHT, "3 3 quit", counts, columns, r"Goodbye\.\n$"),
        ("connect4", LAST, "3 3 3 3", r"You win\.\n$"),
        ("coins --compare", alone, "1", "No comparison: search.py has no function",
         r"Goodbye\.\n$"),
        ("coins --first computer", RIGHT, "1 1 1 1 1 1", r"Your search wins\.\n$",
         "chooses 1, after visiting 232"),
        ("coins --coins 9", RIGHT, "1 1 1", r"Your search wins\.\n$"),
        ("coins --coins 10", RIGHT, "1 2 2 2", r"You win\.\n$"),
        ("tictactoe", LAST, "3 8 4 5 1", r"A draw\.\n$"),
        ("tictactoe --depth 2", RIGHT, "hint", r"would choose 1 \(82 nodes\)\."),
        ("tictactoe --depth 2 --hint", RIGHT, "", r"would choose 1 \(82 nodes\)\."),
    ):  # fmt: skip
        typed = typed.replace(" ", "\n") + "\n"
        done = run(PLAY, *arguments.split(), typed=typed, search=search)
        for pattern in shown:
            assert re.search(pattern, done.stdout), (arguments, done.stdout)


def test_typing_errors_are_forgiven_and_the_free_squares_named(run):
    typed = " 5. \n\nfive\n5\n1 2\n99\n²\nSquare 09\nexit\n"
    done = run(PLAY, "tictactoe", "--depth", "1", typed=typed)
    assert done.stdout.count("Type one of 2, 3, 4, 6, 7, 8, 9, or") == 6
    assert "    1 | 2 | 3\n    --+---+--\n    4 | 5 | 6" in done.stdout
    assert "7 | 8 | X" in done.stdout
    assert done.stdout.endswith("Goodbye.\n") and done.returncode == 0


def test_what_ends_by_an_exception_is_watched_no_longer(monkeypatch):
    watched = []
    monkeypatch.setattr(
        "faulthandler.dump_traceback_later", lambda *_, **__: watched.append(1)
    )
    monkeypatch.setattr("faulthandler.cancel_dump_traceback_later", watched.clear)
    with pytest.raises(KeyError), student.stopped_after(1, REFERENCE):
        assert watched
        raise KeyError
    assert not watched
