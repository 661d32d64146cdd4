"""Grade a whole course: `python -m autograder.batch SUBMISSIONS --out FOLDER`.

The submissions are matched to the class list, and graded in a pool of processes. Then the
books are written.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from autograder.course.books import (
    FEEDBACK,
    GRADEBOOK,
    MATCHES,
    find_gone,
    find_problems,
    write_books,
    write_matches,
)
from autograder.course.classpage import class_page
from autograder.course.download import read_download
from autograder.course.entries import (
    Entry,
    Finder,
    describe_class,
    find_ineffective,
    read_overrides,
)
from autograder.course.matching import match_class, read_people, write_people
from autograder.course.outcome import FINAL, Outcome, Status, outcome_of
from autograder.course.roster import Roster, read_roster
from autograder.course.students import Submission, fold, join_lines
from autograder.grading import EXPLAINING_SHARE, grade_hidden, grade_public, refuse
from autograder.ground.command import Progress, make_parser, path, say, status_of
from autograder.ground.files import load, lock_folder, replace_file, store
from autograder.ground.processes import (
    WorkerFailure,
    cores,
    pin_to_one_cpu,
    run_in_pool,
)
from autograder.ground.submission import SEARCH_PY
from autograder.kit import ROOT, Kit, prepare
from autograder.kit.contents import RUBRIC, note_on_trees
from autograder.sandbox import WALL_FACTOR, Sandbox
from autograder.scoring.rubric import load_rubric
from autograder.showing.results import FAULTS, write_faults, write_page, write_results
from gametree.support.errors import InputError

PAGE = "class.html"
OUTCOME = "outcome.cache"  # of a submission, in its folder: the fields of an Outcome
PUBLIC_PART = "public.part"  # of a submission, between the two phases of a run
ROSTER = "roster.csv"  # the class list of the last run
SPARE_SECONDS = 60.0  # for the diagnosis and the files, beyond the submission's time limit
STOPPING = (signal.SIGINT, signal.SIGTERM)


def main(arguments=None):
    """Grade a course; return exit status 0, 130 after an interruption, 2 after an error."""
    words = sys.argv[1:] if arguments is None else arguments
    command = "match" if "--match" in words else "grade-all"
    return status_of(command, lambda: handle_class(parse(words)))


def parse(words):
    """Return the parsed command line."""
    parser = make_parser("make grade-all", __doc__)
    parser.add_argument("submissions", type=path, help="a download, a folder or a zip")
    parser.add_argument("--out", type=path, default="build/course", help="output folder")
    parser.add_argument("--match", action="store_true", help="match only, grade nothing")
    jobs = range(1, cores() + 1)  # more processes than cores make searches time out
    parser.add_argument("--jobs", type=int, choices=jobs, default=cores(), help="processes")
    parser.add_argument("--only", default="", help="sids, names, sections")
    parser.add_argument("--roster", type=path, help="a class list, as a CSV file")
    return parser.parse_args(words)


def handle_class(options):
    """Match the class, and grade it unless --match is given; return 0.

    After Ctrl-C, a line says how to resume.
    """
    for number in STOPPING:
        signal.signal(number, stop_once)
    act = write_match if options.match else grade_class
    try:
        submissions, remarks = read_download(options.submissions)
        with lock_folder(options.out):
            act(match(submissions, remarks, options), options)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"stopped; finished submissions are in {options.out}; to resume, run the same "
            "command"
        ) from None
    return 0


class MatchedClass(NamedTuple):
    """A class before it is graded.

    submissions: the submissions.
    chosen: those that ONLY names.
    roster: the class list.
    entries: an Entry for each author, and for each absent student, with points by hand.
    """

    submissions: Sequence[Submission]
    chosen: Sequence[Submission]
    roster: Roster
    entries: Sequence[Entry]


def match(
    submissions: Sequence[Submission], remarks: list[str], options: Namespace
) -> MatchedClass:
    """Match submissions to the class list, write people.csv, and print remarks.

    remarks: lines about the download, to which others are added.

    The class list is stored for the next run. Raises InputError if anything that grade-all
    needs is wrong, and then nothing has changed.
    """
    out = options.out
    stored = out / ROSTER
    rubric = load_rubric(ROOT / RUBRIC)
    roster = Roster()
    if not options.roster and stored.exists():
        options.roster = stored
        remarks.append(f"the class list is {stored}, as before; ROSTER= changes it")
    if options.roster:
        roster = read_roster(options.roster, rubric.title)
    remarks += roster.remarks
    matching = match_class(submissions, roster, read_people(out))
    remarks += matching.remarks
    entries = matching.entries
    remarks += find_gone(entries, out)
    remarks += read_overrides(out, entries, rubric.max_cents)
    remarks += find_problems(roster, entries, rubric.title, rubric.max_cents)
    chosen = choose(submissions, entries, options.only)
    if options.roster:
        replace_file(stored, options.roster.read_bytes())
    remarks += write_people(out, matching.people)
    for remark in remarks:
        say(f"note: {remark}")
    return MatchedClass(submissions, chosen, roster, entries)


def write_match(matched, options):
    """Write matches.csv, and print a summary."""
    out = options.out
    write_matches(out, matched.entries)
    say(f"wrote {out / MATCHES}; next: make grade-all with the same settings")
    say(describe_class(matched.entries))


def grade_class(matched, options):
    """Grade a matched class, and print a summary."""
    out = options.out
    run = Run(prepare(), matched, out)
    note = note_on_trees(run.kit.root)
    if note:
        say(f"note: {note}")
    count = len(matched.chosen)
    done = count - len(run.todo)
    if done:
        say(f"{done} of {count} submissions are already graded")
    for remark in run.grade(options.jobs):
        say(remark)
    say(f"wrote {GRADEBOOK}, {MATCHES}, {FEEDBACK} and {PAGE} in {out}; next: open {PAGE}")
    say(describe_class(matched.entries))


def stop_once(*_):
    """Handle the first Ctrl-C or SIGTERM by stopping the run, and ignore later ones."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


