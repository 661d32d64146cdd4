"""The page that steps through a search: python -m gametree FILE --page

It is a copy of practice.html with the tree and the visits of a search as data. The page
searches the tree itself, and shows where the two searches diverge. The autograder uses
the same page.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path

from gametree.functions import FUNCTIONS, MIN, NODE
from gametree.support.errors import InputError
from gametree.support.judging import Task
from gametree.support.marks import Marks
from gametree.support.sentences import write_call
from gametree.support.texts import sentence
from gametree.support.trace import Trace
from gametree.support.tree import search_leaf, with_ancestors
from gametree.support.views import view_of

STARTER = Path(__file__).resolve().parents[2]
PRACTICE = STARTER / "practice.html"
MAX_DRAWN = 400  # nodes
MAX_NODES = 3000  # that the correct search may expand
MAX_VISITS = 3000  # of the search on the page
ENGINE = '<script id="engine">'  # the data is inserted before it
DATA = '<script type="application/json" id="given">{}</script>\n'


def search_page(
    task: Task,
    trace: Trace | None = None,
    why: str = "",
    end: str = "",
    warning: str = "",
    lead: Sequence[str] = (),
) -> str:
    """Return the page of one search, as HTML.

    trace: a student's search of the task, or None to show the correct search alone.
    why: the key sentence.
    end: the result and the cost of the search.
    warning: the line above the title.
    lead: the lines below the title.

    Raises InputError if the page would be too large.
    """
    search = task.search
    function = FUNCTIONS[task.function]
    drawn = _drawn_paths(task, trace or task.expected)
    paths = sorted(_paths_needed(task) | drawn)
    numbers = {path: number for number, path in enumerate(paths)}
    visits = None
    chosen = None
    if trace is not None:
        visits = _visits(task.tree, trace, numbers)
        chosen = numbers.get(trace.answer.path)
    data = {
        "title": task.tree.title,
        "call": write_call(task),
        "nodes": [_node_row(task, path, numbers, drawn) for path in paths],
        "max": search.maximizing,
        "window": [_bound(search.alpha), _bound(search.beta)],
        "cutoff": "strict" if task.strict else "equal",
        "plain": not function.has_window,
        "opponent": [search.opponent.name, search.opponent.takes],
        "worths": _worths(task, paths),
        "chooses": function.answer == NODE,
        "visits": visits,
        "chosen": chosen,
        "why": why,
        "end": end,
        "lead": lead,
        "warning": warning,
    }
    text = json.dumps(data)
    script = DATA.format(text.replace("<", "\\u003c"))
    page = PRACTICE.read_text("utf-8")
    return page.replace(ENGINE, script + ENGINE)


def _bound(bound):
    """Return alpha or beta for JSON: None for infinity."""
    return None if math.isinf(bound) else bound


def _paths_needed(task):
    """Return the paths of all children of the nodes that the correct search enters."""
    leaves = task.expected.visited
    entered = with_ancestors(leaves) - leaves
    if len(entered) > MAX_NODES:
        raise InputError(sentence("home.large page", most=MAX_DRAWN))
    children = set()
    for path in entered:
        position = task.tree.root.at(path)
        children.update(child.path for child in position.children)
    return children


def _drawn_paths(task, trace):
    """Return the paths of the drawn nodes."""
    marks = Marks(task, trace)
    root = view_of(task.tree, task.search, marks, MAX_DRAWN)
    paths = {view.path for view in root.everything()}
    depth = task.search.depth
    return {path for path in paths if len(path) <= depth}


def _node_row(task, path, numbers, drawn):
    """Return [parent's number, name, value, more, undrawn] of the node at a path.

    `value` is None unless the node is a leaf of the search. `more` says whether it has
    children that are not on the page.
    """
    position = task.tree.root.at(path)
    parent = numbers[path[:-1]] if path else None
    value = None
    if search_leaf(position, task.search.depth):
        value = position.static_value()
    more = any(child.path not in numbers for child in position.children)
    undrawn = path not in drawn
    return [parent, position.name, value, int(more), int(undrawn)]


def _worths(task, paths):
    """Return the correct value of each node; None if the page computes it by itself."""
    if task.search.opponent == MIN:
        return None
    values = task.correct_search().values
    return [values.get(path) for path in paths]


def _visits(tree, trace, numbers):
    """Return [number of a node on the page, name, value] of each visited leaf.

    The page of a best_move search has no visits.
    """
    if FUNCTIONS[trace.function].answer == NODE:
        return []
    visits = []
    for path in trace.in_order[:MAX_VISITS]:
        position = tree.root.at(path)
        on_page = path
        while on_page not in numbers:
            on_page = on_page[:-1]
        number = numbers[on_page]
        value = position.static_value()
        visits.append([number, position.name, value])
    return visits
