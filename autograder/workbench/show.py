"""Make the step-through page of one tree: `make show TREE=... [SUBMISSION=...]`."""

from __future__ import annotations

import textwrap

from autograder.grading import run_and_judge
from autograder.ground.command import Parser, path, run, say_all
from autograder.ground.files import replace_file
from autograder.kit import ROOT, load_reference, stage_program
from autograder.sandbox import Sandbox, Session
from autograder.scoring.rubric import load_rubric
from autograder.scoring.tasks import Task, tasks_for
from autograder.showing import wording
from autograder.showing.rowtext import WIDTH
from gametree import load_tree
from gametree.support.drawing import draw
from gametree.support.errors import InputError
from gametree.support.judging import Verdict
from gametree.support.marks import marks_beside
from gametree.support.sentences import write_answer, write_call
from gametree.support.steppage import step_page

USUAL = "alphabeta"  # the default function, which every rubric assigns
OWNER_ONLY = 0o600
WARNING = "For the course staff only: this shows hidden trees. Do not pass it on."


def main(arguments=None):
    """Print the drawing of one search, write its page, print its path, and return 0."""
    parser = Parser(prog="make show", description=__doc__)
    parser.add_argument("tree", type=path, help="a tree file")
    parser.add_argument("--submission", type=path, help="a search.py, a folder or a zip")
    parser.add_argument("--function", default="", help=f"which function ({USUAL})")
    out_help = "the folder for the page"
    parser.add_argument("--out", type=path, default="build/show", help=out_help)
    options = parser.parse_args(arguments)
    tree = load_tree(options.tree)
    rubric = load_rubric(ROOT / "autograder" / "rubric.yaml")
    function = options.function or USUAL
    if function not in rubric.assigned:
        raise InputError(f"FUNCTION={function}: write one of {', '.join(rubric.assigned)}")
    if not tree.searches_for(function):
        raise InputError(
            f"FUNCTION={function}: {tree.name} has no search for this function"
        )
    reference = load_reference(ROOT, rubric.cutoff, rubric.assigned)
    task, *_ = tasks_for([tree], reference, [function])
    verdict = None
    if options.submission:
        verdict = verdict_on(options.submission, task, rubric)
    name = tree.name if function == USUAL else f"{tree.name}-{function}"
    page = options.out / f"{name}.html"
    lines = terminal_text(task, verdict).splitlines()
    if ROOT / "trees" / "hidden" in options.tree.resolve().parents:
        html = step_html(task, verdict, WARNING)
        replace_file(page, html, mode=OWNER_ONLY)
        lines.insert(0, WARNING)
    else:
        replace_file(page, step_html(task, verdict))
    say_all([*lines, "", f"wrote {page}"])
    return 0


def verdict_on(submission, task, rubric):
    """Run the submission at a path on the task in the sandbox; return the Verdict."""
    source = stage_program(submission, rubric.cutoff).source
    with Sandbox(rubric.limits) as sandbox:
        (verdict,) = run_and_judge(Session(sandbox, source), [task])
    return verdict


def terminal_text(task, verdict):
    """Return the terminal's text: the call, the drawing and the key sentence."""
    marks = marks_beside(task, verdict.trace if verdict else task.expected)
    lines = [task.tree.title, write_call(task), "", draw(task.tree, task.search, marks)]
    if verdict and verdict.is_right:
        lines += ["", f"Your {task.function} does the same as the correct one."]
    elif verdict:
        lines += ["", *textwrap.wrap(wording.deciding(verdict), WIDTH)]
    return "\n".join(lines)


def step_html(task: Task, verdict: Verdict | None = None, warning: str = "") -> str:
    """Return the page that steps through a task. Raises CannotRun if it is too large.

    verdict: the verdict on a submission's run, None to show only the correct search.
    warning: a line at the top of the page, or "".
    """
    trace = None
    why = ""
    remark = ""
    if verdict:
        trace = verdict.trace
        if verdict.is_right:
            remark = "Your search does the same, from the first step to the last."
        else:
            why = wording.deciding(verdict)
            if verdict.has_returned:
                answer = write_answer(task.tree.root, trace)
                remark = f"It returned {answer}."
    lead = [line for line in (task.tree.lesson, task.tree.source) if line]
    return step_page(
        task,
        trace,
        why=why,
        end=remark,
        lead=lead,
        warning=warning,
    )


if __name__ == "__main__":
    run("show", main)
