"""updates alpha instead of beta in its MIN function.

In the MIN function, lower beta to the best value.

Changes: max_and_min_functions
Line: other bound
Shows: alphabeta extra
"""


def min_value(node, depth, alpha, beta):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = math.inf
    for child in node.children:
        v = min(v, max_value(child, depth - 1, alpha, beta))
        if v <= alpha:  # cutoff
            return v
        alpha = min(alpha, v)
    return v
