"""Make the step-through page of one tree: `make show TREE=... [SUBMISSION=...]`."""

from __future__ import annotations

import argparse
import sys
import textwrap

from autograder.command import Refused, path, say, status_of
from autograder.judging.verdict import judge
from autograder.kit import ROOT, load_reference, stage_as_taught
from autograder.rubric import load_rubric
from autograder.sandbox import Sandbox, Session
from autograder.showing import sentences
from autograder.showing.explanation import explain
from autograder.showing.rowtext import WIDTH, marks_beside
from autograder.showing.stepthrough import step_html
from autograder.tasks import tasks_for
from autograder.utilities import replace_file
from autograder.workbench.owncall import own_call
from gametree import load_tree
from gametree.drawing import draw, marks_of

USUAL = "alphabeta"  # the function that is shown where none is named
EXAMPLE = "TREE=trees/public/03-aima-figure-5-2.yaml"


def main(arguments=None):
    """Write the page, print the drawing and the path; exit 2 with one line if it cannot."""
    parser = argparse.ArgumentParser(prog="autograder.workbench.show", description=__doc__)
    parser.add_argument("tree", help="a tree file")
    parser.add_argument("--submission", type=path, help="a search.py, a folder or a zip")
    parser.add_argument("--function", default="", help=f"which function ({USUAL})")
    parser.add_argument("--search", default="1", help="which search, from 1")
    parser.add_argument("--out", type=path, default="build/show", help="for the page")
    options = parser.parse_args(arguments)
    return status_of("show", lambda: show(options), options.out)


def show(options):
    """Print the drawing of one search, write its page and print its path; return 0."""
    if not options.tree:
        raise Refused(f"which tree? Write {EXAMPLE}")
    tree = load_tree(path(options.tree))
    rubric = load_rubric(ROOT / "autograder" / "rubric.yaml")
    usual = USUAL if USUAL in rubric.asked else next(iter(rubric.asked))
    function = options.function or usual
    if function not in rubric.asked:
        raise Refused(f"FUNCTION={function}: write one of {', '.join(rubric.asked)}")
    number = search_number(options.search, tree, function)
    reference = load_reference(ROOT, rubric.cutoff, rubric.asked)
    task = tasks_for([tree], reference, [function])[number - 1]
    verdict, own = None, ""
    if options.submission:
        source = stage_as_taught(options.submission, rubric.cutoff)
        with Sandbox(rubric.limits) as sandbox:
            session = Session(sandbox, source)
            verdict = judge(task, *session.run_afresh([task]))
            if not verdict.right:
                own = own_call(session, verdict, reference, rubric.cutoff)
    print(terminal_text(task, rubric.cutoff, verdict, own, rubric.asked))
    name = tree.name if function == USUAL else f"{tree.name}-{function}"
    name = name if number == 1 else f"{name}-{number}"
    page = options.out / f"{name}.html"
    replace_file(page, step_html(task, rubric.cutoff, verdict, own=own))
    say("")
    say(f"wrote {page}")
    return 0


def search_number(asked, tree, function):
    """Return which search of a function is asked for, counted from 1. Raises Refused."""
    most = len(tree.searches_for(function))
    if not most:
        raise Refused(f"FUNCTION={function}: {tree.name} has no search of it")
    if asked.isdecimal() and 1 <= int(asked) <= most:
        return int(asked)
    choice = "has one search; write SEARCH=1" if most == 1 else f"has searches 1 to {most}"
    raise Refused(f"SEARCH={asked}: {tree.name} {choice}")


def terminal_text(task, convention, verdict, own, asked):
    """Return what the terminal shows: the call, the drawing, where the runs part.

    `asked` are the functions that could be shown.
    `own` says what the submission's own call returned there, "" where nothing parts.
    """
    expected = task.expected.visited
    marks = marks_of(task.tree, task.search, expected, expected)
    if verdict:
        marks = marks_beside(task, verdict.trace)
    lines = [task.tree.title, sentences.call(task), "", draw(task.tree, task.search, marks)]
    if verdict is None:
        return "\n".join(lines)
    if verdict.right:
        same = f"Your {task.function} does the same as the right one."
        others = " or ".join(name for name in asked if name != task.function)
        more = f" FUNCTION= shows {others}." if others else ""
        return "\n".join([*lines, "", f"{same}{more}"])
    said = (explain(verdict, convention), own)
    wrapped = (line for text in said for line in textwrap.wrap(text, WIDTH))
    return "\n".join([*lines, "", *wrapped])


if __name__ == "__main__":
    sys.exit(main())
