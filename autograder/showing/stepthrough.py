"""The step-through page: the right alpha-beta on one tree, forwards and backwards.

With a submission's run it goes up to the place where the two part, and says so.
"""

from __future__ import annotations

import json
import math

from autograder.judging.steps import LEAF, replay
from autograder.showing import sentences
from autograder.showing.layout import RADIUS, SIZE_BOUND, text_width
from autograder.showing.narration import narrate, shown
from autograder.showing.page import asset, figure, legend_item, page
from autograder.showing.reportrows import search_html
from autograder.showing.stepdata import step_data, stop_data
from autograder.showing.svg import text
from gametree.drawing import draw, marks_of
from gametree.view import view_of

MOST_STEPS = 3000
MOST_NODES = 400
NOTE_CHARACTER, NOTE_ENDS = 7.3, 16  # pixels, as in assets/step.js
LEGEND = (
    (
        "visited leaf",
        "node leaf visited",
        '<rect class="shape" x="1" y="2" width="14" height="12"/>',
    ),
    (
        "pruned branch",
        "edge crossed",
        '<path d="M0 8H18"/><path class="slash" d="M5 12 9 3M9 13 13 4"/>',
    ),
    ("best so far", "edge chosen", '<path d="M0 8H18"/>'),
)


def step_html(task, convention, verdict=None):
    """Return the page of one alphabeta task.

    convention: "equality" or "strict", as replay() takes it.
    verdict: the one on a submission's run of the task, None to show the right one only.
    """
    steps = replay(task.tree, task.search, convention)
    all_steps, steps = len(steps), steps[:MOST_STEPS]
    root = _plain_view(task, steps, verdict)
    views = list(root.everything())
    numbers = {view.path: number for number, view in enumerate(views)}
    told = narrate(task.tree, task.search, steps, convention)
    data = {
        "parents": [numbers[view.path[:-1]] if view.path else None for view in views],
        "names": [f"{view.position.name} ({view.player})" for view in views],
        "steps": [step_data(each, numbers) for each in told],
        "stop": verdict and stop_data(task, verdict, convention, steps, numbers),
    }
    body = asset("step.html").format(
        title=text(task.tree.title),
        lead=_lead(task, verdict, all_steps),
        picture=_picture(task, root, told),
        run=_run(verdict),
        data=json.dumps(data).replace("<", "\\u003c"),
    )
    return page(task.tree.title, body, ["report.css", "step.css"], "step.js")


def _plain_view(task, steps, verdict):
    """Return the View of the tree without marks: what either run visits comes first."""
    visited = frozenset(step.path for step in steps if step.kind == LEAF)
    if verdict:
        visited |= verdict.trace.visited
    marks = marks_of(task.tree, task.search, visited, visited)
    root = view_of(task.tree, task.search, marks, most=MOST_NODES)
    for view in root.everything():
        view.mark = None
    return root


def _picture(task, root, told):
    visited = frozenset(each.step.path for each in told if each.step.kind == LEAF)
    marks = marks_of(task.tree, task.search, visited, visited)
    return figure(
        root,
        f"{task.tree.title}, searched step by step",
        draw(task.tree, task.search, marks),
        "tree",
        beside=_room(told),
        legend=[legend_item(*item) for item in LEGEND],
    )


def _room(told):
    """Return how many pixels an inner node needs on each side for window and note."""
    ends = {end for each in told for end in (each.step.alpha, each.step.beta)}
    notes = {note for each in told for note in (each.known, each.rule)}
    longest = max(map(len, notes)) * NOTE_CHARACTER + NOTE_ENDS
    window = max(text_width(f"α {shown(end)}", SIZE_BOUND) for end in ends) + 6
    return math.ceil(max(window, longest / 2 - RADIUS))


def _lead(task, verdict, steps):
    """Return the paragraphs below the title, as HTML."""
    lines = [text(line) for line in (task.tree.lesson, task.tree.source) if line]
    lines.append(f"<code>{text(sentences.call(task))}</code>")
    if steps > MOST_STEPS:
        count = f"{steps:,} steps; the first {MOST_STEPS:,} are here"
        lines.append(f"The search takes {count}.")
    if verdict and verdict.right:
        lines.append("Your search does the same, from the first step to the last.")
    elif verdict:
        lines.append("The steps stop where your search parts from the right one.")
    return "".join(f'<p class="lead">{line}</p>' for line in lines)


def _run(verdict):
    if verdict is None:
        return ""
    return f"<section><h2>Your whole search</h2>\n{search_html(verdict, 'own')}</section>"
