"""Calls abort() of the C library, which dumps core.

Expect: score 80
Expect: says "its process ended before it returned"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.abort()
