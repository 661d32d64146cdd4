"""Calls os._exit(0), as if it had succeeded.

Expect: score 80
Expect: says "its process ended before it returned"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os._exit(0)
