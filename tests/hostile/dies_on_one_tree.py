"""Exits at a root with three children and is correct on all other trees.

Expect: score 93.5
Expect: says "its process ended before it returned"
"""
import os

# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    if len(node.children) == 3:
        os._exit(1)
    return _honest(node, depth, maximizing)
