"""A grader that dies, a kit that is wrong, a command line that is: who is told what."""

import contextlib
import os
import signal

import pytest
from smallcourse import grade_all, gradebook

from autograder import batch
from autograder.course import run
from autograder.course.outcome import COULD_NOT_TELL, GRADED, read_ledger
from autograder.grading import grade_path

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def die(monkeypatch, tmp_path, times):
    """Have the grading process kill itself at bo, the first so many times."""
    grade_one = run.Grader.__call__

    def call(self, submission):
        for turn in range(times):
            with contextlib.suppress(FileExistsError):
                if submission.id == "bo":
                    (tmp_path / f"died{turn}").touch(exist_ok=False)
                    os.kill(os.getpid(), signal.SIGKILL)
        return grade_one(self, submission)

    monkeypatch.setattr(run.Grader, "__call__", call)


def test_a_grader_that_dies_once_costs_nothing(small_kit, course, tmp_path, monkeypatch):
    die(monkeypatch, tmp_path, 1)
    grade_all(course, tmp_path / "out")
    assert gradebook(tmp_path / "out")["bo"]["status"] == GRADED


def test_a_grader_that_dies_twice_could_not_tell(
    small_kit, course, tmp_path, monkeypatch, capsys
):
    die(monkeypatch, tmp_path, 2)
    assert grade_all(course, tmp_path / "out") == 0
    row = gradebook(tmp_path / "out")["bo"]
    assert (row["status"], row["score"]) == (COULD_NOT_TELL, "")
    assert row["reason"].startswith("its grader ended (killed by SIGKILL), twice")
    assert "1 could not tell" in capsys.readouterr().out
    assert len(gradebook(tmp_path / "out")) == 6


def test_what_could_not_be_told_is_tried_again_the_next_time(
    small_kit, course, tmp_path, monkeypatch
):
    die(monkeypatch, tmp_path, 2)
    grade_all(course, tmp_path / "out")
    grade_all(course, tmp_path / "out")
    assert gradebook(tmp_path / "out")["bo"]["status"] == GRADED
    assert read_ledger(tmp_path / "out")["bo"].cents > 0


def test_a_reference_that_loses_points_grades_nobody(
    small_kit, course, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(run, "grade_path", lambda kit, path: grade_path(kit, course / "bo"))
    assert grade_all(course, tmp_path / "out") == 2
    assert "so nobody is graded" in capsys.readouterr().err
    assert not (tmp_path / "out" / "gradebook.csv").exists()


def test_no_course_is_one_line_and_status_2(small_kit, tmp_path, capsys):
    assert grade_all(tmp_path / "none", tmp_path / "out") == 2
    assert "no such file or folder; give SUBMISSIONS=path" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_a_wrong_number_of_jobs_is_told(small_kit, course, tmp_path, capsys, jobs):
    assert grade_all(course, tmp_path / "out", f"--jobs={jobs}") == 2
    assert "write a number from 1 to" in capsys.readouterr().err


def test_there_are_never_more_jobs_than_cores(monkeypatch, capsys):
    monkeypatch.setattr(batch, "cores", lambda: 4)
    assert [batch.jobs(text) for text in ("", "3", "4", "9")] == [4, 3, 4, 4]
    assert capsys.readouterr().out == "JOBS=9: one process a core is fastest, so 4\n"


def test_an_out_that_cannot_be_written_is_told(small_kit, course, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert grade_all(course, tmp_path / "file" / "out") == 2
    assert "Not a directory" in capsys.readouterr().err


def test_a_fault_of_the_kit_is_one_line_and_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(batch, "load_kit", lambda: 1 // 0)
    (tmp_path / "ada.py").write_text("")
    assert batch.main([str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    log = tmp_path / "out" / "fault.txt"
    line = f"grade-all: a fault of the kit (ZeroDivisionError); details in {log}\n"
    assert capsys.readouterr().err == line
    assert "1 // 0" in log.read_text()
