"""Staging: one search.py out of a file, a folder or a zip, or one line why not."""

import json
import os
import time
import zipfile

import pytest

from autograder.plaintext import program_lines
from autograder.sandbox import NotGradable, stage
from autograder.sandbox.submission import MOST_BYTES

SOURCE = b"def minimax(node, depth, maximizing): ...\n"
TOO_LARGE = b"#" * (MOST_BYTES + 1)
NONE = "no search.py in the submission; found: "
MORE = "more than one search.py in the submission: "


def fill(folder, *names, source=SOURCE):
    """Make a folder with files of these names; one that ends in / is a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = folder / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_bytes(source)
    return folder


def zipped(folder, *names, source=SOURCE):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "submission.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, source)
    return path


BOTH = pytest.mark.parametrize("hand_in", [fill, zipped])


def refusal(path):
    with pytest.raises(NotGradable) as caught:
        stage(path)
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)
    return str(caught.value)


@BOTH
def test_the_search_py_that_lies_least_deep_is_taken(hand_in, tmp_path):
    for number, names in enumerate(
        [
            ("search.py", "other.py", "old/search.py"),
            ("hw3/search.py", "__MACOSX/hw3/._search.py", "hw3/.git/search.py"),
            ("a/b/c/search.py", "a/notes.txt"),
            ("a/search.py", "b/c/search.py"),
        ]
    ):
        staged = stage(hand_in(tmp_path / str(number), *names))
        assert staged.source == SOURCE and staged.note == "", names


@BOTH
def test_the_only_python_file_is_taken_whatever_its_name_with_a_note(hand_in, tmp_path):
    for name in ("mine.py", "Search (1).PY", "hw/deep/Search.py"):
        staged = stage(hand_in(tmp_path / name[:3], name, "notes.txt"))
        own = name.rpartition("/")[2]
        assert staged == (SOURCE, name, f"{own} was taken for search.py"), name


def test_a_file_that_is_named_is_taken_without_a_word(tmp_path):
    fill(tmp_path, "mine.py", "other.py")
    assert stage(tmp_path / "mine.py") == (SOURCE, "mine.py", "")


@BOTH
def test_the_only_zip_is_looked_into(hand_in, tmp_path):
    inner = zipped(tmp_path / "inner", "hw/search.py").read_bytes()
    assert stage(hand_in(tmp_path / "x", "hw.zip", source=inner)).source == SOURCE
    path = hand_in(tmp_path / "y", "a.zip", "b.zip", source=inner)
    assert refusal(path) == NONE + "a.zip, b.zip"
    path = hand_in(tmp_path / "z", "a/search.py", "b/search.py", "old.zip", source=inner)
    assert refusal(path) == MORE + "a/search.py, b/search.py"


@BOTH
def test_nothing_is_guessed(hand_in, tmp_path):
    of_names = {
        (): NONE + "nothing",
        ("Search.py", "notes.txt", "other.py"): NONE + "Search.py, notes.txt, other.py",
        tuple("abcdefgh"): NONE + "a, b, c, d, e, f and 2 more",
        ("a/search.py", "b/search.py"): MORE + "a/search.py, b/search.py",
        ("search.py/",): NONE + "search.py/",
        ("a.ipynb",): NONE + "a.ipynb; a.ipynb is a notebook; put its functions into "
        "search.py and upload that",
        ("hw.tar.gz",): NONE + "hw.tar.gz; hw.tar.gz is an archive that is not opened; "
        "upload search.py itself",
        ("search.py.txt",): NONE + "search.py.txt; search.py.txt is a text file by its "
        "name; rename it to search.py",
        # File names cannot smuggle control characters.
        ("\x1b[31mred.txt",): NONE + "?[31mred.txt",
        ("\x1b[31m/search.py", "b\n/search.py"): MORE + "?[31m/search.py, b /search.py",
    }
    for number, (names, reason) in enumerate(of_names.items()):
        assert refusal(hand_in(tmp_path / str(number), *names)) == reason


@BOTH
def test_what_is_called_python_and_is_not_has_its_own_line(hand_in, tmp_path):
    path = hand_in(tmp_path / "a", "search.py", source=SOURCE.decode().encode("utf-16"))
    assert refusal(path) == "search.py is saved as UTF-16; save it as UTF-8"
    notebook = json.dumps({"cells": [], "metadata": {}}).encode()
    path = hand_in(tmp_path / "b", "hw.py", source=notebook)
    assert refusal(path).startswith("hw.py holds a notebook; put its functions into")


@BOTH
def test_a_file_over_the_limit_is_refused_by_size(hand_in, tmp_path):
    assert "1,048,577 bytes" in refusal(hand_in(tmp_path, "search.py", source=TOO_LARGE))


def test_a_link_is_not_followed(tmp_path):
    fill(tmp_path, "secret.py")
    folder = tmp_path / "submission"
    folder.mkdir()
    for name in ("search.py", "\x1b[31m.py"):
        os.symlink(tmp_path / "secret.py", folder / name)
        assert "is a link" in refusal(folder / name)
    assert "is a link" in refusal(folder)
    os.symlink(folder, tmp_path / "linked")
    assert "is a link" in refusal(tmp_path / "linked")


def test_a_pipe_does_not_hang_the_grader(tmp_path):
    os.mkfifo(tmp_path / "search.py")
    assert "not a regular file" in refusal(tmp_path)


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


def test_the_lines_of_a_program_are_those_that_python_counts():
    of_source = {
        b"a\nb\r\nc\rd": ["a", "b", "c", "d"],
        b"\xef\xbb\xbfa\nb": ["a", "b"],
        b"# coding: latin-1\n\xe9": ["# coding: latin-1", "\xe9"],
        b"a\x0cb\nc": ["a\x0cb", "c"],
        "a\u2028b\nc".encode(): ["a\u2028b", "c"],
        b"a\xff\nb": ["a\xff", "b"],
        b"# coding: nonsense\nb": ["# coding: nonsense", "b"],
        b"# coding: undefined\nb": ["# coding: undefined", "b"],
    }
    assert {source: program_lines(source) for source in of_source} == of_source


def test_no_encoding_that_a_file_declares_is_used():
    """A megabyte of punycode takes minutes to decode."""
    source = b"# coding: punycode\n" + b"a-" * (MOST_BYTES // 2)
    begun = time.monotonic()
    assert program_lines(source)[0] == "# coding: punycode"
    assert time.monotonic() - begun < 2
