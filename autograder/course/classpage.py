"""The page of a class: who needs a person, concepts, mistakes, everybody.

What a person should read is found here, too: equal files, and what the assignment does not
need. Neither is a verdict. Programs are read as text, by patterns that never fail; nothing
of them is run. How like two are, MOSS and compare50 say better: a folder is made for them.
"""

from __future__ import annotations

import hashlib
import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from urllib.parse import quote

from autograder.course.gradebook import table_of
from autograder.course.outcome import (
    CRASHED,
    GRADED,
    HOW,
    NO_SUBMISSION,
    NOT_SETTLED,
    NOT_YET,
    OUT_OF_DATE,
    UNGRADED,
    Outcome,
    in_words,
)
from autograder.judging.scores import points_text
from autograder.plaintext import decoded
from autograder.showing.page import asset, page
from autograder.showing.svg import text
from autograder.utilities import replace_file, replace_folder
from gametree.trace import OUT_OF_QUERIES, TIMED_OUT, Ending

TITLE = "Minimax and alpha-beta: the class"
FILE = "report.html"  # of each submission, in its folder
MOST_LINKS = 6  # that stand open below a misconception; more are folded away
OUT_OF_TIME = {HOW[TIMED_OUT], HOW[OUT_OF_QUERIES]}
NOT_THERE = {
    in_words(Ending(error=error)) for error in ("function missing", "NotImplementedError")
}
RESEMBLE = (
    "Right minimax programs resemble each other by nature. Read both programs before you "
    "say anything to anybody."
)
NOT_NEEDED = "Not needed for the assignment. The sandbox refuses it; it may be innocent."
ALIKE = "Programs of one group did the same in every search: one answer serves all."


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


def class_page(entries, rows, alike=()):
    """Return the page as one HTML text that needs no other file.

    entries: an Entry for each student and submission. rows: the kit's, for what each
    concept is worth. alike: the Alike submissions.
    """
    students = [(_linked(entry), entry) for entry in entries]
    worth = Counter()
    for row in rows:
        worth[row.name] += row.most_cents
    sections = (
        _head(entries, sum(worth.values())),
        _needs_a_person(students),
        _alike(students, alike),
        _concepts(students, worth),
        _misconceptions(students),
        _everybody(students),
    )
    body, script = "\n".join(filter(None, sections)), asset("class.js")
    return page(TITLE, body, styles=("class.css",), script=script)


def counted(number: int, word: str) -> str:
    """Return "1 student", "2 students"."""
    return f"{number} {word}{'s' * (number != 1)}"


def students_of(entries):
    """Return how many students entries are of: one who handed in twice is one."""
    entries = list(entries)
    known = {entry.student.key for entry in entries} - {""}
    return len(known) + sum(not entry.student.key for entry in entries)


def _linked(entry):
    id = entry.outcome.id
    name = text(entry.student.who or id)
    if not id or entry.outcome.status == NOT_YET:
        return name
    return f'<a href="{text(f"{quote(id)}/{FILE}")}">{name}</a>'


def _prose(words):
    """Return words as HTML; what stands between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", text(words))


def _counts(entry):
    """Tell whether a score is one of this kit and file, or a TA's own."""
    unsettled = entry.outcome.status in (OUT_OF_DATE, NOT_SETTLED)
    return entry.cents is not None and (entry.overridden or not unsettled)


def _head(entries, most_cents):
    scored = [entry for entry in entries if _counts(entry)]
    scores = [entry.cents for entry in scored]
    lead = f"{counted(students_of(entries), 'student')}, {students_of(scored)} with a score"
    if scores:
        middle, most = points_text(median(scores)), points_text(most_cents)
        lead += f". Mean {points_text(mean(scores))}, median {middle} of {most}"
    of = Counter(entry.outcome.status for entry in entries)
    for status, said in {
        OUT_OF_DATE: "out of date, and the mean leaves them out",
        NOT_SETTLED: "not settled, and the mean leaves them out",
        NOT_YET: "not graded yet",
        NO_SUBMISSION: "without a submission",
    }.items():
        lead += f". {of[status]} {said}" if of[status] else ""
    return f'<h1>{TITLE}</h1>\n<p class="lead">{lead}.</p>'


# ---- who needs a person


