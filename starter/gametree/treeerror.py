"""The one kind of error that a tree file can give: a line that leads to the slip."""

from __future__ import annotations

import difflib


class TreeError(ValueError):
    """A tree file that cannot be read: where the slip is and what to write.

    As text it is one line: `file, line 4, child 2 of B: what is wrong: what to
    write instead`. `line` counts from 1, and is None where no line is to blame.
    """

    def __init__(self, problem, line=None, node="", file=""):
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.node = str(node)
        self.file = file

    def __str__(self):
        where = [self.file, f"line {self.line}" if self.line else "", self.node]
        return f"{', '.join(filter(None, where))}: {self.problem}".removeprefix(": ")


def did_you_mean(word, known):
    """Return the known word that `word` is a slip of, or None."""
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return close[0] if close else None


def check_keys(pairs, known, what):
    """Raise TreeError at the first key of `pairs` that is not a known one."""
    for key, _ in pairs.pairs:
        if key.text not in known:
            meant = did_you_mean(key.text, known)
            cure = f"did you mean {meant}?" if meant else f"known are {', '.join(known)}"
            raise TreeError(f"unknown key {key.text!r} in {what}: {cure}", key.line)
