"""Asks for an attribute that nodes do not have, at every call."""


def minimax(node, depth, maximizing):
    return node.value


def alphabeta(node, depth, alpha, beta, maximizing):
    return node.value


def best_move(node, depth, maximizing):
    return max(node.children, key=lambda child: child.value)
