"""Staging: one search.py out of a file, a folder or a zip, or one line why not."""

import os
import zipfile

import pytest

from autograder.sandbox.submission import MOST_BYTES, NotGradable, stage

SOURCE = b"def minimax(node, depth, maximizing): ...\n"


def fill(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(SOURCE if name.endswith(".py") else b"text")
    return folder


def zipped(tmp_path, *names, source=SOURCE):
    path = tmp_path / "submission.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, source)
    return path


def refusal(path):
    with pytest.raises(NotGradable) as caught:
        stage(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_of_any_name_is_taken_as_it_is(tmp_path):
    assert stage(fill(tmp_path, "mine.py") / "mine.py") == SOURCE


def test_a_folder_holds_search_py_at_its_top_or_one_folder_down(tmp_path):
    assert stage(fill(tmp_path / "a", "search.py", "notes.txt")) == SOURCE
    assert stage(fill(tmp_path / "b", "hw3/search.py", "__MACOSX/search.py")) == SOURCE


def test_a_zip_is_read_like_a_folder(tmp_path):
    assert stage(zipped(tmp_path, "hw3/search.py", "__MACOSX/hw3/._search.py")) == SOURCE


def test_a_misnamed_file_is_said_with_what_was_found(tmp_path):
    folder = fill(tmp_path, "Search.py", "notes.txt")
    assert refusal(folder) == "no search.py in the submission; found: Search.py, notes.txt"


def test_an_empty_folder_and_an_empty_zip_are_said(tmp_path):
    (tmp_path / "empty").mkdir()
    assert refusal(tmp_path / "empty").endswith("found: nothing")
    assert refusal(zipped(tmp_path)).endswith("found: nothing")


def test_two_candidates_are_not_guessed_between(tmp_path):
    message = refusal(fill(tmp_path, "a/search.py", "b/search.py"))
    assert message == "more than one search.py in the submission: a/search.py, b/search.py"


def test_a_folder_called_search_py_is_said(tmp_path):
    (tmp_path / "search.py").mkdir()
    assert refusal(tmp_path) == "search.py is a folder; submit a file of that name"


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "secret.py").write_bytes(SOURCE)
    folder = tmp_path / "submission"
    folder.mkdir()
    os.symlink(tmp_path / "secret.py", folder / "search.py")
    assert "is a link" in refusal(folder)


def test_a_pipe_does_not_hang_the_grader(tmp_path):
    os.mkfifo(tmp_path / "search.py")
    assert "not a regular file" in refusal(tmp_path)


def test_a_file_over_the_limit_is_refused_by_size(tmp_path):
    (tmp_path / "search.py").write_bytes(b"#" * (MOST_BYTES + 1))
    assert "1,048,577 bytes" in refusal(tmp_path)
    assert "bytes" in refusal(zipped(tmp_path, "search.py", source=b"#" * (MOST_BYTES + 1)))


def test_a_damaged_zip_is_one_line(tmp_path):
    path = zipped(tmp_path, "search.py")
    data = bytearray(path.read_bytes())
    data[40] ^= 0xFF
    path.write_bytes(data)
    refusal(path)
    path.write_bytes(b"PK not a zip")
    assert "no readable zip" in refusal(path)


def test_file_names_cannot_smuggle_control_characters(tmp_path):
    for names in (["\x1b[31mred.py"], ["\x1b[31m/search.py", "b\n/search.py"]):
        assert "\x1b" not in refusal(zipped(tmp_path, *names))
    os.symlink("search.py", tmp_path / "\x1b[31m.py")
    (tmp_path / "search.py").write_bytes(SOURCE)
    assert "\x1b" not in refusal(tmp_path / "\x1b[31m.py")


def test_nothing_at_all_is_the_callers_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        stage(tmp_path / "nowhere")
