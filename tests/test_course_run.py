"""A whole course from the folder to the books, on a kit of two small trees."""

import errno
import json
import multiprocessing
import os
import shutil
import signal
from dataclasses import replace

import pytest
from fixtures.make_class import rows_of, write
from helpers import ROOT

from autograder import batch
from autograder.course import run
from autograder.course.folder import locked
from autograder.course.outcome import Outcome, Status
from autograder.files import replace_file
from autograder.grading import grade, grade_path
from autograder.kit import load_kit
from autograder.results import in_bounds, results_of
from autograder.sandbox.sandbox import SandboxError

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
    "ada/search.py": RIGHT, "bo/search.py": DIES, "cy/search.py": STUB,
    "di/search.py": "def minimax(:\n", "ed/notes.txt": "my dog", "flo/search.py": WRONG,
}  # fmt: skip


@pytest.fixture(name="kit")
def tiny_kit(tmp_path, monkeypatch):
    """Have the command grade by a kit of two small trees; return the kit's root."""
    rubric = (ROOT / "autograder" / "rubric.yaml").read_text()
    files = {
        "autograder/rubric.yaml": rubric.replace("hints: line", "hints: mistake"),  # quick
        "trees/public/one.yaml": TREE.format(name="one"),
        "trees/hidden/two.yaml": TREE.format(name="two").replace("12", "1"),
        "solution/search.py": RIGHT,
    }
    root = write(tmp_path / "kit", files)
    shutil.copytree(ROOT / "starter", root / "starter")
    monkeypatch.setattr(batch, "prepare", lambda **_: load_kit(root))
    return root


@pytest.fixture
def course(tmp_path, kit):
    """A folder with six submissions, each in a folder of its own."""
    return write(tmp_path / "course", COURSE)


@pytest.fixture(name="out")
def books_folder(tmp_path):
    return tmp_path / "out"


def grade_all(course, out, *options):
    """Run the command; return its exit status."""
    return batch.main([str(course), "--out", str(out), *options])


def gradebook(out):
    """Return submission -> row of gradebook.csv."""
    return {row["submission"]: row for row in rows_of(out / "gradebook.csv")}


def results(out):
    """Return submission -> the bytes of its results.json."""
    return {path.parent.name: path.read_bytes() for path in out.glob("*/results.json")}


def graded_ids(out):
    """Return the ids in the order in which they were graded last."""
    kept = sorted(out.glob("*/outcome.json"), key=lambda path: path.stat().st_mtime_ns)
    return [path.parent.name for path in kept]


def test_each_row_has_a_status_and_a_reason_and_the_results_of_make_grade(kit, course, out):
    """But for what a program says. One sandbox serves them all."""
    assert grade_all(course, out, "--jobs", "1") == 0
    rows, loaded = gradebook(out), load_kit(kit)
    assert "it raised SyntaxError (search.py, line 1)" in rows["di"].pop("reason")
    assert {name: (row["status"], row.get("reason")) for name, row in rows.items()} == {
        "ada": (Status.GRADED, ""),
        "bo": (Status.NOT_LOADED, "its process ended before it returned"),
        "cy": (Status.GRADED, "minimax, alphabeta, best_move: not written yet"),
        "di": (Status.NOT_LOADED, None),
        "ed": (Status.NOT_GRADABLE, "no search.py in the submission; found: notes.txt"),
        "flo": (Status.GRADED, ""),
    }
    assert rows["ada"]["score"] == "100" and rows["cy"]["score"] == "0"
    assert 0 < float(rows["flo"]["alphabeta"]) < 60 and rows["flo"]["minimax"] == "25"
    for name in rows.keys() - {"ed"}:
        grading = grade(loaded, COURSE[f"{name}/search.py"].encode(), sealed=True)
        own = json.loads(results(out)[name])
        assert own == json.loads(in_bounds(results_of(grading))), name
        assert own["score"] == grade_path(loaded, course / name).cents / 100


class TestResuming:
    """The same command again grades what is new, changed or not settled, and no more."""

    def test_what_is_not_done_or_is_asked_for_is_graded(self, course, out, capsys):
        grade_all(course, out, "--only", "ada")
        statuses = {name: row["status"] for name, row in gradebook(out).items()}
        assert statuses.pop("ada") == Status.GRADED
        assert set(statuses.values()) == {Status.NOT_YET}
        grade_all(course, out)
        before = (out / "gradebook.csv").read_bytes()
        grade_all(course, out)
        assert "6 of 6 submissions are graded already" in capsys.readouterr().out
        assert (out / "gradebook.csv").read_bytes() == before
        write(course, {"cy/search.py": RIGHT, "new/search.py": WRONG})
        (out / "bo" / "results.json").unlink()
        replace(Outcome.load(out, "ada"), status=Status.NOT_SETTLED).save(out)
        grade_all(course, out)
        assert "3 of 7 submissions are graded already" in capsys.readouterr().out
        assert sorted(graded_ids(out)[3:]) == ["ada", "bo", "cy", "new"]
        assert gradebook(out)["cy"]["score"] == gradebook(out)["ada"]["score"] == "100"
        assert gradebook(out)["ada"]["status"] == Status.GRADED
        grade_all(course, out, "--force", "--only", "ada, ed")
        assert sorted(graded_ids(out)[5:]) == ["ada", "ed"]

    def test_interrupted_and_resumed_gives_the_books_of_one_run(
        self, course, tmp_path, out, monkeypatch, capsys
    ):
        after = 2
        grade_all(course, tmp_path / "whole")

        class Interrupting(batch.Progress):
            def step(self):
                super().step()
                if self.done == after:
                    os.kill(os.getpid(), signal.SIGINT)

        with monkeypatch.context() as patch:
            patch.setattr(batch, "Progress", Interrupting)
            assert grade_all(course, out) == 130
        assert "the same command goes on from here" in capsys.readouterr().err
        done = len(graded_ids(out))
        assert after <= done < 6
        statuses = [row["status"] for row in gradebook(out).values()]
        assert statuses.count("not graded yet") == 6 - done
        assert grade_all(course, out) == 0
        assert len(graded_ids(out)) == 6
        assert gradebook(out) == gradebook(tmp_path / "whole")
        assert results(out) == results(tmp_path / "whole")


