"""Never cuts off, which is wrong and nothing worse.

Expect: score 64.72
Expect: says "needlessly: a cutoff comes before"
"""
# @HONEST@


def alphabeta(node, depth, alpha, beta, maximizing):
    return minimax(node, depth, maximizing)
