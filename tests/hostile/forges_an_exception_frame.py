"""Announces an exception whose text has four thousand million bytes.

Expect: score 80
Expect: says "it used or returned a node that this search had not given it, and was stopped"
"""
import os
import struct

# @HONEST@


def best_move(node, depth, maximizing):
    os.write(node._queries._pipes._requests, struct.pack("<BBxxIq", 5, 0, 2**32 - 1, 7))
    return node.children[0]
