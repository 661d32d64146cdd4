"""Grade a whole course: `python -m autograder.batch SUBMISSIONS --out FOLDER`."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from collections import Counter
from pathlib import Path

from autograder.command import why_not
from autograder.course import gradebook
from autograder.course.export import CourseError, opened
from autograder.course.outcome import UNGRADED
from autograder.course.run import Run, Wish
from autograder.kit import content_hash, load_kit
from autograder.showing.report import write_report
from autograder.utilities import Progress, cores

MOST_REMARKS = 10
INTERRUPTED = 130  # as shells count: 128 and the number of SIGINT


def main(arguments=None):
    """Grade a course; return 0 when done, 130 when interrupted, 2 with a line why not."""
    options = parse(arguments)
    try:
        with ctrl_c_once(), opened(options.submissions) as course:
            return run(options, course)
    except KeyboardInterrupt:
        again = "the same command goes on from here"
        print(f"\nstopped; what was graded is in {options.out}, {again}", file=sys.stderr)
        return INTERRUPTED
    except CourseError as error:
        return fail(error)
    except Exception as error:
        return fail(why_not(error, options.out))


def parse(arguments):
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(prog="autograder.batch", description=__doc__)
    parser.add_argument("submissions", help="an export, a folder, or a zip of it")
    parser.add_argument("--out", default="build/course", help="where the books go")
    parser.add_argument("--jobs", default="", help="processes; default: one a core")
    parser.add_argument("--only", default="", help="sids, emails or ids, with commas")
    parser.add_argument("--force", action="store_true", help="grade again what is done")
    parser.add_argument("--no-reports", action="store_true", help="no report.html for each")
    parser.add_argument("--before", default="", help="an earlier gradebook.csv to compare")
    return parser.parse_args(arguments)


def run(options, course):
    """Grade the course as the options say; return the exit status."""
    before = earlier(options)
    say_remarks(course.remarks)
    wish = Wish(
        out=Path(options.out),
        jobs=jobs(options.jobs),
        only=tuple(filter(None, (name.strip() for name in options.only.split(",")))),
        force=options.force,
        write_report=None if options.no_reports else write_report,
    )
    kit = load_kit()
    grading = Run(kit, content_hash(kit.root), course, wish)
    kept = len(grading.chosen) - len(grading.todo)
    if kept:
        print(f"{kept} of {len(grading.chosen)} submissions are graded already", flush=True)
    if grading.todo:
        grading.preflight()
    with Progress(len(grading.todo)) as progress:
        grading.grade(progress.step)
    say_end(grading, wish.out)
    if before is not None:
        compare(before, wish.out)
    return 0


def earlier(options):
    """Read the earlier gradebook that is to be compared, or return None."""
    if not options.before:
        return None
    if Path(options.before).resolve().parent == Path(options.out).resolve():
        raise CourseError(
            f"{options.before} lies in {options.out}, which is about to be written; "
            "give another OUT"
        )
    return gradebook.read_grades(options.before)


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
        print(f"JOBS={text}: one process a core is fastest, so {most}", flush=True)
    return min(int(text), most)


def say_remarks(remarks):
    """Print what was passed over in the export, the first few of many."""
    for remark in remarks[:MOST_REMARKS]:
        print(f"note: {remark}", flush=True)
    if len(remarks) > MOST_REMARKS:
        print(f"note: and {len(remarks) - MOST_REMARKS} more like these", flush=True)


def say_end(grading, out):
    """Print how many submissions came to which end, and where the books are."""
    ids = {one.id for one in grading.chosen}
    ends = Counter(o.status for id, o in grading.book.outcomes.items() if id in ids)
    print(", ".join(f"{count} {status}" for status, count in ends.most_common()))
    for outcome in grading.book.outcomes.values():
        if outcome.id in ids and outcome.status == UNGRADED[0]:
            print(f"  {outcome.id}: {outcome.reason}")
    books = (gradebook.NAME, gradebook.CANVAS_NAME, "report.html")
    print("wrote " + ", ".join(str(out / name) for name in books))


def compare(before, out):
    """Print who changed since the earlier gradebook, and write changes.csv."""
    after = gradebook.read_grades(out / gradebook.NAME)
    changes = gradebook.changes_between(before, after)
    gradebook.write_changes(out / gradebook.CHANGES_NAME, changes)
    print("\n".join(gradebook.report(before, after, changes)))
    print(f"wrote {out / gradebook.CHANGES_NAME}")


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


def fail(line):
    """Print one line on stderr and return exit status 2."""
    print(f"grade-all: {line}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
