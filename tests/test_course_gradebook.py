"""The books of a course: a row for everybody, points by hand, and who changed since."""

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest
from drawn import grading_of, textbook
from fixtures.make_class import rows_of

from autograder.course import gradebook
from autograder.course.download import Course, Submission
from autograder.course.gradebook import entries_of, read_overrides
from autograder.course.outcome import Outcome, Status, is_explained
from autograder.course.people import CourseError, Finder, Student

PARTS = {"minimax": 2500, "alphabeta": 1234, "best_move": 0}
OUTCOME = Outcome(
    "s1", "kit", "source", Status.GRADED, "", ["Cuts strictly"], 3734, PARTS, {"r": 9}
)
ADA = Student("Ada", "00123", "ada@example.edu")
BO = Student("Bo", "", "bo@example.edu")
ADAS = Submission("s1", (ADA,))


def entries(folder, *submissions, outcomes=(OUTCOME,), absent=(), **known):
    """Return the entries of a class of 100 points, and lines on unknown overrides."""
    people = [(who, one.id) for one in submissions for who in one.students]
    by_hand, unknown = read_overrides(folder / "overrides.csv", Finder(people), 10000)
    course, known = Course(submissions, absent=absent), {"by_hand": by_hand, **known}
    hashes = {one.id: one.hash for one in submissions}
    outcomes = {one.id: replace(one, source=hashes[one.id]) for one in outcomes}
    return entries_of(course, outcomes, **known), unknown


def written(folder, *submissions, **known):
    """Return the rows of the gradebook of a class, once it is written."""
    gradebook.write(folder, entries(folder, *submissions, **known)[0])
    return rows_of(folder / "gradebook.csv")


def test_an_outcome_comes_back_as_it_was_and_a_broken_one_is_none(tmp_path):
    OUTCOME.save(tmp_path)
    assert Outcome.load(tmp_path, "s1") == OUTCOME
    for broken in (b"5", b"[]", b'{"id": "s1", "ki', b'{"id": 1}', b"\xff"):
        (tmp_path / "s1" / "outcome.json").write_bytes(broken)
        assert Outcome.load(tmp_path, "s1") is None


