"""Make the step-through page of one tree: `make show TREE=... [SUBMISSION=...]`.

SUBMISSION is a path, or a name in a class's gradebook, as in `make explain`.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from autograder.course.books import GRADEBOOK
from autograder.course.entries import Entry, Finder
from autograder.course.students import Student, Submission
from autograder.grading import run_and_judge
from autograder.ground.command import make_parser, path, run, say
from autograder.ground.files import replace_file
from autograder.ground.submission import SEARCH_PY
from autograder.ground.tables import read_records
from autograder.kit.contents import OWN, ROOT, RUBRIC
from autograder.kit.loading import load_reference, stage_program
from autograder.sandbox import Sandbox, Session
from autograder.scoring.rubric import load_rubric
from autograder.scoring.tasks import Task, tasks_for
from autograder.showing import wording
from autograder.showing.results import RESULTS
from gametree import load_tree
from gametree.support.errors import InputError
from gametree.support.judging import Verdict
from gametree.support.searchpage import search_page
from gametree.support.sentences import write_answer

HIDDEN = ROOT / OWN  # pages of its trees are private
BOOKS = "build/course"  # where make grade-all writes by default
# of a gradebook
COLUMNS = ("submission", "score", "graded", "name", "sid", "email")
WARNING = "For the course staff only: this shows hidden trees. Do not pass it on."


def main(arguments=None):
    """Write the page of a tree's first wrong search or first search, and return 0."""
    parser = make_parser("make show", __doc__)
    parser.add_argument("tree", type=path)
    parser.add_argument("--submission")
    parser.add_argument("--function", default="alphabeta")
    parser.add_argument("--out", type=path, default="build/show")
    options = parser.parse_args(arguments)
    tree = load_tree(options.tree)
    rubric = load_rubric(ROOT / RUBRIC)
    function = options.function
    functions = [name for name in rubric.assigned if tree.searches_for(name)]
    if function not in functions:
        raise InputError(
            f"FUNCTION={function}: {tree.name} has searches for {', '.join(functions)}"
        )
    reference = load_reference(rubric)
    tasks = tasks_for([tree], reference, [function])
    task = tasks[0]
    verdict = None
    if options.submission:
        upload = find_upload(options.submission, Path(BOOKS))
        source = stage_program(upload.path, rubric.cutoff).source
        with Sandbox(rubric.limits) as sandbox:
            verdicts = run_and_judge(Session(sandbox, source), tasks, sealed=False)
        wrong = [verdict for verdict in verdicts if not verdict.is_right]
        verdict = (wrong or verdicts)[0]
        task = verdict.task
    warning = ""
    mode = 0o666
    if HIDDEN in options.tree.resolve().parents:
        warning = WARNING
        mode = 0o600
    page = options.out / f"{tree.name}-{function}.html"
    replace_file(page, step_html(task, verdict, warning), mode)
    if warning:
        say(warning)
    say(f"wrote {page}")
    return 0


def step_html(task: Task, verdict: Verdict | None = None, warning: str = "") -> str:
    """Return the page that steps through a task. Raises InputError if it is too large.

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
    return search_page(task, trace, why=why, end=remark, lead=lead, warning=warning)


# ---- the submission


class Upload(NamedTuple):
    """A submission that a command reads.

    path: its file or folder.
    owner: a description of its author in a gradebook, or "".
    """

    path: Path
    owner: str = ""


def find_upload(name: str, books: Path) -> Upload:
    """Return the submission that has a name.

    name: a path, or any name of a student or a submission in the gradebook of a course.
    books: the folder of the course.

    Raises InputError unless exactly one student or one submission with a program matches.
    """
    given = path(name)
    if given.exists():
        return Upload(given)
    book = books / GRADEBOOK
    if not book.is_file():
        where = f"make grade-all writes {book}, where students are found"
        raise InputError(f"{name}: no such file or folder; {where}")
    owners = {}  # a row of the gradebook -> a description of the student
    for _, (id, score, graded, *fields) in read_records(book, COLUMNS):
        entry = Entry(Student(*fields), Submission(id, origin=id))
        owners[entry] = entry.label
        if score not in ("", graded):
            owners[entry] += f", {score} points by hand"
    finder = Finder(owners)
    found = finder.find(name)
    if not found:
        raise InputError(
            f"{name}: no such file or folder, and {book} has no submission "
            f"with such a sid, e-mail address, submission or name{finder.suggest(name)}"
        )
    entry = found[-1]
    id = entry.submission.id
    if not id:
        raise InputError(f"{entry.label} has no submission in {book}")
    program = books / id / SEARCH_PY
    if not program.is_file():
        reason = f"{books / id / RESULTS} has the reason"
        raise InputError(f"{entry.label}: the upload has no program; {reason}")
    return Upload(program, owners[entry])


if __name__ == "__main__":
    run("show", main)
