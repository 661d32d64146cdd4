"""The step-through page: one search as data, stepped through by practice.html's engine.

The search is stepped through, put into words and painted in the browser, by the engine
that students practise with. Python brings the tree, its drawing, and the place where a
submission's run parts from the right one.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from autograder.judging.divergence import CUTOFF, ENTER, LEAF, find_divergence, replay
from autograder.judging.verdict import NOT_A_LEAF, Verdict
from autograder.kit import ROOT
from autograder.showing import sentences
from autograder.showing.explanation import explain
from autograder.showing.page import asset, figure, legend_item, page
from autograder.showing.report import search_html
from autograder.showing.svg import RADIUS, SIZE_BOUND, text, text_width
from autograder.tasks import Task
from gametree.divergence import (
    LEFT_OUT,
    OTHER_ORDER,
    SAME_LEAVES,
    WENT_ON,
    without_repeats,
)
from gametree.drawing import draw, marks_of
from gametree.functions import KNOWN, NODE
from gametree.view import view_of
from gametree.words import number

MOST_STEPS = 3000
MOST_NODES = 400
NAMED = 9  # of the children that a cutoff leaves out; the engine lists fewer, and "more"
NOTE_CHARACTER, NOTE_ENDS = 6.9, 16  # pixels, as in the engine
LEGEND = (
    (
        "visited leaf",
        "node leaf visited",
        '<rect class="shape" x="1" y="2" width="14" height="12"/>',
    ),
    (
        "pruned branch",
        "edge crossed",
        '<path class="line" d="M0 8H18"/><path class="slash" d="M5 12 9 3M9 13 13 4"/>',
    ),
    ("best so far", "edge chosen", '<path class="line" d="M0 8H18"/>'),
)


def step_html(
    task: Task,
    convention: str,
    verdict: Verdict | None = None,
    warning: str = "",
    own: str = "",
) -> str:
    """Return the page of one task. A best_move is shown as the minimax below it.

    convention: "equality" or "strict", as replay() takes it.
    verdict: the one on a submission's run of the task, None to show the right one only.
    warning: what stands first on the page, if anything.
    own: what the submission's own call returned where the runs part.
    """
    function = KNOWN[task.function]
    all_steps = replay(task.tree, task.search, convention if function.has_window else None)
    steps = all_steps[:MOST_STEPS]
    visited = frozenset(step.path for step in steps if step.kind == LEAF)
    root = _plain_view(task, visited, verdict)
    stop = None
    if verdict and not verdict.right:
        stop = stop_of(task, verdict, convention, steps, own)
    drawn = {view.path for view in root.everything()}
    numbers = _numbered(drawn, all_steps[: MOST_STEPS + 1], stop)
    data = {
        "nodes": _nodes(task.tree.root, steps, numbers),
        "max": task.search.maximizing,
        "window": [_finite(task.search.alpha), _finite(task.search.beta)],
        "strict": convention == "strict",
        "plain": not function.has_window,
        "chooses": function.answer == NODE,
        "steps": len(steps),
        "stop": stop and stop.as_data(numbers),
    }
    body = asset("step.html").format(
        warning=f'<p class="warning">{text(warning)}</p>' if warning else "",
        kind="" if function.has_window else "plain",
        title=text(task.tree.title),
        lead=_lead(task, verdict, len(all_steps)),
        picture=_picture(task, root, visited, steps, numbers),
        run=_whole_run(verdict),
        data=json.dumps(data).replace("<", "\\u003c"),
    )
    css, script = engine()
    styles = ["report.css", "step.css"]
    return page(task.tree.title, body, styles, css, script + asset("step.js"))


@cache
def engine() -> tuple[str, str]:
    """Return the style and the script that practice.html lends to this page."""
    html = (ROOT / "starter" / "practice.html").read_text(encoding="utf-8")
    style = re.search(r'<style id="steps">\n(.*?)</style>', html, re.DOTALL)[1]
    script = re.search(r'<script id="engine">\n(.*?)</script>', html, re.DOTALL)[1]
    return style, script


def _plain_view(task, visited, verdict):
    """Return the View of the tree without marks: what either run visits comes first."""
    if verdict:
        visited |= verdict.trace.visited
    marks = marks_of(task.tree, task.search, visited, visited)
    root = view_of(task.tree, task.search, marks, most=MOST_NODES)
    for view in root.everything():
        view.mark = None
    return root


@dataclass(frozen=True)
class Stop:
    """Where the page stops: after `at` steps of the right search, because of `reason`.

    `path` is the node at which the runs part, `went_to` the node that the submission
    went to, `left_out` the one whose turn it was; both may be None. `own` says what the
    submission's own call returned there, or is "".
    """

    at: int
    path: tuple
    went_to: tuple | None
    left_out: tuple | None
    reason: str
    own: str = ""

    def as_data(self, numbers):
        """Return it as step.js reads it; `numbers` maps paths to the nodes' numbers."""
        return {
            "at": self.at,
            "node": numbers[self.path],
            "needless": numbers.get(self.went_to),
            "missed": numbers.get(self.left_out),
            "says": [text for text in (self.reason, self.own) if text],
        }


