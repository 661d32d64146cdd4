"""Make views, verdicts and gradings of small trees, for tests of pages and drawings."""

import helpers
from helpers import CORRECT, copy_with, reference, tasks_of, trace_of, tree_of

from autograder.explaining.explanation import Explanation, SmallestTree
from autograder.explaining.symptoms import symptoms_of, wrong_aspects
from autograder.grading import Grading
from autograder.scoring.rubric import MISTAKE
from autograder.scoring.scores import plan_rows, score_rows
from gametree import observe
from gametree.support.judging import Task, judge
from gametree.support.marks import Marks
from gametree.support.trace import EVALUATE, EXPAND, Answer, Ending, Trace
from gametree.support.views import view_of

NOTHING = Explanation()
# The search for the line of a mistake is slow, and most tests do not need it.
RUBRIC = helpers.RUBRIC._replace(hints=MISTAKE)
NO_CUTOFF = """
def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = [alphabeta(c, depth - 1, alpha, beta, not maximizing) for c in node.children]
    return max(values) if maximizing else min(values)
"""
SKIPS_LAST = NO_CUTOFF.replace("in node.children", "in node.children[:-1]")
RIGHT_TO_LEFT = NO_CUTOFF.replace("in node.children", "in node.children[::-1]")
TEXTBOOK = """{
    B: {b1: 3, b2: 12, b3: 8},
    C: {c1: 2, c2: 4, c3: 6},
    D: {d1: 14, d2: 5, d3: 2},
}"""


def textbook(name="textbook"):
    """Return the tree of AIMA's figure 5.2."""
    return tree_of(TEXTBOOK.replace("\n", " "), name=name)


def marks_at(tree, visited=None, search=None, function="alphabeta"):
    """Return the Marks of a search, compared with alphabeta of the reference.

    visited: the names of the visited nodes; None for those of the reference. A node whose
        name follows a + is expanded.
    """
    search = search or tree.searches[0]
    expected = observe(reference().program.alphabeta, "alphabeta", tree, search)
    events = [(EVALUATE, path) for path in expected.visited]
    if visited is not None:
        path_of = {node.name: node.path for node in tree.root.subtree()}
        events = []
        for name in visited.split():
            kind = EXPAND if name.startswith("+") else EVALUATE
            events.append((kind, path_of[name.lstrip("+")]))
    trace = Trace(function, search, events, Answer(), Ending())
    return Marks(Task(tree, function, search, expected, ()), trace)


def view_with_marks(tree, visited=None):
    """Return the View of the first search of a tree; `visited` is as in marks_at()."""
    return view_of(tree, tree.searches[0], marks_at(tree, visited))


def verdict_on(task, source, printed=""):
    """Return the verdict on trusted source, completed by functions of the reference."""
    if f"def {task.function}" not in source:
        source = CORRECT
    trace = trace_of(source, task)
    text = trace.text._replace(printed=printed)
    return judge(task, copy_with(trace, text=text))


def verdict_of(source, tree, printed="", function="alphabeta"):
    """Return the verdict on the first task that a tree makes for a function."""
    tasks = tasks_of(tree, functions=(function,))
    return verdict_on(tasks[0], source, printed)


def failing_on(verdict, tried):
    """Return the SmallestTree of a wrong verdict."""
    return SmallestTree(verdict.task, tried, wrong_aspects(verdict), verdict)


def explained(grading, **parts):
    """Return a Grading with other parts of its Explanation."""
    return grading._replace(explanation=grading.explanation._replace(**parts))


def grading_of(source, public, hidden=(), printed=""):
    """Return a Grading of trusted source on trees."""
    tasks = tasks_of(*public) + tasks_of(*hidden, hidden=True)
    verdicts = [verdict_on(task, source, printed) for task in tasks]
    return graded(tasks, verdicts)


def graded(tasks, verdicts, explanation=NOTHING):
    """Return a Grading of verdicts, with the symptoms of its wrong functions."""
    rows = score_rows(plan_rows(tasks, RUBRIC), verdicts, RUBRIC)
    public = tuple(verdict for verdict in verdicts if not verdict.task.is_hidden)
    run = [verdict for verdict in verdicts if verdict.was_run]
    explanation = explanation._replace(symptoms=symptoms_of(run))
    return Grading(RUBRIC, "", rows, public, explanation=explanation)
