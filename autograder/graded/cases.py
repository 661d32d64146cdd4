"""One unittest method for each row, decorated as gradescope-utils wants it.

By the time these methods run, the submission has been run and judged elsewhere;
they report. That is why no trap of gradescope-utils can bite: nothing in here can
raise, hang, print what it should not, or vanish from the results.
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

from autograder.judging.scores import points
from autograder.showing import extracredit


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
        for turn, (row, text) in enumerate(rows_and_texts):
            method = make_method(row, text)
            method.__name__ = f"test_{turn:03d}_{row.function}_{row.tree.name}"
            setattr(case, method.__name__, method)
        return case

    return decorate


def extra_methods(ordering):
    """Return two test methods: the extra credit's row, and its leaderboard column.

    They are two because gradescope-utils makes no row of a leaderboard test.
    """

    @number(extracredit.NUMBER)
    @partial_credit(points(ordering.most_cents))
    def row(self, set_score=None):
        print(extracredit.extra_text(ordering))
        set_score(points(ordering.cents))

    @leaderboard(extracredit.COLUMN)
    def column(self, set_leaderboard_value=None):
        set_leaderboard_value(extracredit.percent(ordering))

    row.__doc__ = extracredit.NAME
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
