"""Sanitize untrusted text for a terminal, a page or a spreadsheet.

What a submission prints or raises, the names of its files and the cells of an export
come from strangers. They pass through here before anybody reads them, and only printable
characters remain.
"""

from __future__ import annotations

import re

MAX_MESSAGE_LENGTH = 300  # characters of a message
MAX_NAME_LENGTH = 60  # characters of a file's name
MAX_CELL_LENGTH = 3000  # characters of a spreadsheet's cell
CONTEXT_LINES = 2  # lines of a program that are shown above and below the one in question


def sanitize(text: str, max_length: int = MAX_MESSAGE_LENGTH) -> str:
    """Return untrusted text as one printable line, cut to `max_length` characters.

    White space becomes spaces, line ends included, so that a text cannot forge a line.
    Any other character that cannot be printed becomes "?": some steer a terminal, some
    turn the reading direction, some are invisible.
    """
    return _replace_unprintable(_cut(text, max_length))


def sanitize_lines(text: str, max_length: int = 10**9) -> list[str]:
    """Return the lines of an untrusted text, each sanitized; tabs become spaces."""
    lines = _cut(text.expandtabs(), max_length).split("\n")
    return [_replace_unprintable(line) for line in lines]


def decode(content: bytes) -> str:
    """Return the text of an untrusted file: UTF-8, with or without a mark, else Latin-1.

    An encoding that the file declares is ignored: some take minutes.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def program_lines(source: bytes) -> list[str]:
    """Return a program's lines as Python numbers them, not sanitized.

    Unlike for str.splitlines(), a form feed does not end a line.
    """
    text = decode(source)
    text = text.replace("\r\n", "\n")
    text = text.replace("\r", "\n")
    return text.removesuffix("\n").split("\n")  # a line end begins no further line


def _cut(text, max_length):
    if len(text) <= max_length:
        return text
    return text[:max_length] + " ..."


def _replace_unprintable(text):
    if text.isprintable():
        return text
    return "".join(map(_printable_character, text))


def _printable_character(character):
    if character.isprintable():
        return character
    if character.isspace():
        return " "
    return "?"


# Some spreadsheets separate cells at ; or | as well, and some ignore our quotes.
CELL_START = r"(^|[;,|])"
# The signs that begin a formula. The last four are + - = @ in full width.
FORMULA_START = r"(?=[\s\"']*[=+\-@\uff1d\uff0b\uff0d\uff20])"
NUMBER = re.compile(r"-|-?\d+(\.\d+)?")  # or the dash that stands for none


def escape_formula(text: str) -> str:
    """Return untrusted text as a cell that a spreadsheet shows and never computes.

    A `'` is put before whatever would begin a formula. Numbers, negative ones included,
    stay as they are. unescape_formula() removes each `'` again.
    """
    line = sanitize(text, MAX_CELL_LENGTH)
    if NUMBER.fullmatch(line):
        return line
    return re.sub(CELL_START + FORMULA_START, r"\1'", line)


def unescape_formula(text: str) -> str:
    """Return the text that escape_formula() escaped."""
    return re.sub(CELL_START + "'" + FORMULA_START, r"\1", text)
