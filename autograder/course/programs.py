"""Find similar programs in a class, and names that the assignment does not need.

The findings are not verdicts. Programs are never run. Regular expressions read them as
text, which never fails. MOSS and compare50 measure similarity better, so write_similarity()
makes a folder for them.
"""

from __future__ import annotations

import hashlib
import keyword
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from autograder.course.tables import table_text
from autograder.files import replace_file, replace_folder
from autograder.plaintext import MAX_NAME_LENGTH, decode, sanitize

FOLDER = "similarity"
COLUMNS = ("group", "submissions")
MAX_CHARACTERS = 100_000  # of each program; the remainder is not compared
TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*|[rbuRBU]{0,2}(?:\"\"\".{0,9999}?\"\"\"|'''.{0,9999}?'''))"
    r"|(?P<string>[rbfuRBFU]{0,2}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))"
    r"|(?P<number>\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<sign>[^\s\w])",
    re.DOTALL,
)
NAMES_OF_A_NODE = ("children", "evaluate", "is_terminal", "name")
FIXED_NAMES = {*keyword.kwlist, *NAMES_OF_A_NODE}  # which a student cannot choose
README = """submissions/ has each student's search.py, and template/ has the starter file.
similarity.csv lists programs that are equal except for comments, blanks and names.
Read both programs before you accuse a student.

    compare50 'submissions/*.py' -d template/search.py
    perl moss.pl -l python -b template/search.py submissions/*.py
"""


def find_alike(programs: Mapping[str, bytes], given: bytes) -> list[list[str]]:
    """Return groups of programs that are equal except for comments, blanks and names.

    programs: id -> source. A group is a list of ids; the largest comes first.
    given: the starter file. Programs similar to it are in no group.
    """
    ids_of = defaultdict(list)  # shape -> ids
    for id, source in sorted(programs.items()):
        ids_of[_shape(source)].append(id)
    for shape in (b"", _shape(given)):
        ids_of.pop(shape, None)
    groups = [ids for ids in ids_of.values() if len(ids) > 1]
    return sorted(groups, key=len, reverse=True)


def _shape(source):
    """Return a hash of a program without comments and names, b"" for an empty one."""
    numbers = {}  # name that the student chose -> its number, from 0
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
    out: Path, programs: Mapping[str, bytes], given: bytes
) -> list[list[str]]:
    """Write similarity.csv, and folders that MOSS and compare50 can read.

    Returns the groups that find_alike() finds among the programs.
    """
    groups = find_alike(programs, given)
    folder = out / FOLDER
    rows = []
    for number, ids in enumerate(groups, start=1):
        rows.append((str(number), " ".join(ids)))
    replace_file(folder / "similarity.csv", table_text(COLUMNS, rows))
    replace_file(folder / "README.txt", README)
    replace_file(folder / "template" / "search.py", given)
    files = {f"{id}.py": source for id, source in programs.items()}
    replace_folder(folder / "submissions", files)
    return groups


# ---- what the assignment does not need

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
