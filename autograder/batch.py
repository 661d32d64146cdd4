"""Grade a whole course: `python -m autograder.batch SUBMISSIONS --out FOLDER`."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from collections import Counter

from autograder.command import path, say, status_of
from autograder.course.export import CourseError, read_course
from autograder.course.gradebook import CANVAS, CHANGES, GRADEBOOK
from autograder.course.outcome import COULD_NOT_TELL
from autograder.course.run import PAGE, Options, Run
from autograder.kit import prepare
from autograder.utilities import Progress, cores

MOST_REMARKS = 10


def main(arguments=None):
    """Grade a course; return 0 when done, 130 when interrupted, 2 with a line why not."""
    options = parse(arguments)
    return status_of("grade-all", lambda: grade_all(options), options.out)


def grade_all(options):
    """Read the course, grade it and return 0. A Ctrl-C says where to go on."""
    try:
        with ctrl_c_once():
            kit = prepare()
            course = read_course(
                options.submissions, kit.rubric.cutoff, bool(kit.rubric.by_hand_cents)
            )
            grade_course(kit, course, options)
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
    parser.add_argument("--only", default="", help="sids, emails or ids, with commas")
    parser.add_argument("--force", action="store_true", help="grade again what is done")
    parser.add_argument("--no-reports", action="store_true", help="no report.html for each")
    parser.add_argument("--before", type=path, help="an earlier gradebook.csv to compare")
    return parser.parse_args(arguments)


def grade_course(kit, course, options):
    """Grade the course as the command line says, and print what came of it."""
    for remark in course.remarks[:MOST_REMARKS]:
        say(f"note: {remark}")
    if len(course.remarks) > MOST_REMARKS:
        say(f"note: and {len(course.remarks) - MOST_REMARKS} more like these")
    names = (name.strip() for name in options.only.split(","))
    request = Options(
        out=options.out,
        jobs=jobs(options.jobs),
        only=tuple(filter(None, names)),
        force=options.force,
        reports=not options.no_reports,
        before=options.before,
    )
    run = Run(kit, course, request)
    done = len(run.chosen) - len(run.todo)
    if done:
        say(f"{done} of {len(run.chosen)} submissions are graded already")
    if run.todo:
        run.preflight()
    with Progress(len(run.todo)) as progress:
        run.grade(progress.step)
    counts = Counter(outcome.status for outcome in run.outcomes)
    say(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    for outcome in run.outcomes:
        if outcome.status == COULD_NOT_TELL:
            say(f"  {outcome.id}: {outcome.reason}")
    books = (GRADEBOOK, CANVAS, PAGE)
    say("wrote " + ", ".join(str(request.out / name) for name in books))
    for line in run.comparison():
        say(line)
    say(f"next: open {request.out / (CHANGES if request.before else PAGE)}")


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
