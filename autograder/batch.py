"""Grade a whole course: `python -m autograder.batch SUBMISSIONS --out FOLDER`."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from collections import Counter

from autograder.command import announce, path, say, status_of
from autograder.course.classpage import people
from autograder.course.download import read_course, with_roster
from autograder.course.folder import deadline_of, locked, remember, remembered
from autograder.course.gradebook import CANVAS, FEEDBACK, GRADEBOOK
from autograder.course.people import CourseError, read_roster
from autograder.course.run import PAGE, Run
from autograder.kit import prepare
from autograder.processes import cores
from autograder.progress import Progress, counted

MAX_REMARKS = 10


def main(arguments=None):
    """Grade a course; return 0 when done, 130 when interrupted, 2 with a line why not."""
    options = parse(arguments)
    return status_of("grade-all", lambda: grade_all(options), options.out)


def parse(arguments):
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(prog="autograder.batch", description=__doc__)
    parser.add_argument("submissions", type=path, help="an export, a folder, or a zip")
    parser.add_argument("--out", type=path, default="build/course", help="for the books")
    parser.add_argument("--jobs", default="", help="processes; default: one per core")
    parser.add_argument("--only", default="", help="sids, emails, names, with commas")
    parser.add_argument("--force", action="store_true", help="grade again what is graded")
    parser.add_argument("--roster", type=path, help="a class list, as a CSV file")
    parser.add_argument("--due", default="", help="the deadline, with its offset")
    return parser.parse_args(arguments)


def grade_all(options):
    """Read the course, grade it and return 0. A Ctrl-C says where to go on."""
    try:
        with ctrl_c_once():
            kit = prepare(announce=announce)
            deadline_of(options.due)
            by_hand = bool(kit.rubric.by_hand_cents)
            course = read_course(options.submissions, kit.rubric.cutoff, by_hand)
            with locked(options.out):
                grade_course(kit, course, options)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"stopped; what was graded is in {options.out}, "
            "the same command goes on from here"
        ) from None
    return 0


def grade_course(kit, course, options):
    """Grade the course as the command line says, and print what came of it."""
    out = options.out
    roster, due, notes = remembered(out, options.roster, options.due)
    if roster:
        course = with_roster(course, read_roster(roster))
    processes = jobs(options.jobs)
    run = Run(kit, course, out, due, options.only, options.force)
    remember(out, roster, due)
    more = len(course.remarks) - MAX_REMARKS
    notes += [*course.remarks[:MAX_REMARKS], *[f"and {more} more like these"] * (more > 0)]
    if run.gone:
        lines = counted(run.gone, "line")
        notes.append(f"{lines} of the earlier gradebook are not in this course")
    for note in notes:
        say(f"note: {note}")
    done = len(run.chosen) - len(run.todo)
    if done:
        say(f"{done} of {len(run.chosen)} submissions are graded already")
    if run.todo:
        run.preflight()
    with Progress(len(run.todo)) as progress:
        run.grade(processes, progress.step)
    books = GRADEBOOK, CANVAS, FEEDBACK, PAGE
    say("wrote " + ", ".join(str(out / name) for name in books))
    for line in run.told():
        say(line)
    say(f"next: open {out / PAGE}")
    say(totals(run.entries(), course.remarks))


def totals(entries, remarks):
    """Return the last line: how many students there are, and how many of each status.

    Everybody in the course has a place in it, and each file that was passed over.
    """
    counts = Counter(e.outcome.status for e in entries if e.counts).most_common()
    of_each = ", ".join(f"{count} {status}" for status, count in counts)
    line = f"{people(entries)}: {of_each}"
    return line + f"; {counted(len(remarks), 'remark')} on files" * bool(remarks)


def jobs(text):
    """Return the number of processes to use: never more than there are cores.

    Each keeps its core busy. More would only take time from each other, and so have
    searches run out of time that would not elsewhere. Raises CourseError.
    """
    most = cores()
    if text and (not text.isdecimal() or int(text) < 1):
        raise CourseError(f"JOBS={text}: write a number from 1 to {most}, one per core")
    return min(int(text or most), most)


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
