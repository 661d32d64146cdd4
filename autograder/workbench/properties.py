"""Check that a set of hidden trees shows the required features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograder.ground.files import load_data
from autograder.scoring.features import features_of
from autograder.scoring.tasks import Task

REQUIRED = load_data("required.yaml", __file__)


def lacking(tasks: Iterable[Task]) -> Iterator[str]:
    """Yield one line with advice for each required feature that no search shows."""
    shown = set()
    for task in tasks:
        shown |= features_of(task)
    for feature, advice in REQUIRED.items():
        if feature not in shown:
            yield f"no hidden tree shows {feature}: add {advice}"
