"""What a TA meets on the way through a course, tried by the command on a tiny kit."""

import json
import os
import shutil
import zipfile
from types import SimpleNamespace

import pytest
from fixtures.make_class import rows_of
from test_course_download import METADATA, SEARCH
from test_course_run import RIGHT, STUB, TREE, WRONG, kit, out  # noqa: F401 - fixtures

from autograder import batch
from autograder.course import feedback
from autograder.course.folder import counting, find_submission
from autograder.course.people import CourseError
from autograder.grade import rows_lost
from autograder.grading import grade_path
from autograder.kit import load_kit
from autograder.showing.summary import feedback_text
from autograder.workbench import explain

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ROSTER = "Name;SID;Email;Section\nAda King;007;ada@x.edu;A\nBö Kim;008;bo@x.edu;B\n"


@pytest.fixture
def walk(tmp_path, kit, out, capsys):  # noqa: F811 - a fixture
    """A class of two files, named by sid, and what a TA does with it."""
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "007.py").write_text(RIGHT)
    (folder / "Kim, Bo.py").write_text(STUB)
    (tmp_path / "roster.csv").write_text(ROSTER)

    def grade_all(*options, status=0, course=folder, to=out):
        done = batch.main([str(course), "--out", str(to), *map(str, options)])
        said = capsys.readouterr()
        assert done == status, said
        return said.err + said.out

    return SimpleNamespace(
        folder=folder, roster=tmp_path / "roster.csv", grade_all=grade_all, out=out, kit=kit
    )


def books(out, name="gradebook.csv"):  # noqa: F811
    """Return the rows of a book."""
    return rows_of(out / name)


def test_time_used_up_is_no_accusation(walk):
    rubric = walk.kit / "autograder" / "rubric.yaml"
    rubric.write_text(rubric.read_text().replace("total_seconds: 60", "total_seconds: 1"))
    (walk.folder / "007.py").write_text(
        RIGHT.replace("    if depth", "    for _ in range(10**8): pass\n    if depth", 1)
    )
    said = walk.grade_all("--roster", walk.roster, "--only", "007")
    ada = books(walk.out)[0]
    assert ada["status"] == "not settled" and "1 not settled" in said
    assert ada["reason"].endswith("searches were not run: the time of 1 s was used up")
    assert books(walk.out, "canvas.csv")[0]["Minimax and alpha-beta"] == ""
    page = (walk.out / "report.html").read_text()
    assert page.index("Needs a person") < page.index("<summary>not settled: 1</summary>")
    results = json.loads((walk.out / "007" / "results.json").read_text())
    rows = [row["output"] for row in results["tests"] if row["number"][0] in "23"]
    assert "searches were not run: the time of 1 s was used up." in results["output"]
    assert all("not run:" in row for row in rows)
    lost = list(rows_lost(grade_path(load_kit(walk.kit), walk.folder / "007.py")))
    assert not any("wrong" in said for said in [results["output"], *rows, *lost])
    assert lost and all("not run: the time of 1 s was used up" in said for said in lost)


def test_a_roster_finds_who_is_known_by_a_files_name_alone(walk):
    said = walk.grade_all("--roster", walk.roster)
    assert said.splitlines()[-1] == "2 students: 2 graded"
    found = [(row["sid"], row["name"], row["section"]) for row in books(walk.out)]
    assert found == [("007", "Ada King", "A"), ("008", "Bö Kim", "B")]
    assert [row["SIS User ID"] for row in books(walk.out, "canvas.csv")] == ["007", "008"]


