"""truncates the caller's beta to an integer.

Use beta unchanged: bounds may be fractions.

Changes: root_loop
Only: MAX MIN
Line: wrapping
Shows: alphabeta extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if math.isfinite(beta):
        beta = int(beta)
    return search(node, depth, alpha, beta, maximizing)
