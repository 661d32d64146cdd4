"""Copies nodes before it searches them.

Expect: score 100
"""
import copy

# @HONEST@

_honest = minimax


def minimax(node, depth, maximizing):
    return _honest(copy.copy(node), depth, maximizing)
