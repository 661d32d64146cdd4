"""Find names in a program that the assignment does not need.

The findings are not verdicts. A program is never run: regular expressions read its text.
"""

from __future__ import annotations

import re

from autograder.plaintext import MAX_NAME_LENGTH, decode, sanitize

COMMENT = re.compile(r"#[^\n]*")
# Processes, connections, interpreter internals, the grader's files, text run as code.
UNNEEDED = re.compile(
    r"(?<!\w)(?:subprocess|multiprocessing|os\.(?:_exit|system|fork|kill|abort|exec\w*"
    r"|spawn\w*)|signal\.\w+|socket|urllib|http\.client|requests|ftplib|smtplib|ctypes"
    r"|_getframe|__globals__|__closure__|__subclasses__|f_back|gc\.get_\w+|mmap|/proc/"
    r"|/autograder|results\.json|trees/hidden|submission_metadata|autograder\.\w+)(?!\w)"
    r"|(?<![\w.])(?:exec|eval|compile|__import__)(?=\()"
)
MAX_NAMES = 4  # that are listed


def find_unneeded(source: bytes) -> list[str]:
    """Return the names in a program that the assignment does not need, sorted."""
    text = COMMENT.sub("", decode(source))
    names = {sanitize(found[0], MAX_NAME_LENGTH) for found in UNNEEDED.finditer(text)}
    return sorted(names)[:MAX_NAMES]
