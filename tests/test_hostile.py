"""Submissions that attack, break or surprise the grader, each with its exact outcome.

All are graded in Gradescope's layout by a grader of its own process, as the user who runs
the tests. Where that is root, an ordinary user (with umask 077) grades the attacks as well:
other layers hold there. After each one, an honest submission is graded in the same
sandbox. See tests/hostile/README.md.
"""

import json
import os

import pytest
from hostile_ground import (
    UIDS,
    Expectation,
    attacks,
    breaches,
    complaints,
    expectation,
    graded,
    names,
    python_of,
    rows_of,
    wrong_words,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.mark.parametrize("user", UIDS)
def test_each_gets_what_it_should_and_leaves_nothing(user):
    if python_of(UIDS[user]) is None:
        pytest.skip("no Python of this machine can be run by an ordinary user")
    reports, _ = graded(user)
    rows = rows_of(reports)
    wrong = {n: complaints(r, expectation(n), rows) for n, r in reports.items()}
    assert {name: lines for name, lines in wrong.items() if lines} == {}
    functions = [name.split(":")[0] for _, name, _ in rows]
    assert list(dict.fromkeys(functions)) == ["minimax", "alphabeta", "best_move"]
    assert len(rows) > 10 and sum(most for _, _, most in rows) == 100


def test_each_is_one_predicament_named_in_its_first_line():
    predicaments = [expectation(name).predicament for name in names()]
    assert len(predicaments) >= 60 and len(attacks()) >= 50
    assert len(set(predicaments)) == len(predicaments)
    assert all(line.endswith(".") and len(line) < 90 for line in predicaments)


RIGHT = Expectation("x", 5.0, (["because"],))
RESULTS = {
    "score": 5.0,
    "output": "",
    "tests": [
        {"name": "a", "number": "1", "score": 5.0, "max_score": 5.0, "status": "passed",
         "output": "because"}
    ],
}  # fmt: skip
ROWS = [("1", "a", 5.0)]


def report(text=None, **changes):
    whole = {"results": text or json.dumps(RESULTS), "fault": "", "honest": 100.0}
    return {**whole, "processes": [], "files": [], **changes}


def test_whatever_is_wrong_with_a_report_brings_a_complaint():
    assert complaints(report(), RIGHT, ROWS) == []
    wrong = [
        None,
        report(fault="Traceback"),
        report(processes=["77 zygote.py"]),
        report(files=["/tmp/hostile-file"]),
        report(honest=40.0),
        report(json.dumps({**RESULTS, "score": 4.0})),
        report(json.dumps({**RESULTS, "output": "31337.25"})),
        report(json.dumps({**RESULTS, "output": "A Canary title"})),
        report(json.dumps({**RESULTS, "output": "BREACH"})),
        report(json.dumps({**RESULTS, "tests": []})),
        report(json.dumps({**RESULTS, "colour": "red"})),
        report("{"),
    ]
    assert all(breaches(broken, RIGHT, ROWS) for broken in wrong)
    assert wrong_words(report(json.dumps(RESULTS).replace("because", "why")), RIGHT)
