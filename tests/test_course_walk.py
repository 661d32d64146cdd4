"""What a TA meets on the way through a course, tried by the command on a tiny kit."""

import os
import zipfile
from types import SimpleNamespace

import pytest
from fixtures.make_class import rows_of, write
from test_course_run import RIGHT, STUB, TREE, WRONG, books_folder, tiny_kit  # noqa: F401

from autograder import batch
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
        done = batch.main([str(course), "--out", str(to), *map(str, options)])
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
    tree = walk.kit / "trees/hidden/two.yaml"
    tree.write_text(TREE.format(name="two"))
    said = walk.grade_all()
    assert f"the deadline is {DUE}, as before" in said and "the class list is" in said
    assert books(walk.out)[0]["score"] == "50.5"
    assert "1 of 2 scores changed with the kit: 1 lower, 0 higher; the mean went" in said
    [row] = books(walk.out, "changes.csv")
    assert row["sid"] == "007" and float(row["change"]) < 0 and "less in" in row["why"]
    assert row["why"].endswith("; 50.5 by hand stands")
    assert said.splitlines()[-1] == "2 students: 2 graded"
    overrides.write_text("007,60,\nnobody,50,\n")
    assert "line 2: nobody: nobody's sid" in walk.grade_all()
    assert books(walk.out)[0]["score"] == "60"


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


def test_the_later_of_two_counts_and_lateness_is_in_days(walk, tmp_path):
    entry = """submission_{}:
  :submitters:
  - :name: Ada King
    :sid: '007'
  :created_at: {}
"""
    came = "2026-12-01 01:10:00 -0800", "2026-12-01 01:50:00 -0700"
    listed = "".join(entry.format(n, at) for n, at in enumerate(came))
    files = {"submission_0/search.py": RIGHT, "submission_1/search.py": STUB}
    export = write(tmp_path / "export", {**files, "submission_metadata.yml": listed})
    said = walk.grade_all("--due", "2026-11-29T08:00Z", course=export)
    assert said.splitlines()[-1] == "1 student: 2 graded"
    assert [row["late"] for row in books(walk.out)] == ["2 days 1 h", "2 days 50 min"]
    [row] = books(walk.out, "canvas.csv")
    assert row["Minimax and alpha-beta"] == "100"


def test_a_deadline_and_files_without_dates_are_told(walk):
    (walk.folder / "007.py").rename(walk.folder / "kingada_LATE_1_2_search.py")
    said = walk.grade_all("--due", "2026-11-29T08:00Z", "--only", "kingada")
    assert "DUE has nothing to compare with" in said and "Canvas marked 1 as late" in said


def test_an_edit_while_a_run_goes_on_or_after_it_is_kept_with_a_line(walk, monkeypatch):
    class Editing(batch.Progress):
        def step(self):
            super().step()
            book = walk.out / "gradebook.csv"
            book.write_text(book.read_text().replace("007", "mine", 1))

    with monkeypatch.context() as patch:
        patch.setattr(batch, "Progress", Editing)
        said = walk.grade_all("--only", "007")
    assert "was edited by hand: kept as gradebook-edited-1.csv" in said
    assert "mine" in (walk.out / "gradebook-edited-1.csv").read_text()
    assert books(walk.out)[0]["submission"] == "007"
    assert "edited" not in walk.grade_all()
    (walk.out / "gradebook.csv").write_text("excused")
    assert "kept as gradebook-edited-2.csv" in walk.grade_all()
    assert (walk.out / "gradebook-edited-2.csv").read_text() == "excused"


def test_a_fault_of_the_kit_in_an_explanation_costs_nobody_points(walk, monkeypatch):
    (walk.folder / "007.py").write_text(WRONG)
    for name in ("run.write_report", "outcome.pointer_of"):
        with monkeypatch.context() as patch:
            patch.setattr(f"autograder.course.{name}", lambda *_: 1 // 0)
            walk.grade_all("--force", "--only", "007")
        row = books(walk.out)[0]
        assert row["status"] == "graded" and 0 < float(row["score"]) < 100, name
        assert row["reason"].startswith("the explanation could not be made; see ")
        assert "1 // 0" in (walk.out / "007" / "fault.txt").read_text()


def test_the_only_python_file_is_graded_and_others_are_refused_rightly(walk):
    files = {
        "a/mine.py": RIGHT,
        "b/x/y/search.py": RIGHT,
        "c/search.py": RIGHT.encode("utf-16"),
        "d/hw.ipynb": "{}",
        "e/search.py.txt": RIGHT,
    }
    write(walk.folder, files)
    walk.grade_all()
    reasons = {row["submission"]: (row["score"], row["reason"]) for row in books(walk.out)}
    assert reasons["a"] == ("100", "mine.py was taken for search.py")
    assert reasons["b"] == ("100", "")
    first = feedback_text(grade_path(load_kit(walk.kit), walk.folder / "a"))
    assert "mine.py was taken for search.py." in first.splitlines()
    for name, said in {"c": "UTF-16", "d": "is a notebook", "e": "is a text file"}.items():
        assert reasons[name][0] == "0" and said in reasons[name][1]
    written = [path for path in walk.out.rglob("*") if path.is_file()]
    assert len(written) > 10 and not [p for p in written if p.stat().st_mode & 0o077]


def test_reports_are_named_as_the_platform_wants_that_takes_them(walk):
    """Canvas by the numbers of user and file, Moodle by that of the participant."""
    files = {
        "doejane_LATE_12_34_search-1.py": RIGHT,
        "kimbo_5_6_search.py": STUB,
        "Jane Doe_12_assignsubmission_file_/search.py": RIGHT,
        "Bo Kim_34_assignsubmission_file_search.py": STUB,
        "eve/hw.ipynb": "{}",
    }
    walk.grade_all(course=write(walk.folder.parent / "all", files))
    with zipfile.ZipFile(walk.out / "feedback.zip") as archive:
        assert all(b"<html" in archive.read(name) for name in archive.namelist())
        assert archive.namelist() == [
            "Bo Kim_34_assignsubmission_file_report.html",
            "Jane Doe_12_assignsubmission_file_report.html",
            "doejane_LATE_12_34_report.html",
            "eve.html",
            "kimbo_5_6_report.html",
        ]
