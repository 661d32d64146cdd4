"""The ledger, the gradebooks, the comparison of two gradings, and the progress line."""

import csv
import io
import json
from dataclasses import replace

import pytest

from autograder import batch
from autograder.course import comparison, gradebook
from autograder.course.gradebook import Gradebook, lines_of, safe, unsafe
from autograder.course.ledger import Ledger, read_ledger
from autograder.course.metadata import CourseError, Student
from autograder.course.outcome import (
    COULD_NOT_TELL,
    GRADED,
    NOT_GRADABLE,
    NOT_YET,
    OUT_OF_DATE,
    Outcome,
)
from autograder.course.source import Submission
from autograder.progress import Progress, duration

PARTS = {"minimax": 2500, "alphabeta": 1234, "best_move": 0}
OUTCOME = Outcome(
    "s1", "kit", "source", GRADED, "", ("Cuts strictly",), 3734, PARTS, {"r": 9}, 0.5
)
ADA = Student("Ada", "00123", "ada@example.edu")
BO = Student("Bo", "", "bo@example.edu")


def rows_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


class TestLedger:
    def test_outcomes_come_back_as_they_were(self, tmp_path):
        with Ledger(tmp_path) as ledger:
            ledger.add(OUTCOME)
        assert read_ledger(tmp_path) == {"s1": OUTCOME}

    def test_the_later_line_of_an_id_holds(self, tmp_path):
        later = replace(OUTCOME, cents=1)
        for outcome in (OUTCOME, later):
            with Ledger(tmp_path) as ledger:
                ledger.add(outcome)
        assert read_ledger(tmp_path) == {"s1": later}

    def test_a_line_cut_short_costs_itself_only(self, tmp_path):
        with Ledger(tmp_path) as ledger:
            ledger.add(OUTCOME)
        path = tmp_path / "ledger.jsonl"
        path.write_bytes(path.read_bytes() + b'{"id": "s2", "ki')
        with Ledger(tmp_path) as ledger:
            ledger.add(replace(OUTCOME, id="s3"))
        assert list(read_ledger(tmp_path)) == ["s1", "s3"]

    def test_a_line_that_is_no_outcome_is_skipped(self, tmp_path):
        (tmp_path / "ledger.jsonl").write_bytes(b'5\n[]\n"x"\n{"id": 1}\n\xff\n')
        with Ledger(tmp_path) as ledger:
            ledger.add(OUTCOME)
        assert read_ledger(tmp_path) == {"s1": OUTCOME}

    def test_an_outcome_is_on_disk_when_add_returns(self, tmp_path):
        with Ledger(tmp_path) as ledger:
            ledger.add(OUTCOME)
            assert list(read_ledger(tmp_path)) == ["s1"]

    def test_no_folder_is_an_empty_ledger(self, tmp_path):
        assert read_ledger(tmp_path / "none") == {}


