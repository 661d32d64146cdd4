"""You search to depth 1, then to depth 2, and so on, beginning anew each time.

This is iterative deepening, for games against a clock: search once, to the given depth.

Changes: root_loop
Shows: alphabeta extra no-leaf nodes
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    for plies in range(1, depth):
        search(node, plies, alpha, beta, maximizing)
    return search(node, depth, alpha, beta, maximizing)