def _needs_a_person(students):
    """Return what no machine decides, the most pressing first."""
    groups = [
        (status, "", [(link, e.outcome.reason) for link, e in students
                      if e.outcome.status == status])
        for status in UNGRADED
    ]  # fmt: skip
    groups += [*_troubles(students), *_suspects(students), *_unexplained(students)]
    body = "\n".join(_group(*group) for group in groups if group[2])
    body = body or "<p>Nobody: every submission could be graded and explained.</p>"
    return f'<h2 id="person">Needs a person</h2>\n{body}'


def _group(title, about, lines):
    """Return a group of lines (link, reason), folded away where it is long."""
    rows = [f"<tr><td>{link}</td><td>{_prose(reason)}</td></tr>" for link, reason in lines]
    about = f"<p>{text(about)}</p>" if about else ""
    table = about + _table(("student", "what"), rows)
    is_open = " open" * (len(lines) <= MOST_LINKS)
    return (
        f"<details{is_open}><summary>{text(title)}: {len(lines)}</summary>{table}</details>"
    )


def _troubles(students):
    """Yield the groups of programs that ran and did not end well, each in the first."""
    left = [(link, e) for link, e in students if e.outcome.status == GRADED]
    tests = {
        "crashed": lambda e: any(how.startswith(CRASHED) for how in e.outcome.ends),
        "ran out of time, or never stopped": lambda e: OUT_OF_TIME & {*e.outcome.ends},
        "functions missing or not written": lambda e: NOT_THERE & {*e.outcome.ends},
        "0 points, though it ran": lambda e: e.outcome.cents == 0,
    }
    for title, fits in tests.items():
        found = [(link, entry) for link, entry in left if fits(entry)]
        left = [pair for pair in left if pair not in found]
        why = (e.outcome.reason or _found(e, "nothing is right") for _, e in found)
        yield title, "", list(zip((link for link, _ in found), why))


def _found(entry, nothing):
    return "; ".join(entry.outcome.diagnoses) or nothing


def _suspects(students):
    by_kind = {}
    for link, entry in students:
        source = entry.submission.source if entry.submission else None
        for kind, seen in suspicions_of(source, entry.outcome).items():
            by_kind.setdefault(kind, []).append((link, seen))
    for kind in sorted(by_kind):
        yield f"worth a look: {kind}", NOT_NEEDED, by_kind[kind]


def _unexplained(students):
    """Yield the wrong programs of which no known mistake explains every search."""
    clusters = {}  # by behaviour, then by submission: partners have one
    for link, entry in students:
        outcome = entry.outcome
        if outcome.behaviour and not outcome.sure and not outcome.ends:
            own = clusters.setdefault(outcome.behaviour, {}).setdefault(outcome.id, [])
            own.append((link, entry))
    ordered = sorted(clusters.values(), key=len, reverse=True)
    lines = []
    for number, cluster in enumerate(ordered, start=1):
        alone = "alone" if len(cluster) == 1 else f"{len(cluster)} behave alike"
        for link, entry in (pair for own in cluster.values() for pair in own):
            found = _found(entry, "no known mistake is near")
            lines.append((link, f"group {number} ({alone}): {found}"))
    yield "wrong, and no known mistake explains it", ALIKE, lines


def _alike(students, alike):
    """Return the equal files."""
    if not alike:
        return ""
    links = {}
    for link, entry in students:
        links.setdefault(entry.outcome.id, []).append(link)
    lines = []
    for one in alike:
        who = ", ".join(link for id in one.ids for link in links.get(id, [text(id)]))
        lines.append(f"<tr><td>{text(one.kind)}</td><td>{who}</td></tr>")
    table = _table(("what", "students"), lines)
    return (
        f'<h2 id="alike">Files that are alike</h2>\n<p>{RESEMBLE} A folder for MOSS and '
        f'compare50 is in <a href="{FOLDER}/README.txt">{FOLDER}/</a>.</p>\n'
        f"<details open><summary>{counted(len(alike), 'group')}</summary>{table}</details>"
    )


# ---- the class


