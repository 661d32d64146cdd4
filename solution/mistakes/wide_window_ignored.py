"""treats a window wider than 1000 as a full window.

Use the given window, even if it is wide.

Changes: root_loop
Only: MAX MIN
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if beta - alpha > 1000:
        alpha = -math.inf
        beta = math.inf
    return search(node, depth, alpha, beta, maximizing)
