"""Files that are equal, or that share what is rare in the class. A start, no proof.

Right minimax programs resemble each other by nature: what many share counts for little.
Programs are read as text, by one pattern that never fails; nothing of them is run.
"""

from __future__ import annotations

import hashlib
import keyword
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from autograder.plaintext import cell, printable
from autograder.utilities import replace_file, replace_folder

FOLDER = "similarity"
SAME = "the same file"
RENAMED = "the same but for comments, blanks and names"
CLOSE = "share what is rare"
COLUMNS = ("kind", "group", "distance", "submissions", "shared")
MOST_CHARACTERS = 100_000  # of a program that are read
GRAM = 10  # tokens in a row
CLOSEST = 0.5  # distance from which a pair is not worth a look
ENOUGH = 2  # texts that nobody else has, in weight, at least
MOST_PAIRS = 30
MOST_SHARED = 5  # words shown of a pair
COMMON = 0.2  # of the class: what more of it share is passed over
TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*|[rbuRBU]{0,2}(?:\"\"\".{0,9999}?\"\"\"|'''.{0,9999}?'''))"
    r"|(?P<string>[rbfuRBFU]{0,2}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))"
    r"|(?P<number>\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<sign>[^\s\w])",
    re.DOTALL,
)
GIVEN = {*keyword.kwlist, "children", "evaluate", "is_terminal", "name"}
README = """Each student's search.py is in submissions/, what they were given in template/.
similarity.csv lists equal files and pairs that share what is rare; read both programs
before you say anything to anybody.

    compare50 'submissions/*.py' -d template/search.py
    perl moss.pl -l python -b template/search.py submissions/*.py
"""


@dataclass(frozen=True)
class Alike:
    """Submissions that are alike: of what kind, how far apart, what they share.

    `ids` are two or more, `distance` is 0 where nothing but names and comments differs;
    `shared` are texts that few others have, the rarest first.
    """

    kind: str
    ids: tuple[str, ...]
    distance: float = 0.0
    shared: tuple[str, ...] = ()


def alike_in(programs: Mapping[str, bytes], given: bytes) -> list[Alike]:
    """Return what is alike among programs (id -> source), the closest first.

    What equals `given`, the file that students started from, is nobody's work.
    """
    read = {id: _Program(source) for id, source in sorted(programs.items())}
    start = _Program(given)
    own = {id: p for id, p in read.items() if p.shape != start.shape and p.tokens}
    groups = _groups(own, SAME, lambda p: p.digest)
    whole = {group.ids for group in groups}
    groups += [g for g in _groups(own, RENAMED, lambda p: p.shape) if g.ids not in whole]
    one_of_each = {p.shape: id for id, p in reversed(own.items())}
    apart = {id: own[id] for id in sorted(one_of_each.values())}
    return groups + _pairs(apart, start)


def _groups(programs, kind, key):
    by_key = defaultdict(list)
    for id, program in programs.items():
        by_key[key(program)].append(id)
    groups = [Alike(kind, tuple(ids)) for ids in by_key.values() if len(ids) > 1]
    return sorted(groups, key=lambda group: (-len(group.ids), group.ids))


def _pairs(programs, start):
    """Return pairs that share much of what few have."""
    holders = defaultdict(list)
    for id, program in programs.items():
        for feature in program.features - start.features:
            holders[feature].append(id)
    total, shared = Counter(), defaultdict(list)
    for feature, ids in holders.items():
        weight = math.log(len(programs) / len(ids))
        if not isinstance(feature, str):  # each token is in as many grams
            weight /= GRAM
        for id in ids:
            total[id] += weight
        if 1 < len(ids) <= max(2, COMMON * len(programs)):
            for pair in combinations(ids, 2):
                shared[pair].append((weight, feature))
    pairs, enough = [], ENOUGH * math.log(max(2, len(programs)) / 2)
    for (one, other), features in shared.items():
        common = sum(weight for weight, _ in features)
        distance = 1 - common / math.sqrt(total[one] * total[other] or math.inf)
        if distance < CLOSEST and common > enough:
            words = sorted((-w, f) for w, f in features if isinstance(f, str))
            told = tuple(printable(word, 80) for _, word in words[:MOST_SHARED])
            pairs.append(Alike(CLOSE, (one, other), round(max(0.0, distance), 3), told))
    return sorted(pairs, key=lambda pair: (pair.distance, pair.ids))[:MOST_PAIRS]


class _Program:
    """A program as its tokens: `shape` is what is left without comments and names."""

    def __init__(self, source):
        self.digest = hashlib.sha256(source).digest()
        text = source.decode("utf-8-sig", "replace")[:MOST_CHARACTERS]
        found = [(m.lastgroup, m[0]) for m in TOKEN.finditer(text)]
        self.tokens = [(kind, token) for kind, token in found if kind != "comment"]
        order, shape, plain = {}, [], []
        for kind, token in self.tokens:
            is_own = kind == "name" and token not in GIVEN
            place = order.setdefault(token, len(order)) if is_own else None
            shape.append(f"name {place}" if is_own else token)
            plain.append("name" if is_own else token)
        self.shape = hashlib.sha256("\0".join(shape).encode("utf-8", "replace")).digest()
        grams = zip(*(plain[at:] for at in range(GRAM)))
        words = {" ".join(token.split()) for kind, token in found if kind != "sign"}
        self.features = {*grams, *(word for word in words if len(word) > 3)}


def write_similarity(folder: Path, programs: Mapping[str, bytes], given: bytes, alike):
    """Write the list, and a folder that MOSS and compare50 take as it is."""
    own = folder / FOLDER
    rows = [
        (one.kind, number, one.distance, " ".join(one.ids), "; ".join(one.shared))
        for number, one in enumerate(alike, start=1)
    ]
    lines = [",".join(_quoted(field) for field in row) for row in (COLUMNS, *rows)]
    replace_file(own / "similarity.csv", "\ufeff" + "\n".join(lines) + "\n")
    replace_file(own / "README.txt", README)
    replace_file(own / "template" / "search.py", given)
    replace_folder(own / "submissions", {f"{id}.py": s for id, s in programs.items()})


def _quoted(field):
    return '"' + cell(str(field)).replace('"', '""') + '"'
