"""What a TA meets on the way through a course, tried by the command on a tiny kit."""

from zipfile import ZipFile

import pytest
from courses import (
    NEEDS_FORK,
    PARTLY,
    RIGHT,
    ROSTER,
    STUB,
    TOTAL,
    TREE,
    WRONG,
    books,
    gradebook,
)
from fixtures.make_class import write
from helpers import cases

from autograder import grade
from autograder.grading import grade_path
from autograder.kit import load_kit
from autograder.showing.summary import feedback_text

pytestmark = NEEDS_FORK

DUE = "2026-12-01T23:59+01:00"


class TestSettings:
    def test_class_list_and_deadline_are_used_and_remembered(self, walk):
        walk.grade_all("--roster", walk.roster, "--due", DUE)
        before = books(walk.out)
        found = [(row["sid"], row["name"], row["section"]) for row in before]
        assert found == [("007", "Ada King", "A"), ("008", "Bö Kim", "B")]
        sids = [row["SIS User ID"] for row in books(walk.out, "canvas.csv")]
        assert sids == ["007", "008"]
        walk.roster.unlink()
        printed = walk.grade_all()
        assert f"note: the deadline is {DUE}, as before; DUE= changes it\n" in printed
        assert f"the class list is {walk.out / 'roster.csv'}, as before;" in printed
        assert books(walk.out) == before

    def test_a_new_deadline_is_used_without_a_word(self, walk):
        walk.grade_all("--due", DUE)
        assert "the deadline is" not in walk.grade_all("--due", "2026-12-02T12:00Z")
        assert (walk.out / "due.txt").read_text() == "2026-12-02T12:00Z"

    def test_an_absent_student_is_not_gone_in_the_next_run(self, walk):
        walk.roster.write_text(f"{ROSTER}Zoe Absent;009;;\n")
        walk.grade_all("--roster", walk.roster)
        assert books(walk.out)[-1]["status"] == "no submission"
        assert "not in this course" not in walk.grade_all()

    def test_rows_that_are_gone_are_counted(self, walk):
        write(walk.folder, {"009.py": STUB})
        walk.grade_all()
        (walk.folder / "009.py").unlink()
        line = "note: 1 row of the earlier gradebook without a student in this course\n"
        assert line in walk.grade_all()

    @pytest.mark.parametrize(
        "count, last", [(10, "neither .py"), (12, "and 2 more remarks")]
    )
    def test_ten_files_that_are_passed_over_are_named(self, walk, count, last):
        write(walk.folder, {f"{number}.txt": "" for number in range(count)})
        printed = walk.grade_all("--only", "007")
        notes = [line for line in printed.splitlines() if line.startswith("note: ")]
        assert len(notes) == min(count, 11)
        assert last in notes[-1]
        assert printed.endswith(f"; {count} remarks on files\n")


def test_another_kit_in_the_middle_of_a_course(walk):
    """Changes say who changed and why, and an override holds."""
    (walk.folder / "007.py").write_text(WRONG)
    assert "with the kit" not in walk.grade_all("--roster", walk.roster)
    assert not (walk.out / "changes.csv").exists()
    write(walk.out, {"overrides.csv": "id;points;note\nking, ada;50,5;copied\n"})
    write(walk.kit, {"trees/hidden/two.yaml": TREE.format(name="two")})
    printed = walk.grade_all()
    assert "1 of 2 scores changed with the kit: 1 lower, 0 higher; the mean" in printed
    assert printed.splitlines()[-1] == "2 students: 2 graded"
    assert books(walk.out)[0]["score"] == "50.5"
    [row] = books(walk.out, "changes.csv")
    assert row["sid"] == "007"
    assert float(row["change"]) < 0
    assert "less in" in row["why"]
    assert row["why"].endswith("; 50.5 by hand remains in force")
    assert "with the kit" not in walk.grade_all()
    assert books(walk.out, "changes.csv") == [row]


def test_an_override_that_cannot_be_meant_stops_before_anybody_is_graded(walk):
    write(walk.out, {"overrides.csv": "007,500,\n"})
    line = f"500 of {TOTAL} points; write {TOTAL} or fewer"
    assert line in walk.grade_all(status=2)
    assert not (walk.out / "gradebook.csv").exists()


class TestGuesses:
    """A guess is graded and listed and gives no student points; people.csv settles it."""

    @pytest.fixture
    def printed(self, walk):
        """What is printed of a class in which one file has a part of a name."""
        (walk.folder / "Kim, Bo.py").rename(walk.folder / "Bo.py")
        return walk.grade_all("--roster", walk.roster)

    def test_a_guess_is_counted_and_gives_no_student_points(self, walk, printed):
        assert printed.splitlines()[-1].startswith("2 students, 1 guessed submission: ")
        page = (walk.out / "report.html").read_text()
        assert "guesses: no certain evidence of the student: 1" in page
        scores = {row["SIS User ID"]: list(row.values())[-1] for row in canvas(walk)}
        assert scores == {"007": TOTAL, "008": ""}
        row = gradebook(walk.out)["Bo"]
        assert (row["sid"], row["score"], row["graded"]) == ("", "", "0")
        rows = [list(row.values())[:6] for row in books(walk.out, "matches.csv")]
        assert rows == [
            ["007.py", "007", "007", "Ada King", "certain", "sid or e-mail address"],
            ["Bo.py", "Bo", "", "", "guess", "part of a name or login"],
        ]

    def test_people_csv_settles_it_in_every_run(self, walk, printed):
        write(walk.out, {"people.csv": "file or login,sid\nBo.py,bo@x.edu\nno.py,007\n"})
        printed = walk.grade_all()
        assert "line 3: no.py: not a file or login in this download" in printed
        assert gradebook(walk.out)["Bo"]["sid"] == "008"
        assert walk.grade_all().splitlines()[-1] == "2 students: 2 graded"

    @pytest.mark.parametrize("rows, line", cases("rows that cannot be applied"))
    def test_a_row_that_cannot_be_applied_is_one_line(self, walk, rows, line):
        write(walk.out, {"people.csv": rows})
        assert line in walk.grade_all("--roster", walk.roster, status=2)


