"""Replaces struct and os.write, so that its frames are made by itself.

Expect: score 80
Expect: says "it used a node that it had not received and was stopped"
"""
import os

# @HONEST@

_write = os.write


def best_move(node, depth, maximizing):
    os.write = lambda fd, data: _write(fd, b"\xff" * len(data))
    return node.children[0]
