"""Find in programs what the assignment does not need.

It may be innocent: the sandbox refuses all of it anyway, and a tutorial may have it.
Programs are read as text, by patterns that never fail; nothing of them is run.
"""

from __future__ import annotations

import re

from autograder.plaintext import decode

COMMENT = re.compile(r"#[^\n]*")
# Processes, connections, the interpreter's inside, the grader's files, text run as code.
UNNEEDED = re.compile(
    r"(?<!\w)(?:subprocess|multiprocessing|os\.(?:_exit|system|fork|kill|abort|exec\w*"
    r"|spawn\w*)|signal\.\w+|socket|urllib|http\.client|requests|ftplib|smtplib|ctypes"
    r"|_getframe|__globals__|__closure__|__subclasses__|f_back|gc\.get_\w+|mmap|/proc/"
    r"|/autograder|results\.json|trees/hidden|submission_metadata|autograder\.\w+)(?!\w)"
    r"|(?<![\w.])(?:exec|eval|compile|__import__)(?=\()"
)
MAX_NAMES = 4  # of what is found


def find_unneeded(source: bytes) -> list[str]:
    """Return names in a program that the assignment does not need, in order."""
    text = COMMENT.sub("", decode(source))
    names = {found[0] for found in UNNEEDED.finditer(text)}
    return sorted(names)[:MAX_NAMES]
