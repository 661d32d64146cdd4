"""Check what `make grade` prints and writes, also if an error occurs."""

import json
import re

import pytest
from helpers import PYTHON, changed, run_command, write
from kitcopy import copy_small_kit

from autograder import grade
from autograder.ground.files import CACHE
from autograder.kit import cached_kit
from autograder.kit.contents import EXAMPLE_NOTE
from autograder.kit.loading import load_kit
from gametree.support import texts
from gametree.support.errors import InputError
from gametree.support.texts import use_sentences

TREE = "title: t\nlesson: l\nroot: max\ntree: [[3, 5], [2, 9]]\n"
WRONG = changed(("alpha >= beta", "False"))


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return the root of a kit with two small trees, one mistake and a wrong submission."""
    trees = {"public/01-a.yaml": TREE, "hidden/01-b.yaml": TREE}
    root = copy_small_kit(tmp_path_factory.mktemp("grade"), trees, ["no_cutoff"])
    (root / "search.py").write_text(WRONG)
    rubric = root / "autograder" / "rubric.yaml"
    text = rubric.read_text()
    rubric.write_text(text.replace("hints: line", "hints: mistake"))  # fast
    cached_kit(root)
    return root


@pytest.fixture
def uncached(copy):
    """Return the same root, without the known mistakes in its cache."""
    (copy / CACHE / "library").unlink(missing_ok=True)
    return copy


def run_module(copy, module, *arguments, status=0):
    """Run a module of the autograder in the copy. Return the completed process."""
    command = (PYTHON, "-m", f"autograder.{module}", *arguments)
    finished = run_command(command, copy)
    assert finished.returncode == status, finished.stderr
    return finished


def test_only_the_first_wrong_submission_shows_the_run_of_the_known_mistakes(uncached):
    first = run_module(uncached, "grade", "search.py")
    again = run_module(uncached, "grade", "search.py")
    assert re.match(r"\d+/\d+ known mistakes run", first.stderr)
    assert again.stderr == ""
    assert first.stdout == again.stdout


@pytest.mark.parametrize("source", [None, "def minimax(:\n"], ids=["absent", "broken"])
def test_no_row_is_listed_if_no_search_was_run(copy, source):
    folder = copy / "nothing-to-run"
    folder.mkdir(exist_ok=True)
    if source:
        (folder / "search.py").write_text(source)
    finished = run_module(copy, "grade", folder, "--out", "nothing")
    total = sum(load_kit(copy).rubric.cents.values()) // 100
    assert f"Score: 0/{total}\n" in finished.stdout
    assert "public trees" not in finished.stdout


def test_a_kit_with_an_error_in_its_sentences_is_refused(copy, tmp_path, monkeypatch):
    (tmp_path / "texts.yaml").write_text("a: b: c")
    monkeypatch.setattr(texts, "TEXTS", tmp_path / "texts.yaml")
    use_sentences({})
    with pytest.raises(InputError, match="^texts.yaml, line 1: "):
        load_kit(copy)
    use_sentences({})


# ---- the files that make grade writes


class TestMakeGrade:
    @pytest.fixture
    def make_grade(self, tiny_kit, short_ladder, tmp_path, monkeypatch, capsys):
        """Return a function: options of `make grade` -> the printed text."""
        monkeypatch.setattr("autograder.single.cached_kit", lambda: load_kit(tiny_kit))
        submission = write(tmp_path / "hw", {"search.py": WRONG}) / "search.py"

        def grade_program(*options):
            out = tmp_path / "graded"
            assert grade.main([str(submission), f"--out={out}", *options]) == 0
            return capsys.readouterr()

        return grade_program

    def test_the_last_line_names_both_files(self, make_grade, tmp_path):
        last = make_grade().out.splitlines()[-1]
        results = tmp_path / "graded" / "results.json"
        assert last == f"wrote {results} and report.html, for a browser"
        assert "search.py" in (tmp_path / "graded" / "report.html").read_text()

    def test_a_page_that_cannot_be_written_is_one_line_and_costs_no_results(
        self, make_grade, tmp_path, monkeypatch
    ):
        monkeypatch.setattr("autograder.showing.report.report_html", lambda *_: 1 // 0)
        printed = make_grade()
        folder = tmp_path / "graded"
        results = folder / "results.json"
        assert printed.out.splitlines()[-1] == (
            f"wrote {results} and fault.txt, which says why there is no report.html"
        )
        assert "tests" in json.loads(results.read_text())
        assert "1 // 0" in (folder / "fault.txt").read_text()
        assert not (folder / "report.html").exists()

    def test_for_gradescope_no_page_is_written(self, make_grade, tmp_path):
        assert make_grade("--brief").out.count("\n") == 1
        names = [path.name for path in (tmp_path / "graded").iterdir()]
        assert names == ["results.json"]

    def test_one_line_says_that_the_hidden_trees_are_the_example_set(
        self, make_grade, tiny_kit
    ):
        note = f"note: {EXAMPLE_NOTE}"
        assert note not in make_grade().out.splitlines()
        (tiny_kit / "trees" / "hidden").rename(tiny_kit / "trees" / "example")
        assert make_grade().out.splitlines()[1] == note
