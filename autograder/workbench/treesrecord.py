"""Record the seed and the rubric that the hidden trees were generated from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from autograder.files import replace_file
from autograder.judging.concepts import WEIGHTS
from autograder.judging.scores import Rubric
from autograder.tasks import EQUALITY
from gametree.functions import NODE_COUNT

RECORD = Path("build") / "hidden-trees.json"
# The points of each function in the shipped rubric, in cents: the sum of its weights.
SHIPPED_CENTS = {
    function: int(100 * sum(weights.values())) for function, weights in WEIGHTS.items()
}


class TreesRecord(NamedTuple):
    """The origin of the hidden trees.

    trees: a hash of the tree files.
    seed: the seed, or a remark if the trees do not share a seed.
    rubric: the part of the rubric that the trees were chosen for.
    """

    trees: str
    seed: str
    rubric: str


def record_trees(root: Path, seed: str, rubric: Rubric) -> None:
    """Record that `make trees` generated the hidden trees from a seed for a rubric.

    seed: the seed, or a remark if the trees do not share a seed.
    """
    record = TreesRecord(_hash_of_trees(root), seed, _describe_rubric(rubric))
    replace_file(root / RECORD, json.dumps(record._asdict()))


def read_record(root: Path) -> TreesRecord | None:
    """Return the record of the current hidden trees, or None if there is no such record."""
    try:
        record = TreesRecord(**json.loads((root / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return record if record.trees == _hash_of_trees(root) else None


def _hash_of_trees(root):
    """Return a hash of the files of the hidden trees."""
    digest = hashlib.sha256()
    for path in sorted((root / "trees" / "hidden").glob("*.yaml")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _describe_rubric(rubric):
    """Return the part of a rubric that affects the choice of trees, as text."""
    shares = {name: list(aspects) for name, aspects in rubric.shares.items()}
    weights = {name: list(map(str, w.values())) for name, w in rubric.weights.items()}
    return json.dumps([rubric.cents, shares, weights, rubric.cutoff])


def fit_rubric(root: Path, rubric: Rubric) -> bool:
    """Tell whether the hidden trees were chosen for this rubric.

    Without a record, the trees are assumed to be the shipped trees.
    """
    record = read_record(root)
    if record is None:
        return is_as_shipped(rubric)
    return record.rubric == _describe_rubric(rubric)


def is_as_shipped(rubric: Rubric) -> bool:
    """Tell whether the shipped trees were chosen for a rubric such as this one."""
    if rubric.cutoff != EQUALITY or rubric.cents != SHIPPED_CENTS:
        return False
    counted = [name for name, aspects in rubric.shares.items() if NODE_COUNT in aspects]
    return counted == ["minimax", "alphabeta"]
