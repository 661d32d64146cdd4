"""All three functions return a constant without visiting the tree.

Points: 0 to 3
"""


def minimax(node, depth, maximizing):
    return 0


def alphabeta(node, depth, alpha, beta, maximizing):
    return 0


def best_move(node, depth, maximizing):
    return node.children[0]
