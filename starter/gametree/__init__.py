"""Game trees: nodes to search, tree files to read, traces to judge a search by."""

import sys

if sys.version_info < (3, 10):  # noqa: UP036  before modules that older versions refuse
    print("This needs Python 3.10 or newer.", file=sys.stderr)
    sys.exit(2)

from gametree.node import Node
from gametree.support.errors import TreeError
from gametree.support.trace import observe
from gametree.support.tree import Search, Tree
from gametree.support.treefile import load_tree, load_trees, parse_tree

__all__ = [
    "Node",
    "Search",
    "Tree",
    "TreeError",
    "load_tree",
    "load_trees",
    "observe",
    "parse_tree",
]
