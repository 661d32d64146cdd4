"""Grade a whole course: `python -m autograder.batch SUBMISSIONS --out FOLDER`."""

from __future__ import annotations

import argparse
import signal
import sys

from autograder.course.download import read_course
from autograder.course.entries import describe_class, list_entries
from autograder.course.folder import PEOPLE, ROSTER, read_ids, store_course
from autograder.course.gradebook import GRADEBOOK, MATCHES, count_gone, write_matches
from autograder.course.handback import CANVAS_BOOK, FEEDBACK, MOODLE_BOOK
from autograder.course.matching import match_course, read_people, write_people
from autograder.course.outcome import Outcome
from autograder.course.roster import read_roster
from autograder.course.run import PAGE, Run
from autograder.ground.command import Progress, counted, path, say, status_of
from autograder.ground.files import lock_folder
from autograder.ground.processes import cores
from autograder.kit import prepare
from gametree.support.errors import InputError

STOPPING = (signal.SIGINT, signal.SIGTERM)


def main(arguments=None):
    """Grade a course; return exit status 0, 130 after an interruption, 2 after an error."""
    options = parse(arguments)
    command = "match" if options.match else "grade-all"
    return status_of(command, lambda: handle_course(options), options.out)


def parse(arguments):
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(prog="autograder.batch", description=__doc__)
    parser.add_argument("submissions", type=path, help="a download, a folder or a zip")
    parser.add_argument("--out", type=path, default="build/course", help="output folder")
    parser.add_argument("--match", action="store_true", help="match only, grade nothing")
    parser.add_argument("--jobs", default="", help="number of processes (one per core)")
    parser.add_argument("--only", default="", help="sids, names, sections")
    parser.add_argument("--roster", type=path, help="a class list, as a CSV file")
    return parser.parse_args(arguments)


def handle_course(options):
    """Match the course, and grade it unless --match is given; return 0.

    After Ctrl-C, a line says how to resume.
    """
    for number in STOPPING:
        signal.signal(number, stop_once)
    out = options.out
    try:
        kit = None if options.match else prepare()
        course = read_course(options.submissions, read_ids(out))
        with lock_folder(out):
            course, roster, notes = match(course, options)
            if kit:
                grade(kit, course, roster, notes, options)
            else:
                write_match(course, notes, out)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"stopped; finished submissions are in {out}; to resume, run the same command"
        ) from None
    return 0


def match(course, options):
    """Match a course to its class list, and write people.csv.

    Returns the matched course, the class list or None, and lines for the TA. The class list
    is stored for the next run.
    """
    out = options.out
    notes = []
    path = options.roster
    if not path and (out / ROSTER).exists():
        path = out / ROSTER
        notes.append(f"the class list is {path}, as before; ROSTER= changes it")
    roster = read_roster(path) if path else None
    confirmed, others = read_people(out, course)
    course = match_course(course, roster, confirmed)
    gone = count_gone(course, out)
    if gone:
        notes.append(f"{counted(gone, 'earlier submission')} missing in this download")
    notes += [*course.remarks, *(roster.remarks if roster else ())]
    for row in others:
        name = row["submission"]
        notes.append(f"{out / PEOPLE}: {name} is not a submission of one student")
    store_course(out, path, course)
    to_confirm = write_people(out, course, confirmed, others)
    if to_confirm:
        rows = counted(to_confirm, "proposal")
        notes.append(f"{rows} to confirm: delete each correct ? in {out / PEOPLE}")
    return course, roster, notes


def write_match(course, notes, out):
    """Write matches.csv, and print a summary."""
    outcomes = {found.id: Outcome(found.id) for found in course.submissions}
    entries = list_entries(course, outcomes, "", {})
    notes = notes + write_matches(out, entries)
    for note in notes:
        say(f"note: {note}")
    say(f"wrote {out / MATCHES}; next: make grade-all with the same settings")
    say(describe_class(entries))


def grade(kit, course, roster, notes, options):
    """Grade a matched course, and print a summary."""
    out = options.out
    jobs = count_jobs(options.jobs)
    run = Run(kit, course, roster, out, options.only)
    for note in notes + run.notes:
        say(f"note: {note}")
    done = len(run.chosen) - len(run.todo)
    if done:
        say(f"{done} of {len(run.chosen)} submissions are already graded")
    with Progress(len(run.todo)) as progress:
        remarks = run.grade(jobs, progress.step)
    names = (GRADEBOOK, MATCHES, PEOPLE, CANVAS_BOOK, MOODLE_BOOK, FEEDBACK, PAGE)
    paths = [out / name for name in names]
    say("wrote " + ", ".join(str(path) for path in paths if path.exists()))
    for remark in remarks:
        say(remark)
    say(f"next: open {out / PAGE}")
    say(describe_class(run.entries()))


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
