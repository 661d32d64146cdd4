"""Untrusted text keeps only printable characters, and no cell becomes a formula."""

import pytest
from helpers import cases

from autograder.ground.plaintext import (
    decode,
    escape_formula,
    program_lines,
    sanitize,
    sanitize_lines,
    unescape_formula,
)


@cases("printable lines")
def test_text_becomes_one_printable_line(text, shown):
    assert sanitize(text) == shown


@cases("lines of at most four characters")
def test_text_that_is_too_long_is_cut_off(text, shown):
    assert sanitize(text, 4) == shown


def test_sanitized_text_keeps_its_lines():
    assert sanitize_lines("a\x1b\n\tb\r") == ["a?", "        b "]


@pytest.mark.parametrize(
    "content", ["caf\xe9".encode(), "\ufeffcaf\xe9".encode(), "caf\xe9".encode("cp1252")]
)
def test_a_file_is_decoded_as_utf_8_or_else_in_the_encoding_of_windows(content):
    assert decode(content) == "caf\xe9"


# A spreadsheet shows the text of the cell instead of computing it.
@cases("spreadsheet cells")
def test_a_cell_is_never_a_formula_and_can_be_read_back(text, cell):
    assert escape_formula(text) == cell
    assert unescape_formula(cell) == text


# A declared encoding is never used: a megabyte of punycode takes minutes.
@cases("lines of programs")
def test_the_lines_of_a_program_are_those_that_python_counts(source, lines):
    assert program_lines(source.encode("latin-1")) == lines
