"""The kill matrix as a page: what each known mistake loses, concept by concept.

A mistake's line leads to its file, and a tree's to its drawing on the same page.
"""

from __future__ import annotations

import os
from pathlib import Path

from autograder.showing.page import figure, page
from autograder.showing.svg import text
from autograder.utilities import replace_file
from autograder.workbench.killmatrix import ENOUGH, Matrix
from gametree.drawing import draw, marks_of
from gametree.view import view_of

MOST_NODES = 90  # drawn of one tree
STYLE = """
main { max-width: none; }
table { border-collapse: separate; border-spacing: 0; font-size: .8rem; margin-top: .8rem; }
a { color: var(--accent); }
th, td { padding: .15rem .3rem; border-bottom: 1px solid var(--line); }
th { text-align: left; font-weight: 500; }
tbody th { white-space: nowrap; position: sticky; left: 0; background: var(--paper); }
thead th { vertical-align: bottom; }
th.concept { height: 15rem; padding: .3rem .1rem; }
th.concept span { writing-mode: vertical-rl; transform: rotate(180deg);
  white-space: nowrap; }
th.first, td.first { border-left: 1px solid var(--edge); }
td { text-align: right; font-family: var(--mono); white-space: nowrap; }
td.text { text-align: left; font-family: inherit; }
td.few { color: var(--warn); font-weight: 700; }
.wide { overflow: auto; max-height: 85vh; }
.wide thead { position: sticky; top: 0; background: var(--paper); z-index: 1; }
.drawing { scroll-margin-top: 1rem; }
"""


def write_matrix(path: Path, matrix: Matrix) -> None:
    """Write the page of what each known mistake loses."""
    sections = [_mistakes(matrix, path.parent), _trees(matrix), _drawings(matrix)]
    head = (
        f"<h1>Kill matrix</h1>\n<p class='lead'>What each of {len(matrix.mistakes)} known "
        f"mistakes loses on {len(matrix.hidden)} hidden trees and the public ones, in "
        "points; those that lose least stand first.</p>\n"
    )
    replace_file(path, page("Kill matrix", head + "\n".join(sections), css=STYLE))


def _mistakes(matrix, folder):
    """Return the table of mistakes: a column for each concept of each function."""
    firsts, groups = set(), {}
    for row in matrix.rows:
        groups.setdefault(row.function, []).append(row)
    groups = "".join(
        f'<th class="first" scope="colgroup" colspan="{len(rows)}">{text(function)}</th>'
        for function, rows in groups.items()
    )
    for row in matrix.rows:
        firsts.add(next(r.number for r in matrix.rows if r.function == row.function))

    def kind(row, other=""):
        return " ".join(filter(None, [other, "first" * (row.number in firsts)]))

    concepts = "".join(
        f'<th class="{kind(row, "concept")}" scope="col"><span>{text(row.concept)}, '
        f"{row.most_cents / 100:g}</span></th>"
        for row in matrix.rows
    )
    body = []
    for mistake in sorted(matrix.mistakes, key=matrix.points_lost):
        link = Path(os.path.relpath(mistake.path, folder)).as_posix()
        count = len(matrix.trees[mistake.name])
        few = ' class="few"' if count < ENOUGH else ""
        cells = "".join(
            f'<td class="{kind(row)}">{f"{lost:.2f}" if lost else ""}</td>'
            for row, lost in zip(matrix.rows, matrix.lost[mistake.name])
        )
        body.append(
            f'<tr><th scope="row"><a href="{text(link)}" title="{text(mistake.headline)}">'
            f"{text(mistake.name)}</a></th><td>{matrix.points_lost(mistake):.2f}</td>"
            f"<td{few}>{count}</td>{cells}</tr>"
        )
    return (
        '<h2>Mistakes</h2>\n<div class="wide" tabindex="0"><table class="mistakes"><thead>'
        '<tr><th scope="col" rowspan="2">mistake</th><th scope="col" rowspan="2">points'
        f'</th><th scope="col" rowspan="2">trees</th>{groups}</tr>\n<tr>{concepts}</tr>'
        "</thead>\n<tbody>" + "\n".join(body) + "</tbody></table></div>"
    )


def _trees(matrix):
    """Return the table of hidden trees: what each is about, and how many it catches."""
    catches = matrix.caught_by()
    body = [
        f'<tr><th scope="row"><a href="#{text(tree.name)}">{text(tree.name)}</a></th>'
        f"<td>{len(catches[tree.name])}</td>"
        f'<td class="text">{text(tree.title)}</td><td class="text">{text(tree.lesson)}</td>'
        "</tr>"
        for tree in sorted(matrix.hidden, key=lambda tree: len(catches[tree.name]))
    ]
    return (
        '<h2>Hidden trees</h2>\n<div class="wide" tabindex="0"><table class="trees"><thead>'
        '<tr><th scope="col">tree</th><th scope="col">mistakes</th><th scope="col">title'
        '</th><th scope="col">lesson</th></tr></thead>\n<tbody>'
        + "\n".join(body)
        + "</tbody></table></div>"
    )


def _drawings(matrix):
    """Return a drawing of each hidden tree, with what alpha-beta does in it first."""
    parts = []
    for tree in matrix.hidden:
        search = tree.searches[0]
        visited = matrix.visited.get((tree.name, search))
        marks = visited and marks_of(tree, search, visited, visited)
        drawn = figure(
            view_of(tree, search, marks, MOST_NODES),
            tree.title,
            draw(tree, search, marks),
            f"drawn-{tree.name}-",
        )
        parts.append(f'<h3 class="drawing" id="{text(tree.name)}">{text(tree.title)}</h3>')
        parts.append(drawn)
    return "\n".join(parts)
