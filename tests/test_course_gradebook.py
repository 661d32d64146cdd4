"""The books of a course: the ledger, a row for everybody, and who changed since."""

import csv
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace

import pytest
from drawn import grading_of, textbook

from autograder.course.changes import changes_between, compare, read_grades, report
from autograder.course.download import Submission
from autograder.course.gradebook import Gradebook, in_days
from autograder.course.outcome import (
    COULD_NOT_TELL,
    GRADED,
    NOT_GRADABLE,
    NOT_SETTLED,
    OUT_OF_DATE,
    Outcome,
    add_to_ledger,
    is_explained,
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


def book_of(folder, course, outcomes=(), **options):
    """Return the Gradebook of a course of 100 points, all of whose outcomes are current."""
    cents = {"minimax": 2500, "alphabeta": 5000, "best_move": 2500}
    usual = {"is_current": lambda _: True, "cents": cents}
    return Gradebook(folder, course, dict(outcomes), **usual | options)


def written(tmp_path, *students, outcome=None, note="", current=True):
    """Return the rows of the gradebook of one submission."""
    outcomes = {"s1": outcome} if outcome else {}
    course = [Submission("s1", students, note=note)]
    book_of(tmp_path, course, outcomes, is_current=lambda _: current).write()
    return rows_of(tmp_path / "gradebook.csv")


class TestLedger:
    """Every outcome is on disk at once, and read back whatever happened."""

    def test_outcomes_come_back_as_they_were(self, tmp_path):
        add_to_ledger(tmp_path, OUTCOME)
        assert read_ledger(tmp_path) == {"s1": OUTCOME}

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


class TestGradebook:
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
                "late": "",
                "Gradescope": "",
                "seconds": "0.50",
            }
        ]

    def test_what_the_grader_could_not_tell_is_no_zero(self, tmp_path):
        unknown = Outcome("s1", "kit", "source", COULD_NOT_TELL, "its grader ended")
        (row,) = written(tmp_path, ADA, outcome=unknown)
        assert row["score"] == row["alphabeta"] == ""
        assert row["reason"] == "its grader ended"

    def test_a_score_of_an_earlier_kit_is_kept_and_marked(self, tmp_path):
        (row,) = written(tmp_path, ADA, outcome=OUTCOME, current=False)
        assert (row["score"], row["status"]) == ("37.34", OUT_OF_DATE)

    def test_a_formula_in_a_name_stays_text_and_other_text_is_left_alone(self, tmp_path):
        plain = "", "Ada", "00123", "-1.5", "O'Neil", "'quoted'", "a=b"
        formulas = {text: "'" + text for text in ("=1+1", "+x", "-2+3", "@SUM(A1)")}
        for text, cell in {**formulas, "x;=1": "x;'=1", **dict(zip(plain, plain))}.items():
            (row,) = written(tmp_path, Student(text, text, text))
            assert row["name"] == row["sid"] == row["email"] == cell
            (line,) = read_grades(tmp_path / "gradebook.csv").lines
            assert line.student.name == text

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
            "s6": (Student("Una", "6"), "", {"status": NOT_SETTLED}),
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
        assert lines == [
            "Student,ID,SIS User ID,SIS Login ID,Section,T",
            "Ada,,00123,ada@example.edu,,1",
            "Eve,4711,7,eve@example.edu,B,",
            "Old,,8,,,",
            "Una,,6,,,",
            "Zoe,,9,zoe@example.edu,,",
        ]
        remarks = " / ".join(book.remarks())
        assert "1 out of date" in remarks and "3 more cells of canvas.csv" in remarks
        assert "1 left out of canvas.csv, name or sid not known" in remarks

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
        unknown = f"{tmp_path / 'overrides.csv'}, line 4: nobody: nobody's sid"
        assert any(line.startswith(unknown) for line in book.remarks())

    def test_an_override_is_found_by_every_name_and_in_excels_form(self, tmp_path):
        for text in (
            "id;points;note\r\nADÄ;90,5;agreed\r\n",
            "Ada,90.5,agreed\n",
            "123,90.5,",
        ):
            (tmp_path / "overrides.csv").write_text(text, encoding="latin-1")
            (row,) = written(tmp_path, ADA, outcome=OUTCOME)
            assert row["score"] == "90.5", text

    def test_a_wrong_override_is_told_with_its_line(self, tmp_path):
        for line, said in {
            "x,many,": "line 2: write an id",
            ",5,": "line 2: write an id",
            "x,-1,": "line 2: write an id",
            "x,1e3,": "line 2: write an id",
            "ada,101,": "line 2: 101 points of 100; write 100 or fewer",
            "ada,5,\n00123,7,": "line 3: line 2 is for Ada 00123 too; keep one",
        }.items():
            (tmp_path / "overrides.csv").write_text(f"id,points,note\n{line}\n")
            with pytest.raises(CourseError, match=f"overrides.csv, {said}"):
                written(tmp_path, ADA, outcome=OUTCOME)

    def test_an_override_for_a_name_that_two_have_asks_for_the_sid(self, tmp_path):
        (tmp_path / "overrides.csv").write_text("Ada,5,\n")
        course = [Submission("s1", (ADA,)), Submission("s2", (replace(ADA, sid="9"),))]
        with pytest.raises(
            CourseError, match="line 1: Ada: 2 have that name; write the sid"
        ):
            Gradebook(tmp_path, course, {}, lambda _: True)

    def test_a_gradebook_that_was_edited_by_hand_is_kept_during_a_run_too(self, tmp_path):
        book = book_of(tmp_path, [Submission("s1", (ADA,))], {"s1": OUTCOME})
        book.write()
        book.write()
        assert book.edited == []
        path = tmp_path / "gradebook.csv"
        for number in (1, 2):
            path.write_text(path.read_text().replace("37.34", f"9{number}"))
            book.write()
            assert f"kept as gradebook-edited-{number}.csv" in book.edited[-1]
            assert f"9{number}" in (tmp_path / f"gradebook-edited-{number}.csv").read_text()
        book.write()
        assert len(book.edited) == 2

    def test_lateness_is_a_column_of_minutes_and_one_of_days_and_hours(self, tmp_path):
        due = datetime.fromisoformat("2026-12-01T23:59+01:00")
        for handed_in, minutes, words in (
            ("2026-12-01T22:59:00+00:00", "0", ""),
            ("2026-12-01T22:59:01+00:00", "1", "1 min"),
            ("2026-12-02T00:59:00+01:00", "60", "1 h 0 min"),
            ("2026-12-04T03:59:00+01:00", "3120", "2 days 4 h"),
            ("", "", ""),
        ):
            course = [Submission("s1", (ADA,), handed_in=handed_in)]
            book_of(tmp_path, course, deadline=due).write()
            (row,) = rows_of(tmp_path / "gradebook.csv")
            late = row["handed in"], row["minutes late"], row["late"]
            assert late == (handed_in, minutes, words)
        assert in_days(1500) == "1 day 1 h"

    def test_scores_are_compared_with_gradescopes_own(self, tmp_path):
        course = [
            Submission(f"s{n}", (ADA,), score=cents)
            for n, cents in enumerate([3734, 8600, None])
        ]
        outcomes = {one.id: replace(OUTCOME, id=one.id) for one in course}
        book = Gradebook(tmp_path, course, outcomes, lambda _: True)
        remarks = book.remarks()
        assert "1 of 2 scores equal Gradescope's own" in remarks
        assert "  Ada 00123: laptop 37.34, Gradescope 86" in remarks

    def test_a_file_that_is_not_a_gradebook_is_told_in_a_line(self, tmp_path):
        (tmp_path / "x.csv").write_text("sid,name\n1,2\n")
        with pytest.raises(CourseError, match="no column email"):
            read_grades(tmp_path / "x.csv")
        written(tmp_path, ADA, outcome=OUTCOME)
        with open(tmp_path / "gradebook.csv", "a") as file:
            file.write("\n\n")
        assert len(read_grades(tmp_path / "gradebook.csv").lines) == 1
        with pytest.raises(CourseError, match="cannot be read"):
            read_grades(tmp_path / "none.csv")

    def test_a_score_that_is_not_a_number_is_told_in_a_line(self, tmp_path):
        path = tmp_path / "gradebook.csv"
        written(tmp_path, ADA, outcome=OUTCOME)
        text = path.read_text()
        for score in ("37,34", "excused", "nan", "x" * 200_000):
            path.write_text(text.replace("37.34", f'"{score}"'))
            with pytest.raises(CourseError) as error:
                read_grades(path)
            assert len(str(error.value)) < 300


