"""What in a program is not needed for the assignment, and so is worth a person's look.

It is no verdict: the sandbox refuses all of it anyway, and a tutorial may have it.
"""

from __future__ import annotations

import re

from autograder.course.outcome import Outcome

MOST_CHARACTERS = 2**20
KINDS = {
    "starts processes": r"subprocess|multiprocessing|os\.(?:system|fork|exec\w*|spawn\w*)",
    "opens connections": r"socket|urllib|http\.client|requests|ftplib|smtplib",
    "ends or signals processes": r"os\._exit|os\.kill|os\.abort|signal\.\w+",
    "looks inside the interpreter": (
        r"ctypes|_getframe|__globals__|__closure__|__subclasses__|f_back|gc\.get_\w+"
        r"|mmap|/proc/"
    ),
    "names the grader's files": (
        r"/autograder|results\.json|trees/hidden|submission_metadata|autograder\.\w+"
    ),
    "runs text as code": r"(?<![\w.])(?:exec|eval|compile|__import__)(?=\()",
}
COMMENT = re.compile(r"#[^\n]*")
PATTERNS = {
    kind: re.compile(rf"(?<!\w)(?:{pattern})(?!\w)" if pattern[0] != "(" else pattern)
    for kind, pattern in KINDS.items()
}
BY_ENDING = {
    "ended the process that ran it": "ends or signals processes",
    "asked for nodes that it was not given": "makes up nodes",
}


def suspicions_of(source: bytes | None, outcome: Outcome) -> dict[str, str]:
    """Return kind -> what was seen of it, of one submission."""
    found = {BY_ENDING[how]: how for how in outcome.ends if how in BY_ENDING}
    text = (source or b"").decode("utf-8", "replace")[:MOST_CHARACTERS]
    text = COMMENT.sub("", text)
    for kind, pattern in PATTERNS.items():
        seen = sorted({match[0] for match in pattern.finditer(text)})
        if seen:
            found[kind] = ", ".join(seen[:3])
    return found
