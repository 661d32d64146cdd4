"""Write the results.json of a grading in one atomic step: one test case per row.

Each row becomes a method of a TestCase, decorated for gradescope-utils. The methods run
after the grading, and they only report. So they cannot raise, hang or print anything else,
and no row can be missing. The file is strict JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from autograder.grading import Grading, Guard
from autograder.ground.files import replace_file
from autograder.kit.contents import describe_kit
from autograder.scoring.rubric import VISIBLE
from autograder.scoring.scores import Row, points

# Modules that write texts are imported late: correct submissions share a cached text.

RESULTS = "results.json"
REPORT = "report.html"
FAULTS = "fault.txt"
DID_NOT_FINISH = (  # in English, because it is written before any file is loaded
    "The autograder did not finish. Upload again. If it happens twice, tell the course "
    "staff."
)
Cached = Callable[[str, Callable[[], Any]], Any]


class Rendered(NamedTuple):
    """A text for people.

    text: the text, in which a sentence replaces each part that had an internal error.
    faults: the tracebacks of these errors.
    """

    text: str
    faults: tuple[str, ...] = ()


def results_text(grading: Grading, cached: Cached | None = None) -> Rendered:
    """Return the results.json of a grading.

    cached: function of a name and make(); it returns make(), or a stored result of it. For
        a flawless submission the text is always the same.
    """

    def render():
        guard = Guard()
        results = results_of(grading, guard)
        return Rendered(as_json(results), tuple(guard.faults))

    if cached and grading.flawless and not grading.faults:
        return cached("flawless", render)
    return render()


def results_of(grading: Grading, guard: Guard | None = None) -> dict:
    """Return the results.json of a grading, as a dictionary.

    guard: collects the internal errors, if the caller wants them.
    """
    from autograder.showing.summary import text_of_screen, texts_of_rows

    guard = guard or Guard()
    texts = texts_of_rows(grading, guard)
    seen = grading.with_faults(guard.faults).student_view
    summary = text_of_screen(seen, guard)
    results = report_rows(zip(grading.rows, texts), summary, grading.score.cents)
    results["extra_data"] = {"kit": describe_kit(grading.kit_key)}
    if grading.rubric.term:
        results["extra_data"]["term"] = grading.rubric.term
    return results


def write_results(folder: Path, grading: Grading, cached: Cached) -> tuple[str, ...]:
    """Write results.json; return the tracebacks of internal errors.

    The arguments are those of results_text(). Raises OSError if the file cannot be written.
    """
    rendered = results_text(grading, cached)
    replace_file(folder / RESULTS, rendered.text)
    return rendered.faults


def write_page(folder: Path, grading: Grading, label: str) -> tuple[str, ...]:
    """Write report.html; return the tracebacks of internal errors, and then no page.

    The grade is valid without the page. Raises OSError if the file cannot be written.

    grading: the grading, with the rows that the reader may see.
    label: a line that identifies the submission.
    """
    from autograder.showing.report import report_html  # not needed on Gradescope

    guard = Guard()
    html = guard.run(report_html, grading, label)
    if html:
        replace_file(folder / REPORT, html)
    return tuple(guard.faults)


def write_faults(folder: Path, faults: Sequence[str]) -> None:
    """Write fault.txt with the tracebacks of internal errors, if there are any."""
    if faults:
        replace_file(folder / FAULTS, "\n".join(faults))


def unfinished_text(rows: Iterable[Row] = ()) -> str:
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


def report_rows(rows_and_texts, summary, total_cents):
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
    results |= {
        "output": summary,
        "output_format": "text",
        "score": points(total_cents),
        "visibility": "visible",
        "stdout_visibility": "hidden",
    }
    return results
