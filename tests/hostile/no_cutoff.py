"""Never cuts off, which is wrong and nothing worse.

Expect: score 66.08
Expect: says "unnecessarily: prune before this"
"""
# @HONEST@


def alphabeta(node, depth, alpha, beta, maximizing):
    return minimax(node, depth, maximizing)
