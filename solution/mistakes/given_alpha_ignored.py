"""You ignore the alpha that alphabeta is given.

The first call must use the alpha of the caller.

Changes: root_loop
Only: for_max for_min
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return search(node, depth, -math.inf, beta, maximizing)
