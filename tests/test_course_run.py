"""Grade whole courses with a kit of two small trees, and check results and gradebook."""

import errno
import os
import signal

import pytest
from courses import (
    DIES,
    NEEDS_FORK,
    PARTLY,
    WRONG,
    grade_all,
    gradebook,
)
from helpers import CORRECT, STUBS, write

from autograder import batch
from autograder.batch import OUTCOME, grade_one
from autograder.course.students import Submission
from autograder.ground.files import lock_folder, replace_file
from autograder.kit.loading import load_kit
from autograder.sandbox import Session
from autograder.sandbox.hardening import in_fork
from autograder.showing.results import results_text
from autograder.single import grade_path
from gametree.support.errors import InputError

pytestmark = NEEDS_FORK

COURSE = {
    "ada/search.py": CORRECT,
    "bo/search.py": DIES,
    "cy/search.py": STUBS,
    "di/search.py": "def minimax(:\n",
    "ed/notes.txt": "my dog",
    "flo/search.py": PARTLY,
}
STUDENTS = [path.partition("/")[0] for path in COURSE]


@pytest.fixture
def course(tmp_path, tiny_kit):
    """Return the path of a course with six submissions, each in its own folder."""
    return write(tmp_path / "course", COURSE)


def results_in(out):
    """Return submission -> the bytes of its results.json."""
    return {path.parent.name: path.read_bytes() for path in out.glob("*/results.json")}


def graded_ids(out):
    """Return the ids of submissions, ordered by the time of their last grading."""
    stored = sorted(out.glob("*/outcome.cache"), key=lambda path: path.stat().st_mtime_ns)
    return [path.parent.name for path in stored]


def crashing(line):
    """Return a program whose alphabeta runs this line at each leaf."""
    return CORRECT.replace("        return node.evaluate()", f"        {line}")


PROGRAMS = {
    "correct": CORRECT,
    "wrong": WRONG,
    "one function": PARTLY,
    "a syntax error": "def minimax(:\n",
    "the worker ends": DIES,
    "the worker ends in a search": crashing("__import__('os')._exit(1)"),
    "an exception with its own text": crashing("raise ValueError(f'at {node.name}')"),
    "printed text": crashing("print(node.name); return 1"),
    "a table": crashing("return vars(math).setdefault(node.name, node.evaluate())"),
}


def test_the_results_are_those_of_make_grade(tmp_path, out, sandbox_for, tiny_kit, lent):
    files = {f"{name}.py": source for name, source in PROGRAMS.items()}
    course = write(tmp_path / "course", files)
    assert grade_all(course, out, "--jobs=1") == 0
    kit = load_kit(tiny_kit)
    sandbox = sandbox_for(kit.rubric.limits)
    alone = {}
    for name in PROGRAMS:
        grading = grade_path(kit, course / f"{name}.py", sandbox)
        alone[name] = results_text(grading).text.encode()
    assert results_in(out) == alone


def test_a_run_that_is_interrupted_and_resumed_writes_the_same_books(
    tiny_kit, tmp_path, out, monkeypatch, capsys
):
    course = write(tmp_path / "course", {f"{id}.py": STUBS for id in "abcd"})

    class InterruptingProgress(batch.Progress):
        def count_one(self):
            super().count_one()
            if self.word == "graded":  # in the second phase
                os.kill(os.getpid(), signal.SIGINT)

    def interrupt_again(*_):
        os.kill(os.getpid(), signal.SIGINT)
        return "page"

    with monkeypatch.context() as patch:
        patch.setattr(batch, "Progress", InterruptingProgress)
        patch.setattr(batch, "class_page", interrupt_again)
        assert grade_all(course, out) == 130
    assert (out / batch.PAGE).read_text() == "page"
    assert "to resume, run the same command" in capsys.readouterr().err
    statuses = [row["status"] for row in gradebook(out).values()]
    assert 4 > statuses.count("not graded yet") == 4 - len(graded_ids(out)) > 0
    assert grade_all(course, out, "--jobs=1") == 0
    assert sorted(graded_ids(out)) == list("abcd")
    grade_all(course, tmp_path / "whole", "--jobs=1")
    assert gradebook(out) == gradebook(tmp_path / "whole")
    assert results_in(out) == results_in(tmp_path / "whole")


def interrupt(*_):
    """Stand in for a function during which somebody presses Ctrl-C."""
    raise KeyboardInterrupt


