"""Check a results.json against Gradescope's documentation.

Source: Gradescope's autograder specifications, "Output format". `_promises`, the required
fields of a test and its visibility are additional promises of this kit.
"""

from __future__ import annotations

import json
from pathlib import Path

import yaml
from jsonschema import Draft7Validator

SCHEMA = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text())
MAX_BYTES = 1_000_000


def rows_of(results):
    """Return the (number, name, max_score) of every row."""
    return [(row["number"], row["name"], row["max_score"]) for row in results["tests"]]


def problems(data):
    """Return one line for each error in the results."""
    errors = Draft7Validator(SCHEMA["results"]).iter_errors(data)
    lines = [f"{error.json_path}: {error.message}" for error in errors]
    return lines or _promises(data)


def problems_of_text(text):
    """Return one line for each error in the text of a results.json."""

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    if len(text.encode()) > MAX_BYTES:
        return [f"more than {MAX_BYTES:,} bytes"]
    try:
        return problems(json.loads(text, parse_constant=refuse))
    except ValueError as error:
        return [f"not strict JSON: {error}"]


def _promises(data):
    """Return one line for each sum or share of points that breaks a promise of this kit."""
    lines = []
    total = 0
    for test in data.get("tests", []):
        total += test["score"]
        if test["score"] > test["max_score"]:
            lines.append(f"{test['name']}: {test['score']} of {test['max_score']} points")
    if not lines and abs(total - data.get("score", 0)) > 0.005:
        lines.append("the rows do not add up to the score")
    return lines
