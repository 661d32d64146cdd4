"""You truncate the beta that alphabeta is given to a whole number.

Pass beta on as it is; bounds may have fractions.

Changes: root_loop
Only: for_max for_min
Shows: alphabeta extra missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if math.isfinite(beta):
        beta = int(beta)
    return search(node, depth, alpha, beta, maximizing)