class TestGradebook:
    def written(self, tmp_path, *submissions, outcomes=(), current=True):
        book = Gradebook(
            tmp_path, submissions, {o.id: o for o in outcomes}, lambda _: current
        )
        book.write()
        return rows_of(tmp_path / "gradebook.csv")

    def test_each_student_of_a_group_has_a_row(self, tmp_path):
        group = Submission("s1", None, (ADA, BO))
        rows = self.written(tmp_path, group, outcomes=[OUTCOME])
        assert [(row["sid"], row["score"]) for row in rows] == [
            ("00123", "37.34"),
            ("", "37.34"),
        ]

    def test_the_columns_are_these(self, tmp_path):
        row = self.written(tmp_path, Submission("s1", None, (ADA,)), outcomes=[OUTCOME])[0]
        assert row == {
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
            "seconds": "0.50",
        }

    def test_who_is_not_graded_yet_has_a_row_without_a_score(self, tmp_path):
        row = self.written(tmp_path, Submission("s1", None, (ADA,)))[0]
        assert (row["score"], row["status"]) == ("", NOT_YET)

    def test_what_the_grader_could_not_tell_is_no_zero(self, tmp_path):
        unknown = Outcome("s1", "kit", "source", COULD_NOT_TELL, "its grader ended")
        row = self.written(tmp_path, Submission("s1", None, (ADA,)), outcomes=[unknown])[0]
        assert (row["score"], row["alphabeta"], row["reason"]) == (
            "",
            "",
            "its grader ended",
        )

    def test_a_score_of_an_earlier_kit_is_kept_and_marked(self, tmp_path):
        one = Submission("s1", None, (ADA,))
        row = self.written(tmp_path, one, outcomes=[OUTCOME], current=False)[0]
        assert (row["score"], row["status"]) == ("37.34", OUT_OF_DATE)

    def test_the_note_joins_the_reason(self):
        one = Submission("s1", None, (ADA,), note="note")
        refused = replace(OUTCOME, status=NOT_GRADABLE, reason="why")
        assert lines_of(one, refused)[0].reason == "why; note"

    @pytest.mark.parametrize("text", ["=1+1", "+x", "-2+3", "@SUM(A1)", "\tx"])
    def test_a_formula_in_a_name_stays_text(self, tmp_path, text):
        student = Student(text, text, text)
        row = self.written(tmp_path, Submission("s1", None, (student,)))[0]
        assert row["name"] == row["sid"] == row["email"] == "'" + text
        assert gradebook.read_gradebook(tmp_path / "gradebook.csv")[0].name == text

    @pytest.mark.parametrize(
        "text", ["", "Ada", "00123", "-1.5", "O'Neil", "'quoted'", "a=b"]
    )
    def test_other_text_is_left_alone(self, text):
        assert safe(text) == text == unsafe(text)

    def test_it_is_written_at_most_twice_a_second_as_outcomes_come(self, tmp_path):
        now = [0.0]
        submissions = [Submission(f"s{n}", None, (ADA,)) for n in range(4)]
        book = Gradebook(tmp_path, submissions, {}, lambda _: True, clock=lambda: now[0])
        scored = []
        for number, now[0] in enumerate((0.0, 0.1, 0.4, 0.6)):
            book.add(replace(OUTCOME, id=f"s{number}"))
            scored.append(
                sum(row["score"] != "" for row in rows_of(tmp_path / "gradebook.csv"))
            )
        assert scored == [1, 1, 1, 4]

    def test_canvas_finds_its_own_columns(self, tmp_path):
        lines = lines_of(Submission("s1", None, (ADA,)), OUTCOME)
        gradebook.write_canvas(tmp_path / "canvas.csv", lines, "Search")
        assert (tmp_path / "canvas.csv").read_text(encoding="utf-8").splitlines() == [
            "Student,ID,SIS User ID,SIS Login ID,Section,Search",
            "Ada,,00123,ada@example.edu,,37.34",
        ]

    def test_a_file_that_is_no_gradebook_is_told_in_a_line(self, tmp_path):
        (tmp_path / "x.csv").write_text("sid,name\n1,2\n")
        with pytest.raises(CourseError, match="the column email is missing"):
            gradebook.read_gradebook(tmp_path / "x.csv")
        with pytest.raises(CourseError, match="cannot be read"):
            gradebook.read_gradebook(tmp_path / "none.csv")

    @pytest.mark.parametrize(
        "score", ["37,34", "excused", "nan", pytest.param("x" * 200_000, id="long")]
    )
    def test_a_score_that_is_no_number_is_told_in_a_line(self, tmp_path, score):
        path = tmp_path / "x.csv"
        (line,) = lines_of(Submission("s1", None, (ADA,)), OUTCOME)
        gradebook.write_gradebook(path, [replace(line, score=score)])
        with pytest.raises(CourseError) as caught:
            gradebook.read_gradebook(path)
        assert len(str(caught.value)) < 300


