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
from pathlib import Path
from statistics import mean, median
from urllib.parse import quote

from autograder.course.outcome import (
    CRASHED,
    GRADED,
    HOW,
    NO_SUBMISSION,
    NOT_SETTLED,
    NOT_WRITTEN,
    NOT_YET,
    OUT_OF_DATE,
    UNGRADED,
    Outcome,
)
from autograder.course.people import table_of
from autograder.judging.scores import points_text
from autograder.plaintext import decoded
from autograder.showing.page import asset, page
from autograder.showing.svg import text
from autograder.utilities import replace_file, replace_folder
from gametree.trace import BROKE_PROTOCOL, DIED, OUT_OF_QUERIES, TIMED_OUT

TITLE = "Minimax and alpha-beta: the class"
REPORT = "report.html"  # of each submission, in its folder
MOST_LINKS = 6  # that stand open below a misconception; more are folded away
OUT_OF_TIME = {HOW[TIMED_OUT], HOW[OUT_OF_QUERIES]}
NOT_THERE = {*NOT_WRITTEN.values()}
# Programs that ran and did not end well, each in the first group that fits its outcome.
TROUBLES = {
    "crashed": lambda outcome: any(how.startswith(CRASHED) for how in outcome.ends),
    "ran out of time, or never stopped": lambda outcome: OUT_OF_TIME & {*outcome.ends},
    "functions missing or not written": lambda outcome: NOT_THERE & {*outcome.ends},
    "0 points, though it ran": lambda outcome: outcome.cents == 0,
}
RESEMBLE = (
    "Right minimax programs resemble each other by nature. Read both programs before you "
    "say anything to anybody."
)
INNOCENT = "The sandbox refuses it; it may be innocent."
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
COMMENT = re.compile(r"#[^\n]*")
# Processes, connections, the interpreter's inside, the grader's files, text run as code.
NOT_NEEDED = re.compile(
    r"(?<!\w)(?:subprocess|multiprocessing|os\.(?:_exit|system|fork|kill|abort|exec\w*"
    r"|spawn\w*)|signal\.\w+|socket|urllib|http\.client|requests|ftplib|smtplib|ctypes"
    r"|_getframe|__globals__|__closure__|__subclasses__|f_back|gc\.get_\w+|mmap|/proc/"
    r"|/autograder|results\.json|trees/hidden|submission_metadata|autograder\.\w+)(?!\w)"
    r"|(?<![\w.])(?:exec|eval|compile|__import__)(?=\()"
)
MOST_SEEN = 4  # of what is not needed


def class_page(entries, rows, alike=()):
    """Return the page as one HTML text that needs no other file.

    entries: an Entry for each student and submission. rows: the kit's, for what each
    concept is worth. alike: the Alike submissions.
    """
    worth = Counter()
    for row in rows:
        worth[row.name] += row.most_cents
    groups = filter(None, map(_group, _who_needs_a_person(entries)))
    nobody = "<p>Nobody: every submission could be graded and explained.</p>"
    parts = (
        f"<h1>{TITLE}</h1>",
        f'<p class="lead">{_lead(entries, sum(worth.values()))}.</p>',
        _section("person", "Needs a person", "\n".join(groups) or nobody),
        _alike(entries, alike),
        _section("concepts", "Concepts", _concepts(entries, worth)),
        _section("mistakes", "Mistakes", _mistakes(entries)),
        _everybody(entries),
    )
    script = asset("class.js")
    return page(TITLE, "\n".join(parts), styles=("class.css",), script=script)


def counted(number: int, word: str) -> str:
    """Return "1 student", "2 students"."""
    return f"{number} {word}{'s' * (number != 1)}"


def students_of(entries):
    """Return how many students entries are of: one who handed in twice is one."""
    entries = list(entries)
    known = {entry.student.key for entry in entries} - {""}
    return len(known) + sum(not entry.student.key for entry in entries)


# ---- HTML


def _section(id, title, *parts):
    """Return a part of the page under its heading."""
    return "\n".join((f'<h2 id="{id}">{title}</h2>', *parts))


def _folded(summary, body, is_open=True):
    """Return what can be folded away."""
    opened = " open" * is_open
    return f"<details{opened}><summary>{text(summary)}</summary>{body}</details>"