def stop_of(task, verdict, convention, steps, own):
    """Return the Stop of a submission's run that is not right."""
    reason = explain(verdict, convention)
    if KNOWN[task.function].answer == NODE and verdict.judged:
        return _stop_at_a_move(task, verdict, steps, reason)
    divergence = find_divergence(task, verdict.trace, convention)
    at = _steps_before(task, verdict.trace, divergence, steps)
    left_out = None
    if divergence.kind in (LEFT_OUT, OTHER_ORDER) and at < len(steps):
        left_out = steps[at].path
    return Stop(at, divergence.path, divergence.got, left_out, reason, own)


def _stop_at_a_move(task, verdict, steps, reason):
    """Return the Stop where a move is wrong: at the end, since its leaves are free.

    Where a node was evaluated that is no leaf of the search, it is at that one.
    """
    beyond = next((f.path for f in verdict.findings if f.kind == NOT_A_LEAF), None)
    if beyond is not None:
        return Stop(len(steps), beyond, beyond, None, reason)
    best, chosen = task.expected.answer.path, verdict.trace.answer.path
    return Stop(len(steps), (), chosen if chosen != best else None, None, reason)


def _steps_before(task, trace, divergence, steps):
    """Return how many steps of the right search come before the runs part."""
    if divergence.kind == WENT_ON:
        for number, step in enumerate(steps, start=1):
            if (step.kind, step.path) == (CUTOFF, divergence.path):
                return number
        return len(steps)
    own = without_repeats(trace.evaluated)
    if not KNOWN[task.function].has_window:  # whose order is free
        own = sorted(trace.visited)
    both = zip(sorted(task.expected.visited), own)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
    leaves = [number for number, step in enumerate(steps) if step.kind == LEAF]
    if divergence.kind == SAME_LEAVES or same >= len(leaves):
        return len(steps)
    at = leaves[same]
    while at and steps[at - 1].kind == ENTER and steps[at].path[:-1] != divergence.path:
        at -= 1
    return at


def _numbered(drawn, steps, stop):
    """Return path -> number, parents first and left to right, of the nodes in the data.

    They are those that are drawn, that the steps come to, and that each cutoff leaves
    out first, with all nodes above them.
    """
    paths = drawn.union(*({step.path, *step.pruned_paths[:NAMED]} for step in steps))
    if stop:
        paths |= {stop.path, stop.went_to, stop.left_out} - {None}
    paths |= {path[:length] for path in paths for length in range(len(path))}
    return {path: number for number, path in enumerate(sorted(paths))}


def _nodes(root, steps, numbers):
    """Return the nodes as step.js reads them, in the order of their numbers.

    A node is [its parent's number, its name, its value, how many of its children are
    left out of the data]. Only leaves that the steps visit have a value; of a node that
    they do not enter the last number says nothing.
    """
    values = {step.path: step.value for step in steps if step.kind == LEAF}
    entered = {step.path for step in steps if step.kind == ENTER}
    listed = Counter(path[:-1] for path in numbers if path)
    nodes = []
    for path in numbers:
        position = root.at(path)
        more = len(position.children) - listed[path] if path in entered else 1
        parent = numbers[path[:-1]] if path else None
        nodes.append([parent, position.name, values.get(path), more])
    return nodes


def _finite(bound):
    return None if math.isinf(bound) else bound


def _picture(task, root, visited, steps, numbers):
    marks = marks_of(task.tree, task.search, visited, visited)
    legend = LEGEND if KNOWN[task.function].has_window else [LEGEND[0], LEGEND[-1]]
    return figure(
        root,
        f"{task.tree.title}, searched step by step",
        draw(task.tree, task.search, marks),
        "tree",
        beside=_room(steps),
        numbers=numbers,
        legend=[legend_item(*item) for item in legend],
    )


def _room(steps):
    """Return how many pixels an inner node needs on each side for window and note."""
    numbers = {number for step in steps for number in (step.alpha, step.beta, step.value)}
    written = ["−∞", *map(number, numbers - {None, math.inf, -math.inf})]
    digits = max(map(len, written))
    characters = max(len("prune if >= ") + digits, len("5 to 7") - 2 + 2 * digits)
    note = characters * NOTE_CHARACTER + NOTE_ENDS
    window = max(text_width(f"α {number}", SIZE_BOUND) for number in written) + 6
    return math.ceil(max(window, note / 2 - RADIUS))


def _lead(task, verdict, steps):
    """Return the paragraphs below the title, as HTML."""
    lines = [text(line) for line in (task.tree.lesson, task.tree.source) if line]
    lines.append(f"<code>{text(sentences.call(task))}</code>")
    if steps > MOST_STEPS:
        count = f"{steps:,} steps; the first {MOST_STEPS:,} are here"
        lines.append(f"The search takes {count}.")
    if verdict and verdict.right:
        lines.append("Your search does the same, from the first step to the last.")
    elif verdict and KNOWN[task.function].answer == NODE:
        lines.append("The steps stop where the moves are compared.")
    elif verdict:
        lines.append("The steps stop where your search parts from the right one.")
    return "".join(f'<p class="lead">{line}</p>' for line in lines)


def _whole_run(verdict):
    if verdict is None:
        return ""
    return f"<section><h2>Your whole search</h2>\n{search_html(verdict, 'own')}</section>"
