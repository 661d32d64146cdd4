"""Put rows and their searches in words, for Gradescope and the terminal.

The sentences on a search are for public trees, unless a docstring says that they are safe
for hidden trees.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence

from autograder.ground.plaintext import sanitize, sanitize_lines
from autograder.scoring.features import AT_THE_LIMITS, CONCEPTS
from autograder.scoring.scores import (
    FUNCTION_MISSING,
    Part,
    Row,
    is_unwritten,
    score_text,
)
from gametree.support import sentences, texts
from gametree.support.drawing import draw
from gametree.support.judging import Task, Verdict
from gametree.support.marks import Marks
from gametree.support.sentences import write_call
from gametree.support.texts import sentence
from gametree.support.trace import NO_TEXT, NOT_RUN, SLEPT, TIMED_OUT, Ending, Text, Trace

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"
NO_THREAD = "can't start new thread"
NODES_COMPARED = "instances of 'Node' and 'Node'"
WIDTH = 80  # of a drawing
MAX_PRINTED = 1000  # characters
MAX_DRAWN = 2  # wrong public trees of a row
OF_NO_CHILDREN = ("ValueError", "IndexError", "StopIteration")
# Concepts that are conditions of a search; a mistake may have nothing to do with them.
MIXED = ("depth and static values", "unusual values")  # a tree can have both
CONDITIONS = (AT_THE_LIMITS, "a given window", *MIXED)
# Concepts of ordinary trees: a mistake that most of them show is not about the others.
PLAIN = ("cutoffs at MAX", "cutoffs at MIN", "MAX moves first", "MIN moves first")
REFUSED = {  # exceptions that the limits of the autograder can cause
    "SyntaxError": "refused.SyntaxError",
    "ModuleNotFoundError": "refused.ModuleNotFoundError",
    "ImportError": "refused.ModuleNotFoundError",
    "EOFError": "refused.EOFError",
    "FileNotFoundError": "refused.not allowed",
    "PermissionError": "refused.not allowed",
}


def as_sentence(text: str) -> str:
    """Add a full stop to a sentence without a final punctuation mark."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def ending(end: Ending, text: Text = NO_TEXT) -> str:
    """Describe how a search failed to return, with the message of `text`, if any.

    If the error has no name, as on hidden trees, it is called "an exception".
    """
    if end.kind == NOT_RUN:
        return sentence("ending.not run", reason=end.reason)
    if end.reason == SLEPT:
        return sentence("stopped.slept")
    if end.kind == TIMED_OUT and end.loading:
        return sentence("ending.load timed out")
    if not end.by_itself:
        return sentence(f"stopped.{end.kind}")
    if end.error == "NotImplementedError":
        return sentence("ending.not written")
    if end.error == FUNCTION_MISSING:
        return sentence("ending.no function")
    return _raised(end, text)


def _raised(end, text):
    """Describe an exception: its message, its line, and the limit behind it, if any."""
    message = " ".join(sanitize(text.message).split())
    if end.error == "ImportError":
        message = re.sub(r" \([^()]*\)$", "", message)  # a path on this machine
    error = message or end.error or sentence("ending.an exception")
    raised = sentence("ending.raised", error=error)
    if text.line:
        raised = sentence("ending.raised at", error=error, line=text.line)
    refusal = REFUSED.get(end.error)
    if NO_THREAD in message:
        refusal = "refused.not allowed"
    if refusal:
        raised += "; " + sentence(refusal, python=PYTHON)
    return raised


def findings(verdict: Verdict) -> list[str]:
    """Return the sentences for all findings of a verdict on a public tree."""
    if verdict.has_returned:
        return sentences.findings(verdict)
    return [ending(verdict.trace.ending, verdict.trace.text)]


