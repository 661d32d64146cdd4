"""Returns True, which equals the correct value 1.

Expect: score 0
Expect: says "returned a bool instead of a number"
Expect: says "returned a bool instead of one of node.children"
"""


def minimax(node, depth, maximizing):
    return True


def alphabeta(node, depth, alpha, beta, maximizing):
    return True


def best_move(node, depth, maximizing):
    return False
