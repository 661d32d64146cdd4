"""You truncate the alpha that alphabeta is given to a whole number.

Pass alpha on as it is; bounds may have fractions.

Changes: root_loop
Only: for_max for_min
Shows: alphabeta extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if math.isfinite(alpha):
        alpha = int(alpha)
    return search(node, depth, alpha, beta, maximizing)
