"""treats a given alpha of 0 as an open bound.

In Python, 0 counts as false, so `alpha or ...` ignores an alpha of 0.

Changes: root_loop
Only: MAX MIN
Line: none, condition
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return search(node, depth, alpha or -math.inf, beta, maximizing)