def _table(heads, rows, kind=""):
    """Return a table that scrolls sideways by itself where the screen is narrow.

    rows: their cells as HTML; one that is sorted by a number is (number, HTML).
    """
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(map(_cell, rest))}</tr>'
        for first, *rest in rows
    )
    return (
        f'<div class="scroll table {kind}" tabindex="0" role="group"'
        f' aria-label="by {heads[0]}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(content):
    if isinstance(content, str):
        return f"<td>{content}</td>"
    return '<td class="number" data-value="{}">{}</td>'.format(*content)


def _linked(entry):
    """Return the student's name, which leads to the report."""
    id, name = entry.outcome.id, text(entry.who)
    if not id or entry.outcome.status == NOT_YET:
        return name
    return f'<a href="{text(f"{quote(id)}/{REPORT}")}">{name}</a>'


def _prose(words):
    """Return words as HTML; what stands between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", text(words))


def _lead(entries, most_cents):
    """Return how many there are, and mean and median of what is settled."""
    scored = [
        entry
        for entry in entries
        if entry.cents is not None
        and (entry.overridden or entry.outcome.status not in (OUT_OF_DATE, NOT_SETTLED))
    ]
    lead = f"{counted(students_of(entries), 'student')}, {students_of(scored)} with a score"
    if scores := [entry.cents for entry in scored]:
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
    return lead


# ---- who needs a person


def _group(group):
    """Return a group of (entry, reason), folded away where it is long."""
    title, about, pairs = group
    rows = [(_linked(entry), _prose(reason)) for entry, reason in pairs]
    body = f"<p>{about}</p>" * bool(about) + _table(("student", "what"), rows)
    return _folded(f"{title}: {len(rows)}", body, len(rows) <= MOST_LINKS) if rows else ""


def _who_needs_a_person(entries):
    """Yield (title, about, pairs) of what no machine decides, the most pressing first."""
    for status in UNGRADED:
        own = [entry for entry in entries if entry.outcome.status == status]
        yield status, "", [(entry, entry.outcome.reason) for entry in own]
    left = [entry for entry in entries if entry.outcome.status == GRADED]
    for title, fits in TROUBLES.items():
        own = [entry for entry in left if fits(entry.outcome)]
        left = [entry for entry in left if not fits(entry.outcome)]
        nothing = "nothing is right"
        yield title, "", [(e, e.outcome.reason or _found(e, nothing)) for e in own]
    seen = [
        (e, not_needed(e.submission and e.submission.source, e.outcome)) for e in entries
    ]
    seen = [(entry, words) for entry, words in seen if words]
    yield "worth a look: not needed for the assignment", INNOCENT, seen
    clusters, pairs = defaultdict(list), []
    for entry in entries:
        outcome = entry.outcome
        if outcome.behaviour and not outcome.sure and not outcome.ends:
            clusters[outcome.behaviour].append(entry)
    ordered = sorted(clusters.values(), key=_programs, reverse=True)
    for number, own in enumerate(ordered, start=1):
        alike = "alone" if _programs(own) == 1 else f"{_programs(own)} behave alike"
        group, nothing = f"group {number} ({alike})", "no known mistake is near"
        pairs += [(entry, f"{group}: {_found(entry, nothing)}") for entry in own]
    yield "wrong, and no known mistake explains it", ALIKE, pairs


def _programs(entries):
    """Return how many programs entries are of: partners have one."""
    return len({entry.outcome.id for entry in entries})


def _found(entry, nothing):
    return "; ".join(entry.outcome.diagnoses) or nothing


def _alike(entries, alike):
    """Return the equal files."""
    if not alike:
        return ""
    links = defaultdict(list)
    for entry in entries:
        links[entry.outcome.id].append(_linked(entry))
    rows = [
        (kind, ", ".join(link for id in ids for link in links[id])) for kind, ids in alike
    ]
    intro = (
        f"<p>{RESEMBLE} A folder for MOSS and compare50 is in "
        f'<a href="{FOLDER}/README.txt">{FOLDER}/</a>.</p>'
    )
    groups = _folded(counted(len(alike), "group"), _table(("what", "students"), rows))
    return _section("alike", "Files that are alike", intro, groups)


# ---- the class


def _concepts(entries, worth):
    """Say how many lost points on each concept, of the students whose code ran."""
    losses = [e.outcome.lost for e in entries if e.outcome.status == GRADED]
    of, found = len(losses), []
    for name, most in worth.items():
        lost = [cents[name] for cents in losses if cents.get(name, 0) > 0]
        if lost:
            found.append((-sum(lost) / of, name, len(lost), points_text(most)))
    rows = [
        (
            text(name),
            (failed, f"{failed} of {of} ({100 * failed / of:.0f} %)"),
            (-loss, f"{-loss / 100:.2f} of {most}"),
        )
        for loss, name, failed, most in sorted(found)
    ]
    heads = "concept", "lost points on it", "mean loss"
    intro = "<p>Of the students whose code ran; what cost the class most comes first.</p>"
    return intro + _table(heads, rows, "lessons") if rows else "<p>No points were lost.</p>"


def _mistakes(entries):
    """Return the known mistakes that were recognised, the commonest first."""
    found = defaultdict(list)
    for entry in entries:
        for diagnosis in entry.outcome.diagnoses:
            found[diagnosis].append(entry)
    items = []
    for diagnosis in sorted(
        found, key=lambda diagnosis: (-len(found[diagnosis]), diagnosis)
    ):
        own, count = found[diagnosis], students_of(found[diagnosis])
        links = f"<p>{', '.join(map(_linked, own))}</p>"
        links = _folded(f"all {count}", links, False) if len(own) > MOST_LINKS else links
        head = f"<strong>{counted(count, 'student')}</strong> {_prose(diagnosis)}"
        items.append(f"<li><p>{head}</p>{links}</li>")
    listed = f'<ol class="mistakes">{"".join(items)}</ol>'
    return listed if items else "<p>None was recognised.</p>"


def _everybody(entries):
    """Return the table of all, with sections and lateness where anybody has any."""
    section = any(entry.student.section for entry in entries)
    late = any(entry.lateness for entry in entries)
    heads = ["student", *["section"] * section, "score", *["late"] * late]
    heads += ["status", "what was found"]
    rows = [
        [
            _linked(entry),
            *[text(entry.student.section)] * section,
            (-1, "") if entry.cents is None else (entry.cents, points_text(entry.cents)),
            *[(entry.late or 0, entry.lateness)] * late,
            text(entry.outcome.status),
            _all_found(entry),
        ]
        for entry in entries
    ]
    search = (
        '<p class="filter" hidden>'
        '<label>Show only lines with <input type="search" id="filter" autocomplete="off">'
        '</label> <span id="count" role="status"></span> A click on a head sorts by it.</p>'
    )
    count = counted(students_of(entries), "student")
    table = _folded(count, _table(heads, rows, "everybody"))
    return _section("everybody", "Everybody", search, table)


def _all_found(entry):
    outcome = entry.outcome
    by_hand = f"by hand: {entry.override.note}" if entry.override else ""
    said = _prose("; ".join(filter(None, (*outcome.diagnoses, outcome.reason, by_hand))))
    where = text(f"{quote(outcome.id)}/{REPORT}#line")
    return f'{said} <a href="{where}">{text(outcome.line)}</a>' if outcome.line else said


# ---- what a person should read


def alike_in(programs: Mapping[str, bytes], given: bytes) -> list[tuple[str, list[str]]]:
    """Return (in what way, ids) of programs (id -> source) that are equal, most ids first.

    What equals `given`, the file that students started from, is nobody's work.
    """
    groups, found = defaultdict(list), []
    for id, source in sorted(programs.items()):
        groups[_shape(source)].append(id)
    for shape in groups.keys() - {b"", _shape(given)}:
        ids = groups[shape]
        same = len({programs[id] for id in ids}) == 1
        found += [(SAME if same else RENAMED, ids)] * (len(ids) > 1)
    return sorted(found, key=lambda group: (-len(group[1]), group[1]))


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
    rows = [(kind, str(n), " ".join(ids)) for n, (kind, ids) in enumerate(alike, start=1)]
    replace_file(own / "similarity.csv", table_of(COLUMNS, rows))
    replace_file(own / "README.txt", README)
    replace_file(own / "template" / "search.py", given)
    replace_folder(own / "submissions", {f"{id}.py": s for id, s in programs.items()})


def not_needed(source: bytes | None, outcome: Outcome) -> str:
    """Return what was seen that the assignment does not need, "" where nothing was.

    It may be innocent: the sandbox refuses all of it anyway, and a tutorial may have it.
    """
    text = COMMENT.sub("", decoded(source or b""))
    seen = sorted({match[0] for match in NOT_NEEDED.finditer(text)})[:MOST_SEEN]
    return ", ".join([*seen, *(how for how in (HOW[DIED], HOW[BROKE_PROTOCOL])
                               if how in outcome.ends)])  # fmt: skip
