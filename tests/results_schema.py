"""results.json as Gradescope documents it, and a check against it.

Source: Gradescope's autograder specifications, "Output format". Where we promise more
than Gradescope asks for, OURS and `_promises` say so.
"""

from __future__ import annotations

import json
import math

from jsonschema import Draft7Validator

NUMBER = {"type": "number", "exclusiveMinimum": -math.inf, "exclusiveMaximum": math.inf}
TEXT, MAPPING = {"type": "string"}, {"type": "object"}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}


def _mapping(fields):
    return {"type": "object", "additionalProperties": False, "properties": fields}


def _list(items):
    return {"type": "array", "items": items}


TEST = _mapping({
    **dict.fromkeys(("score", "max_score"), NUMBER),
    **dict.fromkeys(("name", "number", "output"), TEXT),
    **dict.fromkeys(("name_format", "output_format"), FORMAT),
    **{"visibility": VISIBILITY, "extra_data": MAPPING, "tags": _list(TEXT)},
    "status": {"enum": ["passed", "failed"]},
})  # fmt: skip
ORDER = {"enum": ["asc", "desc"]}
LEADER = {"name": TEXT, "value": {"anyOf": [NUMBER, TEXT]}, "order": ORDER}
TOP = _mapping({
    **dict.fromkeys(("score", "execution_time"), NUMBER),
    **dict.fromkeys(("output_format", "test_output_format", "test_name_format"), FORMAT),
    **dict.fromkeys(("visibility", "stdout_visibility"), VISIBILITY),
    **{"output": TEXT, "extra_data": MAPPING},
    **{"tests": _list(TEST), "leaderboard": _list(_mapping(LEADER))},
})  # fmt: skip
TOP["anyOf"] = [{"required": ["score"]}, {"properties": {"tests": {"minItems": 1}}}]
TOP["anyOf"][1]["required"] = ["tests"]

OURS = ("score", "max_score", "status", "name", "number", "output")  # in every test
MAX_BYTES = 1_000_000


def problems(data):
    """Return what is wrong with the results, as lines; [] where nothing is."""
    errors = Draft7Validator(TOP).iter_errors(data)
    return [f"{error.json_path}: {error.message}" for error in errors] or _promises(data)


def problems_of_text(text):
    """Return what is wrong with a results.json, given as its text."""

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    if len(text.encode()) > MAX_BYTES:
        return [f"more than {MAX_BYTES:,} bytes"]
    try:
        return problems(json.loads(text, parse_constant=refuse))
    except ValueError as error:
        return [f"not strict JSON: {error}"]


def _promises(data):
    """Return where the results break what this kit promises beyond Gradescope."""
    tests, lines = data.get("tests", []), []
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
