"""Game trees: nodes to search, tree files to read, traces to judge a search by."""

from gametree.markup import TreeError
from gametree.node import Node
from gametree.trace import Recorder, Trace, observe
from gametree.tree import Position, Published, Search, Tree
from gametree.treefile import load_tree, load_trees, parse_tree

__all__ = [
    "Node",
    "Position",
    "Published",
    "Recorder",
    "Search",
    "Trace",
    "Tree",
    "TreeError",
    "load_tree",
    "load_trees",
    "observe",
    "parse_tree",
]
