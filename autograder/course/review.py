"""What a person should read: equal files, and what the assignment does not need.

Neither is a verdict. Programs are read as text, by patterns that never fail; nothing of
them is run. How like two programs are, MOSS and compare50 say better: a folder is made
for them.
"""

from __future__ import annotations

import hashlib
import keyword
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.course.gradebook import table_of
from autograder.course.outcome import Outcome
from autograder.plaintext import decoded
from autograder.utilities import replace_file, replace_folder

FOLDER = "similarity"
SAME = "the same file"
RENAMED = "the same but for comments, blanks and names"
COLUMNS = ("kind", "group", "submissions")
MOST_CHARACTERS = 100_000  # of a program that are compared
TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*|[rbuRBU]{0,2}(?:\"\"\".{0,9999}?\"\"\"|'''.{0,9999}?'''))"
    r"|(?P<string>[rbfuRBFU]{0,2}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))"
    r"|(?P<number>\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<sign>[^\s\w])",
    re.DOTALL,
)
GIVEN = {*keyword.kwlist, "children", "evaluate", "is_terminal", "name"}
README = """Each student's search.py is in submissions/, what they were given in template/.
similarity.csv lists equal files; read both programs before you say anything to anybody.

    compare50 'submissions/*.py' -d template/search.py
    perl moss.pl -l python -b template/search.py submissions/*.py
"""


@dataclass(frozen=True)
class Alike:
    """Submissions, two or more, whose programs are equal, and in what way."""

    kind: str
    ids: tuple[str, ...]


def alike_in(programs: Mapping[str, bytes], given: bytes) -> list[Alike]:
    """Return which programs (id -> source) are equal, the largest groups first.

    What equals `given`, the file that students started from, is nobody's work.
    """
    start, shapes = _shape(given), {}
    for id, source in sorted(programs.items()):
        shape = _shape(source)
        if shape and shape != start:
            shapes[id] = shape
    same = _groups(SAME, {id: programs[id] for id in shapes})
    whole = {group.ids for group in same}
    return same + [one for one in _groups(RENAMED, shapes) if one.ids not in whole]


def _groups(kind, keys):
    by_key = defaultdict(list)
    for id, key in keys.items():
        by_key[key].append(id)
    groups = [Alike(kind, tuple(ids)) for ids in by_key.values() if len(ids) > 1]
    return sorted(groups, key=lambda group: (-len(group.ids), group.ids))


def _shape(source):
    """Return a hash of a program without comments and names, b"" where nothing is left."""
    found = TOKEN.finditer(decoded(source)[:MOST_CHARACTERS])
    tokens = [(m.lastgroup, m[0]) for m in found if m.lastgroup != "comment"]
    order, shape = {}, []
    for kind, token in tokens:
        own = kind == "name" and token not in GIVEN
        shape.append(f"name {order.setdefault(token, len(order))}" if own else token)
    text = "\0".join(shape).encode("utf-8", "replace")
    return hashlib.sha256(text).digest() if tokens else b""


def write_similarity(folder: Path, programs: Mapping[str, bytes], given: bytes, alike):
    """Write the list, and a folder that MOSS and compare50 take as it is."""
    own = folder / FOLDER
    rows = [(one.kind, str(n), " ".join(one.ids)) for n, one in enumerate(alike, start=1)]
    replace_file(own / "similarity.csv", table_of(COLUMNS, rows))
    replace_file(own / "README.txt", README)
    replace_file(own / "template" / "search.py", given)
    replace_folder(own / "submissions", {f"{id}.py": s for id, s in programs.items()})


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
    """Return kind -> what was seen of it that the assignment does not need.

    It may be innocent: the sandbox refuses all of it anyway, and a tutorial may have it.
    """
    found = {BY_ENDING[how]: how for how in outcome.ends if how in BY_ENDING}
    text = COMMENT.sub("", decoded(source or b""))
    for kind, pattern in PATTERNS.items():
        seen = sorted({match[0] for match in pattern.finditer(text)})
        if seen:
            found[kind] = ", ".join(seen[:3])
    return found
