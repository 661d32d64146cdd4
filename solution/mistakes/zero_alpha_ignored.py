"""You take a given alpha of 0 for an open bound.

0 counts as false in Python, so `alpha or ...` drops an alpha of 0.

Changes: root_loop
Only: for_max for_min
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return search(node, depth, alpha or -math.inf, beta, maximizing)