# ---- a run over a course


class Run:
    """One run of grade-all over a course.

    kit: the kit that grades the submissions.
    matched: the submissions, the class list and the entries.
    out: the folder of the books.
    todo: the chosen submissions that need grading.
    """

    def __init__(self, kit: Kit, matched: MatchedClass, out: Path):
        self.kit = kit
        self.matched = matched
        self.out = out
        self.outcomes = {}  # submission's id -> Outcome
        for submission in matched.submissions:
            path = out / submission.id / OUTCOME
            self.outcomes[submission.id] = Outcome()
            with contextlib.suppress(Exception):  # stored by other code, or not at all
                stored = load(path, submission.key(kit.grades_key))
                self.outcomes[submission.id] = Outcome(**stored)
        self.todo = [s for s in matched.chosen if self.outcomes[s.id].status not in FINAL]

    def grade(self, jobs: int) -> list[str]:
        """Grade the submissions in `todo` in `jobs` processes, and show the progress.

        Two submissions share the caches of the processor and of the system, and no filter
        closes them all. So the public part of every submission, which has all texts, comes
        before the first hidden tree of any.

        Returns lines about the books. After an interruption, finished submissions are
        stored and the books are written. Raises InputError if a process cannot start, and
        OSError if the disk is full.
        """
        try:
            self._act_on_all(self.todo, explain_one, jobs, "explained")
            explained = [s for s in self.todo if self.outcomes[s.id] == Outcome()]
            self._act_on_all(explained, grade_one, jobs, "graded")
        finally:
            lines = self._write_books()
        return lines

    def _act_on_all(self, submissions, act, jobs, word):
        """Act on all submissions, show the progress, and store outcomes.

        After a WorkerFailure, the outcome is its reason.
        """
        seconds = (1 + EXPLAINING_SHARE) * self.kit.rubric.limits.total_seconds
        patience = WALL_FACTOR * seconds + SPARE_SECONDS
        make_worker = partial(in_sandbox, act, self.kit, self.out)
        pool = run_in_pool(make_worker, submissions, jobs, patience)
        progress = Progress(len(submissions), word)
        with contextlib.closing(pool) as results, progress:
            for submission, outcome in results:
                if isinstance(outcome, WorkerFailure):
                    reason = f"{outcome.message}; the same command grades it again"
                    outcome = Outcome(Status.GRADER_FAILED, reason)
                if outcome.status != Status.NOT_YET:
                    path = self.out / submission.id / OUTCOME
                    store(path, submission.key(self.kit.grades_key), outcome._asdict())
                self.outcomes[submission.id] = outcome
                progress.count_one()

    def _write_books(self):
        """Write all books and the page of the class; return lines about them."""
        entries = self.matched.entries
        for entry in entries:
            entry.outcome = self.outcomes.get(entry.submission.id, entry.outcome)
        rubric = self.kit.rubric
        lines = write_books(self.out, entries, self.matched.roster, rubric)
        replace_file(self.out / PAGE, class_page(entries, self.kit.rows, rubric.title))
        return lines + find_ineffective(entries)


