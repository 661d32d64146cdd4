"""A file or folder is never half written, even if the program is killed."""

import pytest

from autograder.ground.files import finish_replacing, private, replace_file, replace_folder


@pytest.fixture
def folder(tmp_path):
    """Return the path of a folder that was being replaced when the program was killed."""
    for state in ("new", "old"):
        sibling = tmp_path / f".folder.{state}"
        sibling.mkdir()
        (sibling / "file").write_text(state)
    return tmp_path / "folder"


def test_a_replacement_that_was_killed_is_finished_even_if_the_next_one_fails(folder):
    with pytest.raises(OSError):
        replace_folder(folder, {"nowhere/file": b""})
    assert (folder / "file").read_text() == "new"


def test_a_complete_folder_is_not_overwritten_by_an_unfinished_one(tmp_path):
    (tmp_path / ".folder.new").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("whole")
    finish_replacing(tmp_path / "folder")
    assert (tmp_path / "folder" / "file").read_text() == "whole"


def test_a_failed_replacement_leaves_no_temporary_file(tmp_path):
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError):
        replace_file(tmp_path / "file", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_missing_folders_are_created_and_line_ends_are_plain(tmp_path):
    replace_file(tmp_path / "a" / "b", "one\ntwo \udce9\n")
    assert (tmp_path / "a" / "b").read_bytes() == b"one\ntwo \\udce9\n"


def test_other_users_can_read_public_files_but_not_private_files(tmp_path):
    with private():
        replace_file(tmp_path / "private", "")
    replace_file(tmp_path / "public", "")
    assert (tmp_path / "private").stat().st_mode & 0o077 == 0
    assert (tmp_path / "public").stat().st_mode & 0o044 != 0
