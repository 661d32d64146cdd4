"""Write results.json: first that grading did not finish, at the end the results.

The file is replaced in one step, so that Gradescope never reads half of it, and
it is strict JSON under the platform's size, whatever was graded.
"""

from __future__ import annotations

import json

from autograder.running.files import replace_file

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
