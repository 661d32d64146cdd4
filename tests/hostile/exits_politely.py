"""Calls sys.exit(0) in the middle of a search.

Expect: score 80
Expect: says "it raised SystemExit"
"""
import sys

# @HONEST@


def best_move(node, depth, maximizing):
    sys.exit(0)
