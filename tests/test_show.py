"""make show writes a page, and reports errors in one line."""

import subprocess

import pytest
from drawn import NO_CUTOFF
from helpers import CORRECT, PYTHON, ROOT, check_words, slips

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


def test_the_command_writes_a_page_and_prints_its_path(show, tmp_path):
    status, out, err = show(TIE, "--function", "minimax")
    assert (status, err) == (0, "")
    assert out == f"wrote {tmp_path}/show/tie-minimax.html\n"
    assert page_in(tmp_path).endswith("</html>\n")


SAME = "Your search does the same, from the first step"
UNNECESSARY = "so b2 should be pruned, but your search visited b2."


@pytest.mark.parametrize(
    "source, text, other",
    [
        (CORRECT, SAME, UNNECESSARY),
        (NO_CUTOFF, UNNECESSARY, SAME),
    ],
    ids=["correct", "no cutoff"],
)
def test_the_page_of_a_submission_compares_it_with_the_reference(
    show, tmp_path, source, text, other
):
    status, _, _ = show(TIE, source=source)
    assert status == 0
    check_words(page_in(tmp_path), [text], [other])


def test_the_first_wrong_search_of_a_tree_is_shown(show, tmp_path):
    tree = "root: max\ntree: [1, [3, 1]]\nsearches: [{}, {alpha: 5, beta: 6}]\n"
    ignores_alpha = CORRECT.replace("best = -math.inf", "best = alpha = -math.inf")
    status, _, _ = show(tree, source=ignores_alpha)
    assert status == 0
    assert UNNECESSARY in page_in(tmp_path)


# ---- errors


@slips("show")
def test_an_error_is_one_line_and_exit_status_2(tree, options, line, show):
    status, _, err = show(f"root: max\n{tree}\n", *options.split())
    assert status == 2
    assert err.startswith("show: ") and err.count("\n") == 1
    assert line in err


# ---- readers


@pytest.mark.parametrize("folder, mode", [("hidden", 0o600), ("public", 0o644)])
def test_only_the_page_of_a_hidden_tree_has_a_warning_and_is_private(
    tmp_path, monkeypatch, capsys, folder, mode
):
    monkeypatch.setattr("autograder.workbench.show.HIDDEN", tmp_path / "hidden")
    tree = tmp_path / folder / "own.yaml"
    tree.parent.mkdir()
    tree.write_text("root: max\ntree: [1, 2]\n")
    assert main([str(tree), "--out", str(tmp_path)]) == 0
    (page,) = tmp_path.glob("*.html")
    is_hidden = folder == "hidden"
    assert capsys.readouterr().out.startswith(f"{WARNING}\n") == is_hidden
    assert (WARNING in page.read_text()) == is_hidden
    assert page.stat().st_mode & 0o777 == mode


def test_the_command_ends_quietly_if_its_output_pipe_is_closed(tmp_path):
    tree = ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml"
    command = [PYTHON, "-m", "autograder.workbench.show", tree, "--out", tmp_path]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 0)
    assert len(list(tmp_path.glob("*.html"))) == 1
