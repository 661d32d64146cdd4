"""What a course may look like on disk, and what is read from it."""

import sys
import zipfile

import pytest
from exports import METADATA, SEARCH, folder_of, reason, submissions, zip_of
from fixtures.make_class import make_class

from autograder.course.export import CourseError, natural, opened, safe_id, unique


def test_a_folder_of_folders(tmp_path):
    found = submissions(folder_of(tmp_path, {"a/search.py": SEARCH, "b/": b""}))
    assert found["a"].stage() == SEARCH
    assert reason(found["b"]) == "no search.py in the submission; found: nothing"


def test_a_folder_of_python_files_and_zips(tmp_path):
    course = folder_of(tmp_path, {"00123.py": SEARCH, "notes.txt": b""})
    zip_of(course / "00124.zip", {"search.py": SEARCH})
    found = submissions(course)
    assert [one.stage() for one in found.values()] == [SEARCH, SEARCH]
    assert list(found) == ["00123", "00124"]


@pytest.mark.parametrize("wrapped", ["", "assignment_1_export/", "a/b/"])
def test_an_export_however_deep_it_lies(tmp_path, wrapped):
    files = {
        f"{wrapped}submission_metadata.yml": METADATA.encode(),
        f"{wrapped}submission_12/search.py": SEARCH,
        f"{wrapped}submission_9/": b"",
        f"{wrapped}.DS_Store": b"",
        "__MACOSX/._x": b"",
    }
    for path in (folder_of(tmp_path, files), zip_of(tmp_path / "course.zip", files)):
        found = submissions(path)
        assert list(found) == ["submission_9", "submission_12"]
        assert [who.sid for who in found["submission_12"].students] == ["00123", ""]


def test_one_student_in_a_folder_is_a_course_of_one(tmp_path):
    assert list(submissions(folder_of(tmp_path, {"ada/search.py": SEARCH}))) == ["ada"]


def test_a_listed_submission_without_a_folder_has_a_row_and_a_reason(tmp_path):
    files = {
        "submission_metadata.yml": METADATA.encode(),
        "submission_9/search.py": SEARCH,
    }
    found = submissions(folder_of(tmp_path, files))
    assert reason(found["submission_12"]) == "its folder is not in the export"


def test_a_folder_that_is_not_listed_has_a_row_too(tmp_path):
    files = {
        "submission_metadata.yml": METADATA.encode(),
        "submission_77/search.py": SEARCH,
    }
    course = folder_of(tmp_path, files)
    with opened(course) as read:
        assert "submission_77 is not in submission_metadata.yml" in read.remarks
    assert submissions(course)["submission_77"].stage() == SEARCH


def test_two_submissions_of_one_student_say_so(tmp_path):
    text = METADATA.replace("cy@example.edu", "bo@example.edu")
    course = folder_of(tmp_path, {"submission_metadata.yml": text.encode()})
    notes = {one.note for one in submissions(course).values()}
    assert notes == {"one of 2 submissions of this student"}


def test_students_without_sid_and_email_are_not_taken_for_one(tmp_path):
    found = submissions(folder_of(tmp_path, {"a/search.py": SEARCH, "b/search.py": SEARCH}))
    assert [one.note for one in found.values()] == ["", ""]


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_link_is_a_row_and_never_followed(tmp_path):
    course = folder_of(tmp_path, {"a/search.py": SEARCH})
    (course / "b.py").symlink_to("/etc/passwd")
    assert reason(submissions(course)["b"]) == "b.py is a link; submit the file itself"


@pytest.mark.parametrize("name", ["nothing", "notes.txt"])
def test_what_is_no_course_is_told_in_a_line(tmp_path, name):
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(CourseError, match="give"), opened(tmp_path / name):
        pass


def test_a_zip_without_a_submission_is_told_by_its_own_name(tmp_path):
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("notes.txt", "")
    with (
        pytest.raises(CourseError, match="export.zip: no submissions"),
        opened(tmp_path / "export.zip"),
    ):
        pass


def test_an_empty_folder_is_told_in_a_line(tmp_path):
    with pytest.raises(CourseError, match="no submissions"), opened(tmp_path):
        pass


def test_the_made_up_class_reads_as_it_was_made(tmp_path):
    made = make_class(tmp_path / "class.zip", submissions=40)
    assert set(submissions(tmp_path / "class.zip")) == set(made)
    make_class(tmp_path / "class", submissions=40)
    assert set(submissions(tmp_path / "class")) == set(made)


def test_numbers_sort_as_numbers():
    names = ["submission_10", "submission_9", "a", "submission_10b"]
    assert sorted(names, key=natural) == [
        "a",
        "submission_9",
        "submission_10",
        "submission_10b",
    ]


@pytest.mark.parametrize(
    "name", ["..", ".", "", "a/b", "a\nb", ".hidden", "x" * 400, "\ud800"]
)
def test_an_id_is_a_plain_folder_name(name, tmp_path):
    made = safe_id(name)
    (tmp_path / made).mkdir()
    assert (tmp_path / made).parent == tmp_path and not made.startswith(".")


def test_ids_differ_from_each_other_and_from_our_own_files():
    assert unique(["Ada", "ada", "report.html"]) == ["Ada", "ada-2", "report.html-2"]


def test_the_fixture_generator_is_reproducible(tmp_path):
    for name in ("one", "two"):
        make_class(tmp_path / f"{name}.zip", submissions=20)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
