"""The kill matrix as a page: mistakes down, hidden trees across."""

from __future__ import annotations

from autograder.running.files import replace_file
from autograder.showing.page import page
from autograder.showing.svg import text
from autograder.workbench.killmatrix import WANTED
from gametree.position import FUNCTIONS

LETTERS = {function: function[0] for function in FUNCTIONS}
STYLE = """<style>
main { max-width: none; } table { border-collapse: collapse; font-size: .8rem; }
th, td { padding: .15rem .4rem; border-bottom: 1px solid var(--line); }
th { text-align: left; font-weight: 500; white-space: nowrap; }
thead th { position: sticky; top: 0; background: var(--paper); }
thead th.tree { writing-mode: vertical-rl; transform: rotate(180deg); }
td { text-align: center; font-family: var(--mono); white-space: nowrap; }
td.few { color: var(--warn); font-weight: 700; } .wide { overflow-x: auto; }
</style>"""


def write_matrix(path, kit, mistakes, matrix):
    """Write the page: a letter for each function whose row kills the mistake."""
    trees = [tree.name for tree in kit.hidden]
    head = "".join(f'<th class="tree" scope="col">{text(name)}</th>' for name in trees)
    lines = sorted(mistakes, key=lambda mistake: (len(matrix[mistake.name]), mistake.name))
    body = "\n".join(_line(mistake, matrix[mistake.name], trees) for mistake in lines)
    html = (
        f"{STYLE}<h1>Kill matrix</h1>\n<p class='lead'>{len(mistakes)} known mistakes by "
        f"{len(trees)} hidden trees, those killed least first. A letter is a lost row: "
        f"{', '.join(f'{letter} of {name}' for name, letter in LETTERS.items())}.</p>\n"
        '<div class="wide" tabindex="0"><table><thead><tr><th scope="col">mistake</th>'
        f'<th scope="col">rows</th>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'
    )
    replace_file(path, page("Kill matrix", html))


def _line(mistake, rows, trees):
    cells = []
    for tree in trees:
        letters = "".join(LETTERS[f] for f in FUNCTIONS if (f, tree) in rows)
        cells.append(f"<td>{letters}</td>")
    few = ' class="few"' if len(rows) < WANTED else ""
    return (
        f'<tr><th scope="row" title="{text(mistake.headline)}">{text(mistake.name)}</th>'
        f"<td{few}>{len(rows)}</td>{''.join(cells)}</tr>"
    )
