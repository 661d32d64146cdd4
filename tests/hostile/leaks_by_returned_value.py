"""Returns the sum of the values it visited.

Expect: score 40
Expect: says "returned 2, expected 1"
"""
# @HONEST@


def alphabeta(node, depth, alpha, beta, maximizing):
    return sum(minimax(child, depth - 1, not maximizing) for child in node.children)
