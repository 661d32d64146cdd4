"""Uses a relative import, as if it were part of a package.

Expect: score 0
Expect: says "search.py could not be loaded: it raised ImportError"
"""
from .gametree import Node
# @HONEST@
