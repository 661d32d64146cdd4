"""Grade a whole course: `python -m autograder.batch SUBMISSIONS --out FOLDER`."""

from __future__ import annotations

import signal
import sys

from autograder.course.books import (
    FEEDBACK,
    GRADEBOOK,
    MATCHES,
    count_gone,
    write_matches,
)
from autograder.course.download import read_course
from autograder.course.entries import describe_class, list_entries
from autograder.course.matching import PEOPLE, match_course, read_people, write_people
from autograder.course.outcome import Outcome, Status
from autograder.course.roster import read_roster
from autograder.course.run import PAGE, Run
from autograder.ground.command import Parser, Progress, counted, path, say, status_of
from autograder.ground.files import lock_folder, replace_file
from autograder.ground.processes import cores
from autograder.kit import prepare

ROSTER = "roster.csv"  # the class list of the last run
STOPPING = (signal.SIGINT, signal.SIGTERM)


def main(arguments=None):
    """Grade a course; return exit status 0, 130 after an interruption, 2 after an error."""
    words = sys.argv[1:] if arguments is None else arguments
    command = "match" if "--match" in words else "grade-all"
    return status_of(command, lambda: handle_course(parse(words)))


def parse(words):
    """Return the parsed command line."""
    parser = Parser(description=__doc__)
    parser.add_argument("submissions", type=path, help="a download, a folder or a zip")
    parser.add_argument("--out", type=path, default="build/course", help="output folder")
    parser.add_argument("--match", action="store_true", help="match only, grade nothing")
    jobs = range(1, cores() + 1)  # more processes than cores make searches time out
    parser.add_argument("--jobs", type=int, choices=jobs, default=cores(), help="processes")
    parser.add_argument("--only", default="", help="sids, names, sections")
    parser.add_argument("--roster", type=path, help="a class list, as a CSV file")
    return parser.parse_args(words)


def handle_course(options):
    """Match the course, and grade it unless --match is given; return 0.

    After Ctrl-C, a line says how to resume.
    """
    for number in STOPPING:
        signal.signal(number, stop_once)
    act = write_match if options.match else grade
    try:
        course = read_course(options.submissions)
        with lock_folder(options.out):
            act(*match(course, options), options)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"stopped; finished submissions are in {options.out}; to resume, run the same "
            "command"
        ) from None
    return 0


def match(course, options):
    """Match a course to its class list, and write people.csv.

    Returns the matched course, the class list or None, and lines for the TA. The class list
    is stored for the next run.
    """
    out = options.out
    stored = out / ROSTER
    notes = []
    roster = None
    if not options.roster and stored.exists():
        options.roster = stored
        notes.append(f"the class list is {stored}, as before; ROSTER= changes it")
    if options.roster:
        roster = read_roster(options.roster)
        notes += roster.remarks
    confirmed = read_people(out, course)
    course = match_course(course, roster, confirmed)
    notes += course.remarks
    gone = count_gone(course, out)
    if gone:
        notes.append(f"{counted(gone, 'earlier submission')} missing in this download")
    if options.roster:
        replace_file(stored, options.roster.read_bytes())
    proposals = write_people(out, course, confirmed)
    if proposals:
        rows = counted(proposals, "proposal")
        notes.append(f"{rows} to confirm: delete each correct ? in {out / PEOPLE}")
    return course, roster, notes


def write_match(course, _, notes, options):
    """Write matches.csv, and print a summary."""
    out = options.out
    outcomes = {}
    for submission in course.submissions:
        outcomes[submission.id] = Outcome(submission.id, status=Status.SUBMITTED)
    entries = list_entries(course, outcomes, {})
    for note in notes + write_matches(out, entries):
        say(f"note: {note}")
    say(f"wrote {out / MATCHES}; next: make grade-all with the same settings")
    say(describe_class(entries))


def grade(course, roster, notes, options):
    """Grade a matched course, and print a summary."""
    out = options.out
    run = Run(prepare(), course, roster, out, options.only)
    for note in notes + run.notes:
        say(f"note: {note}")
    done = len(run.chosen) - len(run.todo)
    if done:
        say(f"{done} of {len(run.chosen)} submissions are already graded")
    with Progress(len(run.todo)) as progress:
        remarks = run.grade(options.jobs, progress.step)
    for remark in remarks:
        say(remark)
    say(f"wrote {GRADEBOOK}, {MATCHES}, {FEEDBACK} and {PAGE} in {out}; next: open {PAGE}")
    say(describe_class(run.entries()))


def stop_once(*_):
    """Handle the first Ctrl-C or SIGTERM by stopping the run, and ignore later ones."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