class TestTrouble:
    """A grader that dies, a kit that is wrong, a command line that is."""

    def test_a_grader_that_dies_twice_could_not_tell(
        self, course, out, tmp_path, monkeypatch, capsys
    ):
        grade_one, deaths = run.grade_one, [tmp_path / "first", tmp_path / "second"]

        def dying(kit, out, sandbox, submission):
            for death in deaths:
                if submission.id == "bo" and not death.exists():
                    death.touch()
                    os.kill(os.getpid(), signal.SIGKILL)
            return grade_one(kit, out, sandbox, submission)

        monkeypatch.setattr(run, "grade_one", dying)
        assert grade_all(course, out) == 0
        assert len(gradebook(out)) == 6
        row = gradebook(out)["bo"]
        assert (row["status"], row["score"]) == (Status.COULD_NOT_TELL, "")
        assert row["reason"].startswith("its grader ended (killed by SIGKILL), twice")
        assert "1 could not tell" in capsys.readouterr().out
        grade_all(course, out)  # what could not be told is tried again the next time
        assert gradebook(out)["bo"]["status"] == Status.NOT_LOADED

    def test_a_grader_that_cannot_start_stops_the_course_with_the_reason(
        self, course, out, monkeypatch, capsys
    ):
        def no_sandbox(limits):
            raise SandboxError("no sandbox here")

        monkeypatch.setattr(run, "Sandbox", no_sandbox)
        assert grade_all(course, out) == 2
        assert capsys.readouterr().err == (
            "grade-all: the grader could not start: SandboxError: no sandbox here; "
            "fix this, and the same command goes on\n"
        )
        assert {row["status"] for row in gradebook(out).values()} == {Status.NOT_YET}

    def test_a_reference_that_loses_points_grades_nobody(
        self, course, out, monkeypatch, capsys
    ):
        wrong = course / "bo"
        monkeypatch.setattr(run, "grade_path", lambda kit, path: grade_path(kit, wrong))
        assert grade_all(course, out) == 2
        assert "so nobody is graded" in capsys.readouterr().err
        assert not (out / "gradebook.csv").exists()

    def test_there_are_never_more_jobs_than_cores(self, monkeypatch):
        monkeypatch.setattr(batch, "cores", lambda: 4)
        assert [batch.jobs(text) for text in ("", "3", "4", "9")] == [4, 3, 4, 4]

    def test_what_cannot_be_done_is_one_line(self, course, out, tmp_path, capsys):
        (tmp_path / "file").write_text("")
        for to, options, said in (
            (tmp_path / "file" / "out", (), "Not a directory"),
            (out, ("--due", "2026-12-01T23:59"), "its offset: 2026-12-01T23:59+01:00"),
            *((out, ("--jobs", n), "write a number from 1 to") for n in ("0", "-1", "x")),
        ):
            assert grade_all(course, to, *options) == 2
            err = capsys.readouterr().err
            assert said in err and err.count("\n") == 1

    def test_two_runs_do_not_share_a_folder(self, course, out, capsys):
        ours, theirs = multiprocessing.Pipe()

        def hold():
            with locked(out):
                theirs.send("held")
                theirs.recv()

        other = multiprocessing.get_context("fork").Process(target=hold)
        other.start()
        try:
            assert ours.recv() == "held" and grade_all(course, out) == 2
            err = capsys.readouterr().err
            assert f"{out} is in use by process {other.pid}; wait" in err
        finally:
            other.kill()
            other.join()
        assert grade_all(course, out, "--only", "ed") == 0  # killed, it holds nothing

    def test_a_full_disk_is_one_line_and_costs_nobody(
        self, course, out, monkeypatch, capsys
    ):
        def full(path, content, **mode):
            if path.parent.name == "bo":
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            replace_file(path, content, **mode)

        monkeypatch.setattr(run, "replace_file", full)
        assert grade_all(course, out, "--jobs", "1") == 2
        lines = capsys.readouterr().err.splitlines()
        err = [line for line in lines if "graded" not in line]
        assert len(err) == 1 and "No space left on device; make room" in err[0]
        assert graded_ids(out) == ["ada"]
        monkeypatch.undo()
