"""make explain: what a TA is told of a row, and who is meant by a mail."""

import os
import re

import pytest
from drawn import grading_of, textbook
from test_course_run import RIGHT, TREE, WRONG, kit  # noqa: F401 - a fixture

from autograder.grade import rows_lost
from autograder.kit import load_kit
from autograder.showing.staff import WARNING
from autograder.workbench import explain

HOSTILE = """
def minimax(node, depth, maximizing):
    print("\\x1b[31mred <b>")
    raise ValueError("\\x1b]0;title\\x07 <script>")  # the line
def alphabeta(node, depth, alpha, beta, maximizing):
    return 0
def best_move(node, depth, maximizing):
    return node.children[-1]
"""


@pytest.fixture
def explained(kit, tmp_path, monkeypatch, capsys):  # noqa: F811 - a fixture
    """A function that runs the command on a source; returns status, output, pages."""
    (kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
    monkeypatch.setattr(explain, "known_kit", lambda: load_kit(kit))

    def running(source, *options):
        path = tmp_path / "hw" / "search.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
        status = explain.main([str(path), "--out", str(tmp_path / "out"), *options])
        out, err = capsys.readouterr()
        pages = {page.name: page.read_text() for page in tmp_path.glob("out/hw-*/*.html")}
        return status, out + err, pages

    return running


class TestTheCommand:
    pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

    def test_a_hidden_row_is_explained_to_the_leaf(self, explained, tmp_path):
        status, out, pages = explained(WRONG, "--row", "cutoffs at MIN")
        assert status == 0
        assert WARNING in out and "two (hidden): the lesson of two" in out
        assert "visited c2 and c3 needlessly: you should have cut off before this" in out
        assert "so c2 and c3 cannot matter; your search went on to c2." in out
        assert set(pages) == {"report.html", "2.02-two.html"}
        assert all(WARNING in page for page in pages.values())
        assert {path.stat().st_mode & 0o077 for path in tmp_path.glob("out/hw-*/*")} == {0}

    def test_without_a_row_the_worst_comes_first_each_with_one_tree(self, explained):
        _, out, pages = explained(HOSTILE)
        lost = [line.split(":")[0] for line in out.splitlines() if "trees right" in line]
        assert lost[0] == "2.02 alphabeta" and len(lost) == 6
        assert len(pages) == 7

    def test_a_crash_shows_the_line_and_nothing_steers_the_terminal(self, explained):
        _, out, pages = explained(HOSTILE, "--row", "1.02")
        assert " > 4     raise ValueError" in out and "(search.py, line 4)" in out
        assert "red <b>" in out and "\x1b" not in out and "\x07" not in out
        assert all(" <script>" not in p and "<b>" not in p for p in pages.values())

    def test_best_move_is_explained_by_what_the_moves_are_worth(self, explained):
        _, out, _ = explained(HOSTILE, "--row", "best_move: MAX moves first")
        assert "The moves are worth B = 3, C = 2 and D = 2." in out
        assert "your best_move chose D." in out

    def test_a_file_that_cannot_be_loaded_says_so_once(self, explained):
        _, out, pages = explained("def minimax(:\n")
        assert "search.py could not be loaded" in out and len(pages) == 2

    def test_full_marks_have_nothing_to_explain(self, explained):
        assert "No points were lost." in explained(RIGHT)[1]

    def test_a_row_that_is_not_there_is_one_line(self, explained):
        status, out, _ = explained(RIGHT, "--row", "9.99")
        assert status == 2 and out.count("\n") == 1
        assert "ROW=9.99: no such row; there are 1.01 minimax" in out


def test_make_grade_lists_every_row_that_lost_points_with_the_line_of_a_crash():
    source = WRONG + "\n\ndef best_move(node, depth, maximizing):\n    1 / 0\n"
    line = len(source.splitlines())
    lines = list(rows_lost(grading_of(source, [textbook()], [textbook("two")])))
    crash = f"0 of 1 trees right: it raised ZeroDivisionError (line {line})"
    assert [re.sub(r" [0-9.]+/[0-9.]+:", ":", said) for said in lines] == [
        "2.01 alphabeta: public trees: 0 of 1 trees right: leaves wrong on 1, "
        "node count wrong on 1",
        "2.02 alphabeta: cutoffs at MIN: 0 of 1 trees right: leaves wrong on 1, "
        "node count wrong on 1",
        f"3.01 best_move: public trees: {crash}",
        f"3.02 best_move: MAX moves first: {crash}",
    ]
