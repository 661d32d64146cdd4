"""The complete results.json of typical submissions.

They are graded by the kit in golden/kit. It has its own rubric, concepts, trees, reference
and known mistakes, so that changes of the real ones change no result here. A submission is
a folder, or an overlay of that kit's reference in its solution/submissions/.

After an intended change, `python -m pytest tests/test_golden.py --regen-all` updates
the results. Read the difference before you commit it.
"""

import json

import pytest
from helpers import ROOT, check_words, without_counts
from results_schema import problems_of_text, rows_of

from autograder.kit.loading import load_kit
from autograder.scoring.scores import points
from autograder.showing import wording
from autograder.showing.results import as_json, results_of
from autograder.single import grade_path

GOLDEN = ROOT / "tests" / "golden"
KIT = GOLDEN / "kit"
REFERENCE = "reference"
SUBMISSIONS = sorted(path.parent.name for path in GOLDEN.glob("*/results.json"))
SECRETS = ("31337", "31339", "31340", "31336", "secretone", "secrettwo", "secretthree")
ESCAPE = "\\u001b"  # of a terminal, as JSON writes it


@pytest.fixture(scope="module")
def kit(ladder):
    """Return the golden kit."""
    kit = load_kit(KIT)
    assert kit.rows
    kit.ladder = ladder
    return kit


def submission(name):
    """Return the path of the program of a submission."""
    if name == REFERENCE:
        return KIT / "solution" / "search.py"
    overlay = KIT / "solution" / "submissions" / f"{name}.py"
    return overlay if overlay.is_file() else GOLDEN / name


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_the_results_equal_the_golden_file(
    name, kit, sandbox_for, file_regression, monkeypatch
):
    """They contain all rows, but no hidden value or name and no version of Python."""
    monkeypatch.setattr(wording, "PYTHON", "Python 3.x")
    sandbox = sandbox_for(kit.rubric.limits)
    results = results_of(grade_path(kit, submission(name), sandbox))
    del results["extra_data"]  # identifies the kit
    text = as_json(results)
    file_regression.check(without_counts(text), fullpath=GOLDEN / name / "results.json")
    assert rows_of(json.loads(text)) == [
        (row.number, row.name, points(row.max_cents)) for row in kit.rows
    ]
    assert problems_of_text(text) == []
    check_words(text, not_said=[*SECRETS, ESCAPE])