class TestPhases:
    """No text of any submission is made after the first hidden tree of a run."""

    @pytest.fixture
    def runs(self, monkeypatch):
        """Return a list of the runs of all sessions: whether each is sealed."""
        runs = []
        run = Session.run

        def run_and_log(self, tasks, budget=None, *, sealed):
            runs.append(sealed)
            return run(self, tasks, budget, sealed=sealed)

        monkeypatch.setattr(Session, "run", run_and_log)
        return runs

    @pytest.fixture
    def wrong_course(self, tmp_path):
        files = {f"{id}.py": f"{WRONG}\n# {id}" for id in ("ann", "bea", "cy")}
        return write(tmp_path / "course", files)

    def test_all_public_parts_come_before_the_first_hidden_tree(
        self, wrong_course, out, tiny_kit, without_pool, runs
    ):
        assert grade_all(wrong_course, out) == 0
        assert runs.count(True) == 3
        assert runs == sorted(runs)

    def test_a_resumed_run_takes_stored_explanations(
        self, wrong_course, out, tiny_kit, without_pool, runs, monkeypatch
    ):
        with monkeypatch.context() as patch:
            patch.setattr(batch, "grade_one", interrupt)
            assert grade_all(wrong_course, out) == 130
        assert runs
        assert True not in runs
        runs.clear()
        assert grade_all(wrong_course, out) == 0
        assert runs == [True] * 3
        assert list(out.glob(f"*/{batch.PUBLIC_PART}")) == []

    def test_an_explanation_that_was_lost_is_not_made_after_a_hidden_tree(
        self, wrong_course, out, tiny_kit, without_pool, runs, sandbox_for
    ):
        kit = load_kit(tiny_kit)
        submission = Submission("ann", source=WRONG.encode())
        with pytest.raises(InputError, match="public.part is missing or damaged"):
            grade_one(kit, out, sandbox_for(kit.rubric.limits), submission)
        assert runs == []


class TestFailures:
    """Failures of the grader, the kit, the command line and the disk."""

    def test_a_submission_has_no_score_if_its_grader_dies(
        self, course, out, monkeypatch, capsys
    ):
        def die_on_bo(kit, out, sandbox, submission):
            if submission.id == "bo":
                os.kill(os.getpid(), signal.SIGKILL)
            return grade_one(kit, out, sandbox, submission)

        monkeypatch.setattr(batch, "grade_one", die_on_bo)
        assert grade_all(course, out, "--only", "ada,bo") == 0
        assert list(gradebook(out)) == STUDENTS
        row = gradebook(out)["bo"]
        reason = "the grader ended (killed by signal 9); the same command grades it again"
        found = (row["status"], row["score"], row["alphabeta"], row["reason"])
        assert found == ("grader failed", "", "", reason)
        printed = capsys.readouterr().out
        assert "1 grader failed" in printed.splitlines()[-1]

    @pytest.mark.parametrize("jobs", ["0", "5", "x"])
    def test_more_jobs_than_cores_are_refused(self, monkeypatch, capsys, jobs):
        monkeypatch.setattr(batch, "cores", lambda: 4)
        assert batch.main(["class", "--jobs", jobs]) == 2
        line = capsys.readouterr().err
        assert line.startswith("grade-all: JOBS: ")
        assert line.count("\n") == 1

    def test_two_runs_cannot_use_the_same_folder(self, course, out, capfd):
        with lock_folder(out):
            assert in_fork(lambda report, _: report(grade_all(course, out))) == [2]
        assert f"{out} is in use by another run; wait" in capfd.readouterr().err
        assert grade_all(course, out, "--only", "ed") == 0

    def test_a_full_disk_is_one_error_line_and_loses_no_grade(
        self, course, out, monkeypatch, capsys
    ):
        def fail_if_full(path, *content, **mode):
            if path not in (out / "bo" / "results.json", out / "bo" / OUTCOME):
                return replace_file(path, *content, **mode)
            raise OSError(errno.ENOSPC, "No space left on device", "file")

        with monkeypatch.context() as patch:
            for user in ("showing.results", "ground.files"):
                patch.setattr(f"autograder.{user}.replace_file", fail_if_full)
            assert grade_all(course, out, "--jobs", "1") == 2
        lines = capsys.readouterr().err.splitlines()
        [error] = [line for line in lines if line.startswith("grade-all")]
        assert error == "grade-all: file: No space left on device"
        assert graded_ids(out) == ["ada"]
