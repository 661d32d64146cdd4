"""Explain why a submission lost points: `make explain SUBMISSION=...`.

The command helps a TA to answer an e-mail. The first part of its output repeats the
student's own report, so the TA can send it. The second part is for staff, because it shows
hidden trees. The submission runs again in the sandbox, in a new session.
"""

from __future__ import annotations

from autograder.grading import Grading, grade, run_and_judge
from autograder.ground.command import make_parser, path, run, say
from autograder.kit import ROOT, cached_kit
from autograder.kit.contents import describe_kit, note_on_trees
from autograder.kit.loading import stage_program
from autograder.sandbox import Sandbox, Session
from autograder.scoring.scores import PlannedRow, Row
from autograder.scoring.tasks import Task
from autograder.showing import wording
from autograder.showing.summary import feedback_text
from autograder.workbench.show import BOOKS, WARNING, Upload, find_upload
from gametree.support.errors import InputError
from gametree.support.judging import Verdict
from gametree.support.sentences import write_call


def main(arguments=None):
    """Print the lost points of each row and the reasons, and return 0."""
    parser = make_parser("make explain", __doc__)
    parser.add_argument("submission")
    parser.add_argument("--row", default="")
    parser.add_argument("--books", type=path, default=BOOKS)
    options = parser.parse_args(arguments)
    upload = find_upload(options.submission, options.books)
    letter, staff = explain_program(upload, options.row)
    say(f"You may send this to {upload.owner or 'the student'}:")
    for line in ["", *letter.splitlines(), "", *staff]:
        say(line)
    note = note_on_trees(ROOT)
    if note:
        say(f"note: {note}")
    return 0


def explain_program(upload: Upload, asked: str) -> tuple[str, list[str]]:
    """Grade the program again; return the text that a TA may send, and lines for staff.

    asked: the number of the row that the student asks about, or "". All wrong searches of
        this row are explained, and one of each row if none is given.
    """
    kit = cached_kit()
    plan = {planned.row.number: planned for planned in kit.plan}
    if asked and asked not in plan:
        numbers = list(plan)
        raise InputError(f"ROW={asked}: no such row; write {numbers[0]} to {numbers[-1]}")
    source = stage_program(upload.path, kit.rubric.cutoff, kit.root).source
    most = None if asked else 1
    staff = []
    with Sandbox(kit.rubric.limits) as sandbox:
        grading = grade(kit, source, sandbox)
        session = Session(sandbox, source)
        for row in rows_to_explain(grading, asked):
            staff += ["", wording.row_line(row, grading.rows)]
            wrong = wrong_tasks(plan[row.number], row)
            for verdict in run_and_judge(session, wrong[:most], sealed=False):
                staff += search_lines(verdict, row.is_public)
    seen = [row for row in grading.student_view.rows if row.number == asked]
    if asked and not seen:
        staff += ["", "Students do not see this row, so the first part omits it."]
    if staff:
        whose = upload.owner or upload.path.name
        staff.insert(0, f"{WARNING} It is about {whose}, with {describe_kit(kit.key)}.")
    return letter_of(grading.student_view, seen), staff


def letter_of(grading, rows):
    """Return the text that may be sent to the student: the first screen, and rows in short.

    grading: the student's view of the grading.
    rows: the rows that the student asks about.
    """
    parts = [feedback_text(grading)]
    if grading.load_failure is None:
        parts += [wording.row_in_short(row, grading.rows) for row in rows]
    return "\n\n".join(parts)


# ---- rows


def rows_to_explain(grading: Grading, asked: str) -> list[Row]:
    """Return the rows that lost points, sorted by the points that they lost.

    If the file could not be loaded, the reason is the same for all rows, so none is
    explained.

    asked: the number of the only row to explain, or "".
    """
    if grading.load_failure is not None:
        return []
    wrong = [row for row in grading.rows if not row.is_right]
    rows = [row for row in wrong if asked in ("", row.number)]
    return sorted(rows, key=lambda row: row.cents - row.max_cents)


def wrong_tasks(planned: PlannedRow, row: Row) -> list[Task]:
    """Return the searches of a row that were wrong, those with the fewest leaves first."""
    wrong = []
    for task, result in zip(planned.tasks, row.results):
        if not result.is_right and not result.ending.undecided:
            wrong.append(task)
    return sorted(wrong, key=lambda task: len(task.expected.visited))


def search_lines(verdict: Verdict, is_public: bool) -> list[str]:
    """Return the lines for the terminal on a wrong search."""
    tree = verdict.task.tree
    kind = "public" if is_public else "hidden"
    details = [write_call(verdict.task), *wording.findings(verdict)]
    if verdict.is_right:
        details.append("Correct this time: the program is nondeterministic.")
    elif verdict.has_returned:
        details.append(wording.deciding(verdict))
    details += wording.printed_lines(verdict.trace)
    lines = [f"    {line}" for line in details if line]
    return ["", f"  {tree.name} ({kind}): {tree.lesson}", *lines]


if __name__ == "__main__":
    run("explain", main)
