"""calls its MAX function from its MAX function, so MIN never moves.

The two functions alternate: the MAX function must call the MIN function.

Changes: max_and_min_functions
Line: function
Shows: alphabeta value extra missing
"""


def max_value(node, depth, alpha, beta):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = -math.inf
    for child in node.children:
        v = max(v, max_value(child, depth - 1, alpha, beta))
        if v >= beta:  # cutoff
            return v
        alpha = max(alpha, v)
    return v
