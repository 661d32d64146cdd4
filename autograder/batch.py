"""Grade a whole course: `python -m autograder.batch SUBMISSIONS --out FOLDER`."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from collections import Counter
from datetime import datetime

from autograder.command import path, say, status_of
from autograder.course.download import Rules, read_course, with_roster
from autograder.course.gradebook import CANVAS, CHANGES, GRADEBOOK, OVERRIDES
from autograder.course.outcome import COULD_NOT_TELL
from autograder.course.people import CourseError, read_roster
from autograder.course.run import PAGE, Options, Run, locked
from autograder.kit import prepare
from autograder.utilities import Progress, cores, replace_file

MOST_REMARKS = 10
ALL, NONE = ("1", "yes", "all"), ("", "0", "no")  # words for FORCE; others are names


def main(arguments=None):
    """Grade a course; return 0 when done, 130 when interrupted, 2 with a line why not."""
    options = parse(arguments)
    return status_of("grade-all", lambda: grade_all(options), options.out)


def grade_all(options):
    """Read the course, grade it and return 0. A Ctrl-C says where to go on."""
    try:
        with ctrl_c_once():
            kit = prepare()
            rubric = kit.rubric
            deadline = moment(options.due)
            by_hand = bool(rubric.by_hand_cents)
            rules = Rules(rubric.cutoff, by_hand)
            course = read_course(options.submissions, rules)
            if options.roster:
                course = with_roster(course, read_roster(options.roster))
            with locked(options.out):
                grade_course(kit, course, options, deadline)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"stopped; what was graded is in {options.out}, "
            "the same command goes on from here"
        ) from None
    return 0


def parse(arguments):
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(prog="autograder.batch", description=__doc__)
    parser.add_argument("submissions", type=path, help="an export, a folder, or a zip")
    parser.add_argument("--out", type=path, default="build/course", help="for the books")
    parser.add_argument("--jobs", default="", help="processes; default: one a core")
    parser.add_argument("--only", default="", help="sids, emails, names, with commas")
    parser.add_argument(
        "--force", nargs="?", const="1", default="", help="1, or who, to grade again"
    )
    parser.add_argument("--roster", type=path, help="a class list, as a CSV file")
    parser.add_argument("--due", default="", help="the deadline, with its offset")
    parser.add_argument("--no-reports", action="store_true", help="no report.html for each")
    parser.add_argument("--before", type=path, help="an earlier gradebook.csv to compare")
    return parser.parse_args(arguments)


def moment(text):
    """Return a moment with its offset from UTC, None for no text. Raises CourseError."""
    if not text:
        return None
    with contextlib.suppress(ValueError):
        due = datetime.fromisoformat(text.replace("Z", "+00:00"))
        if due.tzinfo is not None:
            return due
    raise CourseError(f"DUE={text}: write it with its offset: 2026-12-01T23:59+01:00")


def grade_course(kit, course, options, deadline=None):
    """Grade the course as the command line says, and print what came of it."""
    for remark in course.remarks[:MOST_REMARKS]:
        say(f"note: {remark}")
    if len(course.remarks) > MOST_REMARKS:
        say(f"note: and {len(course.remarks) - MOST_REMARKS} more like these")
    carry_overrides(options)
    request = Options(
        out=options.out,
        jobs=jobs(options.jobs),
        only=listed(options.only),
        force=options.force in ALL or options.force not in NONE and listed(options.force),
        reports=not options.no_reports,
        before=options.before,
        deadline=deadline,
    )
    run = Run(kit, course, request)
    done = len(run.chosen) - len(run.todo)
    if done:
        say(f"{done} of {len(run.chosen)} submissions are graded already")
    if run.todo:
        run.preflight()
    with Progress(len(run.todo)) as progress:
        run.grade(progress.step)
    if run.edited:
        say(run.edited)
    for outcome in run.outcomes:
        if outcome.status == COULD_NOT_TELL:
            say(f"  {outcome.id}: {outcome.reason}")
    books = (GRADEBOOK, CANVAS, PAGE)
    say("wrote " + ", ".join(str(request.out / name) for name in books))
    for line in [*run.comparison(), *run.book.remarks()]:
        say(line)
    say(f"next: open {request.out / (CHANGES if request.before else PAGE)}")
    say(counted(run, course))


def counted(run, course):
    """Return the last line: how many students there are, and how many of each status.

    Everybody in the course has a place in it, and each file that was passed over.
    """
    counts = Counter(entry.outcome.status for entry in run.book.entries())
    of_each = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    line = f"{counts.total()} students: {of_each}"
    if course.remarks:
        line += f"; {len(course.remarks)} remarks on other files"
    return line


def listed(text):
    """Return the names between the commas of a setting."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def carry_overrides(options):
    """Copy the overrides beside an earlier gradebook, where there are none yet."""
    if options.before and not (options.out / OVERRIDES).exists():
        with contextlib.suppress(OSError):
            content = (options.before.parent / OVERRIDES).read_bytes()
            replace_file(options.out / OVERRIDES, content)


def jobs(text):
    """Return the number of processes to use: never more than there are cores.

    Each keeps its core busy. More would only take time from each other, and so have
    searches run out of time that would not elsewhere. Raises CourseError.
    """
    most = cores()
    if not text:
        return most
    if not text.isdecimal() or int(text) < 1:
        raise CourseError(f"JOBS={text}: write a number from 1 to {most}, one a core")
    if int(text) > most:
        say(f"JOBS={text}: one process a core is fastest, so {most}")
    return min(int(text), most)


@contextlib.contextmanager
def ctrl_c_once():
    """Let the first Ctrl-C or terminate stop the run, and no other disturb its end."""

    def stop(*_):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {n: signal.signal(n, stop) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
