"""Staging: one search.py out of a file, a folder or a zip, or one line why not."""

import os
import zipfile

import pytest

from autograder.sandbox import NotGradable, stage
from autograder.sandbox.submission import MOST_BYTES

SOURCE = b"def minimax(node, depth, maximizing): ...\n"
TOO_LARGE = b"#" * (MOST_BYTES + 1)


def fill(folder, *names, source=SOURCE):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source)
    return folder


def zipped(folder, *names, source=SOURCE):
    path = folder / "submission.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, source)
    return path


def refusal(path):
    with pytest.raises(NotGradable) as caught:
        stage(path)
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)
    return str(caught.value)


def test_a_file_of_any_name_is_taken_as_it_is(tmp_path):
    assert stage(fill(tmp_path, "mine.py") / "mine.py") == SOURCE


@pytest.mark.parametrize(
    "names", [("search.py", "notes.txt"), ("hw3/search.py", "__MACOSX/hw3/._search.py")]
)
@pytest.mark.parametrize("hand_in", [fill, zipped])
def test_search_py_is_at_the_top_or_one_folder_down(hand_in, names, tmp_path):
    assert stage(hand_in(tmp_path, *names)) == SOURCE


NONE = "no search.py in the submission; found: "
MORE = "more than one search.py in the submission: "


@pytest.mark.parametrize(
    "names, reason",
    [
        ([], NONE + "nothing"),
        (
            ["Search.py", "notes.txt"],
            NONE + "Search.py, notes.txt; rename Search.py to search.py",
        ),
        ("abcdefgh", NONE + "a, b, c, d, e, f and 2 more"),
        (["a/search.py", "b/search.py"], MORE + "a/search.py, b/search.py"),
        (
            ["a.ipynb"],
            NONE + "a.ipynb; a.ipynb is a notebook; put its functions into "
            "search.py and upload that",
        ),
        (
            ["hw.tar.gz"],
            NONE + "hw.tar.gz; hw.tar.gz is an archive that is not opened; "
            "upload search.py itself",
        ),
        # File names cannot smuggle control characters.
        (["\x1b[31mred.py"], NONE + "?[31mred.py"),
        (["\x1b[31m/search.py", "b\n/search.py"], MORE + "?[31m/search.py, b /search.py"),
    ],
)
@pytest.mark.parametrize("hand_in", [fill, zipped])
def test_nothing_is_guessed(hand_in, names, reason, tmp_path):
    assert refusal(hand_in(tmp_path, *names)) == reason


@pytest.mark.parametrize(
    "name",
    ["Search.py", "search (1).py", "SEARCH.PY", "search-2.py", "search copy.py"]
    + ["search.py.txt", "hw/Search.py", "search_final (3).py"],
)
@pytest.mark.parametrize("hand_in", [fill, zipped])
def test_a_near_miss_is_taken_only_where_the_course_says_so(hand_in, name, tmp_path):
    path = hand_in(tmp_path, name, "research.py", "search_tree.py")
    assert f"rename {name} to search.py" in refusal(path)
    assert stage(path, near=True) == SOURCE


def test_of_two_near_misses_none_is_taken(tmp_path):
    with pytest.raises(NotGradable, match="no search.py"):
        stage(fill(tmp_path, "Search (1).py", "search (2).py"), near=True)


def test_a_folder_called_search_py_is_refused(tmp_path):
    (tmp_path / "search.py").mkdir()
    assert refusal(tmp_path) == "search.py is a folder; submit a file of that name"


def test_a_link_is_not_followed(tmp_path):
    fill(tmp_path, "secret.py")
    folder = tmp_path / "submission"
    folder.mkdir()
    for name in ("search.py", "\x1b[31m.py"):
        os.symlink(tmp_path / "secret.py", folder / name)
        assert "is a link" in refusal(folder / name)
    assert "is a link" in refusal(folder)


def test_a_pipe_does_not_hang_the_grader(tmp_path):
    os.mkfifo(tmp_path / "search.py")
    assert "not a regular file" in refusal(tmp_path)


@pytest.mark.parametrize("hand_in", [fill, zipped])
def test_a_file_over_the_limit_is_refused_by_size(hand_in, tmp_path):
    assert "1,048,577 bytes" in refusal(hand_in(tmp_path, "search.py", source=TOO_LARGE))


def test_a_damaged_zip_is_one_line(tmp_path):
    path = zipped(tmp_path, "search.py")
    data = bytearray(path.read_bytes())
    data[40] ^= 0xFF
    path.write_bytes(data)
    refusal(path)
    path.write_bytes(b"PK not a zip")
    assert "no readable zip" in refusal(path)


def test_nothing_at_all_is_the_callers_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        stage(tmp_path / "nowhere")
