"""How numbers, calls, endings and findings are put into words.

The words are for public trees, unless a function says that they fit hidden ones.
"""

from __future__ import annotations

import sys

from autograder.judging import verdict as v
from autograder.plaintext import printable
from autograder.tasks import Task
from gametree import words
from gametree.saying import say
from gametree.trace import NOT_RUN, RAISED, Answer, Ending, Text, Trace
from gametree.words import names, number

PYTHON = "Python {}.{}".format(*sys.version_info)
# Errors that what the autograder does not have or allow leads to.
REFUSED = (
    "SyntaxError", "ModuleNotFoundError", "EOFError", "PermissionError", "BlockingIOError",
)  # fmt: skip


def ended(text: str) -> str:
    """Return a sentence with a full stop, unless it ends in a sign of its own."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def ending(end: Ending, text: Text | None = None) -> str:
    """Say how a search ended that did not return, in the words of its text if given.

    Without them, as for a hidden tree, it names an exception out of a fixed list.
    """
    if end.kind == NOT_RUN:
        return say("ending.not run", reason=end.reason)
    if end.kind != RAISED:
        return say(f"stopped.{end.kind}")
    if end.error == "NotImplementedError":
        return say("ending.not written")
    if end.error == "function missing":
        return say("ending.no function")
    error = " ".join(printable(text.message).split()) if text else ""
    said = say("ending.raised", error=error or end.error)
    if text and text.line:
        said = say("ending.raised at", error=error or end.error, line=text.line)
    why = f"refused.{end.error}"
    return f"{said}; {say(why, python=PYTHON)}" if end.error in REFUSED else said


def not_loaded(trace: Trace) -> str:
    """Say that search.py could not be loaded, and how that ended."""
    return say("ending.not loaded", why=ending(trace.ending, trace.text))


def answer(task: Task, returned: Answer) -> str:
    """Return an Answer to a task as people write it: 3, C, None, tuple."""
    if returned.kind == "number":
        return number(returned.number)
    if returned.kind == "node":
        return task.tree.root.at(returned.path).name
    return _kind(returned.kind)


def _kind(name):
    if name == "number":
        return say("kind.number")
    return "None" if name == "NoneType" else name


def call(task: Task) -> str:
    """Return the call that a task makes, as a student would write it."""
    return words.call(task.tree, task.search, task.function)


def findings(verdict: v.Verdict) -> list[str]:
    """Return the sentences for all findings of a verdict on a public tree."""
    by_kind = {}
    for finding in verdict.findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    return [_sentence(kind, alike, verdict) for kind, alike in by_kind.items()]


def _sentence(kind, alike, verdict):
    """Return the sentence for the findings of one kind."""
    first, root = alike[0], verdict.task.tree.root
    if kind == v.DID_NOT_RETURN:
        return ending(first.got, verdict.trace.text)
    if kind == v.WRONG_TYPE:
        wanted = "finding.no move" if first.expected == "node" else "finding.no number"
        return say(wanted, got=_kind(first.got))
    if kind == v.WRONG_VALUE:
        got, expected = number(first.got), number(first.expected)
        return say("finding.wrong value", got=got, expected=expected)
    if kind == v.WRONG_MOVE:
        got, expected = root.at(first.got).name, root.at(first.expected).name
        return say("finding.wrong move", got=got, expected=expected)
    if kind == v.LOOKED_BEYOND:
        node, expected = root.at(first.path).name, first.expected
        return say("verdict.looked beyond", got=first.got, expected=expected, node=node)
    if kind == v.WRONG_COUNT and first.got is None:
        return say("verdict.wrong count", expected=first.expected)
    if kind == v.WRONG_COUNT:
        return say("verdict.count", got=first.got, expected=first.expected)
    if kind == v.UNPROVEN:
        return say("finding.unproven")
    if kind == v.TOO_FEW:
        return say("verdict.too few")
    listed = names(root, [finding.path for finding in alike])
    key = "verdict.missed" if kind == v.MISSED else "verdict.needless"
    if kind == v.NOT_A_LEAF:
        key = "verdict.not a leaf"
    return say(key, listed=listed, count=len(alike))
