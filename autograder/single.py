"""Grade one submission, write its files, and print the result: `make grade`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.grading import Grading, grade, refuse
from autograder.ground.command import path, say, status_of
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


def run(arguments: Sequence[str] | None, zygote: Zygote) -> int:
    """Parse the command line, and return the exit status of the command."""
    parser = argparse.ArgumentParser(prog="autograder.grade", description=__doc__)
    parser.add_argument("submission", type=path, help="a search.py, a folder or a zip")
    parser.add_argument("--out", type=path, default="build/grade", help="folder to write")
    parser.add_argument("--brief", action="store_true", help="print the score only")
    parser.add_argument(
        "--preflight", action="store_true", help="check that this scores 100 %%"
    )
    options = parser.parse_args(arguments)
    if options.preflight:
        return status_of("preflight", lambda: preflight(options, zygote))
    return status_of("grade", lambda: grade_and_show(options, zygote), options.out)


def grade_and_show(options: argparse.Namespace, zygote: Zygote) -> int:
    """Grade, print the result or only the score, and return 0."""
    kit, grading = grade_into(options.out, options.submission, cached_kit, zygote)
    if options.brief:
        print(score_text(grading))
        return 0
    page_faults = write_page(options.out, grading, options.submission.name)
    write_faults(options.out, (*grading.faults, *page_faults))
    say(f"graded: {options.submission}")
    note = note_on_trees(kit.root)
    if note:
        say(f"note: {note}")
    show(grading, options.out, has_report=not page_faults)
    return 0


def preflight(options: argparse.Namespace, zygote: Zygote) -> int:
    """Fill the caches and grade a correct submission; return 1 if it lacks full marks.

    Print two lines: the score, and the kit's key.
    """
    kit, grading = grade_into(options.out, options.submission, prepare, zygote)
    rows = len(grading.rows)
    print(f"preflight: the reference scores {score_text(grading)} on {rows} rows")
    print(describe_kit(kit.key))
    return 0 if grading.cents == grading.max_cents else 1


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
    return replace(grading, note=staged.note)


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
