"""Write the results.json of a grading in one atomic step: one test case per row.

Each row becomes a method of a TestCase, decorated for gradescope-utils. The methods run
after the grading, and they only report. So they cannot raise, hang or print anything else,
and no row can be missing. The file is strict JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from autograder.grading import Grading
from autograder.ground.files import replace_file
from autograder.kit import Kit
from autograder.scoring.rubric import VISIBLE
from autograder.scoring.scores import points
from gametree.support.texts import sentence

# Modules that write messages are imported late: correct submissions share a cached text.

RESULTS = "results.json"
REPORT = "report.html"
FAULTS = "fault.txt"
DID_NOT_FINISH = (  # in English, because it is written before any file is loaded
    "The autograder did not finish. Upload again. If it happens twice, tell the course "
    "staff."
)


def results_text(grading: Grading, kit: Kit) -> str:
    """Return the results.json of a grading, as text.

    For a flawless submission the text is always the same, so the kit caches it.
    """
    if not grading.flawless:
        return as_json(results_of(grading))
    return kit.cached("flawless", lambda: as_json(results_of(grading)))


def results_of(grading: Grading) -> dict:
    """Return the results.json of a grading, as a dictionary."""
    from autograder.showing.messages import advice_for
    from autograder.showing.summary import feedback_text
    from autograder.showing.wording import row_text

    def text_of(row):
        return row_text(row, advice_for(row.function, grading.explanation).lead)

    texts = [(row, guarded_text(grading, text_of, row)) for row in grading.rows]
    summary = guarded_text(grading, feedback_text, grading.student_view)
    results = report(texts, summary, grading.cents)
    if grading.term:
        results["extra_data"] = {"term": grading.term}
    return results


def guarded_text(grading: Grading, make: Callable, part: object) -> str:
    """Return make(part), or a message about the internal error if it fails."""
    return grading.faults.guarded(make, part) or sentence("summary.fault")


def write_results(folder: Path, grading: Grading, kit: Kit) -> None:
    """Write results.json, and fault.txt with the tracebacks of internal errors, if any.

    Raises OSError if a file cannot be written.
    """
    replace_file(folder / RESULTS, results_text(grading, kit))
    _write_faults(folder, grading)


def write_page(folder: Path, grading: Grading, label: str) -> bool:
    """Write report.html; return False after an internal error.

    The grade is valid without the page, so the error is only recorded in fault.txt. Raises
    OSError if a file cannot be written.

    grading: the grading, with the rows that the reader may see.
    label: a line that identifies the submission.
    """
    from autograder.showing import report  # not needed on Gradescope

    html = grading.faults.guarded(report.report_html, grading, label)
    if html:
        replace_file(folder / REPORT, html)
    _write_faults(folder, grading)
    return bool(html)


def _write_faults(folder, grading):
    if grading.faults:
        replace_file(folder / FAULTS, "\n".join(grading.faults))


def unfinished_text(rows: Iterable = ()) -> str:
    """Return the results.json that remains if the grader itself is stopped.

    If the kit is loaded, `rows` are all its rows. Each has 0 points.
    """
    tests = []
    for row in rows:
        test = {
            "name": row.name,
            "number": row.number,
            "max_score": points(row.max_cents),
            "score": 0.0,
            "status": "failed",
        }
        if row.visibility != VISIBLE:
            test["visibility"] = row.visibility
        tests.append(test)
    return as_json({"score": 0.0, "output": DID_NOT_FINISH, "tests": tests})


def as_json(results: dict) -> str:
    """Return results as strict JSON. Raises ValueError for NaN or an infinity."""
    return json.dumps(results, indent=1, allow_nan=False, ensure_ascii=True) + "\n"


def _test_method(row, text):
    """Return a test method that prints the text and sets the row's score."""
    from gradescope_utils.autograder_utils.decorators import (
        number,
        partial_credit,
        visibility,
    )

    @number(row.number)
    @partial_credit(points(row.max_cents))
    def method(self, set_score=None):
        print(text)
        set_score(points(row.cents))

    method.__doc__ = row.name
    if row.visibility == VISIBLE:
        return method
    return visibility(row.visibility)(method)


def report(rows_and_texts, summary, total_cents):
    """Report every row through gradescope-utils, in this order, and return the results.

    Gradescope shows the summary first, above the rows. Timings are removed, so that equal
    submissions give equal bytes.
    """
    import io
    import unittest

    from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

    methods = {}
    for place, (row, text) in enumerate(rows_and_texts):
        methods[f"test_{place:03d}"] = _test_method(row, text)
    case = type("Graded", (unittest.TestCase,), methods)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    runner = JSONTestRunner(stream=io.StringIO(), buffer=True)
    runner.run(suite)
    results = runner.json_data
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
    return results