class TestComparison:
    def grades(self, tmp_path, name, outcome, student=ADA):
        folder = tmp_path / name
        with Ledger(folder) as ledger:
            ledger.add(outcome)
        one = Submission(outcome.id, None, (student,))
        Gradebook(folder, [one], {outcome.id: outcome}, lambda _: True).write()
        return comparison.read_grades(folder / "gradebook.csv")

    def test_who_changed_is_told_with_the_row_that_did_it(self, tmp_path):
        before = self.grades(tmp_path, "a", OUTCOME)
        now = replace(OUTCOME, cents=3600, kit="other", lost={"r": 9, "ties": 134})
        after = self.grades(tmp_path, "b", now)
        changes = comparison.changes_between(before, after)
        assert [(c.line.sid, c.cents, c.rows) for c in changes] == [
            ("00123", -134, {"ties": -134})
        ]
        told = "\n".join(comparison.report(before, after, changes))
        assert "1 of 1 scores changed: 1 lower, 0 higher" in told
        assert "the mean went from 37.34 to 36" in told
        assert "another kit (code, trees or rubric); 0 submissions changed" in told
        assert "00123 Ada: 37.34 -> 36 (-1.34 in ties)" in told

    def test_nothing_changed_is_said_too(self, tmp_path):
        grades = self.grades(tmp_path, "a", OUTCOME)
        assert comparison.changes_between(grades, grades) == []
        assert "0 of 1 scores changed" in comparison.report(grades, grades, [])[0]

    def test_a_changed_submission_is_named_as_the_reason(self, tmp_path):
        before = self.grades(tmp_path, "a", OUTCOME)
        after = self.grades(tmp_path, "b", replace(OUTCOME, cents=0, source="new"))
        assert "the submission changed" in comparison.changes_between(before, after)[0].why

    def test_a_new_submission_id_is_the_same_student(self, tmp_path):
        before = self.grades(tmp_path, "a", OUTCOME)
        after = self.grades(tmp_path, "b", replace(OUTCOME, id="s2", cents=0))
        assert comparison.changes_between(before, after)[0].cents == -3734

    def test_who_came_and_who_went_are_told(self, tmp_path):
        before = self.grades(tmp_path, "a", OUTCOME, BO)
        after = self.grades(tmp_path, "b", OUTCOME, ADA)
        whys = {c.line.name: c.why for c in comparison.changes_between(before, after)}
        assert whys == {
            "Ada": "was not in the earlier gradebook",
            "Bo": "is not in this one",
        }

    def test_an_earlier_gradebook_without_its_ledger_is_enough(self, tmp_path):
        before = replace(self.grades(tmp_path, "a", OUTCOME), outcomes={})
        after = self.grades(tmp_path, "b", replace(OUTCOME, cents=0))
        changes = comparison.changes_between(before, after)
        assert changes[0].why == "other points for the same rows"
        assert "no ledger" in comparison.report(before, after, changes)[1]

    def test_the_changes_are_a_table_too(self, tmp_path):
        before = self.grades(tmp_path, "a", OUTCOME)
        after = self.grades(tmp_path, "b", replace(OUTCOME, cents=0))
        path = tmp_path / "changes.csv"
        comparison.write_changes(path, comparison.changes_between(before, after))
        assert rows_of(path)[0]["change"] == "-37.34"


class TestProgress:
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    def run(self, stream, seconds):
        now = [0.0]
        with Progress(len(seconds), stream, clock=lambda: now[0]) as progress:
            for now[0] in seconds:
                progress.step()
        return stream.getvalue()

    def test_lines_come_at_the_first_every_five_seconds_and_at_the_last(self):
        lines = self.run(io.StringIO(), [1, 2, 3, 7, 8]).splitlines()
        assert lines == [
            "1/5 graded, 1.0 a second, 4 s left",
            "4/5 graded, 0.6 a second, 2 s left",
            "5/5 graded, 0.6 a second",
        ]

    def test_a_terminal_gets_one_bar_drawn_over_itself(self):
        drawn = self.run(self.Terminal(), [1, 2])
        assert drawn.count("\n") == 1
        assert drawn.split("\r")[-1].startswith("[####")

    def test_nothing_to_do_says_nothing(self):
        assert self.run(self.Terminal(), []) == ""

    @pytest.mark.parametrize(
        "seconds, said", [(8.2, "8 s"), (200, "3 min 20 s"), (3900, "1 h 5 min")]
    )
    def test_durations_are_said_as_people_say_them(self, seconds, said):
        assert duration(seconds) == said


def test_the_ledger_is_plain_json(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.add(OUTCOME)
    data = json.loads((tmp_path / "ledger.jsonl").read_text())
    assert data["cents"] == 3734


def test_a_fault_of_the_kit_is_one_line_and_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(batch, "load_kit", lambda: 1 // 0)
    (tmp_path / "ada.py").write_text("")
    assert batch.main([str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    log = tmp_path / "out" / "fault.txt"
    line = f"grade-all: a fault of the kit (ZeroDivisionError); details in {log}\n"
    assert capsys.readouterr().err == line
    assert "1 // 0" in log.read_text()
