"""Writes forged frames into the pipe to the grader.

Expect: score 80
Expect: says "it used or returned a node that this search had not given it, and was stopped"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.write(node._queries._pipes._requests, bytes(range(200, 248)))
    return node.children[0]
