"""What the tests of the pages share: views, verdicts and gradings of small trees."""

from dataclasses import replace

from helpers import ROOT, reference, tasks_of, trace_of, tree_of

from autograder.grading import Grading
from autograder.judging.scores import make_rows, rows_to_come
from autograder.rubric import MISTAKE, load_rubric
from gametree import observe
from gametree.drawing import marks_of, view_of
from gametree.judging import judge

# Without the search for the line, which most tests need not wait for.
RUBRIC = replace(load_rubric(ROOT / "autograder" / "rubric.yaml"), hints=MISTAKE)
NO_CUTOFF = """
def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = [alphabeta(c, depth - 1, alpha, beta, not maximizing) for c in node.children]
    return max(values) if maximizing else min(values)
"""
SKIPS_LAST = NO_CUTOFF.replace("in node.children", "in node.children[:-1]")
RIGHT_TO_LEFT = NO_CUTOFF.replace("in node.children", "in node.children[::-1]")


def textbook(name="textbook"):
    """The tree of AIMA's figure 5.2."""
    leaves = (
        "{B: {b1: 3, b2: 12, b3: 8}, C: {c1: 2, c2: 4, c3: 6}, D: {d1: 14, d2: 5, d3: 2}}"
    )
    return tree_of(leaves, name=name)


def view_with_marks(tree, visited=None):
    """The View of alphabeta on a tree; `visited` are names, None for the right ones."""
    (task,) = tasks_of(tree, functions=("alphabeta",))
    right = observed = task.expected.visited
    if visited is not None:
        leaves = {view.name: view.path for view in view_of(tree).everything()}
        observed = frozenset(leaves[name] for name in visited)
    return view_of(tree, task.search, marks_of(tree, task.search, observed, right))


def with_printed(trace, printed):
    """The same trace of a program that printed this."""
    return replace(trace, text=replace(trace.text, printed=printed))


def verdict_of(source, tree, printed="", function="alphabeta"):
    """The verdict on trusted source, run in this process."""
    task = tasks_of(tree, functions=(function,))[0]
    return judge(task, with_printed(trace_of(source, task), printed))


def grading_of(source, public, hidden=(), printed=""):
    """A Grading of trusted source on trees; functions it lacks are the reference's."""
    verdicts, tasks = [], tasks_of(*public, *hidden)
    for task in tasks:
        if f"def {task.function}" in source:
            trace = trace_of(source, task)
        else:
            search = getattr(reference(), task.function)
            trace = observe(search, task.function, task.tree, task.search)
        verdicts.append(judge(task, with_printed(trace, printed)))
    names = {tree.name for tree in public}
    rows = rows_to_come(tasks, RUBRIC, names)
    return Grading(make_rows(rows, verdicts, RUBRIC))
