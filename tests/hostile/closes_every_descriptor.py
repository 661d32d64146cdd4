"""Closes all its file descriptors.

Expect: score 80
Expect: says "its process ended before it returned"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.closerange(0, 4096)
    return node.children[0]
