"""Calls best_move in minimax, but does not define it.

Expect: score 60
Expect: says "name 'best_move' is not defined"
"""
# @HONEST@


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    return minimax(best_move(node, depth, maximizing), depth - 1, not maximizing)


del best_move
