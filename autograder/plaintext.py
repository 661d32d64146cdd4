"""Text that strangers made, as a terminal, a page and a spreadsheet may have it.

What a submission says, what its files are called and what an export holds goes through
here before anybody reads it, and nothing of it is left but what one can see.
"""

from __future__ import annotations

import re

MOST = 300  # characters of a message
MAX_OF_A_NAME = 60  # and of the name of a file
AROUND = 2  # lines of a program that are shown above and below one to look at


def printable(text: str, most: int = MOST) -> str:
    """Return text as one line, cut to `most` characters.

    Line ends and other white space are spaces, so that no line can be forged. What steers
    a terminal, turns the reading direction or cannot be seen is a "?".
    """
    return _visible(_cut(text, most))


def printable_lines(text: str, most: int = 10**9) -> list[str]:
    """Return the lines of a text that may have several, each safe to show."""
    return [_visible(line) for line in _cut(text.expandtabs(), most).split("\n")]


def decoded(content: bytes) -> str:
    """Return the text of a stranger's file: UTF-8, with or without a mark, else Latin-1.

    No encoding that a file declares is used: there are some that take minutes.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def program_lines(source: bytes) -> list[str]:
    """Return a program's lines as Python numbers them, not yet safe to show.

    A form feed ends no line.
    """
    return decoded(source).replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _cut(text, most):
    return text if len(text) <= most else text[:most] + " ..."


def _visible(text):
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)


# Where a spreadsheet may see a cell begin (also one that separates by semicolons, or
# does not heed our quotes) and whether it would compute it. Full-width signs count too.
BEGINS = r"(^|[;,|])"
COMPUTED = r"(?=[\s\"']*[=+\-@\uff1d\uff0b\uff0d\uff20])"
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def escape_formula(text: str) -> str:
    """Return text that a spreadsheet shows and never computes. See unescape_formula().

    A `'` stands before what would begin a formula; a negative number is none.
    """
    text = printable(text, 10 * MOST)
    if NUMBER.fullmatch(text):
        return text
    return re.sub(BEGINS + COMPUTED, r"\1'", text)


def unescape_formula(text: str) -> str:
    """Return the text of a escape_formula() as it was."""
    return re.sub(BEGINS + "'" + COMPUTED, r"\1", text)
