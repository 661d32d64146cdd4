"""Say why a submission lost points, hidden trees included: `make explain SUBMISSION=...`.

For a TA who answers a mail: first what may be sent, which is what the student's own report
says, then what is for staff. The pages show hidden trees, so only their owner can read the
files. The submission runs in the sandbox afresh, in a session of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections import Counter
from dataclasses import replace

from autograder.command import Refused, announce, path, say_all, status_of
from autograder.course.download import safe_id
from autograder.course.folder import find_submission
from autograder.files import private, replace_folder
from autograder.grading import grade
from autograder.judging.scores import Row, score_text
from autograder.kit import cached_kit, stage_submission
from autograder.sandbox import Sandbox, Session
from autograder.showing.messages import messages_of
from autograder.showing.sentences import not_loaded, undecided
from autograder.showing.staff import (
    WARNING,
    Account,
    Case,
    explained_html,
    step_html,
    terminal_lines,
)
from autograder.showing.summary import feedback_text
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN

PAGE, LETTER = "report.html", "send.txt"
MAX_CASES = 20  # of one row


def main(arguments=None):
    """Print why points were lost, write the pages; exit 2 with a line if it cannot."""
    parser = argparse.ArgumentParser(
        prog="autograder.workbench.explain", description=__doc__
    )
    parser.add_argument("submission", help="a path, sid, e-mail address, number or name")
    parser.add_argument("--row", default="", help="a row's number or name")
    parser.add_argument("--books", type=path, default="build/course", help="of a course")
    parser.add_argument("--out", type=path, default="build/explain", help="for the pages")
    options = parser.parse_args(arguments)
    return status_of("explain", lambda: explain(options), options.out)


def explain(options):
    """Print what each row lost and why, write its pages, and return 0."""
    found, whose = find_submission(options.submission, options.books)
    kit = cached_kit(announce=announce)
    asked = asked_rows(kit.rows, options.row)
    source = stage_submission(found, kit.rubric.cutoff, kit.root)
    with Sandbox(kit.rubric.limits) as sandbox:
        grading = grade(kit, source, sandbox)
        rows = [row for row in grading.rows if row.number in asked]
        rows = sorted((row for row in rows if not row.right), key=_by_loss)
        if grading.load_failure is not None:
            rows = rows[:1]  # one says it all
        whole = bool(options.row)
        accounts = accounts_of(rows, Session(sandbox, source), kit.public_names, whole)
    lead = [f"Score: {score_text(grading)}"]
    if grading.load_failure is not None:
        lead.append(not_loaded(grading.load_failure))
    else:
        lead += [message.text for message in messages_of(grading)]
    if grading.undecided:
        lead.append(undecided(grading.traces))
    if not rows:
        lead.append("No points were lost" + (" there." if whole else "."))
    rule, letter = kit.rubric.cutoff, feedback_text(grading.student_view)
    pages = {PAGE: explained_html(whose, lead, accounts, source), LETTER: f"{letter}\n"}
    for case in (case for account in accounts for case in account.cases):
        pages[case.page] = step_html(case.verdict.task, rule, case.verdict, WARNING)
    folder = options.out / folder_of(found)
    with private():
        folder.parent.mkdir(parents=True, exist_ok=True)
        replace_folder(folder, {name: page.encode() for name, page in pages.items()})
    to = "the student" if whose == found.name else whose
    lines = [f"You may send this to {to}:", "", *letter.splitlines(), ""]
    lines += [f"{WARNING} It is of {whose}.", *lead]
    for account in accounts:
        lines += ["", *terminal_lines(account, source)]
    say_all([*lines, "", f"wrote {folder / PAGE}, and what may be sent: {LETTER}"])
    return 0


def folder_of(submission):
    """Return the name of the folder that is of this submission's path alone."""
    place = submission.resolve()
    digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:8]
    name = place.parent.name if submission.is_file() else place.name
    return f"{safe_id(name)}-{digest}"


def _by_loss(row):
    return row.cents - row.max_cents


def asked_rows(rows, asked):
    """Return the numbers of the rows that are asked for, all where `asked` is "".

    asked: a row's number, its name or its concept. Raises Refused for none.
    """
    word = asked.strip().casefold()
    numbers = {
        row.number
        for row in rows
        if word in ("", row.number, row.name.casefold(), row.concept.casefold())
    }
    if not numbers:
        known = f"{rows[0].number} to {rows[-1].number}"
        raise Refused(f"ROW={asked}: no such row; write {known}, or a row's name")
    return numbers


def accounts_of(rows: list[Row], session, public_names, whole=False):
    """Return the Account of each row: its wrong searches, run again in the open.

    Of each row the search with the fewest leaves, or where `whole` all of them.
    """
    accounts, names = [], Counter()
    for row in rows:
        wrong = [v for v in row.verdicts if not v.right and not v.trace.ending.undecided]
        wrong.sort(key=lambda verdict: len(verdict.task.expected.visited))
        chosen = wrong[: MAX_CASES if whole else 1]
        tasks = [replace(verdict.task, hidden=False) for verdict in chosen]
        cases = []
        for was, task, trace in zip(chosen, tasks, session.run(tasks)):
            name = safe_id(f"{row.number}-{task.tree.name}")
            names[name] += 1
            file = f"{name}{f'-{names[name]}' * (names[name] > 1)}.html"
            kind = "public" if task.tree.name in public_names else "hidden"
            kind += ", not run in grading" * (was.trace.ending.kind == NOT_RUN)
            cases.append(Case(judge(task, trace), kind, file))
        if cases:
            accounts.append(Account(row, tuple(cases), len(wrong) - len(cases)))
    return accounts


if __name__ == "__main__":
    sys.exit(main())
