"""You take a given window wider than 1000 for an open one.

Use every given window, however wide it is.

Changes: root_loop
Only: for_max for_min
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if beta - alpha > 1000:
        alpha = -math.inf
        beta = math.inf
    return search(node, depth, alpha, beta, maximizing)