def grades(folder, course, **fields):
    """Grade a course (id -> students), with the same fields in all outcomes."""
    outcomes = {id: replace(OUTCOME, id=id, **fields) for id in course}
    for outcome in outcomes.values():
        add_to_ledger(folder, outcome)
    submissions = [Submission(id, students) for id, students in course.items()]
    book_of(folder, submissions, outcomes).write()
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
        assert (change.cents, change.why) == (-134, "1.34 less in ties")
        text = "\n".join(report(before, after, changes))
        assert "1 of 1 scores changed: 1 lower, 0 higher" in text
        assert "the mean went from 37.34 to 36" in text
        assert "another kit (code, trees or rubric)" in text
        assert "Ada 00123: 37.34 -> 36 (1.34 less in ties)" in text

    def test_who_came_and_who_went_are_told(self, tmp_path):
        before = grades(tmp_path / "a", {"s1": (BO,)})
        after = grades(tmp_path / "b", ALONE)
        changes = changes_between(before, after)
        assert {change.line.student.name: change.why for change in changes} == {
            "Ada": "was not in the earlier gradebook",
            "Bo": "is not in this one",
        }

    def test_partners_and_their_separate_submissions_stay_separate(self, tmp_path):
        for number, course in enumerate((GROUP, APART, SAME_SID, NAMES_ONLY)):
            folder = tmp_path / str(number)
            before = grades(folder / "a", course, cents=1000)
            after = grades(folder / "b", course, cents=900)
            head = compare(before, folder / "b")[0]
            rows = rows_of(folder / "b" / "changes.csv")
            entries = [
                (id, who.name) for id, students in course.items() for who in students
            ]
            assert sorted((row["submission"], row["name"]) for row in rows) == sorted(
                entries
            )
            assert {row["change"] for row in rows} == {"-1"}
            assert head.startswith(f"{len(entries)} of {len(after.lines)} scores changed")

    def test_what_was_given_by_hand_is_told_as_that(self, tmp_path):
        for folder in ("a", "b"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "overrides.csv").write_text("ada,90,\n")
        before = grades(tmp_path / "a", ALONE)
        after = grades(tmp_path / "b", ALONE, cents=3600)
        assert changes_between(before, after) == []
        assert report(before, after, [])[-1] == (
            "  Ada 00123: 90 by hand stands; it was given when grading gave 37.34, and "
            "grading gives 36 now"
        )
        none = grades(tmp_path / "c", ALONE)
        assert changes_between(none, after)[0].why == "given by hand"
        assert changes_between(before, none)[0].why == "no longer given by hand"

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
    assert is_explained(grading) is sure
