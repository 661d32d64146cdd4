"""The results.json of a grading: one test case a row, written so that it is never half.

The rows become methods of a TestCase, decorated as gradescope-utils wants it. By the
time they run, the submission has been run and judged elsewhere; they report. That is
why no trap of gradescope-utils can bite: nothing in here can raise, hang, print what
it should not, or vanish from the results. The file itself is strict JSON under the
platform's size, replaced in one step.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from autograder.files import replace_file
from autograder.grading import Grading
from autograder.judging.scores import VISIBLE, Row, points
from autograder.kit import Kit
from gametree.support.saying import say

# Modules that word a result are imported late: right submissions all get one cached text.

RESULTS = "results.json"
REPORT = "report.html"
FAULTS = "fault.txt"
MAX_BYTES = 1_000_000
DID_NOT_FINISH = (  # in English, as it is written before anything is read
    "The autograder did not finish. This is not about your code alone: upload again, "
    "and if it happens twice, tell the course staff."
)


def results_text(grading: Grading, kit: Kit) -> str:
    """Return the results.json of a grading, as text.

    Where nothing is wrong it is the same for every submission, and cached with the kit.
    """
    if not grading.flawless:
        return in_bounds(results_of(grading))
    return kit.cached("flawless", lambda: in_bounds(results_of(grading)))


def results_of(grading: Grading) -> dict:
    """Return the results.json of a grading, as a dictionary."""
    from autograder.showing.advice import advice_for
    from autograder.showing.rowtext import row_text
    from autograder.showing.summary import feedback_text

    def text_of(row):
        return row_text(row, advice_for(row.function, grading.diagnoses))

    rows_and_texts = []
    if grading.by_hand:
        rows_and_texts += [(row, row.text) for row in grading.by_hand.rows]
    for row in grading.rows:
        rows_and_texts.append((row, guarded_text(grading, text_of, row)))
    summary = guarded_text(grading, feedback_text, grading.student_view)
    results = report(rows_and_texts, summary, grading.cents)
    row_of_number = {row.number: row for row in grading.rows}
    for test in results["tests"]:
        row = row_of_number.get(test["number"])
        if row:
            test["extra_data"] = row_data(row)
            test |= _visibility(row)
    return results


def guarded_text(grading: Grading, make: Callable, part: object) -> str:
    """Return the text that make() makes of a part; if it fails, say so and keep why."""
    try:
        return make(part)
    except Exception:
        grading.faults.append(traceback.format_exc())
        return say("summary.fault")


class Page(NamedTuple):
    """What report.html shows.

    grading: the grading, with the rows that the reader may see.
    label: whose submission it is, in a line.
    source: search.py, which is shown beside the rows; None leaves it out.
    """

    grading: Grading
    label: str
    source: bytes | None = None


def write_files(
    folder: Path, grading: Grading, kit: Kit, page: Page | None = None
) -> Exception | None:
    """Write the files of a graded submission: results.json, report.html and fault.txt.

    page: what report.html shows; None for no report.html.
    Returns the exception that kept report.html from being written, None if none did: the
    grade stands without it. fault.txt has the tracebacks of this and of all else that could
    not be explained. Raises OSError where another file cannot be written.
    """
    replace_file(folder / RESULTS, results_text(grading, kit))
    error = None
    if page is not None:
        error = _write_report(folder, page)
    if grading.faults:
        replace_file(folder / FAULTS, "\n".join(grading.faults))
    return error


def _write_report(folder, page):
    """Write report.html; return the exception if that fails, whose traceback is kept."""
    try:
        from autograder.showing.report import write_report  # not needed on Gradescope

        write_report(page.grading, folder / REPORT, page.label, page.source)
    except Exception as error:
        page.grading.faults.append(traceback.format_exc())
        return error
    return None


def _visibility(row):
    """Return the key by which Gradescope hides a row; none where it is always shown."""
    visibility = getattr(row, "visibility", VISIBLE)  # rows by hand always are
    return {} if visibility == VISIBLE else {"visibility": visibility}


def row_data(row: Row) -> dict:
    """Return the outcome on every tree of a row, for people who read results.json.

    A tree is told by its lesson, and of how many searches an aspect held: nothing that
    the submission says, and nothing of a tree that its line does not.
    """
    trees = []
    for result in row.trees:
        tree = {"lesson": result.tree.lesson}
        for aspect, (held, searches) in result.aspects.items():
            tree[aspect] = f"{held}/{searches}"
        trees.append(tree)
    return {"trees": trees}


def write_unfinished(path: Path, kit: Kit | None = None) -> None:
    """Write the results that stand if the grader itself is stopped.

    With the kit they list each row to come, with 0 points.
    """
    replace_file(
        path, unfinished_text(kit) if kit else in_bounds(_of_nothing(DID_NOT_FINISH))
    )


def unfinished_text(kit: Kit) -> str:
    """Return the results.json of a grading that did not finish; it is cached."""
    return kit.cached("unfinished", lambda: in_bounds(unfinished(kit)))


def unfinished(kit: Kit) -> dict:
    """Return the results of a grading that did not finish."""
    from autograder.showing.rowtext import row_name

    tests = []
    for row in kit.rows_of_all:
        test = {
            "name": row_name(row),
            "number": row.number,
            "max_score": points(row.max_cents),
            "score": 0.0,
            "status": "failed",
        }
        tests.append(test | _visibility(row))
    return _of_nothing(say("results.not finished"), tests)


def _of_nothing(output, tests=()):
    return {"score": 0.0, "output": output, "tests": [*tests]}


def in_bounds(results: dict) -> str:
    """Return results as strict JSON. Long outputs are shortened until the text fits.

    Raises ValueError where they hold NaN or an infinity.
    """
    text = _encode(results)
    max_output = 4000  # characters
    while len(text) > MAX_BYTES and max_output > 50:
        for test in results["tests"]:
            output = test.get("output", "")
            if len(output) > max_output:
                test["output"] = output[:max_output] + "\n[shortened]"
        text = _encode(results)
        max_output //= 2
    return text


def _encode(results):
    return json.dumps(results, indent=1, allow_nan=False, ensure_ascii=True) + "\n"


def _test_method(row, text):
    """Return a test method that prints the text and sets the row's score."""
    from gradescope_utils.autograder_utils.decorators import number, partial_credit

    from autograder.showing.rowtext import row_name

    @number(row.number)
    @partial_credit(points(row.max_cents))
    def method(self, set_score=None):
        print(text)
        set_score(points(row.cents))

    method.__doc__ = row_name(row)
    return method


def report(rows_and_texts, summary, total_cents):
    """Report every row by gradescope-utils, in this order; return the results.

    The summary stands above the rows, where Gradescope shows it first. Timings are left
    out, so that equal submissions give equal bytes.
    """
    import io
    import unittest

    from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

    def finish(results):
        del results["execution_time"]
        del results["leaderboard"]
        for test in results["tests"]:
            test["output"] = test.get("output", "").rstrip("\n")
            test["output_format"] = "text"
        results["output"] = summary
        results["output_format"] = "text"
        results["score"] = points(total_cents)
        results["visibility"] = "visible"
        results["stdout_visibility"] = "hidden"

    methods = {}
    for place, (row, text) in enumerate(rows_and_texts):
        methods[f"test_{place:03d}"] = _test_method(row, text)
    case = type("Graded", (unittest.TestCase,), methods)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    stream = io.StringIO()
    JSONTestRunner(stream=stream, buffer=True, post_processor=finish).run(suite)
    return json.loads(stream.getvalue())