def canvas(walk):
    return books(walk.out, "canvas.csv")


def test_an_id_stays_with_its_submission(walk):
    """A newcomer does not take an id over, nor the points by hand of another student."""
    write(walk.folder, {"ada.py": RIGHT})
    walk.grade_all()
    write(walk.out, {"overrides.csv": "ada,12,by hand\n"})
    write(walk.folder, {"ADA.py": STUB})
    (walk.folder / "007.py").unlink()
    (walk.folder / "Kim, Bo.py").unlink()
    walk.grade_all()
    scores = {id: row["score"] for id, row in gradebook(walk.out).items()}
    assert scores == {"ADA-2": "0", "ada": "12"}
    (walk.folder / "ada.py").unlink()
    walk.grade_all()
    assert list(gradebook(walk.out)) == ["ADA-2"]


@pytest.mark.parametrize("name", ["all", "all.zip"])
def test_make_grade_refuses_a_class_and_writes_nothing(tmp_path, capsys, name):
    course = write(tmp_path / name, {"7/search.py": RIGHT, "8/search.py": STUB})
    graded = tmp_path / "graded"
    assert grade.main([str(course), f"--out={graded}"]) == 2
    line = "contains 2 submissions; run make grade-all SUBMISSIONS="
    assert line in capsys.readouterr().err
    assert not graded.exists()


def test_a_program_beside_others_is_not_a_class(tmp_path):
    hw = write(tmp_path / "hw", {"search.py": RIGHT, "mine.py": STUB})
    grade.refuse_a_class(hw)
    grade.refuse_a_class(hw / "mine.py")


def test_another_class_in_the_same_folder_is_refused(walk, tmp_path):
    walk.grade_all("--roster", walk.roster)
    before = (walk.out / "gradebook.csv").read_bytes()
    other = write(tmp_path / "other", {"999.py": RIGHT})
    write(tmp_path, {"theirs.csv": ROSTER.replace("00", "99")})
    roster = tmp_path / "theirs.csv"
    printed = walk.grade_all("--roster", roster, course=other, status=2)
    assert "belongs to another class: 0 of 2" in printed
    assert "give another OUT" in printed
    assert (walk.out / "gradebook.csv").read_bytes() == before
    assert (walk.out / "roster.csv").read_text() == ROSTER


@pytest.mark.parametrize(
    "part", ["showing.report.report_html", "course.outcome.find_pointer"]
)
def test_a_fault_of_the_kit_in_an_explanation_costs_nobody_points(walk, monkeypatch, part):
    (walk.folder / "007.py").write_text(PARTLY)
    monkeypatch.setattr(f"autograder.{part}", lambda *_: 1 // 0)
    walk.grade_all()
    row = books(walk.out)[0]
    assert row["status"] == "graded"
    assert 0 < float(row["score"]) < 100
    fault = walk.out / "007" / "fault.txt"
    assert row["reason"].endswith(
        f"; not explained because of an internal error; see {fault}"
    )
    assert "1 // 0" in fault.read_text()


class TestPlatforms:
    """A file is graded or refused rightly, and reported under its platform's name."""

    FILES = {
        "a_11_33_mine.py": RIGHT,
        "doejane_LATE_12_34_search-1.py": RIGHT,
        "kimbo_34_35_search.py": RIGHT.encode("utf-16"),
        "d_14_36_hw.ipynb": "{}",
        "e_15_37_search.py.txt": RIGHT,
    }

    @pytest.fixture
    def printed(self, walk, tmp_path):
        folder = write(tmp_path / "all", self.FILES)
        return walk.grade_all("--due", DUE, course=folder)

    def test_each_file_has_its_score_or_a_reason(self, walk, printed):
        rows = {row["submission"]: (row["score"], row["reason"]) for row in books(walk.out)}
        assert rows["a_11"] == (TOTAL, "mine.py was taken for search.py")
        assert rows["doejane_12"] == (TOTAL, "")
        reason = "search.py is saved as UTF-16: save it as UTF-8"
        assert rows["kimbo_34"] == ("", reason)
        for id, reason in (("d_14", "is a notebook"), ("e_15", "of a text file")):
            score, found = rows[id]
            assert score == "", id
            assert reason in found, id
        assert "DUE has no effect" in printed
        assert "; Canvas marked 1 as late\n" in printed

    def test_the_platform_takes_the_reports_back(self, walk, printed):
        """Canvas finds the numbers of user and file in a name. Files are private."""
        archive = ZipFile(walk.out / "feedback.zip")
        names = [
            "a_11_33_report.html",
            "d_14_36_report.html",
            "doejane_LATE_12_34_report.html",
            "e_15_37_report.html",
            "kimbo_34_35_report.html",
        ]
        assert archive.namelist() == names
        assert [name for name in names if b"<html" not in archive.read(name)] == []
        files = [path for path in walk.out.rglob("*") if path.is_file()]
        assert len(files) > 10
        assert [path for path in files if path.stat().st_mode & 0o077] == []


def test_a_student_reads_what_was_taken_for_search_py(tiny_kit, tmp_path, sandbox_for):
    submission = write(tmp_path / "a", {"mine.py": RIGHT})
    kit = load_kit(tiny_kit)
    grading = grade_path(kit, submission, sandbox_for(kit.rubric.limits))
    assert "mine.py was taken for search.py." in feedback_text(grading).splitlines()
