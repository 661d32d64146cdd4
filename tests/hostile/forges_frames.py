"""Writes forged frames into the pipe to the grader.

Expect: score 80
Expect: says "it used a node that it had not received and was stopped"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.write(node._queries._pipes._requests, bytes(range(200, 248)))
    return node.children[0]
