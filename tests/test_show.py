"""make show: the page, the drawing on the terminal, and errors in one line."""

import subprocess
import sys

import pytest
from drawn import NO_CUTOFF
from helpers import REFERENCE_SOURCE, ROOT

from autograder.command import status_of
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
        status = status_of("show", lambda: main(arguments))
        return status, *capsys.readouterr()

    return running


def test_prints_the_drawing_and_where_the_page_is(show, tmp_path):
    status, out, err = show(TIE)
    assert (status, err) == (0, "")
    assert "● visited   ○ pruned" in out
    assert out.endswith(f"wrote {tmp_path}/show/tie.html\n")
    assert (tmp_path / "show" / "tie.html").read_text().endswith("</html>\n")


MOVE = "def best_move(node, depth, maximizing):\n    return"
TOLD = (  # function, submission, words of what is told
    ("alphabeta", NO_CUTOFF, "so b2 cannot matter; your search went on to b2."),
    ("alphabeta", REFERENCE_SOURCE.decode(), "Your alphabeta does the same as the right"),
    ("best_move",
     f"{MOVE} [c.evaluate() for b in node.children for c in b.children or [b]]"
     " and node.children[1]",
     "A (MAX) takes the leftmost of the largest, a1; your best_move chose B."),
    ("best_move", f"{MOVE} node.childs\n",
     "It raised AttributeError: Node has no attribute 'childs': a node has children,"
     " evaluate(), is_terminal() and name (search.py, line 2)."),
    ("minimax",
     "def minimax(node, depth, maximizing):\n    return node.children[0].evaluate()",
     "minimax visits every leaf, since each can matter; your search left out B."),
)  # fmt: skip


def test_runs_a_submission_in_the_sandbox_and_says_where_it_parts(show, tmp_path):
    for function, source, told in TOLD:
        status, out, _ = show(TIE, "--function", function, source=source)
        assert status == 0 and told in " ".join(out.split())
        assert ("does the same" in out) == ("does the same" in told), out
        assert ("! visited needlessly" in out) == (source == NO_CUTOFF)
        name = "tie" if function == "alphabeta" else f"tie-{function}"
        assert (tmp_path / "show" / f"{name}.html").exists()


SLIPS = (  # tree, option, the one line that is said
    (TIE, ["--function", "negamax"], "FUNCTION=negamax: write one of minimax, alphabeta"),
    ("root: max\ntree: 7\n", ["--function", "best_move"], "has no search of it"),
    ("root: max\ntree: [[1], []]\n", [], "tie.yaml"),
    (TIE, ["--submission", "/nowhere/search.py"], "/nowhere/search.py: no such file"),
    (TIE, ["--out", "/dev/null/show"], "/dev/null"),
)


def test_what_cannot_be_shown_is_one_line(show):
    for tree, options, said in SLIPS:
        status, _, err = show(tree, *options)
        assert status == 2 and err.startswith("show: ") and err.count("\n") == 1, err
        assert said in err


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
