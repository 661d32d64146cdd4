"""passes depth on unchanged in its MAX function.

Both functions must pass depth - 1.

Changes: max_and_min_functions
Line: deeper
Shows: alphabeta missing extra value no-leaf
"""


def max_value(node, depth, alpha, beta):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = -math.inf
    for child in node.children:
        v = max(v, min_value(child, depth, alpha, beta))
        if v >= beta:  # cutoff
            return v
        alpha = max(alpha, v)
    return v
