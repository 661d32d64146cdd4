"""Closes the pipes to the grader and continues.

Expect: score 80
Expect: says "its process ended before it returned"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.close(node._queries._pipes._requests)
    os.close(node._queries._pipes._replies)
    return node.children[0]
