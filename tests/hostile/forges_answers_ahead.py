"""Sends several answers for one search, so that the others count for the next ones.

Expect: score 0
Expect: says "the visited leaves do not prove it"
"""
import os
import struct


def _twice(node):
    frame = struct.pack("<BBxxIq", 4, 1, 0, 1)
    os.write(node._queries._pipes._requests, frame * 3)
    return 1


def minimax(node, depth, maximizing):
    return _twice(node)


def alphabeta(node, depth, alpha, beta, maximizing):
    return _twice(node)


def best_move(node, depth, maximizing):
    return _twice(node)
