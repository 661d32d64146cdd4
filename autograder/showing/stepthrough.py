"""The data of a step-through page: each step by numbers, and where two runs part."""

from __future__ import annotations

import json
import math
from itertools import takewhile

from autograder.judging.divergence import (
    CUTOFF,
    ENTER,
    LEAF,
    LEFT_OUT,
    OTHER_ORDER,
    SAME_LEAVES,
    WENT_ON,
    find_divergence,
    replay,
    without_repeats,
)
from autograder.showing import sentences
from autograder.showing.explanation import explain
from autograder.showing.narration import narrate, shown
from autograder.showing.page import asset, figure, legend_item, page
from autograder.showing.report import search_html
from autograder.showing.svg import RADIUS, SIZE_BOUND, text, text_width
from gametree.drawing import draw, marks_of
from gametree.view import view_of


def step_data(told, numbers):
    """Return a told step as JSON data; `numbers` maps drawn paths to their numbers.

    `node` is where it happens (the nearest drawn node), `window` what stands there
    then: alpha, beta, what is known, the condition.
    """
    step = told.step
    data = {"kind": step.kind, "node": nearest(step.path, numbers), "says": told.says}
    if step.kind != LEAF:
        data["window"] = [shown(step.alpha), shown(step.beta), told.known, told.rule]
    if told.better:
        data["best"] = nearest(step.child_path, numbers)
    if step.kind == CUTOFF:
        data["cut"] = [numbers[path] for path in step.pruned_paths if path in numbers]
    return data


def nearest(path, numbers):
    """Return the number of the node at `path`, or of the nearest drawn one above it."""
    while path not in numbers:
        path = path[:-1]
    return numbers[path]


def stop_data(task, verdict, convention, steps, numbers):
    """Return where the page stops: after how many steps, which nodes, in what words.

    None where the submission's run does the same as the right one to the end.
    """
    if verdict.right:
        return None
    found = find_divergence(task, verdict.trace, convention)
    at = _steps_before(task, verdict.trace, found, steps)
    wanted = None
    if found.kind in (LEFT_OUT, OTHER_ORDER) and at < len(steps):
        wanted = nearest(steps[at].path, numbers)
    got = None if found.got is None else nearest(found.got, numbers)
    says = [explain(verdict, convention)]
    node = nearest(found.path, numbers)
    return {"at": at, "node": node, "got": got, "wanted": wanted, "says": says}


def _steps_before(task, trace, found, steps):
    """Return how many steps of the right search come before the runs part."""
    if found.kind == WENT_ON:
        for number, step in enumerate(steps, start=1):
            if (step.kind, step.path) == (CUTOFF, found.path):
                return number
        return len(steps)
    both = zip(task.expected.evaluated, without_repeats(trace.evaluated))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
    leaves = [number for number, step in enumerate(steps) if step.kind == LEAF]
    if found.kind == SAME_LEAVES or same >= len(leaves):
        return len(steps)
    at = leaves[same]
    while at and steps[at - 1].kind == ENTER and steps[at].path[:-1] != found.path:
        at -= 1
    return at


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
