"""Ends with an exit status that is the value.

Expect: score 80
Expect: says "its process ended before it returned"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os._exit(int(minimax(node, depth, maximizing)) % 256)