class TestGradebook:
    def test_the_columns_are_these(self, tmp_path):
        written(tmp_path, ADAS)
        assert (tmp_path / "gradebook.csv").read_text(encoding="utf-8-sig").split("\n") == [
            "sid,name,email,submission,section,score,minimax,alphabeta,best_move,diagnosis,"
            "status,reason,graded,note,handed in,minutes late,late,Gradescope",
            "00123,Ada,ada@example.edu,s1,,37.34,25,12.34,0,Cuts strictly,"
            "graded,,37.34,,,,,",
            "",
        ]

    def test_what_is_not_known_is_no_zero_and_what_is_old_is_marked(self, tmp_path):
        unknown = Outcome("s1", "kit", "source", Status.COULD_NOT_TELL, "its grader ended")
        (row,) = written(tmp_path, ADAS, outcomes=[unknown])
        assert row["score"] == row["alphabeta"] == ""
        assert row["reason"] == "its grader ended"
        (row,) = written(tmp_path, ADAS, kit="another")
        assert (row["score"], row["status"]) == ("37.34", Status.OUT_OF_DATE)

    def test_a_formula_in_a_name_stays_text_and_other_text_is_left_alone(self, tmp_path):
        plain = "", "Ada", "00123", "-1.5", "O'Neil", "'quoted'", "a=b"
        formulas = {text: "'" + text for text in ("=1+1", "+x", "-2+3", "@SUM(A1)")}
        for text, cell in {**formulas, "x;=1": "x;'=1", **dict(zip(plain, plain))}.items():
            (row,) = written(tmp_path, Submission("s1", (Student(text, text, text),)))
            assert row["name"] == row["sid"] == row["email"] == cell
            [(who, _)] = gradebook.read(tmp_path / "gradebook.csv")
            assert who.name == text

    def test_canvas_has_empty_cells_for_what_is_not_settled_and_no_doubled_rows(
        self, tmp_path
    ):
        eve = Student("Eve", "7", "eve@example.edu", "B", "4711")
        first = datetime.fromisoformat("2026-12-01T01:50:00-07:00")
        last = datetime.fromisoformat("2026-12-01T01:10:00-08:00")
        course = {
            "s1": (ADA, last, {"cents": 100}),
            "s2": (ADA, first, {}),
            "s3": (eve, None, {"status": Status.NOT_GRADABLE, "cents": 0}),
            "s4": (Student(), None, {}),
            "s5": (Student("Old", "8"), None, {"kit": "old"}),
            "s6": (Student("Una", "6"), None, {"status": Status.NOT_SETTLED}),
        }
        everybody, _ = entries(
            tmp_path,
            *(Submission(id, (who,), handed_in=at) for id, (who, at, _) in course.items()),
            outcomes=[replace(OUTCOME, id=id, **own) for id, (*_, own) in course.items()],
            kit="kit",
            absent=[Student("Zoe", "9", "zoe@example.edu")],
        )
        gradebook.write_canvas(tmp_path, everybody, "T")
        lines = (tmp_path / "canvas.csv").read_text(encoding="utf-8-sig").splitlines()
        assert lines == [
            "Student,ID,SIS User ID,SIS Login ID,Section,T",
            "Ada,,00123,ada@example.edu,,1", "Eve,4711,7,eve@example.edu,B,",
            "Old,,8,,,", "Una,,6,,,", "Zoe,,9,zoe@example.edu,,",
        ]  # fmt: skip
        assert [(e.outcome.reason, e.counts) for e in everybody[:2]] == [
            ("counts: the latest of 2", True),
            ("does not count, s1 does: the latest of 2", False),
        ]
        remarks = " / ".join(gradebook.remarks(everybody))
        assert "1 out of date" in remarks and "3 more empty cells of canvas.csv" in remarks
        assert "1 left out of canvas.csv, name or sid not known" in remarks

    def test_lateness_is_a_column_of_minutes_and_one_of_days_and_hours(self, tmp_path):
        due = datetime.fromisoformat("2026-12-01T23:59+01:00")
        for handed_in, minutes, words in (
            ("2026-12-01T22:59:00+00:00", "0", ""),
            ("2026-12-01T22:59:01+00:00", "1", "1 min"),
            ("2026-12-02T00:59:00+01:00", "60", "1 h"),
            ("2026-12-04T00:49:00+01:00", "2930", "2 days 50 min"),
            ("", "", ""),
        ):
            came = datetime.fromisoformat(handed_in) if handed_in else None
            (row,) = written(tmp_path, replace(ADAS, handed_in=came), deadline=due)
            late = row["handed in"], row["minutes late"], row["late"]
            assert late == (handed_in, minutes, words)

    def test_a_gradebook_that_was_edited_by_hand_is_kept_with_a_line(self, tmp_path):
        everybody, book = entries(tmp_path, ADAS)[0], tmp_path / "gradebook.csv"
        for number, edited in enumerate(("excused", "mine"), start=1):
            assert gradebook.write(tmp_path, everybody) == []
            before = book.read_bytes()
            book.write_text(edited)
            [line] = gradebook.write(tmp_path, everybody)
            kept = tmp_path / f"gradebook-edited-{number}.csv"
            assert f"was edited by hand: kept as {kept.name}" in line
            assert kept.read_text() == edited and book.read_bytes() == before
        gradebook.write(tmp_path, entries(tmp_path, ADAS, kit="another")[0])
        book.write_bytes(before)  # as if that was killed before it replaced the book
        assert gradebook.write(tmp_path, everybody) == []

    def test_scores_are_compared_with_gradescopes_own(self, tmp_path):
        course = [replace(ADAS, id=f"s{n}", score=c) for n, c in ((0, 3734), (1, 8600))]
        course.append(replace(ADAS, id="s2"))
        outcomes = [replace(OUTCOME, id=one.id) for one in course]
        remarks = gradebook.remarks(entries(tmp_path, *course, outcomes=outcomes)[0])
        assert "1 of 2 scores equal Gradescope's own" in remarks
        assert "  Ada 00123: laptop 37.34, Gradescope 86" in remarks

    def test_what_is_no_gradebook_is_told_in_a_line(self, tmp_path):
        path = tmp_path / "gradebook.csv"
        written(tmp_path, ADAS)
        text = path.read_text()
        path.write_text(text + "\n\n")
        assert len(gradebook.read(path)) == 1
        for content, said in (
            ("sid,name\n1,2\n", "no column email"),
            ("", "no column sid"),
            ("x" * 200_000, "larger than field limit"),
        ):  # fmt: skip
            path.write_text(content)
            with pytest.raises(CourseError, match=said) as error:
                gradebook.read(path)
            assert len(str(error.value)) < 300
        with pytest.raises(CourseError, match="cannot be read: No such file"):
            gradebook.read(tmp_path / "none.csv")