def _concepts(students, worth):
    """Say how many lost points on each concept, of the students whose code ran."""
    losses = [e.outcome.lost for _, e in students if e.outcome.status == GRADED]
    concepts = []
    for name, most in worth.items():
        lost = [cents[name] for cents in losses if cents.get(name, 0) > 0]
        if lost:
            concepts.append((len(lost), sum(lost) / len(losses), most, name))
    if not concepts:
        return "<h2>Concepts</h2>\n<p>No points were lost.</p>"
    ordered = sorted(concepts, key=lambda one: (-one[1], one[3]))
    lines = [_concept(*concept, of=len(losses)) for concept in ordered]
    heads = ("concept", "lost points on it", "mean loss", "share of the class")
    intro = "<p>Of the students whose code ran; what cost the class most comes first.</p>"
    body = _table(heads, lines, kind="lessons")
    return f'<h2 id="concepts">Concepts</h2>\n{intro}\n{body}'


def _concept(failed, mean, most, name, of):
    return (
        f'<tr><th scope="row">{text(name)}</th>'
        f'<td class="number">{failed} of {of} ({100 * failed / of:.0f} %)</td>'
        f'<td class="number">{mean / 100:.2f} of {points_text(most)}</td>'
        '<td><svg class="share" aria-hidden="true" width="100" height="10">'
        '<rect class="whole" width="100" height="10" rx="3"/>'
        f'<rect class="part" width="{100 * failed / of:.1f}" height="10" rx="3"/></svg>'
        "</td></tr>"
    )


def _misconceptions(students):
    links = {}
    for link, entry in students:
        for diagnosis in entry.outcome.diagnoses:
            links.setdefault(diagnosis, []).append((link, entry))
    if not links:
        return "<h2>Mistakes</h2>\n<p>None was recognised.</p>"
    ordered = sorted(links, key=lambda diagnosis: (-len(links[diagnosis]), diagnosis))
    items = "\n".join(_misconception(diagnosis, links[diagnosis]) for diagnosis in ordered)
    return f'<h2 id="mistakes">Mistakes</h2>\n<ol class="mistakes">{items}</ol>'


def _misconception(diagnosis, pairs):
    listed = f"<p>{', '.join(link for link, _ in pairs)}</p>"
    count = students_of(entry for _, entry in pairs)
    if len(pairs) > MOST_LINKS:
        listed = f"<details><summary>all {count}</summary>{listed}</details>"
    head = f"<strong>{counted(count, 'student')}</strong> {_prose(diagnosis)}"
    return f"<li><p>{head}</p>{listed}</li>"


def _everybody(students):
    """Return the table of all, with sections and lateness where anybody has any."""
    entries = [entry for _, entry in students]
    sections = any(entry.student.section for entry in entries)
    lateness = any(entry.lateness for entry in entries)
    heads = ["student", *["section"] * sections, "score", *["late"] * lateness]
    heads += ["status", "what was found"]
    lines = [_person(link, entry, sections, lateness) for link, entry in students]
    table = _table(heads, lines, kind="everybody")
    count = counted(students_of(entries), "student")
    return (
        '<h2 id="everybody">Everybody</h2>\n<p class="filter" hidden>'
        '<label>Show only lines with <input type="search" id="filter" autocomplete="off">'
        '</label> <span id="count" role="status"></span> A click on a head sorts by it.</p>'
        f"\n<details open><summary>{count}</summary>{table}</details>"
    )


def _person(link, entry, sections, lateness):
    outcome, cents = entry.outcome, entry.cents
    said = [*outcome.diagnoses, outcome.reason]
    if entry.override:
        said.append(f"by hand: {entry.override.note}")
    found = _prose("; ".join(filter(None, said)))
    if outcome.line:
        where = text(f"{quote(outcome.id)}/{FILE}#line")
        found += f' <a href="{where}">{text(outcome.line)}</a>'
    score = "" if cents is None else points_text(cents)
    section = f"<td>{text(entry.student.section)}</td>" if sections else ""
    late = f'<td class="number" data-value="{entry.late or 0}">{entry.lateness}</td>'
    return (
        f'<tr><th scope="row">{link}</th>{section}'
        f'<td class="number" data-value="{-1 if cents is None else cents}">{score}</td>'
        f"{late if lateness else ''}"
        f'<td class="status">{text(outcome.status)}</td><td>{found}</td></tr>'
    )


def _table(heads, lines, kind=""):
    """Return a table that scrolls sideways by itself where the screen is narrow."""
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f'<div class="scroll table {kind}" tabindex="0" role="group"'
        f' aria-label="by {heads[0]}"><table><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


# ---- what a person should read


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