def test_overrides_are_one_file_for_every_run_and_regrade(walk, tmp_path):
    walk.grade_all("--roster", walk.roster)
    overrides = walk.out / "overrides.csv"
    overrides.write_text("id;points;note\nking, ada;50,5;copied\n")
    first, second = tmp_path / "first", tmp_path / "second"
    before = walk.out / "gradebook.csv"
    said = walk.grade_all("--before", before, to=first)
    assert "(given by hand)" in said and books(first)[0]["score"] == "50.5"
    (walk.kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
    (walk.folder / "007.py").write_text(STUB)
    said = walk.grade_all("--before", first / "gradebook.csv", to=second)
    assert books(second)[0]["score"] == "50.5"
    stands = "Ada King 007: 50.5 by hand stands; it was given when grading gave 100, and "
    assert stands + "grading gives 0 now" in said and "other points for" not in said
    overrides.write_text("id;points;note\n007;60;\n")
    walk.grade_all("--before", first / "gradebook.csv", to=second)
    assert books(second)[0]["score"] == "60"


def test_an_override_that_cannot_be_meant_stops_before_anybody_is_graded(walk):
    walk.out.mkdir()
    (walk.out / "overrides.csv").write_text("007,500,\n")
    assert "500 points of 100; write 100 or fewer" in walk.grade_all(status=2)
    assert not (walk.out / "gradebook.csv").exists()
    (walk.out / "overrides.csv").write_text("nobody,50,\n")
    assert "line 1: nobody: nobody's sid" in walk.grade_all("--only", "007")


def test_a_course_remembers_its_class_list_and_deadline(walk):
    due = "2026-12-01T23:59+01:00"
    walk.grade_all("--roster", walk.roster, "--due", due)
    before = books(walk.out)
    walk.roster.unlink()
    said = walk.grade_all("--only", "007", "--force")
    assert f"the deadline is {due}, as before" in said and "the class list is" in said
    without = [
        [row.pop("seconds") and row for row in rows] for rows in (before, books(walk.out))
    ]
    assert without[0] == without[1]


def test_another_class_in_the_same_folder_is_refused(walk, tmp_path):
    walk.grade_all("--roster", walk.roster)
    before = (walk.out / "gradebook.csv").read_bytes()
    other = tmp_path / "other"
    other.mkdir()
    (other / "999.py").write_text(RIGHT)
    (tmp_path / "theirs.csv").write_text(ROSTER.replace("00", "99"))
    for roster in ((), ("--roster", tmp_path / "theirs.csv")):
        said = walk.grade_all(*roster, course=other, status=2)
        assert "holds another class: 0 of 2" in said and "give another OUT" in said
        assert (walk.out / "gradebook.csv").read_bytes() == before
    assert (walk.out / "roster.csv").read_text() == ROSTER


def test_a_regrade_says_which_folder_counts_and_explain_reads_it(walk, tmp_path):
    walk.grade_all("--roster", walk.roster)
    (walk.kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
    (walk.folder / "007.py").write_text(WRONG)
    again = tmp_path / "again"
    said = walk.grade_all("--before", walk.out / "gradebook.csv", to=again)
    assert "1 of 2 scores changed: 1 lower, 0 higher; the mean went from 50 to" in said
    assert "graded by another kit" in said and "less in alphabeta: public trees" in said
    assert len(books(again, "changes.csv")) == 1
    assert f"{again} counts from now on, and no longer {walk.out}" in said
    assert counting(walk.out) == again
    path, whose = find_submission("ada", walk.out)
    assert path == again / "007" / "search.py" and whose == "Ada King 007 (007)"
    assert f"{walk.out} counts again" in walk.grade_all()
    assert counting(walk.out) == walk.out


def test_the_later_of_two_counts_and_lateness_is_in_days(walk, tmp_path):
    entry = """submission_{n}:
  :submitters:
  - :name: Ada King
    :sid: '007'
  :created_at: {at}
"""
    came = "2026-12-01 01:10:00 -0800", "2026-12-01 01:50:00 -0700"
    export = tmp_path / "export"
    for n, (at, source) in enumerate(zip(came, (RIGHT, STUB))):
        (export / f"submission_{n}").mkdir(parents=True)
        (export / f"submission_{n}" / "search.py").write_text(source)
        with open(export / "submission_metadata.yml", "a") as file:
            file.write(entry.format(n=n, at=at))
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


def test_what_is_written_is_for_its_owner_alone(walk):
    walk.grade_all()
    files = [path for path in walk.out.rglob("*") if path.is_file()]
    assert len(files) > 10 and not [p for p in files if p.stat().st_mode & 0o077]


def test_the_only_python_file_is_graded_and_others_are_refused_rightly(walk):
    for name, content in {
        "a/mine.py": RIGHT.encode(),
        "b/x/y/search.py": RIGHT.encode(),
        "c/search.py": RIGHT.encode("utf-16"),
        "d/hw.ipynb": b"{}",
        "e/search.py.txt": SEARCH,
    }.items():
        path = walk.folder / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    walk.grade_all()
    reasons = {row["submission"]: (row["score"], row["reason"]) for row in books(walk.out)}
    assert reasons["a"] == ("100", "mine.py was taken for search.py")
    assert reasons["b"] == ("100", "")
    first = feedback_text(grade_path(load_kit(walk.kit), walk.folder / "a"))
    assert "mine.py was taken for search.py." in first.splitlines()
    for name, said in {"c": "UTF-16", "d": "is a notebook", "e": "is a text file"}.items():
        assert reasons[name][0] == "0" and said in reasons[name][1]


class TestFeedback:
    """make feedback: one zip, named as the platform that takes it wants it."""

    @pytest.fixture
    def names(self, walk, tmp_path, capsys):
        """Return a function: the names in the zip of a folder of these files."""

        def named(*files):
            shutil.rmtree(walk.folder)
            for name in files:
                (walk.folder / name).parent.mkdir(parents=True, exist_ok=True)
                (walk.folder / name).write_text(RIGHT if "stub" not in name else STUB)
            walk.grade_all()
            to = tmp_path / "feedback.zip"
            assert feedback.main(["--books", str(walk.out), "--out", str(to)]) == 0
            assert to.stat().st_mode & 0o077 == 0
            with zipfile.ZipFile(to) as archive:
                assert all(b"<html" in archive.read(name) for name in archive.namelist())
                return archive.namelist()

        return named

    def test_canvas_finds_the_numbers_of_user_and_file(self, names):
        assert names("doejane_LATE_12_34_search-1.py", "kimbo_5_6_search.py") == [
            "doejane_LATE_12_34_report.html",
            "kimbo_5_6_report.html",
        ]

    def test_moodle_finds_the_number_of_the_participant(self, names):
        folder = "Jane Doe_12_assignsubmission_file_/search.py"
        assert names(folder, "Bo Kim_34_assignsubmission_file_search.py") == [
            "Bo Kim_34_assignsubmission_file_report.html",
            "Jane Doe_12_assignsubmission_file_report.html",
        ]

    def test_others_are_named_by_their_student(self, names, walk):
        (walk.folder / "submission_metadata.yml").write_text(METADATA)
        walk.folder.rename(walk.folder.parent / "kept")
        walk.folder.mkdir()
        assert names("a/search.py", "b/hw.ipynb") == ["a.html", "b.html"]

    def test_without_a_course_it_says_what_to_run(self, tmp_path, capsys):
        assert feedback.main(["--books", str(tmp_path)]) == 2
        assert "run make grade-all first" in capsys.readouterr().err


class TestExplain:
    """make explain begins with what may be sent."""

    @pytest.fixture
    def explained(self, walk, tmp_path, monkeypatch, capsys):
        (walk.folder / "007.py").write_text(WRONG)
        walk.grade_all("--roster", walk.roster)
        monkeypatch.setattr(explain, "known_kit", lambda: load_kit(walk.kit))

        def running(asked):
            to = tmp_path / "explained"
            options = ["--books", str(walk.out), "--out", str(to)]
            assert explain.main([str(asked), *options]) == 0
            return capsys.readouterr().out, to

        return running

    def test_it_begins_with_what_may_be_sent_to_whom(self, explained, walk):
        said, to = explained("King, Ada")
        head, _, staff = said.partition("For the course staff only")
        assert head.startswith("You may send this to Ada King 007 (007):")
        report = json.loads((walk.out / "007" / "results.json").read_text())["output"]
        assert report in head and "hidden" not in head and "the lesson of two" not in head
        assert "one (public)" in staff
        [letter] = to.glob("*/send.txt")
        assert letter.read_text().strip() == report.strip()

    def test_no_page_of_another_student_lies_beside(self, explained, walk, tmp_path):
        mail = tmp_path / "mail" / "search.py"
        mail.parent.mkdir()
        pages = []
        for source in (WRONG, RIGHT):
            mail.write_text(source)
            _, to = explained(mail)
            [folder] = to.iterdir()
            pages.append({path.name for path in folder.iterdir()})
        assert pages[1] < pages[0] and not any("two" in name for name in pages[1])
        explained("ada")
        assert len(list(to.iterdir())) == 2

    def test_what_was_not_run_is_not_right_this_time(self, explained, walk):
        rubric = walk.kit / "autograder" / "rubric.yaml"
        rubric.write_text(
            rubric.read_text().replace("total_seconds: 60", "total_seconds: 1")
        )
        slow = "    for _ in range(10**8): pass\n    if depth"
        (walk.folder / "slow.py").write_text(RIGHT.replace("    if depth", slow, 1))
        said, _ = explained(walk.folder / "slow.py")
        assert "searches were not run: the time of 1 s was used up" in said
        assert "Right this time" not in said

    def test_who_is_not_found_is_told_in_a_line(self, walk, tmp_path):
        with pytest.raises(CourseError, match="no course in .*run make grade-all first"):
            find_submission("zoe", walk.out)
        walk.roster.write_text(ROSTER.replace("Bö Kim", "Ada King") + "Eve;009;;\n")
        (walk.folder / "Kim, Bo.py").rename(walk.folder / "008.py")
        (walk.folder / "009.zip").write_text("no zip")
        walk.grade_all("--roster", walk.roster)
        assert find_submission("8", walk.out)[1] == "Ada King 008 (008)"
        for asked, line in {
            "Ada King": "2 have that name; write the sid: Ada King 007 .007., Ada King 008",
            "king": "2 have that name; write the sid: Ada King 007 .007., Ada King 008",
            "eve": "nothing that could be run was handed in",
            "zoe": "nobody in .*gradebook.csv has this sid",
        }.items():
            with pytest.raises(CourseError, match=line):
                find_submission(asked, walk.out)
