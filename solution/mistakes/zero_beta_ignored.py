"""You take a given beta of 0 for an open bound.

0 counts as false in Python, so `beta or ...` drops a beta of 0.

Changes: root_loop
Only: for_max for_min
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return search(node, depth, alpha, beta or math.inf, maximizing)
