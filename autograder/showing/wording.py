"""Describe answers, calls, endings and findings in words.

The sentences are for public trees, unless a docstring says that they are safe for hidden
trees.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from autograder.ground.plaintext import sanitize
from autograder.scoring.scores import SEVERAL_WAYS
from gametree.support import sentences, texts
from gametree.support.judging import Verdict
from gametree.support.texts import sentence
from gametree.support.trace import (
    BROKE_PROTOCOL,
    DIED,
    NO_TEXT,
    NOT_RUN,
    OUT_OF_QUERIES,
    SLEPT,
    TIMED_OUT,
    Ending,
    Text,
    Trace,
)

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"
NODES_COMPARED = "instances of 'Node' and 'Node'"
OF_NO_CHILDREN = ("ValueError", "IndexError", "StopIteration")
STOPPED = {  # how a search ended without raising an exception
    TIMED_OUT: "stopped.timed out",
    OUT_OF_QUERIES: "stopped.out of queries",
    DIED: "stopped.died",
    BROKE_PROTOCOL: "stopped.broke the protocol",
    SEVERAL_WAYS: "stopped.several ways",
}
REFUSED = {  # exceptions that the limits of the autograder can cause
    "SyntaxError": "refused.SyntaxError",
    "ModuleNotFoundError": "refused.ModuleNotFoundError",
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
    if end.kind in STOPPED:
        return sentence(STOPPED[end.kind])
    if end.error == "NotImplementedError":
        return sentence("ending.not written")
    if end.error == "function missing":
        return sentence("ending.no function")
    return _raised(end, text)


def _raised(end, text):
    """Describe an exception: its message, its line, and the limit behind it, if any."""
    message = " ".join(sanitize(text.message).split())
    error = message or end.error or sentence("ending.an exception")
    raised = sentence("ending.raised", error=error)
    if text.line:
        raised = sentence("ending.raised at", error=error, line=text.line)
    kind = end.error
    if "can't start new thread" in error:
        kind = "PermissionError"
    if kind in REFUSED:
        raised += "; " + sentence(REFUSED[kind], python=PYTHON)
    return raised


def not_loaded(trace: Trace) -> str:
    """Return a sentence on why search.py could not be loaded."""
    return sentence("ending.not loaded", why=ending(trace.ending, trace.text))


def undecided(traces: Sequence[Trace]) -> str:
    """Return a sentence on these searches, which were not run for lack of time."""
    reason = traces[0].ending.reason
    return sentence("summary.undecided", count=len(traces), why=reason)


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
    return " ".join(filter(None, [how, _place(verdict), _reason(verdict)]))


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
    if text.path is None:
        return ""
    root = verdict.task.tree.root
    search = verdict.task.search
    node = texts.name_player(root, search, text.path)
    arguments = []
    for name, value in text.arguments:
        arguments.append(f"{sanitize(name)} = {texts.write_number(value)}")
    if not arguments:
        return sentence("ending.at node", node=node)
    return sentence("ending.at", node=node, arguments=texts.in_words(arguments))