def choose(
    submissions: Sequence[Submission], entries: Sequence[Entry], only: str
) -> Sequence[Submission]:
    """Return the submissions that ONLY names, or all submissions if it is empty.

    only: names of students or sections, separated by commas, or one name with a comma.
        Raises InputError for others.
    """
    if not only:
        return submissions
    finder = Finder(entries)
    names = [only]
    if not finder.find(only, "ONLY: "):
        names = list(filter(None, map(str.strip, only.split(","))))
    ids = set()
    for name in names:
        found = finder.find(name, "ONLY: ") or finder.by_name["group", fold(name)]
        if not found:
            kinds = "sid, e-mail address, submission, login, name or section"
            hint = finder.suggest(name)
            raise InputError(f"ONLY: {name}: not a {kinds} in this class{hint}")
        students = {entry.student for entry in found}
        for entry in entries:
            if entry in found or students.intersection(entry.candidates):
                ids.add(entry.submission.id)
    return [submission for submission in submissions if submission.id in ids]


# ---- in a process of the pool


@contextlib.contextmanager
def in_sandbox(act: Callable, kit: Kit, out: Path, index: int) -> Iterator[Callable]:
    """Yield a function that acts on a submission, in a process on the core of this index.

    One zygote serves the whole class, because it never runs a student's code and it ends
    every worker.
    """
    pin_to_one_cpu(index)
    with Sandbox(kit.rubric.limits) as sandbox:
        yield partial(act, kit, out, sandbox)


def explain_one(kit: Kit, out: Path, sandbox: Sandbox, submission: Submission) -> Outcome:
    """Store the file, and what is found before the first hidden tree if it is not stored.

    Returns the outcome so far, which is not final. Raises OSError if it cannot be stored.
    """
    folder = out / submission.id
    key = submission.key(kit.grades_key)
    if submission.source is not None:
        replace_file(folder / SEARCH_PY, submission.source)
        if load(folder / PUBLIC_PART, key) is None:
            part = grade_public(kit, submission.source, sandbox)
            store(folder / PUBLIC_PART, key, part)
    return Outcome()


def grade_one(kit: Kit, out: Path, sandbox: Sandbox, submission: Submission) -> Outcome:
    """Grade one submission, write its files into out/<id>/, and return its Outcome.

    results.json is the same as on Gradescope, and the page shows what a student may see.
    Raises OSError if a file cannot be written, and InputError if explain_one() has stored
    nothing, because an explanation must not be found after a hidden tree.
    """
    folder = out / submission.id
    key = submission.key(kit.grades_key)
    if submission.source is None:
        grading = refuse(kit, submission.note)
    else:
        part = load(folder / PUBLIC_PART, key)
        if part is None:
            raise InputError(f"{folder / PUBLIC_PART} is missing or damaged")
        grading = grade_hidden(kit, submission.source, sandbox, part)
        grading = grading._replace(note=submission.note)
    faults = [*grading.faults, *write_results(folder, grading, kit.cached)]
    faults += write_page(folder, grading.student_view, submission.label)
    outcome, more_faults = outcome_of(grading)
    faults += more_faults
    write_faults(folder, faults)
    if faults:  # an internal error costs no points
        fault = f"not explained because of an internal error; see {folder / FAULTS}"
        outcome = outcome._replace(remark=join_lines(outcome.remark, fault))
    (folder / PUBLIC_PART).unlink(missing_ok=True)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
