"""You search to depth 1, then to depth 2, and so on, beginning anew each time.

A legitimate engine (iterative deepening), but not what is asked for: search once, to depth.

Changes: root_loop
Shows: alphabeta extra no-leaf nodes
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    for plies in range(1, depth):
        search(node, plies, alpha, beta, maximizing)
    return search(node, depth, alpha, beta, maximizing)