def deciding(verdict: Verdict) -> str:
    """Return the key sentence on a wrong search of a tree that may be shown."""
    if verdict.has_returned:
        return sentences.deciding(verdict)
    (text,) = findings(verdict)
    how = as_sentence(text[0].upper() + text[1:])
    return f"{how} {where_it_raised(verdict)}".rstrip()


def where_it_raised(verdict: Verdict) -> str:
    """Return the call and the reason of an exception in sentences, "" if unknown."""
    return f"{_place(verdict)} {_reason(verdict)}".strip()


def _reason(verdict):
    """Return the reason of an exception as a sentence, "" if it is not certain."""
    text = verdict.trace.text
    if NODES_COMPARED in text.message:
        return sentence("ending.nodes compared")
    if text.path is None or verdict.trace.ending.error not in OF_NO_CHILDREN:
        return ""
    node = verdict.task.tree.root.at(text.path)
    has_depth_left = len(text.path) < verdict.task.search.depth
    if node.terminal and has_depth_left and text.path not in verdict.trace.visited:
        return sentence("ending.at terminal", node=node.name)
    return ""


def _place(verdict):
    """Return the node and the arguments of an exception in words, "" if unknown."""
    text = verdict.trace.text
    if text.path is None or not text.arguments:
        return ""
    root = verdict.task.tree.root
    search = verdict.task.search
    node = texts.name_player(root, search, text.path)
    arguments = []
    for name, value in text.arguments:
        arguments.append(f"{sanitize(name)} = {texts.write_number(value)}")
    return sentence("ending.at", node=node, arguments=texts.in_words(arguments))


# ---- rows


def row_text(row: Row, rows: Sequence[Row], public: Sequence[Verdict]) -> str:
    """Return the text of a row for students.

    rows: all rows that the student sees.
    public: the verdicts on the public trees of its function.

    The first line says why points were lost. It is the only line if the function is
    missing. For a hidden tree, the text has only its lesson and one result.
    """
    lines = [head(row, rows)]
    if is_unwritten(result.ending for result in row.results):
        return lines[0]
    if row.concept == AT_THE_LIMITS and not row.is_right:
        lines.append(sentence("row.limits"))
    if row.is_public:
        lines += _public_trees(row, public)
    else:
        lines += [f"- {line}" for _, line in row_results(row)]
    return "\n".join(lines)


def head(row: Row, rows: Sequence[Row]) -> str:
    """Return "9 of 12 trees correct" with the reason for the failures, if any.

    If the function fails in the same way in a row that is not about the concept of this
    row, this comes first.

    rows: all rows that the student sees.
    """
    count = sentence(
        "row.kinds" if row.concept == AT_THE_LIMITS else "row.trees",
        right=sum(part.is_right for part in row.parts),
        count=len(row.parts),
    )
    if row.is_right:
        return count
    reason = why(row)
    plainer = plainer_row(row, rows)
    if plainer:
        reason = sentence(
            "row.plainer",
            condition=sentence(f"condition.{row.concept}"),
            number=plainer.number,
            concept=plainer.concept,
            why=reason,
        )
    return f"{count}: {reason}"


def plainer_row(row: Row, rows: Sequence[Row]) -> Row | None:
    """Return the plainer row that says most about why this row fails, or None.

    Only a row that is about a condition of its searches has plainer rows: those whose
    searches do not fulfill this condition. The function fails alike if it returns in all
    searches, and each wrong aspect of this row is a wrong aspect there too. A row of MIXED
    is never the plainer one: in it, a tree may fail because of the other concept. Of all
    others it is the one with the largest share of wrong parts, but first come PLAIN rows
    of which at least half is wrong.
    """
    has_stopped = any(part.stopped for part in row.parts)
    if row.is_right or row.concept not in CONDITIONS or has_stopped:
        return None
    specific_first = list(CONCEPTS)
    plainer = specific_first[specific_first.index(row.concept) + 1 :]
    wrong = _wrong_aspects(row)

    def is_alike(other):
        is_plainer = other.concept in plainer and other.concept not in MIXED
        is_same = other.function == row.function
        return is_same and is_plainer and wrong <= _wrong_aspects(other)

    def rank(other):
        share = sum(not part.is_right for part in other.parts) / len(other.parts)
        return other.concept in PLAIN and share >= 0.5, share

    return max(filter(is_alike, rows), key=rank, default=None)


