"""Which trees tell the known mistakes from right: run as the autograder would, judged."""

from __future__ import annotations

import itertools

from autograder.judging.verdict import judge
from autograder.mistakes.library import STATE_SHOWS, run_variant
from autograder.showing.page import page
from autograder.showing.svg import text
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from autograder.utilities import in_parallel, replace_file
from gametree.functions import FUNCTIONS

ENOUGH = 5  # trees that kill each mistake, where that many can
RANDOM = 2000  # trees that are tried where no small one kills a mistake


def lost_by(variants, kit, step=None):
    """Return variant name -> its losses() on the kit's tasks, on every core."""
    lost = in_parallel(lambda each: losses(each, kit.tasks, kit.rubric), variants, step)
    return {variant.name: parts for variant, parts in zip(variants, lost)}


def rows_lost(lost, tasks, public_names=()):
    """Return where losses() are: a set of (function, tree), without the public trees."""
    rows = {(tasks[place].function, tasks[place].tree.name) for place in lost}
    return {(function, tree) for function, tree in rows if tree not in public_names}


def losses(variant, tasks, rubric):
    """Return place of a task -> the part of its points that a variant loses there.

    Tasks that cost it nothing are left out. What the variant's header rules out, other
    functions and a second run that differs, is not run.
    """
    places = {id(task): place for place, task in enumerate(tasks)}
    shows = variant.shows or dict.fromkeys(FUNCTIONS, ())
    tasks = [task for task in tasks if task.function in shows]
    twice = any(STATE_SHOWS in aspects for aspects in shows.values())
    lost = {
        places[id(verdict.task)]: float(1 - rubric.earned(verdict))
        for verdict in failures(variant, tasks, twice)
    }
    return {place: part for place, part in lost.items() if part}


def parts_lost(rows, tasks, lost):
    """Yield (row, the part of its points lost on each of its trees), row by row.

    `lost` is what losses() returns. Of the searches of a tree, the worst counts.
    """
    places = {id(task): place for place, task in enumerate(tasks)}
    for row in rows:
        yield (
            row,
            [
                max(lost.get(places[id(task)], 0.0) for task in on_tree.tasks)
                for on_tree in row.trees
            ],
        )


def cents_of(rows, tasks, lost):
    """Return what losses() leave of the points of all rows, in hundredths of a point."""
    return sum(
        row.most_cents * (1 - sum(parts) / len(parts))
        for row, parts in parts_lost(rows, tasks, lost)
    )


def failures(variant, tasks, twice=True):
    """Yield the Verdict on each task that is not right, in order.

    The tasks of a tree stand together, and share a fresh module of the variant's, which
    runs each search `twice`, or is taken to do the same again.
    """
    for _, group in itertools.groupby(tasks, key=lambda task: task.tree.name):
        tasks_of_tree = list(group)
        for task, runs in zip(tasks_of_tree, run_variant(variant, tasks_of_tree, twice)):
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
        f'<th scope="col">trees</th>{head}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )
    replace_file(path, page("Kill matrix", html))


def _line(mistake, rows, trees):
    cells = []
    for tree in trees:
        letters = "".join(LETTERS[f] for f in FUNCTIONS if (f, tree) in rows)
        cells.append(f"<td>{letters}</td>")
    count = len({tree for _, tree in rows})
    few = ' class="few"' if count < ENOUGH else ""
    return (
        f'<tr><th scope="row" title="{text(mistake.headline)}">{text(mistake.name)}</th>'
        f"<td{few}>{count}</td>{''.join(cells)}</tr>"
    )
