"""Game trees: nodes to search, tree files to read, traces to judge a search by."""

from gametree.node import Node
from gametree.support.trace import observe
from gametree.support.tree import Position, Search, Tree, TreeError

__all__ = ["Node", "Position", "Search", "Tree", "TreeError", "observe"]
LOADERS = ("load_tree", "load_trees", "parse_tree")


def __getattr__(name):
    """Import the loaders on first use: a search does not need YAML."""
    if name in LOADERS:
        from gametree.support import treefile

        return getattr(treefile, name)
    raise AttributeError(f"module 'gametree' has no attribute {name!r}")
