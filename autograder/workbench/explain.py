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
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from autograder.command import Refused, announce, path, say_all, status_of
from autograder.course.gradebook import find_points_by_hand, find_submission
from autograder.course.submissions import make_folder_name, make_folder_names
from autograder.files import private, replace_folder
from autograder.grading import grade
from autograder.judging.scores import Row, points_text, score_text
from autograder.kit import cached_kit, stage_submission
from autograder.sandbox import Sandbox, Session
from autograder.showing.messages import messages_of
from autograder.showing.rowtext import row_in_short
from autograder.showing.sentences import not_loaded, undecided
from autograder.showing.staff import (
    MAX_CASES,
    WARNING,
    Account,
    Case,
    explained_html,
    step_html,
    terminal_lines,
)
from autograder.showing.summary import (
    Summary,
    lay_out_summary,
    score_by_hand,
    summarize,
    summarize_function,
)
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN

PAGE = "report.html"
LETTER = "send.txt"  # what may be sent to the student


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
    submission, owner = find_submission(options.submission, options.books)
    kit = cached_kit(announce=announce)
    numbers = numbers_of_rows(kit.rows, options.row)
    source = stage_submission(submission, kit.rubric.cutoff, kit.root)
    with Sandbox(kit.rubric.limits) as sandbox:
        grading = grade(kit, source, sandbox)
        rows = rows_to_explain(grading, numbers)
        session = Session(sandbox, source)
        row_was_given = bool(options.row)
        accounts = accounts_of(rows, session, kit.public_names, row_was_given)
    total = sum(kit.rubric.cents.values()) + kit.rubric.by_hand_cents
    by_hand = find_points_by_hand(submission, total)
    asked = []
    if row_was_given:
        asked = [row for row in grading.student_view.rows if row.number in numbers]
    letter = letter_of(grading.student_view, asked, common_points(by_hand))
    lead = lead_of(grading, by_hand)
    if not rows:
        where = " there" if row_was_given else ""
        lead.append(f"No points were lost{where}.")
    if row_was_given and not asked:
        lead.append("Students do not see this row, so the first part leaves it out.")
    pages = pages_of(accounts, kit.rubric.cutoff)
    pages[PAGE] = explained_html(owner, lead, accounts, source)
    pages[LETTER] = f"{letter}\n"
    folder = options.out / folder_name(submission)
    write_privately(folder, pages)
    recipient = "the student" if owner == submission.name else owner
    lines = [f"You may send this to {recipient}:", "", *letter.splitlines(), ""]
    lines += [f"{WARNING} It is of {owner}.", *lead]
    for account in accounts:
        lines += ["", *terminal_lines(account, source)]
    say_all([*lines, "", f"wrote {folder / PAGE}, and what may be sent: {LETTER}"])
    return 0


def common_points(by_hand):
    """Return the points by hand of all partners, None if there are none or they differ."""
    given = set(by_hand.values())
    return given.pop() if len(given) == 1 else None


def numbers_of_rows(rows, given):
    """Return the numbers of the rows that ROW names, of all rows where it is "".

    given: a row's number, its name or its concept. Raises Refused if no row has it.
    """
    word = given.strip().casefold()
    numbers = {
        row.number
        for row in rows
        if word in ("", row.number, row.name.casefold(), row.concept.casefold())
    }
    if not numbers:
        first_to_last = f"{rows[0].number} to {rows[-1].number}"
        raise Refused(f"ROW={given}: no such row; write {first_to_last}, or a row's name")
    return numbers


def rows_to_explain(grading, numbers):
    """Return the rows of these numbers that lost points, those that lost most first.

    Of a file that could not be loaded one row says it all.
    """

    def cents_lost(row):
        return row.max_cents - row.cents

    rows = [row for row in grading.rows if row.number in numbers and not row.is_right]
    rows.sort(key=cents_lost, reverse=True)
    return rows if grading.load_failure is None else rows[:1]


def letter_of(grading, rows, by_hand):
    """Return what may be sent to the student: the first screen, or about some rows.

    grading: what the student sees of it.
    rows: those that the student asks about, with what is known of their functions; no
        hidden tree is shown. None of them for the first screen.
    by_hand: the points that a TA gave, in cents; None for none.
    """
    summary = summarize(grading)
    summary = replace(summary, score=score_by_hand(summary.score, by_hand))
    if not rows or not summary.parts:
        return lay_out_summary(summary)
    head = Summary(summary.score, summary.parts, summary.problems)
    parts = [lay_out_summary(head)]
    for function, asked in groupby(rows, key=attrgetter("function")):
        parts += map(row_in_short, asked)
        parts.append(lay_out_summary(summarize_function(grading, function)))
    return "\n\n".join(filter(None, parts))


def lead_of(grading, by_hand):
    """Return the lines that come before the rows: the score, and what was found.

    by_hand: label of a student -> the points that a TA gave, in cents; None for none.
    """
    common = common_points(by_hand)
    lead = [f"Score: {score_by_hand(score_text(grading), common)}"]
    if common is None:
        for label, cents in by_hand.items():
            if cents is not None:
                lead.append(
                    f"{label} alone: {points_text(cents)} by hand, not in the first part"
                )
    if grading.load_failure is None:
        lead += [message.text for message in messages_of(grading)]
    else:
        lead.append(not_loaded(grading.load_failure))
    if grading.undecided:
        lead.append(undecided(grading.traces))
    return lead


def accounts_of(rows: list[Row], session, public_names, row_was_given=False):
    """Return the Account of each row: its wrong searches, run again in the open.

    Of each row the search with the fewest leaves, or where a row was given as many as
    are shown of one.
    """
    accounts = []
    for row in rows:
        wrong = [v for v in row.verdicts if not v.is_right and not v.trace.ending.undecided]
        wrong.sort(key=lambda verdict: len(verdict.task.expected.visited))
        chosen = wrong[: MAX_CASES if row_was_given else 1]
        tasks = [replace(verdict.task, is_hidden=False) for verdict in chosen]
        names = make_folder_names(f"{row.number}-{task.tree.name}" for task in tasks)
        cases = []
        for name, verdict, task, trace in zip(names, chosen, tasks, session.run(tasks)):
            kind = "public" if task.tree.name in public_names else "hidden"
            if verdict.trace.ending.kind == NOT_RUN:
                kind += ", not run in grading"
            cases.append(Case(judge(task, trace), kind, f"{name}.html"))
        if cases:
            omitted = len(wrong) - len(cases)
            accounts.append(Account(row, tuple(cases), omitted, row_was_given))
    return accounts


def pages_of(accounts, convention):
    """Return file name -> the page that steps through a case, of all cases."""
    return {
        case.page: step_html(case.verdict.task, convention, case.verdict, WARNING)
        for account in accounts
        for case in account.cases
    }


def folder_name(submission):
    """Return the name of the folder that is of this submission's path alone."""
    place = submission.resolve()
    digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:8]
    name = place.parent.name if submission.is_file() else place.name
    return f"{make_folder_name(name)}-{digest}"


def write_privately(folder, pages):
    """Replace a folder by one with these pages, which only their owner can read."""
    with private():
        folder.parent.mkdir(parents=True, exist_ok=True)
        replace_folder(folder, {name: page.encode() for name, page in pages.items()})


if __name__ == "__main__":
    sys.exit(main())
