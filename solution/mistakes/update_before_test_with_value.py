"""first updates the bound and then compares the value with that same bound.

MAX updates alpha and tests beta, and MIN updates beta and tests alpha.

Changes: max_and_min_functions
Line: name in if, cutoff
Shows: alphabeta missing value
Derives: nothing
"""


def max_value(node, depth, alpha, beta):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = -math.inf
    for child in node.children:
        v = max(v, min_value(child, depth - 1, alpha, beta))
        beta = min(beta, v)
        if v >= beta:  # cutoff
            return v
    return v


def min_value(node, depth, alpha, beta):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = math.inf
    for child in node.children:
        v = min(v, max_value(child, depth - 1, alpha, beta))
        alpha = max(alpha, v)
        if v <= alpha:  # cutoff
            return v
    return v
