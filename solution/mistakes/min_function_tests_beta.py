"""tests for a cutoff with beta instead of alpha in its MIN function.

In the MIN function, compare the value with alpha.

Changes: max_and_min_functions
Line: name in if, cutoff
Shows: alphabeta extra missing value
"""


def min_value(node, depth, alpha, beta):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = math.inf
    for child in node.children:
        v = min(v, max_value(child, depth - 1, alpha, beta))
        if v >= beta:  # cutoff
            return v
        beta = min(beta, v)
    return v
