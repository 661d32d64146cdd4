"""The gradebook and its copy for Canvas: a row for everybody, and no formula."""

from dataclasses import replace

import pytest
from coursebooks import ADA, BO, OUTCOME, rows_of

from autograder.course import gradebook
from autograder.course.export import CourseError, Student, Submission
from autograder.course.gradebook import Gradebook, lines_of, safe, unsafe
from autograder.course.outcome import (
    COULD_NOT_TELL,
    NOT_GRADABLE,
    NOT_YET,
    OUT_OF_DATE,
    Outcome,
)


def written(tmp_path, *submissions, outcomes=(), current=True):
    book = Gradebook(tmp_path, submissions, {o.id: o for o in outcomes}, lambda _: current)
    book.write()
    return rows_of(tmp_path / "gradebook.csv")


def test_each_student_of_a_group_has_a_row(tmp_path):
    group = Submission("s1", None, (ADA, BO))
    rows = written(tmp_path, group, outcomes=[OUTCOME])
    assert [(row["sid"], row["score"]) for row in rows] == [
        ("00123", "37.34"),
        ("", "37.34"),
    ]


def test_the_columns_are_these(tmp_path):
    row = written(tmp_path, Submission("s1", None, (ADA,)), outcomes=[OUTCOME])[0]
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


def test_who_is_not_graded_yet_has_a_row_without_a_score(tmp_path):
    row = written(tmp_path, Submission("s1", None, (ADA,)))[0]
    assert (row["score"], row["status"]) == ("", NOT_YET)


def test_what_the_grader_could_not_tell_is_no_zero(tmp_path):
    unknown = Outcome("s1", "kit", "source", COULD_NOT_TELL, "its grader ended")
    row = written(tmp_path, Submission("s1", None, (ADA,)), outcomes=[unknown])[0]
    assert (row["score"], row["alphabeta"], row["reason"]) == (
        "",
        "",
        "its grader ended",
    )


def test_a_score_of_an_earlier_kit_is_kept_and_marked(tmp_path):
    one = Submission("s1", None, (ADA,))
    row = written(tmp_path, one, outcomes=[OUTCOME], current=False)[0]
    assert (row["score"], row["status"]) == ("37.34", OUT_OF_DATE)


def test_the_note_joins_the_reason():
    one = Submission("s1", None, (ADA,), note="note")
    refused = replace(OUTCOME, status=NOT_GRADABLE, reason="why")
    assert lines_of(one, refused)[0].reason == "why; note"


@pytest.mark.parametrize("text", ["=1+1", "+x", "-2+3", "@SUM(A1)", "\tx"])
def test_a_formula_in_a_name_stays_text(tmp_path, text):
    student = Student(text, text, text)
    row = written(tmp_path, Submission("s1", None, (student,)))[0]
    assert row["name"] == row["sid"] == row["email"] == "'" + text
    assert gradebook.read_gradebook(tmp_path / "gradebook.csv")[0].name == text


@pytest.mark.parametrize("text", ["", "Ada", "00123", "-1.5", "O'Neil", "'quoted'", "a=b"])
def test_other_text_is_left_alone(text):
    assert safe(text) == text == unsafe(text)


def test_it_is_written_at_most_twice_a_second_as_outcomes_come(tmp_path):
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


def test_canvas_finds_its_own_columns(tmp_path):
    lines = lines_of(Submission("s1", None, (ADA,)), OUTCOME)
    gradebook.write_canvas(tmp_path / "canvas.csv", lines, "Search")
    assert (tmp_path / "canvas.csv").read_text(encoding="utf-8").splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Search",
        "Ada,,00123,ada@example.edu,,37.34",
    ]


def test_a_file_that_is_no_gradebook_is_told_in_a_line(tmp_path):
    (tmp_path / "x.csv").write_text("sid,name\n1,2\n")
    with pytest.raises(CourseError, match="the column email is missing"):
        gradebook.read_gradebook(tmp_path / "x.csv")
    with pytest.raises(CourseError, match="cannot be read"):
        gradebook.read_gradebook(tmp_path / "none.csv")


@pytest.mark.parametrize(
    "score", ["37,34", "excused", "nan", pytest.param("x" * 200_000, id="long")]
)
def test_a_score_that_is_no_number_is_told_in_a_line(tmp_path, score):
    path = tmp_path / "x.csv"
    (line,) = lines_of(Submission("s1", None, (ADA,)), OUTCOME)
    gradebook.write_gradebook(path, [replace(line, score=score)])
    with pytest.raises(CourseError) as caught:
        gradebook.read_gradebook(path)
    assert len(str(caught.value)) < 300
