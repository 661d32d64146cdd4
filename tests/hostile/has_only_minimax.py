"""Defines only minimax; the other functions are the starter's stubs.

Expect: score 20
Expect: says "it raised NotImplementedError (not written yet)"
"""
# @HONEST@


def alphabeta(node, depth, alpha, beta, maximizing):
    raise NotImplementedError("write alphabeta")


def best_move(node, depth, maximizing):
    raise NotImplementedError("write best_move")
