"""Grade one submission, write its files, and print the result: `make grade`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from getopt import GetoptError, gnu_getopt  # argparse takes a twentieth of a grading
from pathlib import Path

from autograder.grading import Grading, grade, refuse
from autograder.ground.command import CANNOT, path, say, status_of
from autograder.ground.files import replace_file
from autograder.ground.launch import Zygote
from autograder.ground.submission import NotGradable, Staged, stage
from autograder.kit import Kit, cached_kit, prepare
from autograder.kit.contents import describe_kit, note_on_trees
from autograder.sandbox import Sandbox
from autograder.scoring.scores import score_text
from autograder.showing.results import (
    RESULTS,
    unfinished_text,
    write_faults,
    write_page,
    write_results,
)

OPTIONS = ["out=", "brief", "preflight"]
USAGE = "usage: autograder.grade SUBMISSION [--out FOLDER] [--brief | --preflight]"


def run(arguments: Sequence[str], zygote: Zygote) -> int:
    """Parse the command line, and return the exit status of the command.

    The submission is a search.py, a folder or a zip. --brief prints the score only.
    --preflight checks that the submission scores 100 %.
    """
    try:
        options, (name,) = gnu_getopt(list(arguments), "", OPTIONS)
    except (GetoptError, ValueError):  # not one submission
        print(USAGE, file=sys.stderr)
        return CANNOT
    given = dict(options)
    submission = path(name)
    out = path(given.get("--out", "build/grade"))
    if "--preflight" in given:
        return status_of("preflight", lambda: preflight(submission, out, zygote))
    brief = "--brief" in given
    return status_of("grade", lambda: grade_and_show(submission, out, brief, zygote), out)


def grade_and_show(submission: Path, out: Path, brief: bool, zygote: Zygote) -> int:
    """Grade, print the result or only the score, and return 0."""
    kit, grading = grade_into(out, submission, cached_kit, zygote)
    if brief:
        print(score_text(grading.score))
        return 0
    page_faults = write_page(out, grading, submission.name)
    write_faults(out, (*grading.faults, *page_faults))
    say(f"graded: {submission}")
    note = note_on_trees(kit.root)
    if note:
        say(f"note: {note}")
    show(grading, out, has_report=not page_faults)
    return 0


def preflight(submission: Path, out: Path, zygote: Zygote) -> int:
    """Fill the caches and grade a correct submission; return 1 if it lacks full marks.

    Print two lines: the score, and the kit's key.
    """
    kit, grading = grade_into(out, submission, prepare, zygote)
    rows = len(grading.rows)
    print(f"preflight: the reference scores {score_text(grading.score)} on {rows} rows")
    print(describe_kit(kit.key))
    return 0 if grading.score.is_right else 1


def grade_into(
    folder: Path, path: Path, load: Callable[[], Kit], zygote: Zygote | None
) -> tuple[Kit, Grading]:
    """Grade a submission and write results.json; return the kit and the Grading.

    The Grading has the faults of writing the file too.

    folder: the folder for results.json.
    path: the path of the submission: a file, a folder or a zip.
    load: loads the kit.
    zygote: a zygote that has been started, or None.
    """
    replace_file(folder / RESULTS, unfinished_text())
    kit = load()
    replace_file(folder / RESULTS, unfinished_text(kit.rows))
    with Sandbox(kit.rubric.limits, zygote) as sandbox:
        grading = grade_path(kit, path, sandbox)
    faults = write_results(folder, grading, kit.cached)
    grading = grading.with_faults(faults)
    write_faults(folder, grading.faults)
    return kit, grading


def grade_path(kit: Kit, path: Path, sandbox: Sandbox | None = None) -> Grading:
    """Return the Grading of the submission at a path, or of a file of solution/.

    sandbox: an open sandbox; None opens a new sandbox.

    Raises FileNotFoundError if the path does not exist.
    """
    try:
        staged = stage_path(kit, path)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    grading = grade(kit, staged.source, sandbox)
    return grading._replace(note=staged.note)


def stage_path(kit: Kit, path: Path) -> Staged:
    """Return the submission at a path, or a completed file of solution/.

    Raises NotGradable.
    """
    if not path.resolve().is_relative_to(kit.root / "solution"):
        return stage(path)
    from autograder.kit.loading import stage_program

    return stage_program(path, kit.rubric.cutoff, kit.root)


def show(grading: Grading, folder: Path, has_report: bool) -> None:
    """Print the summary, each row that lost points, and the names of the written files."""
    from autograder.showing.summary import terminal_lines

    for line in terminal_lines(grading):
        say(line)
    if grading.missing_layers:
        missing = [f"{layer} ({why})" for layer, why in grading.missing_layers.items()]
        say(f"sandbox without: {'; '.join(missing)}")
    other = "report.html, for a browser"
    if not has_report:
        other = "fault.txt, which says why there is no report.html"
    say(f"wrote {os.path.join(folder, 'results.json')} and {other}")
