"""Explain why a submission lost points: `make explain SUBMISSION=...`.

The command helps a TA to answer an e-mail. The first part of its output repeats the
student's own report, so the TA can send it. The second part is for staff, because it shows
hidden trees. The pages show hidden trees too, so only their owner can read the files. The
submission runs again in the sandbox, in a new session.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from autograder.course.gradebook import GRADEBOOK, read_gradebook
from autograder.course.outcome import Outcome
from autograder.course.students import find_owners
from autograder.grading import grade, run_and_judge
from autograder.ground.command import Parser, path, run, say_all
from autograder.ground.files import private, replace_folder
from autograder.ground.foldernames import make_folder_name, make_folder_names
from autograder.ground.plaintext import CONTEXT_LINES, program_lines
from autograder.kit import cached_kit, stage_program
from autograder.sandbox import Sandbox, Session
from autograder.sandbox.submission import SEARCH_PY
from autograder.scoring.scores import Row, score_text
from autograder.showing import wording
from autograder.showing.messages import messages_of, point_at
from autograder.showing.rowtext import head, printed_lines, row_in_short
from autograder.showing.summary import (
    Summary,
    lay_out_summary,
    summarize,
    summarize_function,
)
from autograder.workbench.show import WARNING, step_html
from gametree.support.errors import InputError
from gametree.support.judging import Verdict
from gametree.support.sentences import write_call
from gametree.support.texts import sentence
from gametree.support.trace import NOT_RUN

LETTER = "send.txt"  # the answer that a TA may send to the student


@dataclass(frozen=True)
class Case:
    """One search of a row that lost points, which was run again to record its details.

    verdict: the verdict on the new run.
    kind: words on whether the tree is hidden and whether grading ran the search.
    page: the file name of its step-through page.
    """

    verdict: Verdict
    kind: str
    page: str


@dataclass(frozen=True)
class Account:
    """A row that lost points.

    row: the row.
    cases: the wrong searches that are shown.
    """

    row: Row
    cases: tuple[Case, ...]


class Answer(NamedTuple):
    """The answer to a student's e-mail.

    letter: the text that a TA may send. It shows no hidden tree.
    staff: the lines for staff only.
    pages: file name -> the page that steps through a search, for staff only.
    """

    letter: str
    staff: list[str]
    pages: dict[str, str]


def main(arguments=None):
    """Print the lost points of each row and the reasons, write the pages, return 0."""
    options = parse(arguments)
    upload = find_upload(options.submission, options.books)
    if upload.reason:
        answer = Answer(f"Your submission was not graded: {upload.reason}", [], {})
    else:
        answer = explain_program(upload, options.row)
    folder = write_answer(options.out, upload.path, answer)
    say_all(
        [
            f"You may send this to {upload.owner or 'the student'}:",
            "",
            *answer.letter.splitlines(),
            "",
            *answer.staff,
            f"wrote {folder}, with {LETTER} for the student",
        ]
    )
    return 0


def parse(arguments):
    """Return the options of the command line."""
    parser = Parser(prog="make explain", description=__doc__)
    parser.add_argument("submission", help="a path, sid, e-mail address, number or name")
    parser.add_argument("--row", default="", help="a row's number or name")
    books_help = "the folder of the course's gradebook"
    parser.add_argument("--books", type=path, default="build/course", help=books_help)
    out_help = "the folder for the pages"
    parser.add_argument("--out", type=path, default="build/explain", help=out_help)
    return parser.parse_args(arguments)


def explain_program(upload, asked_row) -> Answer:
    """Grade the program again, and explain its rows.

    asked_row: the number or name of the row that the student asks about, or "".
    """
    kit = cached_kit()
    numbers = numbers_of_rows(kit.rows, asked_row)
    source = stage_program(upload.path, kit.rubric.cutoff, kit.root).source
    with Sandbox(kit.rubric.limits) as sandbox:
        grading = grade(kit, source, sandbox)
        rows = rows_to_explain(grading, numbers)
        session = Session(sandbox, source)
        accounts = accounts_of(rows, session, kit.public_names, bool(asked_row))
    seen = []  # the rows in question that students see
    if asked_row:
        seen = [row for row in grading.student_view.rows if row.number in numbers]
    staff = [f"{WARNING} It is about {upload.owner or upload.path.name}."]
    staff += lead_of(grading)
    if not rows:
        where = " there" if asked_row else ""
        staff.append(f"No points were lost{where}.")
    if asked_row and not seen:
        staff.append("Students do not see this row, so the first part omits it.")
    for account in accounts:
        staff += ["", *terminal_lines(account, source)]
    letter = letter_of(grading.student_view, seen, upload.by_hand)
    return Answer(letter, [*staff, ""], pages_of(accounts))


def write_answer(out, submission, answer):
    """Write the letter and the pages into a private folder, and return its path."""
    files = {name: page.encode() for name, page in answer.pages.items()}
    files[LETTER] = f"{answer.letter}\n".encode()
    folder = out / folder_name(submission)
    with private():
        out.mkdir(parents=True, exist_ok=True)
        replace_folder(folder, files)
    return folder


def numbers_of_rows(rows, given):
    """Return the numbers of the rows that ROW names, or of all rows if it is "".

    given: a row's number, name or concept. Raises InputError if it matches no row.
    """
    word = given.strip().casefold()
    numbers = {
        row.number
        for row in rows
        if word in ("", row.number, row.name.casefold(), row.concept.casefold())
    }
    if not numbers:
        first_to_last = f"{rows[0].number} to {rows[-1].number}"
        raise InputError(
            f"ROW={given}: no such row; write {first_to_last}, or a row's name"
        )
    return numbers


def rows_to_explain(grading, numbers):
    """Return the numbered rows that lost points, sorted by the points that they lost.

    If the file could not be loaded, all rows have the same reason, so one row is enough.
    """

    def cents_lost(row):
        return row.max_cents - row.cents

    rows = [row for row in grading.rows if row.number in numbers and not row.is_right]
    rows.sort(key=cents_lost, reverse=True)
    return rows if grading.load_failure is None else rows[:1]


def letter_of(grading, rows, by_hand):
    """Return the text that may be sent to the student. It shows no hidden tree.

    grading: the student's view of the grading.
    rows: the rows that the student asks about. Without rows the text is the first screen.
    by_hand: the points that a TA gave, or "".
    """
    summary = summarize(grading)
    if by_hand:
        score = sentence("summary.by hand", score=summary.score, points=by_hand)
        summary = replace(summary, score=score)
    if not rows or not summary.points:
        return lay_out_summary(summary)
    head = Summary(summary.score, summary.points, summary.problems)
    parts = [lay_out_summary(head)]
    for function, asked in groupby(rows, key=attrgetter("function")):
        parts += map(row_in_short, asked)
        parts.append(lay_out_summary(summarize_function(grading, function)))
    return "\n\n".join(filter(None, parts))


def lead_of(grading):
    """Return the lines before the rows: the score and the messages."""
    lead = [f"Score: {score_text(grading)}"]
    if grading.load_failure is None:
        lead += [message.text for message in messages_of(grading)]
    else:
        lead.append(wording.not_loaded(grading.load_failure))
    if grading.undecided:
        lead.append(wording.undecided(grading.undecided))
    return lead


def accounts_of(rows: list[Row], session, public_names, row_was_given=False):
    """Return the Account of each row. Its wrong searches run again as public searches.

    Each row shows its wrong search with the fewest leaves. If the command line names a
    row, that row shows all of them.
    """
    accounts = []
    for row in rows:
        wrong = [v for v in row.verdicts if not v.is_right and not v.trace.ending.undecided]
        wrong.sort(key=lambda verdict: len(verdict.task.expected.visited))
        chosen = wrong if row_was_given else wrong[:1]
        tasks = [replace(verdict.task, is_hidden=False) for verdict in chosen]
        names = make_folder_names(f"{row.number}-{task.tree.name}" for task in tasks)
        cases = []
        for name, graded, again in zip(names, chosen, run_and_judge(session, tasks)):
            kind = "public" if again.task.tree.name in public_names else "hidden"
            if graded.trace.ending.kind == NOT_RUN:
                kind += ", not run in grading"
            cases.append(Case(again, kind, f"{name}.html"))
        if cases:
            accounts.append(Account(row, tuple(cases)))
    return accounts


def terminal_lines(account: Account, source: bytes) -> list[str]:
    """Return an account as lines for the terminal."""
    row = account.row
    lines = [f"{row.number} {row.name}: {score_text(row)}, {head(row)}"]
    for case in account.cases:
        verdict = case.verdict
        tree = verdict.task.tree
        lines += ["", f"  {tree.name} ({case.kind}): {tree.lesson}"]
        details = [write_call(verdict.task), *wording.findings(verdict)]
        details += [_parting(verdict), *_code_at(verdict, source)]
        details += printed_lines(verdict.trace)
        lines += [f"    {line}" for line in details if line]
        lines.append(f"    step through: {case.page}")
    return lines


def _parting(verdict):
    """Say where a search diverges from the reference; return "" if it did not return."""
    if verdict.is_right:
        return "Correct this time: the program is nondeterministic."
    return wording.deciding(verdict) if verdict.has_returned else ""


def _code_at(verdict, source):
    """Return the lines of code around an exception, or [] without an exception."""
    line = verdict.trace.text.line
    lines = dict(enumerate(program_lines(source), start=1))
    if verdict.has_returned or line not in lines:
        return []
    near = range(line - CONTEXT_LINES, line + CONTEXT_LINES + 1)
    lines_near = {number: lines[number] for number in near if number in lines}
    return point_at(lines_near, [line]).shown(CONTEXT_LINES)


def pages_of(accounts):
    """Return file name -> the page that steps through a case."""
    return {
        case.page: step_html(case.verdict.task, case.verdict, WARNING)
        for account in accounts
        for case in account.cases
    }


def folder_name(submission):
    """Return the name of the folder that a submission is, or is in."""
    place = submission.resolve()
    return make_folder_name(place.name if submission.is_dir() else place.parent.name)


# ---- the submission, in the books of a course


class Upload(NamedTuple):
    """The submission to explain.

    path: its file or folder.
    owner: a description of its authors in a gradebook, or "".
    reason: the reason why it was not graded, if it has no program, else "". It omits the
        remarks of the gradebook, which are for staff.
    by_hand: the points that a TA gave to all of its authors, or "".
    """

    path: Path
    owner: str
    reason: str
    by_hand: str


def find_upload(name: str, books: Path) -> Upload:
    """Return the submission that has a name.

    name: a path, or any name that the gradebook of a course identifies.
    books: the folder of the course.

    Raises InputError unless exactly one student or one submission matches.
    """
    path = Path(name).expanduser()
    reason = ""
    if not path.exists():
        row = _find_row(name, books)
        if not row.owner.id:
            raise InputError(f"{name}: {row.reason or row.status}")
        path = books / row.owner.id / SEARCH_PY
        if not path.is_file():
            outcome = Outcome.load(books, row.owner.id)
            reason = outcome.reason if outcome else row.status
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    rows = [row for row in _rows_beside(folder) if row.owner.id == folder.name]
    owner = " and ".join(row.owner.label for row in rows)
    by_hand = {row.by_hand for row in rows}
    return Upload(path, owner, reason, by_hand.pop() if len(by_hand) == 1 else "")


def _find_row(name, books):
    """Return the gradebook's row of the student's submission that counts."""
    gradebook = books / GRADEBOOK
    if not gradebook.is_file():
        raise InputError(
            f"{name}: no such file or folder, and no gradebook in {books}; "
            "give a path, or run make grade-all first"
        )
    rows = read_gradebook(gradebook)
    found = find_owners(name, [row.owner for row in rows])
    if not found:
        raise InputError(
            f"{name}: no such file or folder, and {gradebook} has no such sid, "
            "e-mail address, submission number or name"
        )
    owner = found[-1]  # submissions that do not count come first
    return next(row for row in rows if row.owner == owner)


def _rows_beside(folder):
    """Return the rows of the gradebook beside a submission's folder."""
    with contextlib.suppress(InputError):  # it is missing, or not a gradebook
        return read_gradebook(folder.parent / GRADEBOOK)
    return []


if __name__ == "__main__":
    run("explain", main)
