"""The results.json of a grading: one test case a row, written so that it is never half.

The rows become methods of a TestCase, decorated as gradescope-utils wants it. By the
time they run, the submission has been run and judged elsewhere; they report. That is
why no trap of gradescope-utils can bite: nothing in here can raise, hang, print what
it should not, or vanish from the results. The file itself is strict JSON under the
platform's size, replaced in one step.
"""

from __future__ import annotations

import io
import json
import unittest

from gradescope_utils.autograder_utils.decorators import (
    leaderboard,
    number,
    partial_credit,
)
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

from autograder.grading import refuse
from autograder.judging.scores import points
from autograder.showing import rowtext
from autograder.showing.rowtext import row_text
from autograder.showing.summary import feedback_text
from autograder.utilities import replace_file


def make_method(row, text):
    """Return the test method of one row: it prints the text and sets the score."""

    @number(row.number)
    @partial_credit(points(row.most_cents))
    def method(self, set_score=None):
        print(text)
        set_score(points(row.cents))

    method.__doc__ = row.name
    return method


def one_test_a_row(rows_and_texts):
    """Decorate a TestCase: add one test method for each (row, text)."""

    def decorate(case):
        for index, (row, text) in enumerate(rows_and_texts):
            method = make_method(row, text)
            method.__name__ = f"test_{index:03d}_{row.function}_{row.tree.name}"
            setattr(case, method.__name__, method)
        return case

    return decorate


def extra_methods(ordering):
    """Return two test methods: the extra credit's row, and its leaderboard column.

    They are two because gradescope-utils makes no row of a leaderboard test.
    """

    @number(rowtext.EXTRA_NUMBER)
    @partial_credit(points(ordering.most_cents))
    def row(self, set_score=None):
        print(rowtext.extra_text(ordering))
        set_score(points(ordering.cents))

    @leaderboard(rowtext.EXTRA_COLUMN)
    def column(self, set_leaderboard_value=None):
        set_leaderboard_value(rowtext.percent(ordering))

    row.__doc__ = rowtext.EXTRA_NAME
    return row, column


def graded_case(rows_and_texts, ordering=None):
    """Return the TestCase class that holds every row of one grading."""

    @one_test_a_row(rows_and_texts)
    class Graded(unittest.TestCase):
        """The rows of one submission."""

    if ordering is not None:
        Graded.test_extra_row, Graded.test_extra_column = extra_methods(ordering)
    return Graded


def run_case(case, summary, total_cents):
    """Run the case with gradescope-utils and return the results as a dictionary.

    The summary becomes a first row without points. Timings are left out, so that
    equal submissions give equal bytes.
    """
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    stream = io.StringIO()

    def finish(results):
        del results["execution_time"]
        if not results["leaderboard"]:
            del results["leaderboard"]
        for test in results["tests"]:
            test["output"] = test.get("output", "").rstrip("\n")
            test["output_format"] = "text"
        head = {"name": "Summary", "number": "0", "score": 0.0, "max_score": 0.0}
        head |= {"status": "passed", "output": summary, "output_format": "text"}
        results["tests"].insert(0, head)
        results["score"] = points(total_cents)
        results["visibility"] = "visible"
        results["stdout_visibility"] = "hidden"

    JSONTestRunner(stream=stream, buffer=True, post_processor=finish).run(suite)
    return json.loads(stream.getvalue())


MOST_BYTES = 1_000_000
DID_NOT_FINISH = (
    "The autograder did not finish. This is not about your code alone: upload again, "
    "and if it happens twice, tell the course staff."
)


def write_unfinished(path, rows=()):
    """Write the results that stand if the grader itself is stopped.

    `rows` are (name, number, points) of the rows to come, each listed with 0.
    """
    nothing = {"score": 0.0, "status": "failed"}
    tests = [
        {"name": name, "number": number, "max_score": most, **nothing}
        for name, number, most in rows
    ]
    write_results(path, {"score": 0.0, "output": DID_NOT_FINISH, "tests": tests})


def write_results(path, results):
    """Write the results as strict JSON, atomically.

    Raises ValueError where they hold NaN or an infinity, OSError where the folder
    cannot be written. Long outputs are shortened until the file fits.
    """
    text = _encode(results)
    most = 4000
    while len(text) > MOST_BYTES and most > 50:
        for test in results["tests"]:
            if len(test.get("output", "")) > most:
                test["output"] = test["output"][:most] + "\n[shortened]"
        text = _encode(results)
        most //= 2
    replace_file(path, text)


def _encode(results):
    return json.dumps(results, indent=1, allow_nan=False, ensure_ascii=True) + "\n"


def results_of(grading):
    """Return the results.json of a grading, as a dictionary."""
    rows = [(row, row_text(row)) for row in grading.rows]
    case = graded_case(rows, grading.ordering)
    return run_case(case, feedback_text(grading), grading.cents)


def rows_to_come(kit):
    """Return (name, number, points) of every row, for the results of a run cut short."""
    return [(row.name, row.number, points(row.most_cents)) for row in refuse(kit, "").rows]
