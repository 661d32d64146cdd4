"""Two gradings compared: who changed, by how much, and why."""

from dataclasses import replace

import pytest
from coursebooks import ADA, BO, OUTCOME, rows_of

from autograder.course import gradebook
from autograder.course.export import Student, Submission
from autograder.course.gradebook import Gradebook
from autograder.course.outcome import Ledger


def grades(tmp_path, name, outcome, student=ADA):
    folder = tmp_path / name
    with Ledger(folder) as ledger:
        ledger.add(outcome)
    one = Submission(outcome.id, None, (student,))
    Gradebook(folder, [one], {outcome.id: outcome}, lambda _: True).write()
    return gradebook.read_grades(folder / "gradebook.csv")


def course_grades(tmp_path, name, course, cents):
    """Grade a course (id -> students) with the same cents for all."""
    outcomes = {id: replace(OUTCOME, id=id, cents=cents) for id in course}
    submissions = [Submission(id, None, students) for id, students in course.items()]
    Gradebook(tmp_path / name, submissions, outcomes, lambda _: True).write()
    return gradebook.read_grades(tmp_path / name / "gradebook.csv")


def test_who_changed_is_told_with_the_row_that_did_it(tmp_path):
    before = grades(tmp_path, "a", OUTCOME)
    now = replace(OUTCOME, cents=3600, kit="other", lost={"r": 9, "ties": 134})
    after = grades(tmp_path, "b", now)
    changes = gradebook.changes_between(before, after)
    assert [(c.line.sid, c.cents, c.rows) for c in changes] == [
        ("00123", -134, {"ties": -134})
    ]
    told = "\n".join(gradebook.report(before, after, changes))
    assert "1 of 1 scores changed: 1 lower, 0 higher" in told
    assert "the mean went from 37.34 to 36" in told
    assert "another kit (code, trees or rubric); 0 submissions changed" in told
    assert "00123 Ada: 37.34 -> 36 (-1.34 in ties)" in told


def test_nothing_changed_is_said_too(tmp_path):
    same = grades(tmp_path, "a", OUTCOME)
    assert gradebook.changes_between(same, same) == []
    assert "0 of 1 scores changed" in gradebook.report(same, same, [])[0]


def test_a_changed_submission_is_named_as_the_reason(tmp_path):
    before = grades(tmp_path, "a", OUTCOME)
    after = grades(tmp_path, "b", replace(OUTCOME, cents=0, source="new"))
    assert "the submission changed" in gradebook.changes_between(before, after)[0].why


def test_a_new_submission_id_is_the_same_student(tmp_path):
    before = grades(tmp_path, "a", OUTCOME)
    after = grades(tmp_path, "b", replace(OUTCOME, id="s2", cents=0))
    assert gradebook.changes_between(before, after)[0].cents == -3734


def test_who_came_and_who_went_are_told(tmp_path):
    before = grades(tmp_path, "a", OUTCOME, BO)
    after = grades(tmp_path, "b", OUTCOME, ADA)
    whys = {c.line.name: c.why for c in gradebook.changes_between(before, after)}
    assert whys == {
        "Ada": "was not in the earlier gradebook",
        "Bo": "is not in this one",
    }


GROUP = {"s1": (ADA, BO), "s2": (ADA, BO)}
APART = {"s1": (ADA,), "s2": (BO,)}
SAME_SID = {"s1": (ADA,), "s2": (replace(BO, sid=ADA.sid),)}
NAMES_ONLY = {"s1": (Student("Ada"), Student("Bo"))}


@pytest.mark.parametrize("course", [GROUP, APART, SAME_SID, NAMES_ONLY], ids=str)
def test_partners_and_their_separate_submissions_stay_separate_entries(tmp_path, course):
    before = course_grades(tmp_path, "a", course, cents=1000)
    after = course_grades(tmp_path, "b", course, cents=900)
    changes = gradebook.changes_between(before, after)
    entries = [(id, who.name) for id, students in course.items() for who in students]
    assert sorted((c.line.submission, c.line.name) for c in changes) == sorted(entries)
    assert {change.cents for change in changes} == {-100}
    path = tmp_path / "changes.csv"
    gradebook.write_changes(path, changes)
    assert len(rows_of(path)) == len(entries)
    assert gradebook.report(before, after, changes)[0].startswith(
        f"{len(entries)} of {len(entries)} scores changed"
    )


def test_a_student_who_handed_in_once_more_keeps_the_earlier_line(tmp_path):
    before = course_grades(tmp_path, "a", {"s1": (ADA,)}, cents=1000)
    after = course_grades(tmp_path, "b", {"s1": (ADA,), "s2": (ADA,)}, cents=1000)
    (change,) = gradebook.changes_between(before, after)
    assert (change.line.submission, change.before) == ("s2", None)


def test_an_earlier_gradebook_without_its_ledger_is_enough(tmp_path):
    before = replace(grades(tmp_path, "a", OUTCOME), outcomes={})
    after = grades(tmp_path, "b", replace(OUTCOME, cents=0))
    changes = gradebook.changes_between(before, after)
    assert changes[0].why == "other points for the same rows"
    assert "no ledger" in gradebook.report(before, after, changes)[1]


def test_the_changes_are_a_table_too(tmp_path):
    before = grades(tmp_path, "a", OUTCOME)
    after = grades(tmp_path, "b", replace(OUTCOME, cents=0))
    path = tmp_path / "changes.csv"
    gradebook.write_changes(path, gradebook.changes_between(before, after))
    assert rows_of(path)[0]["change"] == "-37.34"
