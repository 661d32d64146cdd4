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

from autograder.course.outcome import CRASHED, HOW, REPORT, Outcome, Status
from autograder.course.people import table_of
from autograder.files import replace_file, replace_folder
from autograder.judging.scores import NOT_WRITTEN, points_text
from autograder.plaintext import decode
from autograder.progress import counted
from autograder.showing.page import asset, page
from autograder.showing.svg import text
from gametree.support.trace import BROKE_PROTOCOL, DIED, OUT_OF_QUERIES, TIMED_OUT

TITLE = "Minimax and alpha-beta: the class"
MAX_LINKS = 6  # that stand open below a misconception; more are folded away
UNGRADED = (
    *(Status.COULD_NOT_TELL, Status.NOT_SETTLED, Status.NOT_GRADABLE, Status.NOT_LOADED),
)  # the worst first
# Programs that ran and did not end well, each in the first group that its endings fit.
TROUBLES = {
    "crashed": (CRASHED,),
    "ran out of time, or never stopped": (HOW[TIMED_OUT], HOW[OUT_OF_QUERIES]),
    "functions missing or not written": tuple(HOW[error] for error in NOT_WRITTEN),
}
RESEMBLE = (
    "Right minimax programs resemble each other by nature. Read both before you judge. "
    'For MOSS and compare50 there is <a href="similarity/README.txt">similarity/</a>.'
)
STRANGERS = "in nobody's row of the roster"
UNLISTED = "Name the file or folder by sid, or put them into the roster."
AGAIN = "another submission of the same student counts"
INNOCENT = "The sandbox refuses it; it may be innocent."
ALIKE = "Programs of one group did the same in every search: one answer serves all."

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
MAX_SEEN = 4  # of what is not needed


def class_page(entries, rows, alike=()):
    """Return the page as one HTML text that needs no other file.

    entries: an Entry for each student and submission. rows: the kit's, for what each
    concept is worth. alike: equal programs, as alike_in() has them.
    """
    worth = Counter()
    for row in rows:
        worth[row.name] += row.max_cents
    own = [entry for entry in entries if entry.counts]
    groups = map(_group, _who_needs_a_person(entries, alike))
    body = f"""<h1>{TITLE}</h1>
<p class="lead">{_lead(own, sum(worth.values()))}.</p>
<h2 id="person">Needs a person</h2>
{"".join(groups) or "<p>Nobody: every submission could be graded and explained.</p>"}
<h2 id="concepts">Concepts</h2>
<p>Of the students whose code ran; what cost the class most comes first.</p>
{_concepts(own, worth)}
<h2 id="mistakes">Mistakes</h2>
{_mistakes(own)}
<h2 id="everybody">Everybody</h2>
<p class="filter" hidden><label>Show only lines with
<input type="search" id="filter" autocomplete="off"></label>
<span id="count" role="status"></span> Click a column heading to sort.</p>
{_folded(people(own), _everybody(entries))}"""
    return page(TITLE, body, styles=("class.css",), script=asset("class.js"))


def people(entries):
    """Return how many students the entries that count are of, in words."""
    own = [bool(entry.student.unlisted) for entry in entries if entry.counts]
    more = f" and {sum(own)} not in the roster" * any(own)
    return counted(own.count(False), "student") + more


# ---- HTML


def _folded(summary, body, is_open=True):
    """Return what can be folded away."""
    opened = " open" * is_open
    return f"<details{opened}><summary>{text(summary)}</summary>{body}</details>"


