"""Reads the address 0.

Expect: score 80
Expect: says "its process ended before it returned"
"""
import ctypes

# @HONEST@


def best_move(node, depth, maximizing):
    ctypes.string_at(0)
