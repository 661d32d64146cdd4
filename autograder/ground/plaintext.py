"""Sanitize untrusted text for a terminal, a page, a spreadsheet or the name of a folder.

Printed text, error messages, names of files and the cells of an export are untrusted.
This module sanitizes them before they are shown, so that only printable characters remain.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

MAX_MESSAGE_LENGTH = 300  # characters of a message
MAX_NAME_LENGTH = 60  # characters of a file's name
MAX_CELL_LENGTH = 3000  # characters of a spreadsheet's cell
MAX_FOLDER_BYTES = 200  # of a folder's name
FORBIDDEN = re.compile(r'[/\\:*?"<>|]')  # in names on Windows
DIGITS = re.compile("0*([0-9]+)")


def sanitize(text: str, max_length: int = MAX_MESSAGE_LENGTH) -> str:
    """Return untrusted text as one printable line, cut to `max_length` characters.

    White space, including line ends, becomes spaces, so that a text cannot forge a line.
    Any other unprintable character becomes "?". Some of them control a terminal, some
    reverse the reading direction, and some are invisible.
    """
    return _replace_unprintable(_cut(text, max_length))


def sanitize_lines(text: str, max_length: int = 10**9) -> list[str]:
    """Return the sanitized lines of an untrusted text, with spaces for tabs."""
    lines = _cut(text.expandtabs(), max_length).split("\n")
    return [_replace_unprintable(line) for line in lines]


def decode(content: bytes) -> str:
    """Decode a file as UTF-8, with or without a mark, or else in the encoding of Windows.

    An encoding that the file declares is ignored, because some take minutes to decode.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def program_lines(source: bytes) -> list[str]:
    """Split a program into lines as Python does, without sanitizing them.

    Unlike in str.splitlines(), a form feed does not end a line.
    """
    text = decode(source)
    text = text.replace("\r\n", "\n")
    text = text.replace("\r", "\n")
    return text.removesuffix("\n").split("\n")  # the last line end does not start a line


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
# The characters that start a formula. The last four are + - = @ in full width.
FORMULA_START = r"(?=[\s\"']*[=+\-@\uff1d\uff0b\uff0d\uff20])"
NUMBER = re.compile(r"-|-?\d+(\.\d+)?")  # or the dash for a missing number


def escape_formula(text: str) -> str:
    """Return untrusted text as a cell that a spreadsheet shows but never computes.

    A `'` is inserted before each character that could start a formula. Numbers, including
    negative numbers, do not change. unescape_formula() removes each `'` again.
    """
    return guard_formula(sanitize(text, MAX_CELL_LENGTH))


def guard_formula(text: str) -> str:
    """Return a cell that is otherwise exact, with a `'` before each possible formula."""
    if NUMBER.fullmatch(text):
        return text
    return re.sub(CELL_START + FORMULA_START, r"\1'", text)


def unescape_formula(text: str) -> str:
    """Return the original text of a cell from escape_formula()."""
    return re.sub(CELL_START + "'" + FORMULA_START, r"\1", text)


def make_folder_names(names: Iterable[str]) -> list[str]:
    """Return a printable folder name for each name, different on every file system."""
    import unicodedata  # takes 1 ms, and only classes have folders

    taken = set()
    folders = []
    for name in names:
        line = sanitize(unicodedata.normalize("NFC", name), MAX_FOLDER_BYTES)
        safe = os.fsencode(FORBIDDEN.sub("_", line))[:MAX_FOLDER_BYTES]
        first_choice = safe.decode("utf-8", "ignore").strip(" .") or "unnamed"
        folder = first_choice
        count = 1
        while unicodedata.normalize("NFKD", folder.casefold()) in taken:
            count += 1
            folder = f"{first_choice}-{count}"
        taken.add(unicodedata.normalize("NFKD", folder.casefold()))
        folders.append(folder)
    return folders


def natural_sort_key(text: str) -> tuple[str, str]:
    """Return a key that sorts submission_9 before submission_10."""

    def put_length_first(digits):
        return f"{len(digits[1]):05}{digits[1]}"

    return DIGITS.sub(put_length_first, text), text
