"""Grade one submission: `python -m autograder.grade SUBMISSION --out FOLDER`."""

from __future__ import annotations

import argparse
import contextlib
import sys
import traceback
from pathlib import Path

from autograder.graded.cases import graded_case, run_case
from autograder.grading import grade, refuse
from autograder.judging.scores import points, score_text
from autograder.kit import load_kit, stage_as_taught
from autograder.results import write_results, write_unfinished
from autograder.rubric import RubricError
from autograder.running.files import replace_file
from autograder.running.limits import pin_to_one_cpu
from autograder.running.reference import ReferenceFailed
from autograder.running.sandbox import SandboxError
from autograder.running.submission import NotGradable
from autograder.showing.rowtext import row_text
from autograder.showing.summary import feedback_text, standstill, summary_text
from gametree import TreeError

MOST_LISTED = 20  # rows that the terminal shows; results.json has them all
FAULTS_OF_THE_KIT = (TreeError, RubricError, ReferenceFailed, SandboxError)


def results_of(grading):
    """Return the results.json of a grading, as a dictionary."""
    rows = [(row, row_text(row)) for row in grading.rows]
    case = graded_case(rows, grading.ordering)
    return run_case(case, feedback_text(grading), grading.cents)


def grade_path(kit, path):
    """Grade the submission at a path. Raises FileNotFoundError where there is none."""
    try:
        source = stage_as_taught(path, kit.rubric.cutoff, kit.root)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    return grade(kit, source)


def rows_to_come(kit):
    """Return (name, number, points) of every row, for the results of a run cut short."""
    return [(row.name, row.number, points(row.most_cents)) for row in refuse(kit, "").rows]


def grade_into(folder, path):
    """Grade the submission at `path`, write `folder`/results.json, return the Grading."""
    results_path = Path(folder) / "results.json"
    write_unfinished(results_path)
    pin_to_one_cpu()
    kit = load_kit()
    write_unfinished(results_path, rows_to_come(kit))
    grading = grade_path(kit, path)
    write_results(results_path, results_of(grading))
    return grading


def main(arguments=None):
    """Grade as Gradescope does; exit 0 when grading finished, whatever the score."""
    parser = argparse.ArgumentParser(prog="autograder.grade", description=__doc__)
    parser.add_argument("submission", help="a search.py, a folder or a zip that holds it")
    parser.add_argument("--out", default="build/grade", help="folder for results.json")
    parser.add_argument("--brief", action="store_true", help="print the score only")
    options = parser.parse_args(arguments)
    try:
        grading = grade_into(options.out, options.submission)
    except FileNotFoundError as error:
        return fail(f"{error}: no such file or folder; give SUBMISSION=path")
    except Exception as error:
        return fail(why_not(error, options.out))
    if not options.brief:
        write_report_beside(grading, options.out)
    with contextlib.suppress(BrokenPipeError):
        show(grading, options)
        sys.stdout.flush()
    return 0


def write_report_beside(grading, folder):
    """Write report.html; where that fails, say so in a line: the grade stands."""
    try:
        from autograder.showing.report import write_report  # not needed on Gradescope

        write_report(grading, Path(folder) / "report.html")
    except Exception as error:
        print(f"grade: report.html could not be made ({error})", file=sys.stderr)


def why_not(error, folder):
    """Return the line that says why nothing was graded.

    The traceback of a fault that nobody foresaw goes to fault.txt in the folder.
    """
    if isinstance(error, OSError):
        return f"{error.filename or folder}: {error.strerror}"
    if isinstance(error, FAULTS_OF_THE_KIT):
        return f"the kit could not grade: {error}"
    log = Path(folder) / "fault.txt"
    replace_file(log, "".join(traceback.format_exception(error)))
    return f"a fault of the kit ({type(error).__name__}); details in {log}"


def fail(line):
    """Print one line on stderr and return exit status 2."""
    print(f"grade: {line}", file=sys.stderr)
    return 2


def show(grading, options):
    """Print the summary, the rows that lost points, and what was written."""
    if options.brief:
        print(score_text(grading))
        return
    print(summary_text(grading))
    stopped = standstill(grading)
    wrong = [r for r in grading.rows if not r.right and r.function not in stopped]
    for row in wrong[:MOST_LISTED]:
        print(f"  {row.number}  {score_text(row):>9}  {row.name}")
    if len(wrong) > MOST_LISTED:
        print(f"  and {len(wrong) - MOST_LISTED} more rows that lost points")
    missing = grading.layers[1]
    if missing:
        listed = "; ".join(f"{layer} ({reason})" for layer, reason in missing)
        print(f"sandbox without: {listed}")
    print(f"wrote {Path(options.out) / 'results.json'} and, for a browser, report.html")


if __name__ == "__main__":
    sys.exit(main())
