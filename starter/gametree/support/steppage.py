"""The page that steps through a search: python -m gametree FILE --page

It is a copy of practice.html with the tree, and what a search visited, as data. The page
searches the tree itself, and shows where the two part. The autograder's pages are the same.
"""

import json
import math
from collections.abc import Collection
from pathlib import Path

from gametree.functions import FUNCTIONS, NODE
from gametree.support.marks import marks_of
from gametree.support.saying import call, say
from gametree.support.student import CannotRun
from gametree.support.trace import Trace
from gametree.support.tree import Search, Tree, TreeError, search_leaf, with_ancestors
from gametree.support.views import view_of

PRACTICE = Path(__file__).resolve().parents[2] / "practice.html"
MAX_DRAWN = 400  # nodes
MAX_NODES = 3000  # whose children the right search may look at
MAX_VISITS = 3000  # of the search that is stepped through
DATA = '<script type="application/json" id="given">{}</script>\n'


def step_page(
    tree: Tree,
    search: Search,
    function: str,
    right: Collection[tuple] | None,
    trace: Trace | None = None,
    strict: bool | None = None,
    **shown: str | list[str],
) -> str:
    """Return the page of one search, as HTML.

    right: the paths that the right search visits, None where the tree is too large to know.
    trace: a student's search, None to show the right one alone.
    strict: whether cutoffs are; None for what the course teaches.
    shown: `why`, the sentence that decides; `end`, what the search returned and cost;
        `warning` and `lead`, what stands above the title, and lines below it.

    Raises TreeError where the page would be too large.
    """
    if not PRACTICE.is_file():
        raise CannotRun(say("home.no practice", file=PRACTICE))
    known, chosen, visits = FUNCTIONS[function], None, None
    numbers, rows = _nodes(tree, search, trace, right)
    if trace is not None:
        visits = [] if known.answer == NODE else _visits(tree, trace, numbers)
        chosen = numbers.get(trace.answer.path)
    data = {
        "title": tree.title,
        "call": call(tree, search, function),
        "nodes": rows,
        "max": search.maximizing,
        "window": [None if math.isinf(b) else b for b in (search.alpha, search.beta)],
        "cutoff": None if strict is None else "strict" if strict else "equal",
        "plain": not known.has_window,
        "chooses": known.answer == NODE,
        "visits": visits,
        "chosen": chosen,
        **{"why": "", "end": "", "lead": [], "warning": "", **shown},
    }
    html = PRACTICE.read_text(encoding="utf-8")
    before, engine, after = html.partition('<script id="engine">')
    return before + DATA.format(json.dumps(data).replace("<", "\\u003c")) + engine + after


def _nodes(tree, search, trace, right):
    """Return path -> number, and [parent's number, name, value, more, undrawn] of each.

    They are all nodes that are drawn, and all children of those that the right search
    enters. `value` is None unless it is a leaf of the search; `more` says that there are
    children which are not among them.
    """
    entered = with_ancestors(right or ()) - frozenset(right or ())
    if right is None or len(entered) > MAX_NODES:
        raise TreeError(say("home.large page", most=MAX_DRAWN))
    marks = marks_of(tree, search, trace or right, right)
    drawn = {view.path for view in view_of(tree, search, marks, MAX_DRAWN).everything()}
    children = {child.path for path in entered for child in tree.root.at(path).children}
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


def _visits(tree, trace, numbers):
    """Return [number of a node on the page, name, value] of each leaf that was visited."""
    free = not FUNCTIONS[trace.function].has_window  # its order is
    visits = []
    for path in (sorted(trace.visited) if free else trace.in_order)[:MAX_VISITS]:
        position = tree.root.at(path)
        on_page = next(path[:n] for n in range(len(path), -1, -1) if path[:n] in numbers)
        visits.append([numbers[on_page], position.name, position.static_value()])
    return visits
