"""What a hostile submission is to lead to, and what is wrong with what it led to.

The first docstring line of a hostile file says the predicament. Below it stand

    Expect: score 80                   points out of 100, always there
    Expect: says "it raised KeyError"  words that the student reads; "a" or "b": either

A folder holds the same lines in expect.txt, and what is submitted in submission/.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from results_schema import problems_of_text

HOSTILE = Path(__file__).resolve().parent / "hostile"
FULL_MARKS = "Every value, every leaf and every node count is right."
SECRETS = ("canary", "31336", "31337", "31339", "31340", "41551", "41552", "41554",
           "41555", "41556", "41557", "41558")  # fmt: skip
NEVER_SHOWN = ("BREACH", "Traceback (most recent", "zygote.py", "worker.py")
EXPECT = re.compile(r"^Expect: (score|says) (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Expectation:
    """The predicament in a line, the score, and for each "says" its possible words."""

    predicament: str
    score: float
    says: tuple


def names():
    """Return the names of all hostile submissions."""
    files = [path.stem for path in HOSTILE.glob("*.py")]
    folders = [path.parent.name for path in HOSTILE.glob("*/expect.txt")]
    return sorted(files + folders)


def expectation(name):
    """Return the Expectation that a hostile submission declares."""
    folder = HOSTILE / name / "expect.txt"
    text = (folder if folder.exists() else HOSTILE / f"{name}.py").read_text("utf-8")
    predicament = text.lstrip('"\n').split("\n", 1)[0]
    found = EXPECT.findall(text)
    scores = [float(rest) for word, rest in found if word == "score"]
    says = [re.findall(r'"([^"]*)"', rest) for word, rest in found if word == "says"]
    if len(scores) != 1 or not all(says) or not (says or scores == [100.0]):
        raise ValueError(f"{name}: give one `Expect: score` and an `Expect: says`")
    return Expectation(predicament, scores[0], tuple(says or [[FULL_MARKS]]))


def complaints(report, expected, rows):
    """Return what is wrong with a report, as lines; [] where all is as expected.

    `rows` are the (number, name, max_score) that every results.json must list.
    """
    return breaches(report, expected, rows) + wrong_words(report, expected)


def breaches(report, expected, rows):
    """Return in lines what the submission got that it should not have."""
    if report is None:
        return ["the grader itself was ended"]
    if report["fault"]:
        return [f"the grader failed: {report['fault']}"]
    text = report["results"].lower()
    found = problems_of_text(report["results"])
    if found:
        return found
    data = json.loads(report["results"])
    listed = [(t["number"], t["name"], t["max_score"]) for t in data["tests"]]
    if listed != rows:
        found.append("the rows are not those of every submission")
    if data["score"] != expected.score:
        found.append(f"score {data['score']}, expected {expected.score}")
    found += [f"shows {word}" for word in SECRETS if word in text]
    found += [f"shows {word!r}" for word in NEVER_SHOWN if word.lower() in text]
    found += [f"left the process {line}" for line in report["processes"]]
    found += [f"left or changed the file {path}" for path in report["files"]]
    if report["honest"] != 100.0:
        found.append(f"the next honest submission scored {report['honest']}")
    return found


def wrong_words(report, expected):
    """Return the reasons that the student was to read and did not."""
    if report is None or report["fault"]:
        return []
    shown = "\n".join(test["output"] for test in json.loads(report["results"])["tests"])
    return [
        f"does not say {' or '.join(words)!r}"
        for words in expected.says
        if not any(word in shown for word in words)
    ]
