"""A whole course from the folder to the books, on a kit of two small trees."""

import contextlib
import csv
import json
import os
import shutil
import signal

import pytest
from helpers import ROOT

from autograder import batch
from autograder.course import grader, run
from autograder.course.ledger import read_ledger
from autograder.course.outcome import COULD_NOT_TELL, GRADED, NOT_GRADABLE, NOT_LOADED
from autograder.course.source import Submission
from autograder.grade import grade_path, results_of
from autograder.kit import content_hash, load_kit
from autograder.results import write_results

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

TREE = """title: {name}
lesson: the lesson of {name}
root: max
tree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
"""
RIGHT = (ROOT / "solution" / "search.py").read_text()
WRONG = RIGHT.replace("alpha = max(alpha, best)", "pass")
STUB = (ROOT / "starter" / "search.py").read_text()
DIES = "import os\nos._exit(1)\n"
COURSE = {
    "ada": {"search.py": RIGHT},
    "bo": {"search.py": WRONG},
    "cy": {"search.py": STUB},
    "di": {"search.py": "def minimax(:\n"},
    "ed": {"notes.txt": "my dog"},
    "flo": {"search.py": DIES},
}


@pytest.fixture(scope="module")
def kit_root(tmp_path_factory):
    """Return the root of a kit with two trees and a rubric of few seconds."""
    root = tmp_path_factory.mktemp("kit")
    for folder in ("autograder", "trees/public", "trees/hidden", "solution"):
        (root / folder).mkdir(parents=True)
    shutil.copy(ROOT / "autograder" / "rubric.yaml", root / "autograder")
    shutil.copy(ROOT / "solution" / "search.py", root / "solution")
    (root / "trees/public/one.yaml").write_text(TREE.format(name="one"))
    (root / "trees/hidden/two.yaml").write_text(TREE.format(name="two").replace("12", "1"))
    return root


@pytest.fixture
def kit(kit_root, tmp_path, monkeypatch):
    """Have the command grade by a copy of the small kit; return the copy's root."""
    root = tmp_path / "kit"
    shutil.copytree(kit_root, root)
    monkeypatch.setattr(batch, "load_kit", lambda: load_kit(root))
    return root


@pytest.fixture
def course(tmp_path):
    for name, files in COURSE.items():
        (tmp_path / "course" / name).mkdir(parents=True)
        for file, text in files.items():
            (tmp_path / "course" / name / file).write_text(text)
    return tmp_path / "course"


def grade_all(course, out, *options):
    return batch.main([str(course), "--out", str(out), *options])