def _table(heads, rows, kind=""):
    """Return a table that scrolls sideways by itself where the screen is narrow.

    rows: their cells as HTML; one that is sorted by a number is (number, HTML). Columns
    in which nothing stands are left out.
    """
    if not rows:
        return "<p>None.</p>"
    cells = [
        [(None, cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    ]
    columns = [n for n in range(len(heads)) if any(row[n][1] for row in cells)]
    head = "".join(f'<th scope="col">{heads[n]}</th>' for n in columns)
    body = "".join(
        f"<tr>{''.join(_cell(n, *row[n]) for n in columns)}</tr>" for row in cells
    )
    return (
        f'<div class="scroll table {kind}" tabindex="0" role="group"'
        f' aria-label="by {heads[0]}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(column, number, html):
    if not column:
        return f'<th scope="row">{html}</th>'
    kind = "" if number is None else f' class="number" data-value="{number}"'
    return f"<td{kind}>{html}</td>"


def _linked(entry, to="", name=""):
    """Return the student's name, or another, that leads to the report."""
    id, name = entry.outcome.id, text(name or entry.who)
    if not id or entry.outcome.status == Status.NOT_YET:
        return name
    return f'<a href="{text(f"{quote(id)}/{REPORT}{to}")}">{name}</a>'


def _prose(words):
    """Return words as HTML; what stands between backticks is code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", text(words))


# ---- what it says


def _lead(entries, max_cents):
    """Return how many there are, and mean and median of what is settled."""
    unsettled = Status.OUT_OF_DATE, Status.NOT_SETTLED
    scored = [
        entry
        for entry in entries
        if entry.cents is not None
        and (entry.overridden or entry.outcome.status not in unsettled)
    ]
    lead = f"{people(entries)}, {len(scored)} with a score"
    if scores := [entry.cents for entry in scored]:
        middle, most = points_text(median(scores)), points_text(max_cents)
        lead += f". Mean {points_text(mean(scores))}, median {middle} of {most}"
    of = Counter(entry.outcome.status for entry in entries)
    others = ", ".join(f"{of[status]} {status}" for status in of if status != Status.GRADED)
    if any(of[status] for status in unsettled):
        others += "; the mean leaves out what is out of date or not settled"
    return lead + f". {others}" * bool(others)


def _group(group):
    """Return a group of (entry, what), folded away where it is long."""
    title, about, pairs = group
    rows = [(_linked(entry), _prose(what)) for entry, what in pairs]
    body = f"<p>{about}</p>" * bool(about) + _table(("student", "what"), rows)
    return _folded(f"{title}: {len(rows)}", body, len(rows) <= MAX_LINKS) if rows else ""


def _who_needs_a_person(entries, alike):
    """Yield (title, about, pairs) of what no machine decides, the most pressing first."""
    reasons = [(entry, entry.outcome.reason) for entry in entries]
    yield STRANGERS, UNLISTED, [pair for pair in reasons if pair[0].student.unlisted]
    yield AGAIN, "", [pair for pair in reasons if not pair[0].counts]
    for status in UNGRADED:
        yield status, "", [pair for pair in reasons if pair[0].outcome.status == status]
    left = [entry for entry in entries if entry.outcome.status == Status.GRADED]
    for title, begins in TROUBLES.items():
        own = [e for e in left if any(how.startswith(begins) for how in e.outcome.ends)]
        left = [entry for entry in left if entry not in own]
        yield title, "", [(entry, _what_happened(entry)) for entry in own]
    own = [entry for entry in left if entry.outcome.cents == 0]
    yield "0 points, though it ran", "", [(entry, _what_happened(entry)) for entry in own]
    programs = [(entry, entry.submission and entry.submission.source) for entry in entries]
    seen = [(entry, not_needed(source, entry.outcome)) for entry, source in programs]
    title = "worth a look: not needed for the assignment"
    yield title, INNOCENT, [(entry, words) for entry, words in seen if words]
    of = defaultdict(list)
    for entry in entries:
        of[entry.outcome.id].append(entry)
    groups = [(f"group {n}: {kind}", ids) for n, (kind, ids) in enumerate(alike, start=1)]
    equal = [(entry, said) for said, ids in groups for id in ids for entry in of[id]]
    yield "files that are alike", RESEMBLE, equal
    clusters, unexplained = defaultdict(list), []
    for entry in entries:
        outcome = entry.outcome
        if outcome.behaviour and not outcome.sure and not outcome.ends:
            clusters[outcome.behaviour].append(entry)
    for number, own in enumerate(sorted(clusters.values(), key=_programs, reverse=True), 1):
        alike = f"{_programs(own)} behave alike" if _programs(own) > 1 else "alone"
        group, nothing = f"group {number} ({alike})", "no known mistake is near"
        unexplained += [(entry, f"{group}: {_found(entry, nothing)}") for entry in own]
    yield "wrong, and no known mistake explains it", ALIKE, unexplained


def _what_happened(entry):
    return entry.outcome.reason or _found(entry, "nothing is right")


def _programs(entries):
    """Return how many programs entries are of: partners have one."""
    return len({entry.outcome.id for entry in entries})


def _found(entry, nothing):
    return "; ".join(entry.outcome.diagnoses) or nothing


def _concepts(entries, worth):
    """Say how many lost points on each concept, of the students whose code ran."""
    losses = [e.outcome.lost for e in entries if e.outcome.status == Status.GRADED]
    rows, of = [], len(losses)
    for name, most in worth.items():
        lost = [cents[name] for cents in losses if name in cents]
        share, loss = f"({100 * len(lost) / (of or 1):.0f} %)", sum(lost) / (of or 1)
        said = f"{loss / 100:.2f} of {points_text(most)}"
        row = text(name), (len(lost), f"{len(lost)} of {of} {share}"), (loss, said)
        rows += [row] * bool(lost)
    rows.sort(key=lambda row: (-row[2][0], row[0]))
    return _table(("concept", "lost points on it", "mean loss"), rows)


def _mistakes(entries):
    """Return the known mistakes that were recognised, the commonest first."""
    found = defaultdict(list)
    for entry in entries:
        for diagnosis in entry.outcome.diagnoses:
            found[diagnosis].append(entry)
    rows = []
    for diagnosis, own in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        links, count = ", ".join(map(_linked, own)), len(own)
        who = _folded(f"all {count}", links, False) if len(own) > MAX_LINKS else links
        rows.append((_prose(diagnosis), (count, counted(count, "student")), who))
    return _table(("mistake", "how many", "who"), rows)


def _everybody(entries):
    """Return the table of all, with sections and lateness where anybody has any."""
    rows = [
        (
            _linked(entry),
            text(entry.student.section),
            (-1, "") if entry.cents is None else (entry.cents, points_text(entry.cents)),
            (entry.late or 0, entry.lateness),
            text(entry.outcome.status),
            _prose("; ".join(filter(None, _said(entry))))
            + (entry.outcome.line and f" {_linked(entry, '#line', entry.outcome.line)}"),
        )
        for entry in entries
    ]
    heads = ("student", "section", "score", "late", "status", "what was found")
    return _table(heads, rows, "everybody")


def _said(entry):
    by_hand = f"by hand: {entry.override.note}" if entry.override else ""
    return *entry.outcome.diagnoses, entry.outcome.reason, by_hand


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
    found = TOKEN.finditer(decode(source)[:MAX_CHARACTERS])
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
    text = COMMENT.sub("", decode(source or b""))
    seen = sorted({match[0] for match in NOT_NEEDED.finditer(text)})[:MAX_SEEN]
    return ", ".join([*seen, *(how for how in (HOW[DIED], HOW[BROKE_PROTOCOL])
                               if how in outcome.ends)])  # fmt: skip
