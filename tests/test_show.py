"""make show prints a drawing, writes a page, and reports errors in one line."""

import subprocess

import pytest
from drawn import NO_CUTOFF
from helpers import CORRECT, PYTHON, ROOT, slips

from autograder.ground.command import status_of
from autograder.workbench.show import WARNING, main

TIE = "root: max\ntree: [1, [1, 1]]\n"


@pytest.fixture
def show(tmp_path, capsys):
    """Return a function that runs the command on the text of a tree file."""

    def run_show(tree_text, *options, source=None):
        (tmp_path / "tie.yaml").write_text(tree_text)
        arguments = [str(tmp_path / "tie.yaml"), "--out", str(tmp_path / "show"), *options]
        if source is not None:
            (tmp_path / "search.py").write_text(source)
            arguments += ["--submission", str(tmp_path / "search.py")]
        status = status_of("show", lambda: main(arguments))
        return status, *capsys.readouterr()

    return run_show


def page_in(folder):
    """Return the text of the only page that the command wrote."""
    (page,) = folder.glob("show/*.html")
    return page.read_text()


def test_the_command_prints_the_drawing_and_the_path_of_the_page(show, tmp_path):
    status, out, err = show(TIE)
    assert (status, err) == (0, "")
    assert "● visited   ○ pruned" in out
    assert out.endswith(f"wrote {tmp_path}/show/tie.html\n")
    assert (tmp_path / "show" / "tie.html").read_text().endswith("</html>\n")


# ---- with a submission

SAME = "does the same as the correct one"


@pytest.fixture
def message(show):
    """Return a function that shows a submission and returns the output in one line."""

    def show_submission(function, source):
        status, out, _ = show(TIE, "--function", function, source=source)
        assert status == 0
        return " ".join(out.split())

    return show_submission


def test_a_correct_submission_does_the_same_as_the_reference(message, tmp_path):
    text = message("alphabeta", CORRECT)
    assert f"Your alphabeta {SAME}." in text
    assert "! unnecessary" not in text
    assert "Your search does the same, from the first step" in page_in(tmp_path)


def test_an_unnecessary_visit_is_marked_and_explained(message, tmp_path):
    text = message("alphabeta", NO_CUTOFF)
    assert "so b2 should be pruned, but your search visited b2." in text
    assert "! unnecessary" in text
    assert SAME not in text
    assert "Your search does the same" not in page_in(tmp_path)


@pytest.mark.parametrize(
    "function, page", [("alphabeta", "tie.html"), ("minimax", "tie-minimax.html")]
)
def test_a_page_is_named_after_its_tree_and_its_function_if_not_alphabeta(
    show, tmp_path, function, page
):
    show(TIE, "--function", function)
    assert [path.name for path in (tmp_path / "show").iterdir()] == [page]


# ---- errors


@pytest.mark.parametrize("tree, options, line", slips("show"))
def test_an_error_is_one_line_and_exit_status_2(show, tree, options, line):
    status, _, err = show(f"root: max\n{tree}\n", *options.split())
    assert status == 2
    assert err.startswith("show: ") and err.count("\n") == 1
    assert line in err


# ---- readers


def test_the_page_of_a_hidden_tree_has_a_warning_and_is_private(tmp_path, capsys):
    hidden = next((ROOT / "trees" / "hidden").glob("*.yaml"))
    assert main([str(hidden), "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith(f"{WARNING}\n")
    (page,) = tmp_path.glob("*.html")
    assert WARNING in page.read_text()
    assert page.stat().st_mode & 0o077 == 0


def test_the_page_of_a_public_tree_is_readable_by_every_user(tmp_path, capsys):
    public = next((ROOT / "trees" / "public").glob("*.yaml"))
    assert main([str(public), "--out", str(tmp_path)]) == 0
    (page,) = tmp_path.glob("*.html")
    assert WARNING not in capsys.readouterr().out + page.read_text()
    assert page.stat().st_mode & 0o044 == 0o044


def test_the_command_ends_quietly_if_its_output_pipe_is_closed(tmp_path):
    tree = ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml"
    command = [PYTHON, "-m", "autograder.workbench.show", tree, "--out", tmp_path]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 0)
    assert len(list(tmp_path.glob("*.html"))) == 1
