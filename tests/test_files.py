"""A file is never half written, even if the program is killed."""

import pytest

from autograder.ground.files import lock_folder, replace_file


def test_a_failed_replacement_names_the_file_and_leaves_no_temporary_file(tmp_path):
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError) as caught:
        replace_file(tmp_path / "file", "text")
    assert caught.value.filename == str(tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_missing_folders_are_created_and_line_ends_are_plain(tmp_path):
    replace_file(tmp_path / "a" / "b", "one\ntwo \udce9\n")
    assert (tmp_path / "a" / "b").read_bytes() == b"one\ntwo \\udce9\n"


def test_other_users_can_read_public_files_but_not_private_files(tmp_path):
    with lock_folder(tmp_path):
        replace_file(tmp_path / "private", "")
    replace_file(tmp_path / "public", "")
    assert (tmp_path / "private").stat().st_mode & 0o077 == 0
    assert (tmp_path / "public").stat().st_mode & 0o044 != 0