def gradebook(out, without=("seconds",)):
    with open(out / "gradebook.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for name in without:
            del row[name]
    return {row["submission"]: row for row in rows}


def results(out):
    return {path.parent.name: path.read_bytes() for path in out.glob("*/results.json")}


def graded_ids(out):
    """Return the ids in the order in which they were graded, over all runs."""
    lines = (out / "ledger.jsonl").read_text().splitlines()
    return [json.loads(line)["id"] for line in lines]


def test_every_submission_has_a_row_a_status_and_a_reason(kit, course, tmp_path):
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
def test_results_are_those_of_make_grade_byte_for_byte(kit, course, tmp_path, jobs):
    grade_all(course, tmp_path / "out", "--jobs", jobs)
    loaded = load_kit(kit)
    for name in COURSE:
        alone = tmp_path / "alone.json"
        write_results(alone, results_of(grade_path(loaded, course / name)))
        assert results(tmp_path / "out")[name] == alone.read_bytes(), name


def test_a_zip_gives_what_its_folder_gives(kit, course, tmp_path):
    shutil.make_archive(tmp_path / "zipped", "zip", course)
    grade_all(course, tmp_path / "a")
    grade_all(tmp_path / "zipped.zip", tmp_path / "b")
    assert results(tmp_path / "a") == results(tmp_path / "b")
    assert gradebook(tmp_path / "a") == gradebook(tmp_path / "b")


class TestResuming:
    def test_a_second_call_grades_nothing(self, kit, course, tmp_path, capsys):
        out = tmp_path / "out"
        grade_all(course, out)
        before = (out / "gradebook.csv").read_bytes()
        grade_all(course, out)
        assert "6 of 6 submissions are graded already" in capsys.readouterr().out
        assert len(graded_ids(out)) == 6
        assert (out / "gradebook.csv").read_bytes() == before

    def test_only_what_changed_is_graded_again(self, kit, course, tmp_path):
        out = tmp_path / "out"
        grade_all(course, out)
        (course / "cy" / "search.py").write_text(RIGHT)
        (course / "new").mkdir()
        grade_all(course, out)
        assert sorted(graded_ids(out)[6:]) == ["cy", "new"]
        assert gradebook(out)["cy"]["score"] == "100"

    def test_another_tree_has_everybody_graded_again(self, kit, course, tmp_path):
        out = tmp_path / "out"
        grade_all(course, out)
        (kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
        grade_all(course, out)
        assert len(graded_ids(out)) == 12

    def test_results_that_were_removed_are_made_again(self, kit, course, tmp_path):
        out = tmp_path / "out"
        grade_all(course, out)
        (out / "bo" / "results.json").unlink()
        grade_all(course, out)
        assert graded_ids(out)[6:] == ["bo"]

    def test_force_grades_all_and_only_a_few(self, kit, course, tmp_path):
        out = tmp_path / "out"
        grade_all(course, out)
        grade_all(course, out, "--force", "--only", "ada, bo")
        assert sorted(graded_ids(out)[6:]) == ["ada", "bo"]

    def test_only_leaves_the_others_rows_as_they_are(self, kit, course, tmp_path):
        out = tmp_path / "out"
        grade_all(course, out, "--only", "ada")
        rows = gradebook(out)
        assert rows["ada"]["status"] == GRADED
        assert {row["status"] for row in rows.values()} == {GRADED, "not graded yet"}

    def test_an_unknown_name_in_only_is_told(self, kit, course, tmp_path, capsys):
        assert grade_all(course, tmp_path / "out", "--only", "zoe") == 2
        assert "ONLY: zoe: nobody's sid, email or submission" in capsys.readouterr().err

    @pytest.mark.parametrize("after", [1, 3])
    def test_interrupted_and_resumed_gives_the_books_of_one_run(
        self, kit, course, tmp_path, monkeypatch, capsys, after
    ):
        grade_all(course, tmp_path / "whole")
        out, seen = tmp_path / "out", []

        class Interrupting(batch.Progress):
            def step(self):
                super().step()
                seen.append(1)
                if len(seen) == after:
                    os.kill(os.getpid(), signal.SIGINT)

        monkeypatch.setattr(batch, "Progress", Interrupting)
        assert grade_all(course, out) == batch.INTERRUPTED
        assert "the same command goes on from here" in capsys.readouterr().err
        done = len(graded_ids(out))
        assert after <= done < 6
        assert (
            sum(row["status"] != "not graded yet" for row in gradebook(out).values())
            == done
        )
        assert grade_all(course, out) == 0
        assert len(graded_ids(out)) == 6
        assert gradebook(out) == gradebook(tmp_path / "whole")
        assert results(out) == results(tmp_path / "whole")


class TestTrouble:
    def test_a_grader_that_dies_once_costs_nothing(
        self, kit, course, tmp_path, monkeypatch
    ):
        self.die(monkeypatch, tmp_path, 1)
        grade_all(course, tmp_path / "out")
        assert gradebook(tmp_path / "out")["bo"]["status"] == GRADED

    def test_a_grader_that_dies_twice_could_not_tell(
        self, kit, course, tmp_path, monkeypatch, capsys
    ):
        self.die(monkeypatch, tmp_path, 2)
        assert grade_all(course, tmp_path / "out") == 0
        row = gradebook(tmp_path / "out")["bo"]
        assert (row["status"], row["score"]) == (COULD_NOT_TELL, "")
        assert row["reason"].startswith("its grader ended (killed by SIGKILL), twice")
        assert "1 could not tell" in capsys.readouterr().out
        assert len(gradebook(tmp_path / "out")) == 6

    def test_what_could_not_be_told_is_tried_again_the_next_time(
        self, kit, course, tmp_path, monkeypatch
    ):
        self.die(monkeypatch, tmp_path, 2)
        grade_all(course, tmp_path / "out")
        grade_all(course, tmp_path / "out")
        assert gradebook(tmp_path / "out")["bo"]["status"] == GRADED
        assert read_ledger(tmp_path / "out")["bo"].cents > 0

    def die(self, monkeypatch, tmp_path, times):
        """Have the grading process kill itself at bo, the first so many times."""
        grade_one = grader.Grader.__call__

        def call(self, submission):
            for turn in range(times):
                with contextlib.suppress(FileExistsError):
                    if submission.id == "bo":
                        (tmp_path / f"died{turn}").touch(exist_ok=False)
                        os.kill(os.getpid(), signal.SIGKILL)
            return grade_one(self, submission)

        monkeypatch.setattr(run.Grader, "__call__", call)

    def test_a_reference_that_loses_points_grades_nobody(
        self, kit, course, tmp_path, monkeypatch, capsys
    ):
        monkeypatch.setattr(
            run, "grade_path", lambda kit, path: grade_path(kit, course / "bo")
        )
        assert grade_all(course, tmp_path / "out") == 2
        assert "so nobody is graded" in capsys.readouterr().err
        assert not (tmp_path / "out" / "gradebook.csv").exists()

    def test_no_course_is_one_line_and_status_2(self, kit, tmp_path, capsys):
        assert grade_all(tmp_path / "none", tmp_path / "out") == 2
        assert "no such file or folder; give SUBMISSIONS=path" in capsys.readouterr().err

    @pytest.mark.parametrize("jobs", ["0", "-1", "many"])
    def test_a_wrong_number_of_jobs_is_told(self, kit, course, tmp_path, capsys, jobs):
        assert grade_all(course, tmp_path / "out", f"--jobs={jobs}") == 2
        assert "write a number from 1 to" in capsys.readouterr().err

    def test_there_are_never_more_jobs_than_cores(self, monkeypatch, capsys):
        monkeypatch.setattr(batch, "cores", lambda: 4)
        assert [batch.jobs(text) for text in ("", "3", "4", "9")] == [4, 3, 4, 4]
        assert capsys.readouterr().out == "JOBS=9: one process a core is fastest, so 4\n"

    def test_an_out_that_cannot_be_written_is_told(self, kit, course, tmp_path, capsys):
        (tmp_path / "file").write_text("")
        assert grade_all(course, tmp_path / "file" / "out") == 2
        assert "Not a directory" in capsys.readouterr().err


class TestRegrading:
    def test_a_changed_tree_is_told_by_student_and_row(self, kit, course, tmp_path, capsys):
        grade_all(course, tmp_path / "old")
        (kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
        before = str(tmp_path / "old" / "gradebook.csv")
        assert grade_all(course, tmp_path / "new", "--before", before) == 0
        told = capsys.readouterr().out
        assert "1 of 6 scores changed: 1 lower, 0 higher" in told
        assert "another kit" in told and "the lesson of two" in told
        assert (tmp_path / "new" / "changes.csv").read_text(encoding="utf-8").count(
            "\n"
        ) == 2

    def test_the_earlier_gradebook_may_not_be_overwritten(
        self, kit, course, tmp_path, capsys
    ):
        grade_all(course, tmp_path / "out")
        before = str(tmp_path / "out" / "gradebook.csv")
        assert grade_all(course, tmp_path / "out", "--before", before) == 2
        assert "give another OUT" in capsys.readouterr().err


def test_the_kits_hash_is_of_the_kit_that_grades(kit, course, tmp_path):
    grade_all(course, tmp_path / "out", "--only", "ada")
    assert read_ledger(tmp_path / "out")["ada"].kit == content_hash(kit)


def test_reports_are_written_but_for_a_wish_and_made_up_for(kit, course, tmp_path):
    out = tmp_path / "out"
    grade_all(course, out, "--only", "ada", "--no-reports")
    assert not (out / "ada" / "report.html").exists()
    assert 'href="ada/results.json"' in (out / "report.html").read_text(encoding="utf-8")
    grade_all(course, out, "--only", "ada,bo")
    assert all((out / name / "report.html").is_file() for name in ("ada", "bo"))
    assert 'href="ada/report.html"' in (out / "report.html").read_text(encoding="utf-8")


class TestOneGrader:
    """One process of the pool, run in this one."""

    @pytest.fixture
    def graded(self, kit, tmp_path):
        """Return a function that grades sources and yields the sandbox after each."""

        def after_each(*sources):
            with grader.Grader(load_kit(kit), "hash", tmp_path / "out", turn=0) as one:
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

    def test_is_pinned_to_one_core_while_it_grades(self, kit, tmp_path):
        if not hasattr(os, "sched_getaffinity"):
            pytest.skip("this system pins no process")
        before = os.sched_getaffinity(0)
        with grader.Grader(load_kit(kit), "hash", tmp_path, turn=1):
            assert os.sched_getaffinity(0) == {sorted(before)[1 % len(before)]}
        assert os.sched_getaffinity(0) == before
