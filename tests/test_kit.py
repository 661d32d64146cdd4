"""A kit that is not whole says what is missing; what a grade depends on is hashed."""

import pytest

from autograder.grading import refuse
from autograder.kit import content_hash, load_kit, load_reference
from autograder.tasks import ReferenceFailed

CODE = (
    "starter/gametree/judging.py",
    "autograder/showing/summary.py",
    "autograder/course/classpage.py",
    "autograder/workbench/check.py",
    "autograder/batch.py",
    "starter/gametree/trace.py",
    "solution/mistakes/no_cutoff.py",
)


def test_a_kit_without_its_reference_names_it(tmp_path):
    said = r"search\.py cannot be read: .*; restore it$"
    with pytest.raises(ReferenceFailed, match=said):
        load_reference(tmp_path)


def test_an_edit_that_changes_no_grade_leaves_a_course_graded(tmp_path):
    for name in CODE:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before = 1\n")
    concerned = []
    for name in CODE:
        before = content_hash(tmp_path)
        (tmp_path / name).write_text("after = 1\n")
        concerned.append(content_hash(tmp_path) != before)
    assert concerned == [True, True, False, False, False, True, True]


def test_a_refused_submission_has_every_row():
    kit = load_kit()
    rows = refuse(kit, "no search.py").rows
    names = [(row.number, row.name, row.most_cents) for row in kit.rows]
    assert names == [(row.number, row.name, row.most_cents) for row in rows]
    assert {row.cents for row in rows} == {0} and not any(row.right for row in rows)
