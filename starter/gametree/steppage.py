"""The page that steps through your own search: python -m gametree FILE --page

It is a copy of practice.html with the tree and what your search visited as data. The
page searches the tree itself, and shows where your search parts from that.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

from gametree.divergence import without_repeats
from gametree.student import CannotRun
from gametree.trace import Trace
from gametree.tree import Tree, search_leaf
from gametree.words import number

PRACTICE = Path(__file__).resolve().parent.parent / "practice.html"
MOST_NODES = 400
DATA = '<script type="application/json" id="given">{}</script>\n'


def step_page(tree: Tree, trace: Trace, why: str, remark: str) -> str:
    """Return the page of one alphabeta search, as HTML.

    why: the sentence that decides, "" where there is none. remark: what the search
    returned and cost.
    """
    if not PRACTICE.is_file():
        raise CannotRun(f"{PRACTICE}: this file of the starter is missing; unzip it again")
    search = trace.search
    numbers, rows = _nodes(tree, search)
    visits = []
    for path in without_repeats(trace.evaluated):
        position = tree.root.at(path)
        drawn = next(path[:n] for n in range(len(path), -1, -1) if path[:n] in numbers)
        visits.append([numbers[drawn], position.name, position.static_value()])
    window = [None if math.isinf(bound) else bound for bound in (search.alpha, search.beta)]
    bounds = f"alpha={number(search.alpha)}, beta={number(search.beta)}"
    data = {
        "title": tree.title,
        "call": f"alphabeta({tree.root.name}, depth={search.depth}, {bounds}, "
        f"maximizing={search.maximizing})",
        "nodes": rows,
        "max": search.maximizing,
        "window": window,
        "visits": visits,
        "why": why,
        "end": remark,
    }
    html = PRACTICE.read_text(encoding="utf-8")
    before, engine, after = html.partition('<script id="engine">')
    return before + DATA.format(json.dumps(data).replace("<", "\\u003c")) + engine + after


def _nodes(tree, search):
    """Return path -> number, and [parent's number, name, value, 0] of each node."""
    numbers, rows, unseen = {}, [], [tree.root]
    while unseen:
        position = unseen.pop()
        if len(rows) == MOST_NODES:
            raise CannotRun(f"the tree has more than {MOST_NODES} nodes: choose a smaller")
        leaf = search_leaf(position, search.depth)
        above = numbers[position.path[:-1]] if position.path else None
        numbers[position.path] = len(rows)
        value = position.static_value() if leaf else None
        rows.append([above, position.name, value, 0])
        if not leaf:
            unseen += reversed(position.children)
    return numbers, rows
