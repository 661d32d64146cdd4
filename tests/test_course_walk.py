"""What a TA meets on the way through a course, tried by the command on a tiny kit."""

import html
import os
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from fixtures.make_class import rows_of, write
from test_course_run import RIGHT, STUB, TREE, WRONG, books_folder, tiny_kit  # noqa: F401

from autograder import batch
from autograder.command import Refused
from autograder.grade import refuse_a_class
from autograder.grading import grade_path
from autograder.kit import load_kit
from autograder.showing.summary import feedback_text

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ROSTER = "Name;SID;Email;Section\nAda King;007;ada@x.edu;A\nBö Kim;008;bo@x.edu;B\n"
DUE = "2026-12-01T23:59+01:00"


@pytest.fixture(name="walk")
def class_of_two(tmp_path, kit, out, capsys):
    """A class of two files, named by sid, and what a TA does with it."""
    folder = write(tmp_path / "class", {"007.py": RIGHT, "Kim, Bo.py": STUB})
    write(tmp_path, {"roster.csv": ROSTER})

    def grade_all(*options, status=0, course=folder, to=out):
        done = batch.main([str(course), f"--out={to}", "--jobs=1", *map(str, options)])
        said = capsys.readouterr()
        assert done == status, said
        return said.err + said.out

    return SimpleNamespace(
        folder=folder, roster=tmp_path / "roster.csv", grade_all=grade_all, out=out, kit=kit
    )


def books(out, name="gradebook.csv"):
    """Return the rows of a book."""
    return rows_of(out / name)


