"""Files and folders are never half written, whenever a program is killed."""

import pytest

from autograder.files import finish_replacing, private, replace_file, replace_folder


@pytest.fixture
def folder(tmp_path):
    """The path of a folder whose replacement was killed between its renames."""
    for state in ("new", "old"):
        beside = tmp_path / f".folder.{state}"
        beside.mkdir()
        (beside / "file").write_text(state)
    return tmp_path / "folder"


def test_a_replacement_that_was_killed_is_finished(folder):
    finish_replacing(folder)
    assert (folder / "file").read_text() == "new"
    assert [path.name for path in folder.parent.iterdir()] == ["folder"]


def test_a_replacement_that_was_killed_outlives_the_failure_of_the_next(folder):
    with pytest.raises(OSError):
        replace_folder(folder, {"nowhere/file": b""})
    assert (folder / "file").read_text() == "new"


def test_a_replacement_that_was_killed_is_replaced(folder):
    replace_folder(folder, {"other": b"newest"})
    assert [path.name for path in folder.parent.iterdir()] == ["folder"]
    assert [path.name for path in folder.iterdir()] == ["other"]


def test_what_is_there_is_not_overwritten_by_what_was_begun(tmp_path):
    (tmp_path / ".folder.new").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("whole")
    finish_replacing(tmp_path / "folder")
    assert (tmp_path / "folder" / "file").read_text() == "whole"


def test_a_file_that_cannot_be_replaced_stays_and_leaves_nothing_beside(tmp_path):
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError):
        replace_file(tmp_path / "file", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_has_its_missing_folders_and_plain_line_ends(tmp_path):
    replace_file(tmp_path / "a" / "b", "one\ntwo \udce9\n")
    assert (tmp_path / "a" / "b").read_bytes() == b"one\ntwo \\udce9\n"


def test_what_is_private_is_its_owners_alone_and_what_follows_is_not(tmp_path):
    with private():
        replace_file(tmp_path / "private", "")
    replace_file(tmp_path / "public", "")
    assert (tmp_path / "private").stat().st_mode & 0o077 == 0
    assert (tmp_path / "public").stat().st_mode & 0o044 != 0