class TestOverrides:
    def test_by_sid_address_or_submission_they_count_and_are_shown(self, tmp_path):
        text = "id,points,note\n00123,90.5,agreed in the office hour\nBO@x.edu,,see mail\n"
        (tmp_path / "overrides.csv").write_text("\ufeff" + text + "nobody,1,\n")
        both = Submission("s1", (ADA, Student("Bo", "", "bo@x.edu")))
        rows = written(tmp_path, both, kit="another")
        assert [(r["score"], r["graded"], r["note"]) for r in rows] == [
            ("90.5", "37.34", "agreed in the office hour"),
            ("37.34", "37.34", "see mail"),
        ]
        everybody, [unknown] = entries(tmp_path, both, kit="another")
        assert [entry.settled for entry in everybody] == [9050, None]
        line = f"{tmp_path / 'overrides.csv'}, line 4: nobody: nobody's sid"
        assert unknown.startswith(line)

    def test_they_are_found_by_every_name_and_in_excels_form(self, tmp_path):
        in_excel = "id;points;note\r\nADÄ;90,5;agreed\r\n"
        for text in (in_excel, "Ada,90.5,agreed\n", "123,90.5,"):
            (tmp_path / "overrides.csv").write_text(text, encoding="latin-1")
            assert written(tmp_path, ADAS)[0]["score"] == "90.5", text

    def test_a_wrong_one_is_told_with_its_line(self, tmp_path):
        twin = [Submission(f"s{sid}", (Student("Twin", sid),)) for sid in "89"]
        for line, said in {
            "x,many,": "line 2: write an id",
            ",5,": "line 2: write an id",
            "x,-1,": "line 2: write an id",
            "x,1e3,": "line 2: write an id",
            "ada,101,": "line 2: 101 points of 100; write 100 or fewer",
            "ada,5,\n00123,7,": "line 3: line 2 is for Ada 00123 too; keep one",
            "Twin,5,": "line 2: Twin: 2 have that name; write the sid: Twin 8",
        }.items():
            (tmp_path / "overrides.csv").write_text(f"id,points,note\n{line}\n")
            with pytest.raises(CourseError, match=f"overrides.csv, {said}"):
                entries(tmp_path, ADAS, *twin)


class TestChanges:
    """What another kit gave: who changed, by how much, and why."""

    @staticmethod
    def changes(folder, before, **after):
        """Grade Ada and Bo by two kits; return the line on it, the rows of changes.csv."""
        students = {"s1": (ADA, BO), "s2": (BO,)}
        course = [Submission(id, who) for id, who in students.items()]
        for one in course:
            known = replace(OUTCOME, id=one.id, source=one.hash)
            for fields in ({"kit": "old", **before}, {"kit": "new", **after}):
                replace(known, **fields).save(folder)
        outcomes = [Outcome.load(folder, one.id) for one in course]
        everybody, _ = entries(folder, *course, outcomes=outcomes, kit="new")
        lines = gradebook.write_changes(folder, everybody)
        return lines, rows_of(folder / "changes.csv") if lines else []

    def test_each_student_is_told_with_the_row_that_did_it(self, tmp_path):
        lines, rows = self.changes(tmp_path, {}, cents=3600, lost={"r": 9, "ties": 134})
        assert lines == [
            "3 of 3 scores changed with the kit: 3 lower, 0 higher; the mean went from "
            f"37.34 to 36; see {tmp_path / 'changes.csv'}"
        ]
        assert [(row["submission"], row["name"]) for row in rows] == [
            ("s1", "Bo"), ("s2", "Bo"), ("s1", "Ada"),
        ]  # fmt: skip
        for row in rows:
            assert [*row.values()][-4:] == ["37.34", "36", "-1.34", "1.34 less in ties"]

    def test_points_by_hand_stand_and_a_score_that_was_not_known_is_no_loss(self, tmp_path):
        (tmp_path / "overrides.csv").write_text("ada,90,\n")
        unknown = {"status": Status.COULD_NOT_TELL, "cents": None}
        [line], rows = self.changes(tmp_path, unknown, lost={})
        assert "0 lower, 0 higher; the mean went from nothing to 37.34" in line
        why = "was could not tell, is graded; 9 more in r"
        assert {(r["before"], r["change"], r["why"]) for r in rows} >= {
            ("", "", why.replace("9 more", "0.09 more")),
            ("", "", why.replace("9 more", "0.09 more") + "; 90 by hand stands"),
        }

    def test_what_no_other_kit_graded_or_not_this_file_is_not_compared(self, tmp_path):
        assert self.changes(tmp_path, {"kit": "new"}) == ([], [])
        assert self.changes(tmp_path, {"source": "another"}, cents=0) == ([], [])
        assert self.changes(tmp_path, {}, kit="that of nobody now", cents=0) == ([], [])


def test_a_program_is_explained_where_each_wrong_function_is():
    source = "def alphabeta(*_):\n    return 1\n\ndef best_move(*_):\n    return 1\n"
    grading, both = grading_of(source, [textbook()]), ["best_move", "alphabeta"]
    for functions, exact, sure in ((both[:1], 1, False), (both, 1, True), (both, 0, False)):
        found = SimpleNamespace(functions=functions, exact=exact, variants=(), symptom="")
        assert is_explained(replace(grading, diagnoses=(found,))) is sure
