"""Check what `make grade` prints and writes, also if an error occurs."""

import json
import re
import shutil
from functools import partial

import pytest
from helpers import change_file, changed, write
from kitcopy import copy_small_kit

from autograder import grade
from autograder.ground.files import CACHE
from autograder.kit import cached_kit
from autograder.kit.contents import EXAMPLE_NOTE

TREE = "title: t\nlesson: l\nroot: max\ntree: [[3, 5], [2, 9]]\n"
WRONG = changed(("alpha >= beta", "False"))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Return the root of a kit with two small trees, one mistake and a cache."""
    trees = {"public/01-a.yaml": TREE, "hidden/01-b.yaml": TREE}
    root = copy_small_kit(tmp_path_factory.mktemp("grade"), trees, ["no_cutoff"])
    fast = ("hints: line", "hints: mistake")
    change_file(root / "autograder" / "rubric.yaml", fast)
    _ = cached_kit(root).library
    return root


@pytest.fixture
def kit_root(prepared, tmp_path):
    """Return the root of a copy of this kit."""
    return shutil.copytree(prepared, tmp_path / "kit")


@pytest.fixture
def out(tmp_path):
    """Return the path of the folder that make grade writes."""
    return tmp_path / "graded"


@pytest.fixture
def make_grade(kit_root, out, tmp_path, monkeypatch, capsys):
    """Return a function: options of `make grade` and a program -> the printed text."""
    monkeypatch.setattr("autograder.single.cached_kit", partial(cached_kit, kit_root))

    def grade_program(*options, source=WRONG):
        folder = write(tmp_path / "hw", {"search.py": source} if source else {})
        submission = folder / "search.py" if source else folder
        assert grade.main([str(submission), f"--out={out}", *options]) == 0
        return capsys.readouterr()

    return grade_program


def test_only_the_first_wrong_submission_shows_the_run_of_the_known_mistakes(
    make_grade, kit_root
):
    (kit_root / CACHE / "library").unlink()
    first = make_grade()
    again = make_grade()
    assert re.match(r"\d+/\d+ known mistakes run", first.err)
    assert again.err == ""
    assert first.out == again.out


@pytest.mark.parametrize("source", [None, "def minimax(:\n"], ids=["absent", "broken"])
def test_no_row_is_listed_if_no_search_was_run(make_grade, source):
    printed = make_grade(source=source).out
    assert "Score: 0/100\n" in printed
    assert "public trees" not in printed


# ---- the files that make grade writes


def test_the_last_line_names_both_files(make_grade, out):
    last = make_grade().out.splitlines()[-1]
    assert last == f"wrote {out}/results.json and report.html, for a browser"
    assert "search.py" in (out / "report.html").read_text()


def test_a_page_that_cannot_be_written_is_one_line_and_costs_no_results(
    make_grade, out, monkeypatch
):
    monkeypatch.setattr("autograder.showing.report.report_html", lambda *_: 1 // 0)
    results = out / "results.json"
    assert make_grade().out.splitlines()[-1] == (
        f"wrote {results} and fault.txt, which says why there is no report.html"
    )
    assert "tests" in json.loads(results.read_text())
    assert "1 // 0" in (out / "fault.txt").read_text()
    assert not (out / "report.html").exists()


def test_for_gradescope_no_page_is_written(make_grade, out):
    assert make_grade("--brief").out.count("\n") == 1
    assert [path.name for path in out.iterdir()] == ["results.json"]


def test_one_line_says_that_the_hidden_trees_are_the_example_set(make_grade, kit_root):
    note = f"note: {EXAMPLE_NOTE}"
    assert note not in make_grade().out.splitlines()
    example = kit_root / "trees" / "example"
    shutil.rmtree(example, ignore_errors=True)
    (kit_root / "trees" / "hidden").rename(example)
    assert make_grade().out.splitlines()[1] == note
