"""Grade a whole course: `python -m autograder.batch SUBMISSIONS --out FOLDER`."""

from __future__ import annotations

import argparse
import signal
import sys

from autograder.course.download import read_course
from autograder.course.gradebook import GRADEBOOK, MATCHES, describe_class
from autograder.course.handback import CANVAS, FEEDBACK, MOODLE
from autograder.course.matching import match_course, read_people
from autograder.course.people import read_roster
from autograder.course.run import (
    PAGE,
    Run,
    load_settings,
    lock_folder,
    read_settings,
    store_settings,
)
from autograder.ground.command import Progress, counted, path, say, status_of
from autograder.ground.processes import cores
from autograder.kit import prepare
from gametree.support.errors import InputError

MAX_REMARKS = 10  # on ignored files, printed; the last line has their number
STOPPING = (signal.SIGINT, signal.SIGTERM)


def main(arguments=None):
    """Grade a course; return exit status 0, 130 after an interruption, 2 after an error."""
    options = parse(arguments)
    return status_of("grade-all", lambda: grade_all(options), options.out)


def parse(arguments):
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(prog="autograder.batch", description=__doc__)
    parser.add_argument("submissions", type=path, help="a download, a folder or a zip")
    parser.add_argument("--out", type=path, default="build/course", help="output folder")
    parser.add_argument("--jobs", default="", help="number of processes (one per core)")
    parser.add_argument("--only", default="", help="sids, e-mail addresses, names")
    parser.add_argument("--force", action="store_true", help="grade all submissions again")
    parser.add_argument("--roster", type=path, help="a class list, as a CSV file")
    parser.add_argument("--due", default="", help="the deadline, with its offset")
    return parser.parse_args(arguments)


def grade_all(options):
    """Read and grade the course; return 0. After Ctrl-C, a line says how to resume."""
    for number in STOPPING:
        signal.signal(number, stop_once)
    try:
        kit = prepare()
        ids = read_settings(options.out)["ids"]
        course = read_course(options.submissions, ids)
        with lock_folder(options.out):
            grade_course(kit, course, options)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"stopped; finished submissions are in {options.out}; "
            "to resume, run the same command"
        ) from None
    return 0


def grade_course(kit, course, options):
    """Grade the course with the command line's options, and print a summary."""
    out = options.out
    roster, due, notes = load_settings(out, options.roster, options.due)
    people, lines = read_people(out, course)
    listed = read_roster(roster) if roster else None
    course = match_course(course, listed, people)
    jobs = count_jobs(options.jobs)
    run = Run(kit, course, out, due, options.only, options.force)
    store_settings(out, roster, due, course)
    for note in notes + lines + run.notes + list(course.remarks[:MAX_REMARKS]):
        say(f"note: {note}")
    done = len(run.chosen) - len(run.todo)
    if done:
        say(f"{done} of {len(run.chosen)} submissions are already graded")
    if run.todo:
        run.preflight()
    with Progress(len(run.todo)) as progress:
        remarks = run.grade(jobs, progress.step)
    paths = [out / name for name in (GRADEBOOK, MATCHES, CANVAS, MOODLE, FEEDBACK, PAGE)]
    say("wrote " + ", ".join(str(path) for path in paths if path.exists()))
    for remark in remarks:
        say(remark)
    say(f"next: open {out / PAGE}")
    line = describe_class(run.entries())
    if course.remarks:
        line += f"; {counted(len(course.remarks), 'remark')} on files"
    say(line)


def count_jobs(text):
    """Return the number of processes, which is at most one per core.

    Each process keeps its core busy. More processes would slow each other down and make
    searches time out. Raises InputError if the text is not a valid number.
    """
    max_jobs = cores()
    if not text:
        return max_jobs
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"JOBS={text}: write a number from 1 to {max_jobs}, one per core")
    return min(int(text), max_jobs)


def stop_once(*_):
    """Handle the first Ctrl-C or SIGTERM by stopping the run, and ignore later ones."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
