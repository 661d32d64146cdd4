"""submission_metadata.yml: who handed in what, and nothing else of it is read."""

import random

import pytest
from exports import METADATA
from fixtures.make_class import metadata

from autograder.course.export import CourseError, Student, only_submitters, read_metadata


def read(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "submission_metadata.yml"
    path.write_text(text, encoding=encoding)
    return read_metadata(path)


def test_a_sid_is_a_string_and_keeps_its_zeros(tmp_path):
    assert read(tmp_path, METADATA)["submission_12"][0].sid == "00123"


def test_every_member_of_a_group_is_read(tmp_path):
    students = read(tmp_path, METADATA)["submission_12"]
    assert [one.name for one in students] == ['Åsa "Ö" O\'Neil', "Bo"]


def test_a_missing_sid_is_empty(tmp_path):
    found = read(tmp_path, METADATA)
    assert found["submission_9"] == (Student("Cy", "", "cy@example.edu"),)


def test_results_that_look_like_submitters_are_no_submitters(tmp_path):
    assert "nobody" not in str(read(tmp_path, METADATA))


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path):
    text = METADATA.replace("\n", "\r\n")
    assert len(read(tmp_path, text, "utf-8-sig")) == 2


def test_a_slip_is_told_with_its_line_in_the_file(tmp_path):
    with pytest.raises(CourseError, match=r"metadata\.yml:4: .*export it again"):
        read(tmp_path, METADATA.replace("Åsa", "'Åsa"))


@pytest.mark.parametrize("text", ["", "just text\n", "- a\n- b\n"])
def test_what_lists_no_submission_is_refused(tmp_path, text):
    with pytest.raises(CourseError, match="export it again"):
        read(tmp_path, text)


def test_1500_students_are_read_without_their_results(tmp_path):
    folders = [f"submission_{n}" for n in range(1500)]
    text = metadata(folders, random.Random(1), rows=30, history=1)
    kept = list(only_submitters(text.splitlines()))
    assert len(kept) < len(text.splitlines()) / 30
    assert len(read(tmp_path, text)) == 1500
