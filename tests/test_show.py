"""make show: the page, the drawing on the terminal, and errors in one line."""

import re
import subprocess
import sys

import pytest
from drawn import NO_CUTOFF
from helpers import REFERENCE_SOURCE, ROOT

from autograder.showing.staff import WARNING
from autograder.workbench.show import main

TIE = "root: max\ntree: [1, [1, 1]]\n"


@pytest.fixture
def show(tmp_path, capsys):
    """A function that runs the command on the text of a tree file."""

    def running(tree_text, *options, source=None):
        (tmp_path / "tie.yaml").write_text(tree_text)
        arguments = [str(tmp_path / "tie.yaml"), "--out", str(tmp_path / "show"), *options]
        if source is not None:
            (tmp_path / "search.py").write_text(source)
            arguments += ["--submission", str(tmp_path / "search.py")]
        status = main(arguments)
        return status, *capsys.readouterr()

    return running


def test_prints_the_drawing_and_where_the_page_is(show, tmp_path):
    status, out, err = show(TIE)
    assert (status, err) == (0, "")
    assert "● visited   ○ pruned" in out
    assert out.endswith(f"wrote {tmp_path}/show/tie.html\n")
    assert (tmp_path / "show" / "tie.html").read_text().endswith("</html>\n")


def test_runs_a_submission_in_the_sandbox_and_says_where_it_parts(show):
    status, out, _ = show(TIE, source=NO_CUTOFF)
    assert status == 0 and "! visited needlessly" in out
    words = " ".join(out.split())
    assert "so b2 cannot matter; your search went on to b2." in words


def test_says_that_a_right_search_does_the_same(show):
    status, out, _ = show(TIE, source=REFERENCE_SOURCE.decode())
    assert status == 0 and "Your alphabeta does the same as the right one." in out


@pytest.mark.parametrize(
    "function, answer, line",
    [
        (
            "best_move",
            "[c.evaluate() for b in node.children for c in b.children or [b]]"
            " and node.children[1]",
            "A (MAX) takes the leftmost of the largest, a1; your best_move chose B.",
        ),
        (
            "minimax",
            "node.children[0].evaluate()",
            "minimax visits every leaf, since each can matter; your search left out B.",
        ),
    ],
)
def test_shows_every_function(show, tmp_path, function, answer, line):
    source = f"def {function}(node, depth, maximizing):\n    return {answer}\n"
    status, out, _ = show(TIE, "--function", function, source=source)
    assert status == 0 and line in " ".join(out.split())
    assert (tmp_path / "show" / f"tie-{function}.html").exists()


def test_a_crash_is_told_and_never_taken_for_right(show):
    source = "def best_move(node, depth, maximizing):\n    return node.childs\n"
    _, out, _ = show(TIE, "--function", "best_move", source=source)
    assert "AttributeError" in out and "line 2" in out and "does the same" not in out


def test_a_function_that_there_is_not_is_one_line(show):
    status, _, err = show(TIE, "--function", "negamax")
    assert status == 2 and "FUNCTION=negamax: write one of minimax, alphabeta" in err
    status, _, err = show("root: max\ntree: 7\n", "--function", "best_move")
    assert status == 2 and "has no search of it" in err and err.count("\n") == 1


def test_a_malformed_tree_is_one_line(show):
    status, _, err = show("root: max\ntree: [[1], []]\n")
    assert status == 2 and err.startswith("show: ") and err.count("\n") == 1


def test_no_tree_no_submission_and_no_folder_are_one_line_each(show, capsys):
    assert main([""]) == 2
    assert "TREE=trees/public/" in capsys.readouterr().err
    status, _, err = show(TIE, "--submission", "/nowhere/search.py")
    assert status == 2 and "/nowhere/search.py: no such file" in err
    status, _, err = show(TIE, "--out", "/dev/null/show")
    assert status == 2 and err.count("\n") == 1


def test_its_example_is_a_tree_of_the_kit(capsys):
    main([""])
    example = re.search(r"TREE=(\S+)", capsys.readouterr().err)[1]
    assert (ROOT / example).is_file()


def test_a_hidden_tree_is_for_the_staff(tmp_path, capsys):
    hidden = next((ROOT / "trees" / "hidden").glob("*.yaml"))
    assert main([str(hidden), "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith(WARNING)
    (page,) = tmp_path.glob("*.html")
    assert WARNING in page.read_text() and page.stat().st_mode & 0o077 == 0


def test_a_reader_who_has_had_enough_ends_it_quietly(tmp_path):
    tree = ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml"
    command = [sys.executable, "-m", "autograder.workbench.show", tree, "--out", tmp_path]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 0)
