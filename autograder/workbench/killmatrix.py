"""Which trees tell the known mistakes from right: run as the autograder would, judged."""

from __future__ import annotations

import itertools

from autograder.judging.verdict import judge
from autograder.mistakes.library import run_variant
from autograder.showing.page import page
from autograder.showing.svg import text
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from autograder.utilities import in_parallel, replace_file
from gametree.functions import FUNCTIONS

ENOUGH = 5  # rows that kill each mistake, where that many can
RANDOM = 2000  # trees that are tried where no small one kills a mistake


def kill_matrix(variants, tasks, step=None):
    """Return variant name -> the set of rows that kill it."""
    rows = in_parallel(lambda variant: rows_lost(variant, tasks), variants, step)
    return {variant.name: lost for variant, lost in zip(variants, rows)}


def rows_lost(variant, tasks, functions=FUNCTIONS):
    """Return the rows that a variant loses points on: a set of (function, tree).

    With `functions`, only their rows are run.
    """
    tasks = [task for task in tasks if task.function in functions]
    return {(v.task.function, v.task.tree.name) for v in failures(variant, tasks)}


def failures(variant, tasks):
    """Yield the Verdict on each task that is not right, in order.

    The tasks of a tree stand together, and share a fresh module of the variant's.
    """
    for _, group in itertools.groupby(tasks, key=lambda task: task.tree.name):
        tasks_of_tree = list(group)
        for task, runs in zip(tasks_of_tree, run_variant(variant, tasks_of_tree)):
            if runs.second and task.is_met_by(runs.first) and task.is_met_by(runs.second):
                continue
            verdict = judge(task, runs)
            if not verdict.right:
                yield verdict


def smallest_killing_tree(mistake, reference):
    """Return the text of a small tree on which the mistake loses points, or None.

    It is the first of the ladder, or else the first of some random trees.
    """
    for tree in itertools.chain(small_trees(), random_trees(RANDOM, seed=1)):
        tasks = tasks_for([tree], reference, mistake.shows or ("alphabeta",))
        if next(failures(mistake, tasks), None):
            return tree.title
    return None


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
    few = ' class="few"' if len(rows) < ENOUGH else ""
    return (
        f'<tr><th scope="row" title="{text(mistake.headline)}">{text(mistake.name)}</th>'
        f"<td{few}>{len(rows)}</td>{''.join(cells)}</tr>"
    )
