"""does not test for terminals in its MIN function.

Both functions need the complete leaf test: depth 0 or a terminal.

Changes: max_and_min_functions
Line: leaf test
Shows: alphabeta missing value
"""


def min_value(node, depth, alpha, beta):
    if depth == 0:
        return node.evaluate()
    v = math.inf
    for child in node.children:
        v = min(v, max_value(child, depth - 1, alpha, beta))
        if v <= alpha:  # cutoff
            return v
        beta = min(beta, v)
    return v
