"""Grade one submission: `python -m autograder.grade SUBMISSION --out FOLDER`."""

from __future__ import annotations

import os

from autograder.ground.launch import start_zygote

# The other modules are imported where they are used, while the zygote starts.


def grade_into(folder, path, with_report, zygote):
    """Grade a submission and write its files; return the Grading, and if it has a page.

    folder: the folder for results.json.
    path: the path of the submission: a file, a folder or a zip.
    with_report: whether report.html is written too.
    zygote: a zygote that has been started, or None.
    """
    from pathlib import Path

    from autograder.ground.files import replace_file
    from autograder.kit import cached_kit
    from autograder.sandbox import Sandbox
    from autograder.showing.results import (
        RESULTS,
        unfinished_text,
        write_page,
        write_results,
    )

    folder = Path(folder)
    path = Path(path)
    replace_file(folder / RESULTS, unfinished_text())
    kit = cached_kit()
    replace_file(folder / RESULTS, unfinished_text(kit.rows))
    with Sandbox(kit.rubric.limits, zygote) as sandbox:
        grading = grade_path(kit, path, sandbox)
        write_results(folder, grading, kit)
        return grading, with_report and write_page(folder, grading, path.name)


def grade_path(kit, path, sandbox=None):
    """Return the Grading of the submission at a path, or of a file of solution/.

    sandbox: an open sandbox; None opens a new sandbox.

    Raises FileNotFoundError if the path does not exist.
    """
    from dataclasses import replace

    from autograder.grading import grade, refuse
    from autograder.ground.submission import NotGradable
    from autograder.kit import stage_program

    try:
        staged = stage_program(path, kit.rubric.cutoff, kit.root)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    grading = grade(kit, staged.source, sandbox)
    return replace(grading, note=staged.note)


def main(arguments=None):
    """Grade as Gradescope does; exit 0 when grading finished, whatever the score."""
    zygote = start_zygote()
    import argparse

    parser = argparse.ArgumentParser(prog="autograder.grade", description=__doc__)
    path = os.path.expanduser
    parser.add_argument("submission", type=path, help="a search.py, a folder or a zip")
    parser.add_argument("--out", type=path, default="build/grade", help="folder to write")
    parser.add_argument("--brief", action="store_true", help="print the score only")
    parser.add_argument(
        "--preflight", action="store_true", help="check that this scores 100 %%"
    )
    options = parser.parse_args(arguments)
    from autograder.ground.command import status_of

    if options.preflight:
        return status_of("preflight", lambda: preflight(options, zygote))
    return status_of("grade", lambda: grade_and_show(options, zygote), options.out)


def grade_and_show(options, zygote):
    """Grade, print the result or only the score, and return 0."""
    from autograder.ground.command import say
    from autograder.scoring.scores import score_text

    submission = options.submission
    grading, has_report = grade_into(options.out, submission, not options.brief, zygote)
    if options.brief:
        print(score_text(grading))
        return 0
    say(f"graded: {submission}")
    show(grading, options.out, has_report)
    return 0


def preflight(options, zygote):
    """Fill the caches and grade a correct submission; return 1 if it lacks full marks.

    Print two lines: the score, and the kit's key.
    """
    from autograder.kit import prepare
    from autograder.scoring.scores import score_text

    kit = prepare()
    grading, _ = grade_into(options.out, options.submission, False, zygote)
    rows = len(grading.rows)
    print(f"preflight: the reference scores {score_text(grading)} on {rows} rows")
    print(f"kit: {kit.key[:16]}")
    return 0 if grading.cents == grading.max_cents else 1


def show(grading, folder, has_report):
    """Print the summary, each row that lost points, and the names of the written files."""
    from autograder.ground.command import say
    from autograder.showing.results import guarded_text
    from autograder.showing.summary import feedback_text
    from autograder.showing.wording import row_line

    for line in guarded_text(grading, feedback_text, grading).splitlines():
        say(line)
    if not grading.refusal and grading.load_failure is None:
        for row in grading.rows:
            if not row.is_right:
                say(row_line(row))
    if grading.missing_layers:
        missing = [f"{layer} ({why})" for layer, why in grading.missing_layers.items()]
        say(f"sandbox without: {'; '.join(missing)}")
    other = "report.html, for a browser"
    if not has_report:
        other = "fault.txt, which says why there is no report.html"
    say(f"wrote {os.path.join(folder, 'results.json')} and {other}")


if __name__ == "__main__":
    status = main()
    from autograder.ground.command import leave

    leave(status)
