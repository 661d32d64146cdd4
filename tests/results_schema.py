"""results.json as Gradescope documents it, written out, and a check against it.

Source: Gradescope's autograder specifications, "Output format". No library is
needed, so that the rehearsal can use it too. Where we promise more than Gradescope
asks for, OURS says so.
"""

from __future__ import annotations

import json
import math

FORMATS = ("text", "html", "simple_format", "md", "ansi")
VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")
NUMBER, TEXT, BOOLEAN, MAPPING = "number", "text", "boolean", "mapping"

TOP = {
    "score": NUMBER,
    "execution_time": NUMBER,
    "output": TEXT,
    "output_format": FORMATS,
    "test_output_format": FORMATS,
    "test_name_format": FORMATS,
    "visibility": VISIBILITIES,
    "stdout_visibility": VISIBILITIES,
    "extra_data": MAPPING,
    "tests": "list",
    "leaderboard": "list",
}
TEST = {
    "score": NUMBER,
    "max_score": NUMBER,
    "status": ("passed", "failed"),
    "name": TEXT,
    "name_format": FORMATS,
    "number": TEXT,
    "output": TEXT,
    "output_format": FORMATS,
    "tags": "list of text",
    "visibility": VISIBILITIES,
    "extra_data": MAPPING,
}
LEADERBOARD = {"name": TEXT, "value": "number or text", "order": ("asc", "desc")}

OURS = ("score", "max_score", "status", "name", "number", "output")  # in every test
MOST_BYTES = 1_000_000


def problems(data):
    """Return what is wrong with the results, as lines; [] where nothing is."""
    if not isinstance(data, dict):
        return ["the results are not a mapping"]
    lines = _fields("results", data, TOP)
    if "score" not in data and not data.get("tests"):
        lines.append("results: neither score nor tests")
    for index, entry in enumerate(_list(data, "leaderboard")):
        lines += _fields(f"leaderboard[{index}]", entry, LEADERBOARD)
    for index, test in enumerate(_list(data, "tests")):
        lines += _fields(f"tests[{index}]", test, TEST)
    return lines or _promises(data)


def problems_of_text(text):
    """Return what is wrong with a results.json, given as its text."""

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    if len(text.encode()) > MOST_BYTES:
        return [f"more than {MOST_BYTES:,} bytes"]
    try:
        return problems(json.loads(text, parse_constant=refuse))
    except ValueError as error:
        return [f"not strict JSON: {error}"]


def _list(data, key):
    value = data.get(key, [])
    return value if isinstance(value, list) else []


def _fields(where, mapping, allowed):
    if not isinstance(mapping, dict):
        return [f"{where} is not a mapping"]
    lines = [f"{where}: unknown field {key}" for key in mapping if key not in allowed]
    for key, kind in allowed.items():
        if key in mapping and not _fits(mapping[key], kind):
            lines.append(f"{where}: {key} is {mapping[key]!r}, expected {kind}")
    return lines


def _fits(value, kind):
    if isinstance(kind, tuple):
        return value in kind
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {
        NUMBER: number and math.isfinite(value),
        TEXT: isinstance(value, str),
        MAPPING: isinstance(value, dict),
        "list": isinstance(value, list),
        "list of text": isinstance(value, list) and all(isinstance(t, str) for t in value),
        "number or text": number or isinstance(value, str),
    }[kind]


def _promises(data):
    """Return where the results break what this kit promises beyond Gradescope."""
    tests, lines = _list(data, "tests"), []
    for index, test in enumerate(tests):
        absent = [key for key in OURS if key not in test]
        if absent:
            lines.append(f"tests[{index}]: {', '.join(absent)} missing")
        elif not 0 <= test["score"] <= test["max_score"]:
            lines.append(f"tests[{index}]: {test['score']} of {test['max_score']} points")
        if test.get("visibility", "visible") != "visible":
            lines.append(f"tests[{index}]: a row that is not visible hides the total")
    if not lines and abs(sum(t["score"] for t in tests) - data.get("score", 0)) > 0.005:
        lines.append("the rows do not add up to the score")
    return lines
