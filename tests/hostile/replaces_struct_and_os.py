"""Replaces struct and os.write, to forge all frames.

Expect: score 80
Expect: says "it used or returned a node that this search had not given it, and was stopped"
"""
import os

# @HONEST@

_write = os.write


def best_move(node, depth, maximizing):
    os.write = lambda fd, data: _write(fd, b"\xff" * len(data))
    return node.children[0]
