"""Tell where the hidden trees come from: from this kit, or from `make trees`.

The kit publishes its hidden trees, so they are not secret. `make trees` records the seed of
a fresh set and the rubric that the set was chosen for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from autograder.ground.files import replace_file
from autograder.kit.contents import ROOT, read_file
from autograder.scoring.rubric import Rubric
from autograder.scoring.tasks import EQUALITY
from autograder.workbench.lint import content_of
from gametree import load_trees
from gametree.assignment import ASSIGNED
from gametree.support.tree import Tree

RECORD = Path("trees") / "generated.json"
PUBLISHED = Path("trees") / "published.txt"


def hash_of_tree(tree: Tree) -> str:
    """Return a hash of the tree and its searches, without names and texts."""
    searches = [(s.depth, s.maximizing, s.alpha, s.beta) for s in tree.searches]
    return _hash(repr((content_of(tree), searches)))


def file_name(tree: Tree, text: str) -> str:
    """Return the name of the file of a generated tree; it ends in a hash of the text."""
    return f"{tree.name}-{_hash(text)[:6]}.yaml"


def is_generated(path: Path) -> bool:
    """Tell whether `make trees` wrote a file, and it has not been edited since."""
    text = read_file(path.parent, path.name).decode(errors="replace")
    return path.stem.endswith(f"-{_hash(text)[:6]}")


def published_hashes(root: Path) -> frozenset[str]:
    """Return the hashes of all hidden trees that a version of the kit has published."""
    return frozenset((root / PUBLISHED).read_text(encoding="utf-8").split())


def published_warning(trees: Iterable[Tree], root: Path) -> str:
    """Return a sentence with the number of published hidden trees, "" if there are none."""
    hashes = [hash_of_tree(tree) for tree in trees]
    count = len(published_hashes(root).intersection(hashes))
    if not count:
        return ""
    of_all = f"{count} of {len(hashes)} hidden trees are published with this kit"
    return f"{of_all}: run make trees"


def add_to_published() -> None:
    """Add the hidden trees of this repository to those that a kit has published."""
    trees = load_trees(ROOT / "trees" / "hidden")
    hashes = published_hashes(ROOT).union(map(hash_of_tree, trees))
    lines = [f"{line}\n" for line in sorted(hashes)]
    replace_file(ROOT / PUBLISHED, "".join(lines))


def record_trees(root: Path, seed: int, count: int, rubric: Rubric) -> None:
    """Record that `make trees` generated the hidden trees from a seed for a rubric."""
    record = {
        "command": same_set(seed, count),
        "trees": _hash_of_files(root),
        "rubric": _describe_rubric(rubric),
    }
    replace_file(root / RECORD, json.dumps(record, indent=1) + "\n")


def same_set(seed: int, count: int) -> str:
    """Return the command that generates the same set again."""
    return f"make trees FORCE=1 SEED={seed} COUNT={count}"


def read_record(root: Path) -> dict[str, str]:
    """Return the command, trees and rubric of the record, or {} if the trees changed."""
    try:
        record = json.loads((root / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if record["trees"] == _hash_of_files(root) else {}


def _hash_of_files(root):
    """Return a hash of the files of the hidden trees."""
    texts = []
    for path in sorted((root / "trees" / "hidden").glob("*.yaml")):
        texts.append(f"{path.name} {_hash(path.read_text(encoding='utf-8'))}")
    return _hash("\n".join(texts))


def _hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _describe_rubric(rubric):
    """Return the part of a rubric that affects the choice of trees, as text."""
    shares = {name: list(aspects) for name, aspects in rubric.shares.items()}
    return json.dumps([shares, rubric.cutoff])


def fit_rubric(root: Path, rubric: Rubric) -> bool:
    """Tell whether the hidden trees were chosen for this rubric.

    Without a record, the trees are assumed to be the shipped trees.
    """
    record = read_record(root)
    if not record:
        return is_as_shipped(rubric)
    return record["rubric"] == _describe_rubric(rubric)


def is_as_shipped(rubric: Rubric) -> bool:
    """Tell whether the shipped trees were chosen for a rubric such as this one."""
    return rubric.cutoff == EQUALITY and rubric.assigned == ASSIGNED


if __name__ == "__main__":
    add_to_published()
