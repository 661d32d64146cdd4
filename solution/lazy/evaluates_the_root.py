"""All three functions evaluate only the root.

Points: 0 to 5
"""


def minimax(node, depth, maximizing):
    return node.evaluate()


def alphabeta(node, depth, alpha, beta, maximizing):
    return node.evaluate()


def best_move(node, depth, maximizing):
    node.evaluate()
    return node.children[0]