def _wrong_aspects(row):
    """Return the first wrong aspect of each wrong part in which all searches returned."""
    wrong = [part for part in row.parts if not part.is_right and not part.stopped]
    return {part.wrong_aspect for part in wrong}


def row_results(row: Row) -> list[tuple[bool, str]]:
    """Return (whether it is correct, its line) for each part of a row.

    The row of limits has kinds of limits instead of trees. The worst search of a kind
    decides, so a submission could choose the results of the other trees for free.
    """
    lines = []
    for part in row.parts:
        name = part.title
        if row.concept == AT_THE_LIMITS:
            name = sentence(f"limit.{name}")
        lines.append((part.is_right, f"{name}: {result_of(part)}"))
    return lines


def result_of(part: Part) -> str:
    """Return why a search of a part ended, its first wrong aspect, or "correct"."""
    if part.stopped:
        return ending(part.stopped.ending)
    return sentence(f"held.{part.wrong_aspect or 'correct'}")


def row_line(row: Row, rows: Sequence[Row]) -> str:
    """Return a row's number, name, points and head in one line; for `rows` see head()."""
    return f"{row.number} {row.name} {score_text(row)}: {head(row, rows)}"


def row_in_short(row: Row, rows: Sequence[Row]) -> str:
    """Return a row's points, the purpose of its trees, and its head; see head()."""
    about = sentence(
        "row.about",
        number=row.number,
        name=row.name,
        score=score_text(row),
        about=sentence(f"concept.{row.concept}"),
    )
    return f"{about}\n{as_sentence(head(row, rows))}"


def why(row: Row) -> str:
    """Return the results of a row other than correct, and how often they occur."""
    counts = Counter(result_of(part) for part in row.parts if not part.is_right)
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{result} ({count})" for result, count in counts.items())


def _public_trees(row, verdicts):
    """Yield the lines on the wrong public trees of a function.

    The first trees are drawn, each with its first wrong search. So the text stays short.
    """
    wrong = {}  # name of a tree -> the verdict on its first wrong search
    for verdict in verdicts:
        if not verdict.is_right:
            wrong.setdefault(verdict.task.tree.name, verdict)
    for verdict in list(wrong.values())[:MAX_DRAWN]:
        yield f"\n{verdict.task.tree.title}:"
        yield from _wrong_search(verdict)
    lines = [line for is_right, line in row_results(row) if not is_right]
    not_drawn = lines[MAX_DRAWN:]
    if not_drawn:
        yield "\n" + sentence("row.also wrong")
    for line in not_drawn:
        yield f"- {line}"


def _wrong_search(verdict):
    yield f"\n{write_call(verdict.task)}"
    for problem in findings(verdict):
        yield f"- {problem}"
    if verdict.has_returned:
        yield f"\n{drawing(verdict.task, verdict.trace)}"
    yield from printed_lines(verdict.trace)


def printed_lines(trace: Trace) -> list[str]:
    """Return the title and the lines of a program's printed text, [] if there is none."""
    printed = printed_text(trace)
    if not printed:
        return []
    indented = [f"  {line}".rstrip() for line in printed.split("\n")]
    return ["", sentence("row.printed"), *indented]


def printed_text(trace: Trace) -> str:
    """Return the sanitized text that a program printed, "" if there is none."""
    return "\n".join(sanitize_lines(trace.text.printed, MAX_PRINTED))


def drawing(task: Task, trace: Trace) -> str:
    """Return the terminal drawing of a search, marked against the reference."""
    return draw(task.tree, task.search, Marks(task, trace), width=WIDTH)
