"""searches to depth 1, then to depth 2, and so on, each time from the start.

Iterative deepening is a valid algorithm, but the assignment asks for one search.

Changes: root_loop
Line: name for number in for, dropped in assignment
Shows: alphabeta extra no-leaf nodes
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    for plies in range(1, depth):
        search(node, plies, alpha, beta, maximizing)
    return search(node, depth, alpha, beta, maximizing)
