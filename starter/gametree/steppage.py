"""The page that steps through a search: python -m gametree FILE --page

It is a copy of practice.html with the tree, and what a search visited, as data. The page
searches the tree itself, and shows where the two part. The autograder's pages are the same.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from pathlib import Path

from gametree.drawing import marks_of, view_of
from gametree.functions import FUNCTIONS, NODE
from gametree.saying import call
from gametree.student import CannotRun
from gametree.trace import Trace
from gametree.tree import Search, Tree, TreeError, search_leaf

PRACTICE = Path(__file__).resolve().parent.parent / "practice.html"
MOST_DRAWN = 400  # nodes
MOST_NODES = 3000  # whose children the right search may look at
MOST_VISITS = 3000  # of the search that is stepped through
DATA = '<script type="application/json" id="given">{}</script>\n'


def step_page(
    tree: Tree,
    search: Search,
    function: str,
    trace: Trace | None = None,
    why: str = "",
    remark: str = "",
    right: Collection[tuple] | None = None,
    strict: bool | None = None,
    lead: Sequence[str] = (),
    warning: str = "",
) -> str:
    """Return the page of one search, as HTML.

    trace: a student's search, None to show the right one alone.
    why: the sentence that decides, "" where there is none.
    remark: what the search returned and cost.
    right: the paths that the right search visits, None if nobody knows: then the whole
        tree has to fit on the page.
    strict: whether cutoffs are; None for what the course teaches.
    lead, warning: lines to stand below the title, and above it.

    Raises TreeError where the page would be too large.
    """
    if not PRACTICE.is_file():
        raise CannotRun(f"{PRACTICE}: this file of the starter is missing; unzip it again")
    known = FUNCTIONS[function]
    chooses = known.answer == NODE
    numbers, rows = _nodes(tree, search, trace, right)
    data = {
        "title": tree.title,
        "call": call(tree, search, function),
        "nodes": rows,
        "max": search.maximizing,
        "window": [None if math.isinf(b) else b for b in (search.alpha, search.beta)],
        "cutoff": None if strict is None else "strict" if strict else "equal",
        "plain": not known.has_window,
        "chooses": chooses,
        "visits": None,
        "why": why,
        "end": remark,
        "lead": [line for line in lead if line],
        "warning": warning,
    }
    if trace is not None:
        data["visits"] = [] if chooses else _visits(tree, trace, numbers, rows)
        data["chosen"] = numbers.get(trace.answer.path)
    html = PRACTICE.read_text(encoding="utf-8")
    before, engine, after = html.partition('<script id="engine">')
    return before + DATA.format(json.dumps(data).replace("<", "\\u003c")) + engine + after


def _nodes(tree, search, trace, right):
    """Return path -> number, and [parent's number, name, value, more, undrawn] of each.

    They are all nodes that are drawn, and all children of those that the right search
    enters. `value` is None unless it is a leaf of the search; `more` says that there are
    children which are not among them.
    """
    entered = {path[:n] for path in right or () for n in range(len(path))}
    marks = marks_of(tree, search, trace or right or (), right)
    drawn = {view.path for view in view_of(tree, search, marks, MOST_DRAWN).everything()}
    if right is None:
        entered = {p for p in drawn if not search_leaf(tree.root.at(p), search.depth)}
    children = {child.path for path in entered for child in tree.root.at(path).children}
    if right is None and not children <= drawn or len(entered) > MOST_NODES:
        raise TreeError(f"the tree has more than {MOST_DRAWN} nodes: choose a smaller")
    paths = sorted(path for path in drawn | children if len(path) <= search.depth)
    numbers, rows = {path: number for number, path in enumerate(paths)}, []
    for path in paths:
        position = tree.root.at(path)
        leaf = search_leaf(position, search.depth)
        more = any(child.path not in numbers for child in position.children)
        above = numbers[path[:-1]] if path else None
        value = position.static_value() if leaf else None
        rows.append([above, position.name, value, int(more), int(path not in drawn)])
    return numbers, rows


def _visits(tree, trace, numbers, rows):
    """Return [number of a node on the page, name, value] of each leaf that was visited."""
    free = not FUNCTIONS[trace.function].has_window  # its order is
    visited = sorted(trace.visited) if free else trace.in_order
    visits = []
    for path in visited[:MOST_VISITS]:
        position = tree.root.at(path)
        on_page = next(path[:n] for n in range(len(path), -1, -1) if path[:n] in numbers)
        visits.append([numbers[on_page], position.name, position.static_value()])
    return visits