def test_overrides_hold_through_a_change_of_the_kit_that_tells_who_changed(walk):
    (walk.folder / "007.py").write_text(WRONG)
    said = walk.grade_all("--roster", walk.roster, "--due", DUE)
    found = [(row["sid"], row["name"], row["section"]) for row in books(walk.out)]
    assert found == [("007", "Ada King", "A"), ("008", "Bö Kim", "B")]
    assert [row["SIS User ID"] for row in books(walk.out, "canvas.csv")] == ["007", "008"]
    assert "with the kit" not in said and not (walk.out / "changes.csv").exists()
    overrides = walk.out / "overrides.csv"
    overrides.write_text("id;points;note\nking, ada;50,5;copied\n")
    walk.roster.unlink()
    (walk.kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
    (walk.out / "gradebook.csv").write_text("mine")
    said = walk.grade_all()
    assert "was edited by hand: kept as gradebook-edited-1.csv" in said
    assert f"the deadline is {DUE}, as before" in said and "the class list is" in said
    assert books(walk.out)[0]["score"] == "50.5"
    assert "1 of 2 scores changed with the kit: 1 lower, 0 higher; the mean went" in said
    [row] = books(walk.out, "changes.csv")
    assert row["sid"] == "007" and float(row["change"]) < 0 and "less in" in row["why"]
    assert row["why"].endswith("; 50.5 by hand stands")
    assert said.splitlines()[-1] == "2 students: 2 graded"
    overrides.write_text("007,60,\nnobody,50,\n")
    said = walk.grade_all("--due", "2026-12-02T12:00Z")
    assert "line 2: nobody: nobody's sid" in said and "the deadline is" not in said
    assert books(walk.out)[0]["score"] == "60"


def test_nobodys_file_and_a_second_one_are_named_and_counted_apart(walk):
    write(walk.folder, {"007_again.py": STUB, "zed.py": STUB})
    said = walk.grade_all("--roster", walk.roster)
    assert said.splitlines()[-1] == "2 students and 1 not in the roster: 3 graded"
    assert "1 left out of canvas.csv, not in the roster: zed\n" in said
    assert "ROSTER=" not in said and "empty" not in said
    assert books(walk.out)[0]["reason"].startswith("does not count, 007_again does: by")
    assert len(books(walk.out, "canvas.csv")) == 2
    page = (walk.out / "report.html").read_text()
    assert "in nobody's row of the roster: 1" in html.unescape(page)
    assert "another submission of the same student counts: 1" in page
    with pytest.raises(Refused, match="holds 4 submissions: make grade-all SUBMISSIONS="):
        refuse_a_class(walk.folder)
    refuse_a_class(walk.folder / "zed.py")


def test_an_override_that_cannot_be_meant_stops_before_anybody_is_graded(walk):
    write(walk.out, {"overrides.csv": "007,500,\n"})
    assert "500 points of 100; write 100 or fewer" in walk.grade_all(status=2)
    assert not (walk.out / "gradebook.csv").exists()


def test_another_class_in_the_same_folder_is_refused(walk, tmp_path):
    walk.grade_all("--roster", walk.roster)
    before = (walk.out / "gradebook.csv").read_bytes()
    other = write(tmp_path / "other", {"999.py": RIGHT})
    (tmp_path / "theirs.csv").write_text(ROSTER.replace("00", "99"))
    for roster in ((), ("--roster", tmp_path / "theirs.csv")):
        said = walk.grade_all(*roster, course=other, status=2)
        assert "holds another class: 0 of 2" in said and "give another OUT" in said
        assert (walk.out / "gradebook.csv").read_bytes() == before
    assert (walk.out / "roster.csv").read_text() == ROSTER


def test_a_fault_of_the_kit_in_an_explanation_costs_nobody_points(walk, monkeypatch):
    (walk.folder / "007.py").write_text(WRONG)
    for name in ("run.write_report", "outcome.find_pointer"):
        with monkeypatch.context() as patch:
            patch.setattr(f"autograder.course.{name}", lambda *_: 1 // 0)
            walk.grade_all("--force", "--only", "007")
        row = books(walk.out)[0]
        assert row["status"] == "graded" and 0 < float(row["score"]) < 100, name
        assert row["reason"].startswith("the explanation could not be made; see ")
        assert "1 // 0" in (walk.out / "007" / "fault.txt").read_text()


def test_a_file_is_graded_or_refused_rightly_and_reported_under_its_platforms_name(walk):
    """Canvas finds the numbers of user and file in it, Moodle that of the participant."""
    files = {
        "a/mine.py": RIGHT,
        "doejane_LATE_12_34_search-1.py": RIGHT,
        "Ed Doe_12_assignsubmission_file_/x/y/search.py": RIGHT,
        "Bo Kim_34_assignsubmission_file_search.py": RIGHT.encode("utf-16"),
        "d/hw.ipynb": "{}",
        "e/search.py.txt": RIGHT,
    }
    folder = write(walk.folder.parent / "all", files)
    said = walk.grade_all("--due", DUE, course=folder)
    assert "DUE has nothing to compare with" in said and "Canvas marked 1 as late" in said
    first = feedback_text(grade_path(load_kit(walk.kit), folder / "a"))
    assert "mine.py was taken for search.py." in first.splitlines()
    rows = {row["submission"]: (row["score"], row["reason"]) for row in books(walk.out)}
    for id, score, reason in (
        ("a", "100", "mine.py was taken for search.py"),
        ("doejane_12", "100", ""),
        ("Ed Doe_12", "100", ""),
        ("Bo Kim_34", "0", "search.py is saved as UTF-16; save it as UTF-8"),
        ("d", "0", "is a notebook"),
        ("e", "0", "is a text file"),
    ):
        assert rows[id][0] == score and reason in rows[id][1], id
    with ZipFile(walk.out / "feedback.zip") as archive:
        assert all(b"<html" in archive.read(name) for name in archive.namelist())
        assert archive.namelist() == [
            "Bo Kim_34_assignsubmission_file_report.html",
            "Ed Doe_12_assignsubmission_file_report.html",
            "a.html", "d.html", "doejane_LATE_12_34_report.html", "e.html",
        ]  # fmt: skip
    written = [path for path in walk.out.rglob("*") if path.is_file()]
    assert len(written) > 10 and not [p for p in written if p.stat().st_mode & 0o077]
