"""All three functions follow the first child down to a leaf.

Points: 0 to 7
"""


def minimax(node, depth, maximizing):
    while depth > 0 and not node.is_terminal():
        node, depth = node.children[0], depth - 1
    return node.evaluate()


def alphabeta(node, depth, alpha, beta, maximizing):
    return minimax(node, depth, maximizing)


def best_move(node, depth, maximizing):
    minimax(node, depth, maximizing)
    return node.children[0]
