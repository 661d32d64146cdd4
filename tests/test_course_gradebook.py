"""The books of a course: the ledger, a row for everybody, and who changed since."""

import csv
import json
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest
from drawn import grading_of, textbook

from autograder.course.download import Submission
from autograder.course.gradebook import (
    Gradebook,
    changes_between,
    compare,
    keep_edited,
    read_grades,
    report,
)
from autograder.course.outcome import (
    COULD_NOT_TELL,
    GRADED,
    NOT_GRADABLE,
    NOT_YET,
    OUT_OF_DATE,
    Outcome,
    _is_explained,
    add_to_ledger,
    read_ledger,
)
from autograder.course.people import CourseError, Student

PARTS = {"minimax": 2500, "alphabeta": 1234, "best_move": 0}
OUTCOME = Outcome(
    "s1", "kit", "source", GRADED, "", ("Cuts strictly",), 3734, PARTS, {"r": 9}, 0.5
)
ADA = Student("Ada", "00123", "ada@example.edu")
BO = Student("Bo", "", "bo@example.edu")


def rows_of(path):
    """Return the rows of a .csv file, as dictionaries."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def written(tmp_path, *students, outcome=None, note="", current=True):
    """Return the rows of the gradebook of one submission."""
    outcomes = {"s1": outcome} if outcome else {}
    course = [Submission("s1", students, note=note)]
    Gradebook(tmp_path, course, outcomes, lambda _: current).write()
    return rows_of(tmp_path / "gradebook.csv")


class TestLedger:
    """Every outcome is on disk at once, and read back whatever happened."""

    def test_outcomes_come_back_as_they_were(self, tmp_path):
        add_to_ledger(tmp_path, OUTCOME)
        assert read_ledger(tmp_path) == {"s1": OUTCOME}

    def test_the_later_line_of_an_id_holds(self, tmp_path):
        later = replace(OUTCOME, cents=1)
        for outcome in (OUTCOME, later):
            add_to_ledger(tmp_path, outcome)
        assert read_ledger(tmp_path) == {"s1": later}

    def test_a_line_cut_short_costs_itself_only(self, tmp_path):
        add_to_ledger(tmp_path, OUTCOME)
        path = tmp_path / "ledger.jsonl"
        path.write_bytes(path.read_bytes() + b'{"id": "s2", "ki')
        add_to_ledger(tmp_path, replace(OUTCOME, id="s3"))
        assert list(read_ledger(tmp_path)) == ["s1", "s3"]

    def test_a_line_that_is_no_outcome_is_skipped(self, tmp_path):
        (tmp_path / "ledger.jsonl").write_bytes(b'5\n[]\n"x"\n{"id": 1}\n\xff\n')
        add_to_ledger(tmp_path, OUTCOME)
        assert read_ledger(tmp_path) == {"s1": OUTCOME}

    def test_no_folder_is_an_empty_ledger(self, tmp_path):
        assert read_ledger(tmp_path / "none") == {}

    def test_the_ledger_is_plain_json(self, tmp_path):
        add_to_ledger(tmp_path, OUTCOME)
        data = json.loads((tmp_path / "ledger.jsonl").read_text())
        assert data["cents"] == 3734


class TestGradebook:
    def test_each_student_of_a_group_has_a_row(self, tmp_path):
        rows = written(tmp_path, ADA, BO, outcome=OUTCOME)
        scores = [(row["sid"], row["score"]) for row in rows]
        assert scores == [("00123", "37.34"), ("", "37.34")]

    def test_the_columns_are_these(self, tmp_path):
        assert written(tmp_path, ADA, outcome=OUTCOME) == [
            {
                "sid": "00123",
                "name": "Ada",
                "email": "ada@example.edu",
                "submission": "s1",
                "score": "37.34",
                "minimax": "25",
                "alphabeta": "12.34",
                "best_move": "0",
                "diagnosis": "Cuts strictly",
                "status": "graded",
                "reason": "",
                "section": "",
                "graded": "37.34",
                "note": "",
                "handed in": "",
                "minutes late": "",
                "Gradescope": "",
                "seconds": "0.50",
            }
        ]

    def test_who_is_not_graded_yet_has_a_row_without_a_score(self, tmp_path):
        (row,) = written(tmp_path, ADA)
        assert (row["score"], row["status"], row["seconds"]) == ("", NOT_YET, "")

    def test_what_the_grader_could_not_tell_is_no_zero(self, tmp_path):
        unknown = Outcome("s1", "kit", "source", COULD_NOT_TELL, "its grader ended")
        (row,) = written(tmp_path, ADA, outcome=unknown)
        assert row["score"] == row["alphabeta"] == ""
        assert row["reason"] == "its grader ended"

    def test_a_score_of_an_earlier_kit_is_kept_and_marked(self, tmp_path):
        (row,) = written(tmp_path, ADA, outcome=OUTCOME, current=False)
        assert (row["score"], row["status"]) == ("37.34", OUT_OF_DATE)

    def test_the_note_joins_the_reason(self, tmp_path):
        refused = replace(OUTCOME, status=NOT_GRADABLE, reason="why")
        (row,) = written(tmp_path, ADA, outcome=refused, note="note")
        assert row["reason"] == "why; note"

    @pytest.mark.parametrize("text", ["=1+1", "+x", "-2+3", "@SUM(A1)", "x;=1"])
    def test_a_formula_in_a_name_stays_text(self, tmp_path, text):
        (row,) = written(tmp_path, Student(text, text, text))
        quoted = "x;'=1" if text == "x;=1" else "'" + text
        assert row["name"] == row["sid"] == row["email"] == quoted
        (line,) = read_grades(tmp_path / "gradebook.csv").lines
        assert line.student.name == text

    @pytest.mark.parametrize(
        "text", ["", "Ada", "00123", "-1.5", "O'Neil", "'quoted'", "a=b"]
    )
    def test_other_text_is_left_alone(self, tmp_path, text):
        (row,) = written(tmp_path, Student(text))
        (line,) = read_grades(tmp_path / "gradebook.csv").lines
        assert row["name"] == text == line.student.name

    def test_it_is_written_at_most_twice_a_second_as_outcomes_come(self, tmp_path):
        now = [0.0]
        course = [Submission(f"s{n}", (ADA,)) for n in range(4)]
        book = Gradebook(tmp_path, course, {}, lambda _: True, clock=lambda: now[0])
        scored = []
        for number, now[0] in enumerate((0.0, 0.1, 0.4, 0.6)):
            book.add(replace(OUTCOME, id=f"s{number}"))
            rows = rows_of(tmp_path / "gradebook.csv")
            scored.append(sum(row["score"] != "" for row in rows))
        assert scored == [1, 1, 1, 4]

    def test_canvas_finds_its_own_columns(self, tmp_path):
        course = [Submission("s1", (ADA,))]
        book = Gradebook(tmp_path, course, {"s1": OUTCOME}, lambda _: True)
        book.write_canvas("Homework 3")
        assert (tmp_path / "canvas.csv").read_text(encoding="utf-8-sig").splitlines() == [
            "Student,ID,SIS User ID,SIS Login ID,Section,Homework 3",
            "Ada,,00123,ada@example.edu,,37.34",
        ]

    def test_canvas_has_empty_cells_for_what_is_not_settled_and_no_doubled_rows(
        self, tmp_path
    ):
        eve = Student("Eve", "7", "eve@example.edu", "B", "4711")
        zero = {"status": NOT_GRADABLE, "cents": 0}
        handed_in = {
            "s1": (ADA, "2026-12-01T10:00:00+00:00", {}),
            "s2": (ADA, "2026-12-02T10:00:00+00:00", {"cents": 100}),
            "s3": (eve, "", zero),
            "s4": (Student(), "", {}),
            "s5": (Student("Old", "8"), "", {"kit": "old"}),
        }
        course = [
            Submission(id, (who,), handed_in=at) for id, (who, at, _) in handed_in.items()
        ]
        outcomes = {id: replace(OUTCOME, id=id, **f) for id, (_, _, f) in handed_in.items()}
        absent = [Student("Zoe", "9", "zoe@example.edu")]
        book = Gradebook(
            tmp_path, course, outcomes, lambda o: o.kit != "old", absent=absent
        )
        book.write_canvas("T")
        lines = (tmp_path / "canvas.csv").read_text(encoding="utf-8-sig").splitlines()
        assert lines[1:] == [
            "Ada,,00123,ada@example.edu,,1",
            "Eve,4711,7,eve@example.edu,B,",
            "Old,,8,,,",
            "Zoe,,9,zoe@example.edu,,",
        ]
        remarks = " / ".join(book.remarks())
        assert "1 out of date" in remarks and "leaves 2 more cells empty" in remarks
        assert "leaves out 1 whose name or sid is not known" in remarks

    def test_overrides_by_sid_address_or_submission_count_and_are_shown(self, tmp_path):
        text = "id,points,note\n00123,90.5,agreed in the office hour\nBO@x.edu,,see mail\n"
        (tmp_path / "overrides.csv").write_text("\ufeff" + text + "nobody,1,\n")
        bo = Student("Bo", "", "bo@x.edu")
        course = [Submission("s1", (ADA, bo))]
        book = Gradebook(tmp_path, course, {"s1": OUTCOME}, lambda _: False)
        book.write()
        rows = rows_of(tmp_path / "gradebook.csv")
        assert [(r["score"], r["graded"], r["note"]) for r in rows] == [
            ("90.5", "37.34", "agreed in the office hour"),
            ("37.34", "37.34", "see mail"),
        ]
        assert [entry.settled for entry in book.entries()] == [9050, None]
        assert any(line.startswith("overrides.csv: nobody:") for line in book.remarks())

    @pytest.mark.parametrize("line", ["x,many,", ",5,", "x,-1,", "x,1e3,"])
    def test_a_wrong_override_is_told_with_its_line(self, tmp_path, line):
        (tmp_path / "overrides.csv").write_text(f"id,points,note\n{line}\n")
        with pytest.raises(CourseError, match="overrides.csv, line 2: write an id"):
            written(tmp_path, ADA, outcome=OUTCOME)

    def test_a_gradebook_that_was_edited_by_hand_is_kept(self, tmp_path):
        written(tmp_path, ADA, outcome=OUTCOME)
        assert keep_edited(tmp_path) == ""
        book = tmp_path / "gradebook.csv"
        for number in (1, 2):
            book.write_text(book.read_text().replace("37.34", f"9{number}"))
            assert f"kept as gradebook-edited-{number}.csv" in keep_edited(tmp_path)
            assert f"9{number}" in (tmp_path / f"gradebook-edited-{number}.csv").read_text()
            written(tmp_path, ADA, outcome=OUTCOME)
        assert keep_edited(tmp_path) == ""

    @pytest.mark.parametrize(
        "handed_in, minutes",
        [
            ("2026-12-01T22:59:00+00:00", "0"),
            ("2026-12-01T22:59:01+00:00", "1"),
            ("2026-12-02T00:59:00+01:00", "60"),
            ("", ""),
        ],
    )
    def test_lateness_is_a_column_of_minutes(self, tmp_path, handed_in, minutes):
        due = datetime.fromisoformat("2026-12-01T23:59+01:00")
        course = [Submission("s1", (ADA,), handed_in=handed_in)]
        Gradebook(tmp_path, course, {}, lambda _: True, deadline=due).write()
        (row,) = rows_of(tmp_path / "gradebook.csv")
        assert (row["handed in"], row["minutes late"]) == (handed_in, minutes)

    def test_scores_are_compared_with_gradescopes_own(self, tmp_path):
        course = [
            Submission(f"s{n}", (ADA,), score=cents)
            for n, cents in enumerate([3734, 8600, None])
        ]
        outcomes = {one.id: replace(OUTCOME, id=one.id) for one in course}
        book = Gradebook(tmp_path, course, outcomes, lambda _: True)
        remarks = book.remarks()
        assert "1 of 2 scores equal Gradescope's own" in remarks
        assert "  00123 Ada: laptop 37.34, Gradescope 86" in remarks

    def test_a_file_that_is_not_a_gradebook_is_told_in_a_line(self, tmp_path):
        (tmp_path / "x.csv").write_text("sid,name\n1,2\n")
        with pytest.raises(CourseError, match="no column email"):
            read_grades(tmp_path / "x.csv")
        with pytest.raises(CourseError, match="cannot be read"):
            read_grades(tmp_path / "none.csv")

    @pytest.mark.parametrize(
        "score", ["37,34", "excused", "nan", pytest.param("x" * 200_000, id="long")]
    )
    def test_a_score_that_is_not_a_number_is_told_in_a_line(self, tmp_path, score):
        path = tmp_path / "gradebook.csv"
        written(tmp_path, ADA, outcome=OUTCOME)
        path.write_text(path.read_text().replace("37.34", f'"{score}"'))
        with pytest.raises(CourseError) as error:
            read_grades(path)
        assert len(str(error.value)) < 300


def grades(folder, course, **fields):
    """Grade a course (id -> students), with the same fields in all outcomes."""
    outcomes = {id: replace(OUTCOME, id=id, **fields) for id in course}
    for outcome in outcomes.values():
        add_to_ledger(folder, outcome)
    submissions = [Submission(id, students) for id, students in course.items()]
    Gradebook(folder, submissions, outcomes, lambda _: True).write()
    return read_grades(folder / "gradebook.csv")


ALONE = {"s1": (ADA,)}
GROUP = {"s1": (ADA, BO), "s2": (ADA, BO)}
APART = {"s1": (ADA,), "s2": (BO,)}
SAME_SID = {"s1": (ADA,), "s2": (replace(BO, sid=ADA.sid),)}
NAMES_ONLY = {"s1": (Student("Ada"), Student("Bo"))}


class TestComparison:
    """Two gradings compared: who changed, by how much, and why."""

    def test_who_changed_is_told_with_the_row_that_did_it(self, tmp_path):
        before = grades(tmp_path / "a", ALONE)
        lost = {"r": 9, "ties": 134}
        after = grades(tmp_path / "b", ALONE, cents=3600, kit="other", lost=lost)
        (change,) = changes = changes_between(before, after)
        assert change.line.student.sid == "00123"
        assert (change.cents, change.rows) == (-134, {"ties": -134})
        text = "\n".join(report(before, after, changes))
        assert "1 of 1 scores changed: 1 lower, 0 higher" in text
        assert "the mean went from 37.34 to 36" in text
        assert "another kit (code, trees or rubric); 0 submissions changed" in text
        assert "00123 Ada: 37.34 -> 36 (1.34 less in ties)" in text

    def test_nothing_changed_is_said_too(self, tmp_path):
        same = grades(tmp_path, ALONE)
        assert changes_between(same, same) == []
        assert "0 of 1 scores changed" in report(same, same, [])[0]

    def test_a_changed_submission_is_named_as_the_reason(self, tmp_path):
        before = grades(tmp_path / "a", ALONE)
        after = grades(tmp_path / "b", ALONE, cents=0, source="new")
        assert "the submission changed" in changes_between(before, after)[0].why

    def test_a_new_submission_id_is_the_same_student(self, tmp_path):
        before = grades(tmp_path / "a", ALONE)
        after = grades(tmp_path / "b", {"s2": (ADA,)}, cents=0)
        assert changes_between(before, after)[0].cents == -3734

    def test_who_came_and_who_went_are_told(self, tmp_path):
        before = grades(tmp_path / "a", {"s1": (BO,)})
        after = grades(tmp_path / "b", ALONE)
        changes = changes_between(before, after)
        assert {change.line.student.name: change.why for change in changes} == {
            "Ada": "was not in the earlier gradebook",
            "Bo": "is not in this one",
        }

    @pytest.mark.parametrize("course", [GROUP, APART, SAME_SID, NAMES_ONLY])
    def test_partners_and_their_separate_submissions_stay_separate(self, tmp_path, course):
        before = grades(tmp_path / "a", course, cents=1000)
        after = grades(tmp_path / "b", course, cents=900)
        head = compare(before, tmp_path / "b")[0]
        rows = rows_of(tmp_path / "b" / "changes.csv")
        entries = [(id, who.name) for id, students in course.items() for who in students]
        assert sorted((row["submission"], row["name"]) for row in rows) == sorted(entries)
        assert {row["change"] for row in rows} == {"-1"}
        assert head.startswith(f"{len(entries)} of {len(after.lines)} scores changed")

    def test_a_student_who_handed_in_once_more_keeps_the_earlier_line(self, tmp_path):
        before = grades(tmp_path / "a", ALONE)
        after = grades(tmp_path / "b", {"s1": (ADA,), "s2": (ADA,)})
        (change,) = changes_between(before, after)
        assert (change.line.submission, change.before) == ("s2", None)

    def test_an_earlier_gradebook_without_its_ledger_is_enough(self, tmp_path):
        before = replace(grades(tmp_path / "a", ALONE), outcomes={})
        after = grades(tmp_path / "b", ALONE, cents=0)
        changes = changes_between(before, after)
        assert changes[0].why == "other points for the same rows"
        assert "no ledger" in report(before, after, changes)[1]


@pytest.mark.parametrize(
    "functions, exact, sure",
    [
        (["best_move"], True, False),
        (["best_move", "alphabeta"], True, True),
        (["best_move", "alphabeta"], False, False),
    ],
)
def test_a_program_is_explained_where_each_wrong_function_is(functions, exact, sure):
    source = "def alphabeta(*_):\n    return 1\n\ndef best_move(*_):\n    return 1\n"
    found = SimpleNamespace(functions=functions, exact=exact, variants=(), symptom="")
    grading = replace(grading_of(source, [textbook()]), diagnoses=(found,))
    assert _is_explained(grading) is sure
