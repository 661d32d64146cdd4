"""Uses the starter's Tree in annotations, subclasses Position, and guards load_tree.

Expect: score 100
"""
from dataclasses import dataclass
from pathlib import Path

import gametree.support.drawing
import gametree.support.tree as tree_module
from gametree import Node, Tree, TreeError, load_tree, parse_tree
from gametree.support.tree import Position
# @HONEST@

try:
    example = load_tree("trees/03-aima-figure-5-2.yaml")
except FileNotFoundError:
    example = None
try:
    other = parse_tree("root: max\ntree: [1, 2]\n", "other")
except TreeError:
    other = None
if Path("trees/03-aima-figure-5-2.yaml").exists():
    third = load_tree("trees/03-aima-figure-5-2.yaml")


# As at home, both names are the same class, so a subclass is known by either.
if not issubclass(Position, tree_module.Position):
    raise ImportError


class Sketch(Position):
    def __init__(self, path, name, value=None, children=()):
        super().__init__(path, name, value, children)
        self.seen = 0


@dataclass
class Note:
    tree: Tree | None = None
    node: "Node | None" = None


def draw(tree: Tree | None, position: tree_module.Position | None = None) -> str | None:
    return gametree.support.drawing.draw(tree) if isinstance(tree, Tree) else None


_note, _sketch, _honest = Note(), Sketch((), "A", 3), minimax


def minimax(node: Node, depth: int, maximizing: bool, tree: Tree | None = None) -> float:
    _sketch.seen += 1
    assert draw(tree) is None and _note.tree is None
    return _honest(node, depth, maximizing)
