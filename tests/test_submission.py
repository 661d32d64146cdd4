"""stage() finds search.py in a file, folder or zip, or says in one line what is wrong."""

import json
import os
import zipfile

import pytest
from helpers import cases, refusal_of, slips, tables_beside, write

from autograder.ground import submission
from autograder.ground.submission import MAX_BYTES, NotGradable, stage

FILES = tables_beside(__file__)["files of a submission"]

SOURCE = b"def minimax(node, depth, maximizing): ...\n"
NONE = "no search.py in the submission; found: "
SEVERAL = "more than one search.py in the submission: "


@pytest.fixture(params=["", ".zip"], ids=["folder", "zip"])
def hand_in(request, tmp_path):
    """Return a function: file names -> the path of a submission with these files.

    Each file contains the source, or its own name if there is none.
    """

    def write_submission(*names, source=None):
        path = tmp_path / f"submission{request.param}"
        return write(path, {name: source or name.encode() for name in names})

    return write_submission


@pytest.mark.parametrize("names", FILES, ids=", ".join)
def test_the_search_py_in_the_fewest_folders_is_taken(names, hand_in):
    assert stage(hand_in(*names)) == (names[0].encode(), "")


@pytest.mark.parametrize("name", ["mine.py", "Search (1).PY", "hw/deep/Search.py"])
def test_the_only_python_file_is_taken_with_a_note(name, hand_in):
    file = name.rpartition("/")[2]
    staged = stage(hand_in(name, "notes.txt"))
    assert staged == (name.encode(), f"{file} was taken for search.py")


def test_a_given_file_is_taken_without_a_note(tmp_path):
    write(tmp_path, {"mine.py": SOURCE, "other.py": b""})
    assert stage(tmp_path / "mine.py") == (SOURCE, "")


@pytest.fixture(scope="module")
def inner_zip(tmp_path_factory):
    """Return the bytes of a zip with a search.py."""
    path = tmp_path_factory.mktemp("inner") / "inner.zip"
    return write(path, {"hw/search.py": SOURCE}).read_bytes()


class TestAZipInASubmission:
    def test_is_not_read_if_there_are_several(self, hand_in, inner_zip):
        path = hand_in("a.zip", "b.zip", source=inner_zip)
        assert refusal_of(stage, path) == NONE + "a.zip, b.zip"

    def test_is_not_read_if_there_are_programs(self, hand_in, inner_zip):
        path = hand_in("a/search.py", "b/search.py", "old.zip", source=inner_zip)
        assert refusal_of(stage, path) == SEVERAL + "a/search.py, b/search.py"

    def test_is_read_if_it_is_the_only_file_and_may_contain_a_zip(
        self, hand_in, inner_zip, tmp_path
    ):
        outer = write(tmp_path / "outer.zip", {"hw.zip": inner_zip}).read_bytes()
        assert stage(hand_in("hw.zip", source=outer)).source == SOURCE

    def test_may_not_contain_a_zip_inside_a_zip(self, hand_in, inner_zip, tmp_path):
        outer = write(tmp_path / "outer.zip", {"hw.zip": inner_zip}).read_bytes()
        outermost = write(tmp_path / "outermost.zip", {"hw.zip": outer}).read_bytes()
        assert refusal_of(stage, hand_in("hw.zip", source=outermost)) == NONE + "hw.zip"


@slips("submission")
def test_a_submission_without_one_clear_program_is_refused(names, line, hand_in):
    assert refusal_of(stage, hand_in(*names)) == line


NOTEBOOK = json.dumps({"cells": [], "metadata": {}}).encode()


@pytest.mark.parametrize(
    "name, source, reason",
    [
        ("search.py", SOURCE.decode().encode("utf-16"), " is not a text file in UTF-8"),
        ("search.py", SOURCE.decode().encode("utf-16-le"), " is not a text file in UTF-8"),
        ("hw.py", b"\x1f\x8b\0", " is not a text file in UTF-8: save it as UTF-8"),
        ("hw.py", NOTEBOOK, " contains a notebook: copy its functions into"),
        ("search.py", b"#" * (MAX_BYTES + 1), " has 1,048,577 bytes"),
    ],
    ids=["UTF-16", "UTF-16 without a mark", "an archive", "a notebook", "too large"],
)
def test_a_file_that_is_not_a_program_is_refused_with_a_reason(
    name, source, reason, hand_in
):
    assert refusal_of(stage, hand_in(name, source=source)).startswith(name + reason)


def test_a_file_may_be_as_large_as_the_limit(hand_in):
    source = b"#" * MAX_BYTES
    assert stage(hand_in("search.py", source=source)).source == source


@pytest.mark.parametrize("name", ["search.py", "\x1b[31m.py"])
def test_a_link_to_a_file_or_folder_is_not_followed(name, tmp_path):
    write(tmp_path, {"secret.py": SOURCE, "submission/": b""})
    (tmp_path / "submission" / name).symlink_to(tmp_path / "secret.py")
    (tmp_path / "linked").symlink_to(tmp_path / "submission")
    for path in ("submission", f"submission/{name}", "linked"):
        assert "is a link" in refusal_of(stage, tmp_path / path), path


def test_a_pipe_does_not_hang_the_grader(tmp_path):
    os.mkfifo(tmp_path / "search.py")
    assert "not a regular file" in refusal_of(stage, tmp_path)


def test_a_missing_path_raises_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        stage(tmp_path / "nowhere")


END_BYTES = 22  # size of the record that ends a zip


def test_a_zip_with_a_list_of_entries_over_the_limit_is_refused(tmp_path, monkeypatch):
    path = write(tmp_path / "hw.zip", {"search.py": SOURCE})
    with zipfile.ZipFile(path) as archive:
        list_bytes = path.stat().st_size - archive.start_dir - END_BYTES
    monkeypatch.setattr(submission, "MAX_LIST_BYTES", list_bytes)
    assert stage(path).source == SOURCE
    monkeypatch.setattr(submission, "MAX_LIST_BYTES", list_bytes - 1)
    with pytest.raises(NotGradable, match="hw.zip .* it contains too many files"):
        stage(path)


def test_the_limit_of_the_list_is_no_limit_of_a_file(tmp_path):
    files = {"notes.bin": bytes(2**23), "search.py": SOURCE}
    inner = write(tmp_path / "inner.zip", files, kind=zipfile.ZIP_STORED).read_bytes()
    outer = write(tmp_path / "outer.zip", {"hw.zip": inner}, kind=zipfile.ZIP_STORED)
    assert stage(outer).source == SOURCE


@cases("lines that the autograder cannot run")
def test_a_note_names_what_the_autograder_lacks(line, name, tmp_path):
    (tmp_path / "search.py").write_text(f"{line}\n")
    (tmp_path / "helpers.py").write_text("")
    assert name in stage(tmp_path).note
