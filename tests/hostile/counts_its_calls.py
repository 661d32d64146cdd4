"""Counts its calls in a global variable and searches correctly.

Expect: score 100
"""
# @HONEST@

calls = 0
_honest = minimax


def minimax(node, depth, maximizing):
    global calls
    calls += 1
    return _honest(node, depth, maximizing)
