"""Names its variables as the lecture does, with Greek letters.

Expect: score 100
"""
import math

# @HONEST@


def alphabeta(node, depth, α, β, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = -math.inf if maximizing else math.inf
    for child in node.children:
        if maximizing:
            v = max(v, alphabeta(child, depth - 1, α, β, False))
            α = max(α, v)
        else:
            v = min(v, alphabeta(child, depth - 1, α, β, True))
            β = min(β, v)
        if α >= β:
            break
    return v
