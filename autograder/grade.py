"""Grade one submission: `python -m autograder.grade SUBMISSION --out FOLDER`."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from autograder.command import status_of
from autograder.grading import grade_path
from autograder.judging.scores import score_text
from autograder.kit import load_kit
from autograder.results import results_of, write_results, write_unfinished
from autograder.showing.summary import functions_that_never_returned, summary_text
from autograder.utilities import pin_to_one_cpu

MOST_LISTED = 20  # rows that the terminal shows; results.json has them all


def grade_into(folder, path):
    """Grade the submission at `path`, write `folder`/results.json, return the Grading."""
    results_path = Path(folder) / "results.json"
    write_unfinished(results_path)
    pin_to_one_cpu()
    kit = load_kit()
    write_unfinished(results_path, kit.rows)
    grading = grade_path(kit, path)
    write_results(results_path, results_of(grading))
    return grading


def main(arguments=None):
    """Grade as Gradescope does; exit 0 when grading finished, whatever the score."""
    parser = argparse.ArgumentParser(prog="autograder.grade", description=__doc__)
    parser.add_argument("submission", help="a search.py, a folder or a zip that holds it")
    parser.add_argument("--out", default="build/grade", help="folder for results.json")
    parser.add_argument("--brief", action="store_true", help="print the score only")
    parser.add_argument(
        "--preflight", action="store_true", help="see that this scores 100 %%"
    )
    options = parser.parse_args(arguments)
    if options.preflight:
        return status_of("preflight", lambda: preflight(options.submission))
    return status_of("grade", lambda: grade_and_show(options), options.out)


def grade_and_show(options):
    """Grade as the options say and print what came of it; return 0."""
    grading = grade_into(options.out, options.submission)
    with contextlib.suppress(BrokenPipeError):
        if options.brief:
            print(score_text(grading))
        else:
            write_report_beside(grading, options.out)
            show(grading, options.out)
        sys.stdout.flush()
    return 0


def preflight(path):
    """Grade a right submission; return 1 with one line where it does not score 100 %."""
    grading = grade_path(load_kit(), path)
    rows = len(grading.rows)
    print(f"preflight: the reference scores {score_text(grading)} on {rows} rows")
    return 0 if grading.cents == grading.most_cents else 1


def write_report_beside(grading, folder):
    """Write report.html; where that fails, say so in a line: the grade stands."""
    try:
        from autograder.showing.report import write_report  # not needed on Gradescope

        write_report(grading, Path(folder) / "report.html")
    except Exception as error:
        print(f"grade: report.html could not be made ({error})", file=sys.stderr)


def show(grading, folder):
    """Print the summary, the rows that lost points, and what was written."""
    print(summary_text(grading))
    stopped = functions_that_never_returned(grading)
    wrong = [r for r in grading.rows if not r.right and r.function not in stopped]
    for row in wrong[:MOST_LISTED]:
        print(f"  {row.number}  {score_text(row):>9}  {row.name}")
    if len(wrong) > MOST_LISTED:
        print(f"  and {len(wrong) - MOST_LISTED} more rows that lost points")
    missing = "; ".join(f"{layer} ({reason})" for layer, reason in grading.layers[1])
    if missing:
        print(f"sandbox without: {missing}")
    print(f"wrote {Path(folder) / 'results.json'} and, for a browser, report.html")


if __name__ == "__main__":
    sys.exit(main())
