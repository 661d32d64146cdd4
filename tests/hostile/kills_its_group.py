"""Kills its process group, which might include the grader.

Expect: score 80
Expect: says "it raised PermissionError" or "its process ended before it returned"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.killpg(0, 9)
