"""Never cuts off, which is wrong and nothing worse.

Expect: score 66.08
Expect: says "needlessly: you should have cut off before this"
"""
# @HONEST@


def alphabeta(node, depth, alpha, beta, maximizing):
    return minimax(node, depth, maximizing)
