"""truncates the caller's alpha to an integer.

Use alpha unchanged: bounds may be fractions.

Changes: root_loop
Only: MAX MIN
Line: wrapping
Shows: alphabeta extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if math.isfinite(alpha):
        alpha = int(alpha)
    return search(node, depth, alpha, beta, maximizing)
