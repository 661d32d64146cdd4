"""Game trees: nodes to search, tree files to read, traces to judge a search by."""

from gametree.node import Node
from gametree.trace import Recorder, Trace, observe
from gametree.tree import Position, Published, Search, Tree, TreeError

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


def __getattr__(name):
    """Import what reads files where it is asked for: a search needs no YAML."""
    if name in ("load_tree", "load_trees", "parse_tree"):
        from gametree import treefile

        return getattr(treefile, name)
    raise AttributeError(f"module 'gametree' has no attribute {name!r}")
