"""Record how the hidden trees were made: from which seed, and for which rubric."""

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
# Points of each function as the kit is shipped, in cents: there they are its weights.
SHIPPED_CENTS = {
    function: int(100 * sum(weights.values())) for function, weights in WEIGHTS.items()
}


class TreesRecord(NamedTuple):
    """How the hidden trees were made.

    trees: a hash of their files.
    seed: the seed, or words where there is not one seed of all trees.
    rubric: what of the rubric they were chosen for.
    """

    trees: str
    seed: str
    rubric: str


def record_trees(root: Path, seed: str, rubric: Rubric) -> None:
    """Record that `make trees` made the hidden trees from a seed, for a rubric.

    seed: the seed, or words where there is not one seed of all trees.
    """
    record = TreesRecord(hash_of_trees(root), seed, describe_rubric(rubric))
    replace_file(root / RECORD, json.dumps(record._asdict()))


def read_record(root: Path) -> TreesRecord | None:
    """Return the record of the hidden trees; None if there is none of these trees."""
    try:
        record = TreesRecord(**json.loads((root / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return record if record.trees == hash_of_trees(root) else None


def hash_of_trees(root: Path) -> str:
    """Return a hash of the files of the hidden trees."""
    digest = hashlib.sha256()
    for path in sorted((root / "trees" / "hidden").glob("*.yaml")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def describe_rubric(rubric: Rubric) -> str:
    """Return the part of a rubric that trees are chosen for, as text."""
    shares = {name: list(aspects) for name, aspects in rubric.shares.items()}
    weights = {name: list(map(str, w.values())) for name, w in rubric.weights.items()}
    return json.dumps([rubric.cents, shares, weights, rubric.cutoff])


def fit_rubric(root: Path, rubric: Rubric) -> bool:
    """Tell whether the hidden trees were chosen for this rubric, as far as is known."""
    record = read_record(root)
    if record is None:
        return is_as_shipped(rubric)
    return record.rubric == describe_rubric(rubric)


def is_as_shipped(rubric: Rubric) -> bool:
    """Tell whether the rubric asks for what the shipped trees are chosen for."""
    if rubric.cutoff != EQUALITY or rubric.cents != SHIPPED_CENTS:
        return False
    counted = [name for name, aspects in rubric.shares.items() if NODE_COUNT in aspects]
    return counted == ["minimax", "alphabeta"]
