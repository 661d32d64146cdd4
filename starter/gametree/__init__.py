"""Game trees: nodes to search, tree files to read, traces to judge a search by."""

from gametree.node import Node
from gametree.observe import Recorder, observe
from gametree.position import Position, Published, Search, Tree
from gametree.trace import Trace
from gametree.treeerror import TreeError
from gametree.treefile import load_tree, load_trees, parse_tree
from gametree.writer import dump_tree

__all__ = [
    "Node",
    "Position",
    "Published",
    "Recorder",
    "Search",
    "Trace",
    "Tree",
    "TreeError",
    "dump_tree",
    "load_tree",
    "load_trees",
    "observe",
    "parse_tree",
]
