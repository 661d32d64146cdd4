"""What the tests of the sandbox share: two trees, a minimax with a body, its traces."""

from __future__ import annotations

import textwrap

from helpers import run_isolated, tasks_of, tree_of

AIMA = tree_of("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", name="aima")
TIE = tree_of("[1, [1, 1]]", name="tie")


def minimax(body, head=""):
    """Return a submission whose minimax has the given body."""
    lines = textwrap.indent(textwrap.dedent(body), "    ")
    return f"{textwrap.dedent(head)}\ndef minimax(node, depth, maximizing):\n{lines}\n"


def first_traces(sandbox, source):
    """Run a source's minimax on both trees; return the first runs' traces."""
    tasks = tasks_of(AIMA, TIE, functions=("minimax",))
    return [pair.first for pair in run_isolated(sandbox, source, tasks)]
