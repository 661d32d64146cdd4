"""Read the programs of a class: equal ones, and what the assignment does not need.

None of this is a verdict, and no program is run: patterns that never fail read them as
text. MOSS and compare50 measure similarity better, and write_similarity() makes a folder
for them.
"""

from __future__ import annotations

import hashlib
import keyword
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.course.tables import table_text
from autograder.files import replace_file, replace_folder
from autograder.plaintext import MAX_NAME_LENGTH, decode, sanitize

FOLDER = "similarity"
SAME = "the same file"
RENAMED = "the same but for comments, blanks and names"
COLUMNS = ("kind", "group", "submissions")
MAX_CHARACTERS = 100_000  # of a program that are compared
TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*|[rbuRBU]{0,2}(?:\"\"\".{0,9999}?\"\"\"|'''.{0,9999}?'''))"
    r"|(?P<string>[rbfuRBFU]{0,2}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))"
    r"|(?P<number>\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<sign>[^\s\w])",
    re.DOTALL,
)
NAMES_OF_A_NODE = ("children", "evaluate", "is_terminal", "name")
FIXED_NAMES = {*keyword.kwlist, *NAMES_OF_A_NODE}  # which a student cannot choose
README = """Each student's search.py is in submissions/, what they were given in template/.
similarity.csv lists equal files; read both programs before you say anything to anybody.

    compare50 'submissions/*.py' -d template/search.py
    perl moss.pl -l python -b template/search.py submissions/*.py
"""


class Alike(NamedTuple):
    """Programs that are alike.

    kind: SAME or RENAMED.
    ids: the submissions that have them.
    """

    kind: str
    ids: list[str]


def find_alike(
    programs: Mapping[str, bytes],
    given: bytes,
    authors: Mapping[str, Collection[str]] | None = None,
) -> list[Alike]:
    """Return the groups of programs (id -> source) that are alike, the largest first.

    given: the file that students started from. What is alike to it is in no group.
    authors: id -> what identifies its students. Attempts of one student are not a group.
    """
    ids_of = defaultdict(list)  # shape -> ids
    for id, source in sorted(programs.items()):
        ids_of[_shape(source)].append(id)
    groups = []
    for shape in ids_of.keys() - {b"", _shape(given)}:
        ids = ids_of[shape]
        if len(ids) > 1 and not _share_an_author(ids, authors or {}):
            sources = {programs[id] for id in ids}
            groups.append(Alike(SAME if len(sources) == 1 else RENAMED, ids))
    return sorted(groups, key=_largest_first)


def _share_an_author(ids, authors):
    """Tell whether one student is among the authors of all these submissions."""
    shared = set(authors.get(ids[0], ()))
    for id in ids:
        shared &= set(authors.get(id, ()))
    return bool(shared)


def _largest_first(group):
    return -len(group.ids), group.ids


def _shape(source):
    """Return a hash of a program without comments and names, b"" where nothing is left."""
    numbers = {}  # name that the student chose -> how many others came before it
    shape = []
    for found in TOKEN.finditer(decode(source)[:MAX_CHARACTERS]):
        token = found[0]
        if found.lastgroup == "comment":
            continue
        if found.lastgroup == "name" and token not in FIXED_NAMES:
            number = numbers.setdefault(token, len(numbers))
            token = f"name {number}"
        shape.append(token)
    if not shape:
        return b""
    text = "\0".join(shape)
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def write_similarity(
    out: Path, programs: Mapping[str, bytes], given: bytes, groups: Sequence[Alike]
) -> None:
    """Write the list, and a folder that MOSS and compare50 take as it is."""
    folder = out / FOLDER
    rows = []
    for number, group in enumerate(groups, start=1):
        rows.append((group.kind, str(number), " ".join(group.ids)))
    replace_file(folder / "similarity.csv", table_text(COLUMNS, rows))
    replace_file(folder / "README.txt", README)
    replace_file(folder / "template" / "search.py", given)
    files = {f"{id}.py": source for id, source in programs.items()}
    replace_folder(folder / "submissions", files)


# ---- what the assignment does not need

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
    names = {sanitize(found[0], MAX_NAME_LENGTH) for found in UNNEEDED.finditer(text)}
    return sorted(names)[:MAX_NAMES]
