"""Staging: one search.py out of a file, a folder or a zip, or one line why not."""

import json
import os
from itertools import count

import pytest
from fixtures.make_class import write

from autograder.plaintext import program_lines
from autograder.sandbox import NotGradable, stage
from autograder.sandbox.submission import MAX_BYTES

SOURCE = b"def minimax(node, depth, maximizing): ...\n"
NONE = "no search.py in the submission; found: "
MORE = "more than one search.py in the submission: "


@pytest.fixture(params=["", ".zip"], ids=["folder", "zip"])
def hand_in(request, tmp_path):
    """A function that makes a submission with files of these names; returns its path."""
    numbers = count()

    def handing_in(*names, source=SOURCE):
        path = tmp_path / f"submission{next(numbers)}{request.param}"
        return write(path, dict.fromkeys(names, source))

    return handing_in


def refusal(path):
    with pytest.raises(NotGradable) as caught:
        stage(path)
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)
    return str(caught.value)


def test_the_search_py_that_lies_least_deep_is_taken(hand_in):
    for names in (
        ("hw3/search.py", "__MACOSX/hw3/._search.py", "hw3/.git/search.py"),
        *(("search.py", "other.py", "old/search.py"), ("a/search.py", "b/c/search.py")),
        ("a/b/c/search.py", "a/notes.txt"),
    ):
        staged = stage(hand_in(*names))
        assert staged.source == SOURCE and staged.note == "", names


def test_the_only_python_file_is_taken_whatever_its_name_with_a_note(hand_in):
    for name in ("mine.py", "Search (1).PY", "hw/deep/Search.py"):
        staged = stage(hand_in(name, "notes.txt"))
        own = name.rpartition("/")[2]
        assert staged == (SOURCE, name, f"{own} was taken for search.py"), name


def test_a_file_that_is_named_is_taken_without_a_word(tmp_path):
    write(tmp_path, dict.fromkeys(("mine.py", "other.py"), SOURCE))
    assert stage(tmp_path / "mine.py") == (SOURCE, "mine.py", "")


def test_the_only_zip_is_looked_into(hand_in, tmp_path):
    inner = write(tmp_path / "inner.zip", {"hw/search.py": SOURCE}).read_bytes()
    assert stage(hand_in("hw.zip", source=inner)).source == SOURCE
    assert refusal(hand_in("a.zip", "b.zip", source=inner)) == NONE + "a.zip, b.zip"
    path = hand_in("a/search.py", "b/search.py", "old.zip", source=inner)
    assert refusal(path) == MORE + "a/search.py, b/search.py"


def test_nothing_is_guessed(hand_in):
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
    for names, reason in of_names.items():
        assert refusal(hand_in(*names)) == reason


def test_what_is_called_python_and_is_not_or_is_too_large_has_its_own_line(hand_in):
    notebook = json.dumps({"cells": [], "metadata": {}}).encode()
    for name, source, said in (
        ("search.py", SOURCE.decode().encode("utf-16"), " is saved as UTF-16; save it as"),
        ("hw.py", notebook, " holds a notebook; put its functions into"),
        ("search.py", b"#" * (MAX_BYTES + 1), " has 1,048,577 bytes"),
    ):
        assert refusal(hand_in(name, source=source)).startswith(name + said)


def test_a_link_is_not_followed_and_a_pipe_does_not_hang_the_grader(tmp_path):
    write(tmp_path, {"secret.py": SOURCE, "submission/": b"", "other/": b""})
    folder = tmp_path / "submission"
    for name in ("search.py", "\x1b[31m.py"):
        os.symlink(tmp_path / "secret.py", folder / name)
        assert "is a link" in refusal(folder / name)
    assert "is a link" in refusal(folder)
    os.symlink(folder, tmp_path / "linked")
    assert "is a link" in refusal(tmp_path / "linked")
    os.mkfifo(tmp_path / "other" / "search.py")
    assert "not a regular file" in refusal(tmp_path / "other")


def test_nothing_at_all_is_the_callers_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        stage(tmp_path / "nowhere")


def test_the_lines_of_a_program_are_those_that_python_counts():
    """No encoding is used that a file declares: a megabyte of punycode takes minutes."""
    of_source = {
        b"a\nb\r\nc\rd": ["a", "b", "c", "d"],
        b"\xef\xbb\xbfa\nb": ["a", "b"],
        b"# coding: latin-1\n\xe9": ["# coding: latin-1", "\xe9"],
        b"a\x0cb\nc": ["a\x0cb", "c"],
        "a\u2028b\nc".encode(): ["a\u2028b", "c"],
        b"a\xff\nb": ["a\xff", "b"],
        b"# coding: nonsense\nb": ["# coding: nonsense", "b"],
        b"# coding: undefined\nb": ["# coding: undefined", "b"],
        b"# coding: punycode\na-b": ["# coding: punycode", "a-b"],
    }
    assert {source: program_lines(source) for source in of_source} == of_source
