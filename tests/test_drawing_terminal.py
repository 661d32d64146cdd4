"""What `python -m gametree` does at a terminal, in a pipe, and with bad input."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gametree.student import drawing_options

ROOT = Path(__file__).resolve().parents[1]
PUBLIC = ROOT / "trees" / "public"
AIMA = PUBLIC / "03-aima-figure-5-2.yaml"
REFERENCE = (ROOT / "solution" / "search.py").read_text()
UNWRITTEN = (ROOT / "starter" / "search.py").read_text()


@pytest.fixture
def run(tmp_path):
    def started(*arguments, search=None, **environment):
        if search is not None:
            (tmp_path / "search.py").write_text(search)
        variables = {"PYTHONPATH": str(ROOT / "starter"), "PYTHONIOENCODING": "utf-8"}
        return subprocess.run(
            [sys.executable, "-m", "gametree", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, **variables, **environment},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    return started


def test_a_written_search_is_drawn_with_its_value_and_its_cost(run):
    done = run(AIMA, search=REFERENCE)
    assert done.returncode == 0
    assert "● visited   ○ pruned" in done.stdout
    assert "alphabeta returned 3; 7 leaves and 11 nodes visited." in done.stdout
    assert "\x1b" not in done.stdout


def test_without_a_search_or_with_stubs_the_tree_stands_alone(run):
    for search in (None, UNWRITTEN, ""):
        done = run(AIMA, search=search)
        assert done.returncode == 0
        assert "this is the tree alone" in done.stdout
        assert "visited" not in done.stdout


def test_a_search_that_raises_is_drawn_as_far_as_it_came(run):
    broken = (
        "def alphabeta(node, *_):\n    node.children[0].children[0].evaluate()\n    1 / 0\n"
    )
    done = run(AIMA, search=broken)
    assert "alphabeta raised ZeroDivisionError" in done.stdout
    assert "? not visited, but needed" in done.stdout or "○ not visited" in done.stdout


def test_a_search_without_end_is_stopped(run):
    endless = "def alphabeta(node, *_):\n    while True:\n        node.children\n"
    done = run(AIMA, search=endless)
    assert "was stopped after 200,000 queries" in done.stdout


def test_plain_ascii_where_the_encoding_needs_it(run):
    done = run(AIMA, search=REFERENCE, PYTHONIOENCODING="ascii")
    assert done.stdout.isascii()
    assert "* visited   o pruned" in done.stdout


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["nowhere.yaml"], "nowhere.yaml"),
        ([AIMA, "--search", "2"], "no search 2: choose from 1 to 1"),
        (
            [PUBLIC / "09-narrow-window.yaml", "--search", "2", "--function", "minimax"],
            "window",
        ),
        ([AIMA, "--submission", "lost.py"], "lost.py: there is no such file"),
    ],
)
def test_what_cannot_be_drawn_is_one_line_and_exit_status_2(run, arguments, said):
    done = run(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_search_py_that_does_not_load_is_one_line_with_its_place(run):
    done = run(AIMA, search="import math\n\ndef alphabeta(:\n")
    assert done.returncode == 2
    assert "search.py, line 3: SyntaxError" in done.stderr
    assert done.stderr.count("\n") == 1


class Stream(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_colour_is_for_terminals_whose_user_did_not_say_no(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("WT_SESSION", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert drawing_options(Stream())["colour"]
    assert not drawing_options(io.StringIO())["colour"]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not drawing_options(Stream())["colour"]
