"""Untrusted text: only printable characters remain, and no cell is a formula."""

import pytest

from autograder.plaintext import (
    decode,
    escape_formula,
    program_lines,
    sanitize,
    sanitize_lines,
    unescape_formula,
)


@pytest.mark.parametrize(
    "text, shown",
    [
        ("caf\xe9 \u738b", "caf\xe9 \u738b"),
        ("one\ntwo\tthree", "one two three"),
        ("one\u2028two", "one two"),
        ("\x1b[31mred", "?[31mred"),
        ("\u202eturned", "?turned"),
        ("\x00", "?"),
    ],
    ids=ascii,
)
def test_text_becomes_one_printable_line(text, shown):
    assert sanitize(text) == shown


@pytest.mark.parametrize("text, shown", [("four", "four"), ("fives", "five ..."), ("", "")])
def test_text_is_cut_where_it_is_too_long(text, shown):
    assert sanitize(text, 4) == shown


def test_lines_stay_lines():
    assert sanitize_lines("a\x1b\n\tb\r") == ["a?", "        b "]


@pytest.mark.parametrize(
    "content", ["caf\xe9".encode(), "\ufeffcaf\xe9".encode(), "caf\xe9".encode("latin-1")]
)
def test_a_file_is_utf_8_with_or_without_a_mark_else_latin_1(content):
    assert decode(content) == "caf\xe9"


# Text -> the cell that a spreadsheet shows and does not compute.
CELLS = {
    "Ada": "Ada",
    "-2.5": "-2.5",
    "17": "17",
    "=1+1": "'=1+1",
    "+1 Kowalski": "'+1 Kowalski",
    "-2+3": "'-2+3",
    "@SUM(A1)": "'@SUM(A1)",
    " =1": "' =1",
    '"=1': "'\"=1",
    "\uff1d1": "'\uff1d1",
    "a;=1|=2,=3": "a;'=1|'=2,'=3",
    "a=1": "a=1",
    "": "",
    "00123": "00123",
    "O'Neil": "O'Neil",
    "'quoted'": "'quoted'",
}


@pytest.mark.parametrize("text", CELLS)
def test_a_cell_is_not_a_formula(text):
    assert escape_formula(text) == CELLS[text]


@pytest.mark.parametrize("text", CELLS)
def test_an_escaped_cell_can_be_read_back(text):
    assert unescape_formula(escape_formula(text)) == text


# No encoding is used that a file declares: a megabyte of punycode takes minutes.
PROGRAMS = {
    b"a\nb\r\nc\rd": ["a", "b", "c", "d"],
    b"a\n\nb\n": ["a", "", "b"],
    b"\xef\xbb\xbfa\nb": ["a", "b"],
    b"# coding: latin-1\n\xe9": ["# coding: latin-1", "\xe9"],
    b"a\x0cb\nc": ["a\x0cb", "c"],
    "a\u2028b\nc".encode(): ["a\u2028b", "c"],
    b"a\xff\nb": ["a\xff", "b"],
    b"# coding: nonsense\nb": ["# coding: nonsense", "b"],
    b"# coding: undefined\nb": ["# coding: undefined", "b"],
    b"# coding: punycode\na-b": ["# coding: punycode", "a-b"],
}


@pytest.mark.parametrize("source", PROGRAMS, ids=repr)
def test_the_lines_of_a_program_are_those_that_python_counts(source):
    assert program_lines(source) == PROGRAMS[source]
