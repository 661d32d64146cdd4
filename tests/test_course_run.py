"""A whole course from the folder to the books, on a kit of two small trees."""

import os
import shutil

import pytest
from smallcourse import (
    COURSE,
    DIES,
    RIGHT,
    STUB,
    TREE,
    WRONG,
    grade_all,
    gradebook,
    results,
)

from autograder.course import run
from autograder.course.export import Submission
from autograder.course.outcome import GRADED, NOT_GRADABLE, NOT_LOADED, read_ledger
from autograder.grading import grade_path
from autograder.kit import content_hash, load_kit
from autograder.results import results_of, write_results

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_every_submission_has_a_row_a_status_and_a_reason(small_kit, course, tmp_path):
    assert grade_all(course, tmp_path / "out") == 0
    rows = gradebook(tmp_path / "out")
    assert "invalid syntax" in rows["di"].pop("reason")
    assert {name: (row["status"], row.get("reason")) for name, row in rows.items()} == {
        "ada": (GRADED, ""),
        "bo": (GRADED, ""),
        "cy": (GRADED, "of 6 searches 6 raised NotImplementedError"),
        "di": (NOT_LOADED, None),
        "ed": (NOT_GRADABLE, "no search.py in the submission; found: notes.txt"),
        "flo": (NOT_LOADED, "its process ended before it returned"),
    }
    assert rows["ada"]["score"] == "100" and rows["cy"]["score"] == "0"
    assert 0 < float(rows["bo"]["alphabeta"]) < 60 and rows["bo"]["minimax"] == "25"


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_results_are_those_of_make_grade_byte_for_byte(small_kit, course, tmp_path, jobs):
    grade_all(course, tmp_path / "out", "--jobs", jobs)
    loaded = load_kit(small_kit)
    for name in COURSE:
        alone = tmp_path / "alone.json"
        write_results(alone, results_of(grade_path(loaded, course / name)))
        assert results(tmp_path / "out")[name] == alone.read_bytes(), name


def test_a_zip_gives_what_its_folder_gives(small_kit, course, tmp_path):
    shutil.make_archive(tmp_path / "zipped", "zip", course)
    grade_all(course, tmp_path / "a")
    grade_all(tmp_path / "zipped.zip", tmp_path / "b")
    assert results(tmp_path / "a") == results(tmp_path / "b")
    assert gradebook(tmp_path / "a") == gradebook(tmp_path / "b")


def test_the_kits_hash_is_of_the_kit_that_grades(small_kit, course, tmp_path):
    grade_all(course, tmp_path / "out", "--only", "ada")
    assert read_ledger(tmp_path / "out")["ada"].kit == content_hash(small_kit)


def test_reports_are_written_but_for_a_wish_and_made_up_for(small_kit, course, tmp_path):
    out = tmp_path / "out"
    grade_all(course, out, "--only", "ada", "--no-reports")
    assert not (out / "ada" / "report.html").exists()
    assert 'href="ada/results.json"' in (out / "report.html").read_text(encoding="utf-8")
    grade_all(course, out, "--only", "ada,bo")
    assert all((out / name / "report.html").is_file() for name in ("ada", "bo"))
    assert 'href="ada/report.html"' in (out / "report.html").read_text(encoding="utf-8")


class TestRegrading:
    def test_a_changed_tree_is_told_by_student_and_row(
        self, small_kit, course, tmp_path, capsys
    ):
        grade_all(course, tmp_path / "old")
        (small_kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
        before = str(tmp_path / "old" / "gradebook.csv")
        assert grade_all(course, tmp_path / "new", "--before", before) == 0
        told = capsys.readouterr().out
        assert "1 of 6 scores changed: 1 lower, 0 higher" in told
        assert "another kit" in told and "the lesson of two" in told
        assert (tmp_path / "new" / "changes.csv").read_text(encoding="utf-8").count(
            "\n"
        ) == 2

    def test_the_earlier_gradebook_may_not_be_overwritten(
        self, small_kit, course, tmp_path, capsys
    ):
        grade_all(course, tmp_path / "out")
        before = str(tmp_path / "out" / "gradebook.csv")
        assert grade_all(course, tmp_path / "out", "--before", before) == 2
        assert "give another OUT" in capsys.readouterr().err


class TestOneGrader:
    """One process of the pool, run in this one."""

    @pytest.fixture
    def graded(self, small_kit, tmp_path):
        """Return a function that grades sources and yields the sandbox after each."""

        def after_each(*sources):
            with run.Grader(load_kit(small_kit), "hash", tmp_path / "out", index=0) as one:
                for number, text in enumerate(sources):
                    path = tmp_path / f"{number}.py"
                    path.write_text(text)
                    yield one(Submission(str(number), path)), one._sandbox

        return after_each

    def test_keeps_its_sandbox_while_searches_end_by_themselves(self, graded):
        sandboxes = [sandbox for _, sandbox in graded(RIGHT, WRONG, STUB, RIGHT)]
        assert sandboxes[0] is not None and len(set(map(id, sandboxes))) == 1

    def test_takes_a_fresh_sandbox_after_a_search_that_was_ended_by_force(self, graded):
        (_, first), (died, none), (right, fresh) = graded(RIGHT, DIES, RIGHT)
        assert none is None and fresh is not None and fresh is not first
        assert (died.status, right.cents) == (NOT_LOADED, 10000)

    def test_is_pinned_to_one_core_while_it_grades(self, small_kit, tmp_path):
        if not hasattr(os, "sched_getaffinity"):
            pytest.skip("this system pins no process")
        before = os.sched_getaffinity(0)
        with run.Grader(load_kit(small_kit), "hash", tmp_path, index=1):
            assert os.sched_getaffinity(0) == {sorted(before)[1 % len(before)]}
        assert os.sched_getaffinity(0) == before
