"""Check the files that `make grade` writes, with and without an error in the page."""

import json
import os

import pytest
from courses import WRONG
from drawn import grading_of, textbook
from fixtures.make_class import write

from autograder import grade
from autograder.kit import load_kit
from autograder.showing.results import write_page

REASON = "an internal error"


def fail(*_, **__):
    """Stand in for a function that has a bug."""
    raise LookupError(REASON)


@pytest.fixture
def grading():
    return grading_of(WRONG, [textbook()])


def test_a_page_shows_the_student_and_the_program(grading, tmp_path):
    error = write_page(tmp_path, grading, "Ada 007", b"# as it was handed in\n")
    assert error is None
    assert os.listdir(tmp_path) == ["report.html"]
    html = (tmp_path / "report.html").read_text()
    assert "Ada 007" in html
    assert "# as it was handed in" in html


class TestMakeGrade:
    @pytest.fixture
    def make_grade(self, tiny_kit, short_ladder, tmp_path, monkeypatch, capsys):
        """Return a function: options of `make grade` -> the printed text."""
        monkeypatch.setattr("autograder.kit.cached_kit", lambda **_: load_kit(tiny_kit))
        submission = write(tmp_path / "hw", {"search.py": WRONG}) / "search.py"

        def grade_program(*options):
            out = tmp_path / "graded"
            assert grade.main([str(submission), f"--out={out}", *options]) == 0
            return capsys.readouterr()

        return grade_program

    def test_the_last_line_names_both_files(self, make_grade, tmp_path):
        last = make_grade().out.splitlines()[-1]
        results = tmp_path / "graded" / "results.json"
        assert last == f"wrote {results} and, for a browser, report.html"
        assert "search.py" in (tmp_path / "graded" / "report.html").read_text()

    def test_a_page_that_cannot_be_written_is_one_line_and_costs_no_results(
        self, make_grade, tmp_path, monkeypatch
    ):
        monkeypatch.setattr("autograder.showing.report.report_html", fail)
        printed = make_grade()
        assert printed.err == (
            f"grade: report.html could not be written ({REASON}); details in fault.txt\n"
        )
        folder = tmp_path / "graded"
        results = folder / "results.json"
        assert printed.out.splitlines()[-1] == f"wrote {results}"
        assert "tests" in json.loads(results.read_text())
        assert REASON in (folder / "fault.txt").read_text()
        assert not (folder / "report.html").exists()

    def test_for_gradescope_no_page_is_written(self, make_grade, tmp_path):
        assert make_grade("--brief").out.count("\n") == 1
        names = [path.name for path in (tmp_path / "graded").iterdir()]
        assert names == ["results.json"]
