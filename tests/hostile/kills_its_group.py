"""Kills its own process group, in the hope that the grader is in it.

Expect: score 80
Expect: says "it raised PermissionError" or "its process ended before it returned"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.killpg(0, 9)
