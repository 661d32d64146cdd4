"""Tell which hidden trees are published, and which `make trees` generated."""

from __future__ import annotations

import hashlib
from pathlib import Path

from autograder.kit.contents import EXAMPLE, OWN, note_on_trees, read_file
from autograder.workbench.lint import content_of
from gametree import load_trees
from gametree.support.tree import Tree


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


def _hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def published_hashes(root: Path) -> frozenset[str]:
    """Return the hashes of the hidden trees that the kit publishes."""
    folder = root / EXAMPLE
    if not folder.is_dir():
        return frozenset()
    return frozenset(map(hash_of_tree, load_trees(folder)))


def published_warning(root: Path) -> str:
    """Return a line if students can find hidden trees in the kit, "" if they cannot."""
    note = note_on_trees(root)
    if note:
        return note
    hidden = load_trees(root / OWN)
    count = len(published_hashes(root).intersection(map(hash_of_tree, hidden)))
    if not count:
        return ""
    return f"{count} of {len(hidden)} hidden trees are also in {EXAMPLE}: run make trees"
